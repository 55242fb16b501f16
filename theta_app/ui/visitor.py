"""Uploaded data sets: kept on the server for the visitor who brought them, and for nobody else.

An upload cannot travel in a link, so the link carries only its digest. A random cookie says whose upload it is, which
lets it survive a reload; without cookies it lives as long as the session.
"""

import hashlib
import secrets
from dataclasses import replace
from pathlib import Path

import streamlit as st

from theta_app import datasets
from theta_app.ui import store
from theta_app.ui.components import component
from theta_app.ui.session import State

COOKIE = "theta_visitor"
_KEY = "theta_app.visitor"
_set_cookie = component("theta_visitor_cookie", Path(__file__).parent / "js" / "visitor_cookie.js")


def keep(data: datasets.Dataset, content: bytes, sheet: str = "", header: str = "") -> datasets.Upload:
    """Keep a data set read from the bytes of a file for this visitor; returns the spec that finds it again.

    The digest is of the file, not of its numbers: two files may differ in their text columns alone.
    """
    spec = datasets.Upload(hashlib.sha256(content).hexdigest(), sheet, header)
    data = replace(data, spec=spec)
    try:
        with store.BUDGET.room_for(store.real_size(data)):
            pass
    except store.NoRoom as error:
        raise datasets.UploadError(f"The file is fine. {error}") from error
    if not store.UPLOADS.put(_place(spec), data):
        raise datasets.UploadError(
            "The file is fine, but it needs more memory than one visitor may use on this server. Keep fewer rows or "
            "columns."
        )
    return spec


def find(spec: datasets.Upload) -> datasets.Dataset:
    """This visitor's upload. LookupError when they made none such, or it has made room for newer ones."""
    data = store.UPLOADS.get(_place(spec))
    if data is None:
        raise LookupError(spec.digest)
    return data


def latest() -> datasets.Upload | None:
    """What this visitor has uploaded or used last, as far as the server still has it."""
    place = store.UPLOADS.newest(lambda place: place[0] == name())
    return None if place is None else store.UPLOADS.get(place).spec


def _place(spec: datasets.Upload) -> tuple[str, ...]:
    part = datasets.table_place(spec.sheet, spec.header)
    return (name(), spec.digest, part) if part else (name(), spec.digest)


def name() -> str:
    """A random name of this browser: from its cookie, else drawn now and kept for the session."""
    if _KEY not in st.session_state:
        known = st.context.cookies.get(COOKIE, "")
        st.session_state[_KEY] = known if len(known) >= 20 else secrets.token_urlsafe(24)
    return st.session_state[_KEY]


def recognise() -> None:
    """Leave the visitor's cookie with the browser. Call it on the page where files are uploaded."""
    _set_cookie(key="theta_app.cookie", data={"cookie": COOKIE, "token": name()}, on_token_change=_adopt)


def _adopt() -> None:
    theirs = st.session_state["theta_app.cookie"].get("token")
    if isinstance(theirs, str) and len(theirs) >= 20:
        st.session_state[_KEY] = theirs


_AWAITED = "theta_app.awaited"


def await_upload(state: State) -> None:
    """Remember what a link wanted to show, for when its file is uploaded here."""
    st.session_state[_AWAITED] = state


def awaited_place(content: bytes) -> tuple[str, str]:
    """(sheet, header) that the link which asked for this file names; empty where it names none."""
    wanted = st.session_state.get(_AWAITED)
    same = wanted is not None and wanted.spec.digest == hashlib.sha256(content).hexdigest()
    return (wanted.spec.sheet, wanted.spec.header) if same else ("", "")


def awaited(spec: datasets.Upload) -> State | None:
    """The state of the link that asked for this upload, or None."""
    wanted = st.session_state.get(_AWAITED)
    return wanted if wanted is not None and wanted.spec == spec else None
