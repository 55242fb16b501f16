"""The channel of a class: rooms, answers and share links, in a fragment that is small enough for fifty phones."""

import streamlit as st

from theta_app.ui import address, session, shell, visitor
from theta_app.ui.pages.learn import components
from theta_app.ui.rooms import ROOMS

POLL = 1.5  # seconds between two looks of a phone
_KEY = "learn.channel"
_IN = "theta_app.learn.room"  # the code of the room that this session is in
_SHARED = "theta_app.learn.shared"
_TROUBLE = "theta_app.learn.room_trouble"
_MOVED = "theta_app.learn.room_moved"  # in or out of a room: the page must start or stop asking


def read_link() -> None:
    """A link to a room joins it, once per session."""
    if _IN in st.session_state:
        return
    code = session.option("room", "").strip().upper()
    st.session_state[_IN] = None
    if code:
        _join(code)
        if not st.session_state[_IN]:
            session.forget_option("room")
            session.notify(st.session_state[_TROUBLE])
            st.rerun()


def channel() -> None:
    """What the page's host says and hears. It asks by itself only in a room."""
    in_room = bool(st.session_state.get(_IN))
    st.fragment(_channel, run_every=POLL if in_room else None)()


def _channel() -> None:
    with shell.guard():  # without a turn: it computes nothing
        components.channel(data=_seen(), key=_KEY, on_say_change=_heard)
        if st.session_state.get(_IN):
            visitor.recognise()  # whoever leads is known again after a reload
        if st.session_state.pop(_MOVED, False):
            st.rerun()


def _seen() -> dict:
    told = {"shared": st.session_state.get(_SHARED), "trouble": st.session_state.get(_TROUBLE)}
    code = st.session_state.get(_IN)
    seen = ROOMS.look(code, visitor.name()) if code else None
    if code and seen is None:
        _leave(f"Room {code} has ended.")
        told["trouble"] = st.session_state[_TROUBLE]
    return told | (seen or {"code": None, "leads": False, "phones": 0})


def _heard() -> None:
    """What the browser says: a room to open, join or end, a link to share, where the lesson stands, an answer."""
    said = st.session_state[_KEY].get("say")
    if not isinstance(said, dict):
        return
    me, code = visitor.name(), st.session_state.get(_IN)
    if isinstance(options := said.get("share"), dict):
        parameters = {f"o_{name}": str(value) for name, value in options.items() if value is not None}
        st.session_state[_SHARED] = address.shared(address.link(parameters)) | {"asked": said.get("now")}  # told again
    if (wish := said.get("room")) == "open":
        _open(me)
    elif wish == "join":
        _join(str(said.get("code", "")).strip().upper()[:8])
    elif wish == "end" and code:
        ROOMS.end(code, me)
        _leave(None)
    elif code and not ROOMS.lead(code, me, said) and "answer" in said:
        ROOMS.answer(code, me, said["answer"])


def _open(me: str) -> None:
    try:
        _enter(ROOMS.open(me))
    except RuntimeError as error:
        st.session_state[_TROUBLE] = str(error)


def _join(code: str) -> None:
    if ROOMS.exists(code):
        _enter(code)
    else:
        st.session_state[_TROUBLE] = (
            f"There is no room {code[:8]}. A room ends after two hours; ask for its code again."
        )


def _enter(code: str) -> None:
    st.session_state[_IN] = code
    st.session_state[_TROUBLE] = None
    st.session_state[_MOVED] = True
    session.set_option("room", code)


def _leave(why: str | None) -> None:
    st.session_state[_IN] = None
    st.session_state[_TROUBLE] = why
    st.session_state[_MOVED] = True
    session.forget_option("room")
