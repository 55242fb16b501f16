"""Uploaded data sets: kept on the server for the visitor who brought them, and for nobody else.

An upload cannot travel in a link, so the link carries only its digest. A random cookie says whose upload it is, which
lets it survive a reload; without cookies it lives as long as the session.
"""

import hashlib
import secrets
from pathlib import Path

import streamlit as st

from theta_app import datasets
from theta_app.ui.components import component
from theta_app.ui.store import Bounded

COOKIE = "theta_visitor"
_KEY = "theta_app.visitor"
_UPLOADS = Bounded(entries=64, megabytes=1024)
_set_cookie = component("theta_visitor_cookie", Path(__file__).parent / "js" / "visitor_cookie.js")


def keep(data: datasets.Dataset, content: bytes) -> datasets.Upload:
    """Keep a data set read from the bytes of a file for this visitor; returns the spec that finds it again.

    The digest is of the file, not of its numbers: two files may differ in their text columns alone.
    """
    spec = datasets.Upload(hashlib.sha256(content).hexdigest())
    size = data.X.nbytes + int(data.table.memory_usage(deep=True).sum())
    _UPLOADS.put((visitor(), spec.digest), data, size)
    return spec


def find(spec: datasets.Upload) -> datasets.Dataset:
    """This visitor's upload. LookupError when they made none such, or it has made room for newer ones."""
    data = _UPLOADS.get((visitor(), spec.digest))
    if data is None:
        raise LookupError(spec.digest)
    return data


def visitor() -> str:
    """A random name of this browser: from its cookie, else drawn now and kept for the session."""
    if _KEY not in st.session_state:
        known = st.context.cookies.get(COOKIE, "")
        st.session_state[_KEY] = known if len(known) >= 20 else secrets.token_urlsafe(24)
    return st.session_state[_KEY]


def recognise_visitor() -> None:
    """Leave the visitor's cookie with the browser. Call it on the page where files are uploaded."""
    _set_cookie(key="theta_app.cookie", data={"cookie": COOKIE, "token": visitor()}, on_token_change=_adopt)


def _adopt() -> None:
    theirs = st.session_state["theta_app.cookie"].get("token")
    if isinstance(theirs, str) and len(theirs) >= 20:
        st.session_state[_KEY] = theirs


_AWAITED = "theta_app.awaited"


def await_upload(state) -> None:
    """Remember what a link wanted to show, for when its file is uploaded here."""
    st.session_state[_AWAITED] = state


def awaited(spec: datasets.Upload):
    """The state of the link that asked for this upload, or None."""
    wanted = st.session_state.get(_AWAITED)
    return wanted if wanted is not None and wanted.spec == spec else None
