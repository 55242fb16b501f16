"""Bringing one's own data: a file, or rows pasted from a spreadsheet."""

import streamlit as st

from theta_app import datasets
from theta_app.datasets.uploads.process import read_upload
from theta_app.ui import session, store, visitor
from theta_app.ui.pages.data.choosing import WANTED
from theta_app.ui.widgets import words

_HANDLED = "data.handled"  # the upload dealt with last, and what was said about it


def bring_your_own() -> None:
    """The uploader. A file that cannot be read leaves the current data set as it was."""
    visitor.recognise()
    file = st.file_uploader(
        "Or bring your own file",
        help="CSV or other text tables (also .gz), Excel (.xlsx), Parquet, NumPy (.npy, .npz) or ARFF, up to 200 MB. "
        "It is kept in the server's memory for you alone and for nobody else.",
    )
    if file is None:
        st.session_state.pop(_HANDLED, None)
        return
    handled, complaint = st.session_state.get(_HANDLED, (None, None))
    if handled != file.file_id:
        complaint = _read(file)
        st.session_state[_HANDLED] = (file.file_id, complaint)
        if complaint is None:
            st.rerun()
    if complaint:
        st.error(f"{complaint} The current data set is still the one below.", icon=":material/error:")


def _read(file) -> str | None:
    """Take an uploaded file as the current data set; returns a sentence when it cannot be.

    Whatever ends this run (the person leaves, goes to another page, uploads another file or cancels) ends the process
    that reads the file, where progress is next written.
    """
    content = file.getvalue()
    slot = st.empty()
    with slot.container():
        shown = st.empty()
        st.button("Cancel", icon=":material/stop:", key="data.cancel", on_click=_cancel, args=(file.file_id,))

    def progress(ahead: int, share: float) -> None:
        files = words.count(ahead, "other file")
        waiting = f"Waiting: {files} {'is' if ahead == 1 else 'are'} being read before yours…"
        shown.progress(share, waiting if ahead else f"Reading {words.plain(file.name[:60])}…")

    try:
        data = read_upload(file.name, content, store.BUDGET.largest, visitor.name(), progress)
        spec = visitor.keep(data, content)
    except datasets.UploadError as error:
        return str(error)
    finally:
        slot.empty()
    st.session_state.pop(WANTED, None)
    awaited = visitor.awaited(spec)
    if awaited is not None:
        session.restore(awaited)
        session.notify("This is the file of the link you opened: its settings are back.")
    else:
        session.choose(spec)
    return None


def _cancel(file_id: str) -> None:
    st.session_state[_HANDLED] = (file_id, "Reading the file was cancelled.")
