"""For teachers: the plan, the exercises and the notebook of docs/teach, to take along."""

from pathlib import Path

import streamlit as st

from theta_app.ui.home import HOME

FOLDER = next((f for f in (HOME / "teach", HOME / "docs" / "teach") if f.is_dir()), HOME / "docs" / "teach")
FILES = {
    "plan.md": ("Plan for 45 minutes", "text/markdown"),
    "exercises.pdf": ("Exercises (PDF)", "application/pdf"),
    "exercises.md": ("Exercises (Markdown)", "text/markdown"),
    "answers.pdf": ("Answers (PDF)", "application/pdf"),
    "answers.md": ("Answers (Markdown)", "text/markdown"),
    "student.ipynb": ("Notebook for students", "application/x-ipynb+json"),
    "lessons.md": ("What each lesson shows", "text/markdown"),
}


def show() -> None:
    """A closed box with what a teacher takes along."""
    there = {name: FOLDER / name for name in FILES if (FOLDER / name).is_file()}
    if not there:
        return
    with st.expander("For teachers"):
        st.markdown(
            "A class follows on its phones: **Share**, then **Lead a class**. Page down and Page up, or a clicker, "
            "lead "
            "through the whole story; **F** fills the screen."
        )
        with st.container(horizontal=True):
            for name, path in there.items():
                _download(path, *FILES[name])


def _download(path: Path, label: str, mime: str) -> None:
    st.download_button(label, path.read_bytes(), path.name, mime, key=f"learn.pack.{path.name}", on_click="ignore")
