"""Choosing a file that the app was started with, or a data set that comes with the project, and its numbers."""

from dataclasses import replace
from typing import Any

import streamlit as st

from theta_app import datasets
from theta_app.ui import opened, session
from theta_app.ui.widgets import controls, gallery, words
from theta_app.ui.widgets.progress import bar

WANTED = "data.wanted"  # key of a published set that is not on this machine yet


def choose_named() -> None:
    """One button per file that the app was started with, where they are several; the one that is shown is marked."""
    files = opened.files()
    if len(files) < 2:
        return
    st.subheader("Your files", anchor=False)
    names = [path.name for path in files]
    shown = opened.shown()
    with st.container(horizontal=True, key="named-files"):
        for path in files:
            name = path.name if names.count(path.name) == 1 else f"{path.parent.name}/{path.name}"
            kind = "primary" if path == shown else "secondary"
            own: dict[str, Any] = {"key": f"named-file {path}", "type": kind, "icon": ":material/table:"}
            st.button(words.plain(name), **own, on_click=opened.take, args=(path,))


def choose_from_catalogue() -> None:
    """A gallery of every data set, folded while the person looks at their own, and the numbers of the chosen one."""
    spec = session.spec()
    wanted = st.session_state.get(WANTED)
    current = wanted or (spec.key if spec.key in datasets.CATALOGUE else None)
    with st.expander("Data sets to try", expanded=current is not None, icon=":material/apps:"):
        gallery.show(current, choose)
        if current is None:
            return
        listed = datasets.CATALOGUE[current]
        st.caption(listed.help)
        if wanted:
            _download(listed)  # type: ignore[arg-type]
        else:
            _parameters(spec)


def choose(key: str) -> None:
    """Take a data set of the catalogue; one that is not on this machine is offered for download. For callbacks."""
    spec = datasets.CATALOGUE[key]
    if isinstance(spec, datasets.Original) and not datasets.is_fetched(spec.name):
        st.session_state[WANTED] = key
        return
    st.session_state.pop(WANTED, None)
    _take(spec)


def _take(spec: datasets.Spec) -> None:
    session.choose(spec, datasets.Preparation(metric=spec.metric))


def _parameters(spec: datasets.Spec) -> None:
    row = st.container(horizontal=True, gap="small")
    for parameter in spec.parameters():
        whole = parameter.kind is int
        row.number_input(
            parameter.label,
            min_value=parameter.kind(parameter.low),
            max_value=parameter.kind(parameter.high),
            step=1 if whole else 0.1,
            format=None if whole else "%.4g",
            help=parameter.help or None,
            width=180,
            **controls.bound(
                f"data.{spec.key}.{parameter.name}",
                getattr(spec, parameter.name),
                lambda value, name=parameter.name: _change(name, value),  # type: ignore[misc]
            ),
        )


def _change(name: str, value: object) -> None:
    if value is None:
        return
    try:
        _take(replace(session.spec(), **{name: value}))
    except ValueError as error:
        session.notify(f"{error} Nothing was changed.")


def _download(spec: datasets.Original) -> None:
    """Published points are fetched when the person asks for them, never by themselves."""
    st.info(f"{spec.label} is not on this machine yet. The current data set stays until it is.")
    if not st.button(f"Download {spec.label}", type="primary", icon=":material/cloud_download:"):
        return
    try:
        with bar(f"Downloading {spec.label}") as tick:
            tick(0, 1)  # connecting may take a while
            datasets.fetch(spec.name, tick)
    except datasets.FetchError as error:
        st.error(str(error))
        return
    st.session_state.pop(WANTED, None)
    _take(spec)
    st.rerun()
