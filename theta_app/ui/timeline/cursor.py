"""Where the timeline's handle stands, as far as Python has a say in it.

The browser moves the handle by itself. Python puts it somewhere only when the person has moved by other means (a number
box, another page, a link), and tells the component so by a new serial.
"""

from collections.abc import Hashable
from typing import Any

import streamlit as st


class Cursor:
    """The handle of one timeline, kept in the session under ``key``."""

    def __init__(self, key: str) -> None:
        self.key = key

    def placed(self, stands: Hashable, value: Any) -> tuple[Any, str]:
        """(value, serial) for the component, when the person stands at ``value``.

        ``stands`` is everything that says where that is (the data and θ as well, say): where it is not what was known
        last, the handle is put at the value.
        """
        known = st.session_state.get(self.key)
        if known is None or known["stands"] != stands:
            serial = 0 if known is None else known["serial"] + 1
            known = st.session_state[self.key] = {"put": value, "serial": serial, "stands": stands, "value": value}
        return known["put"], str(known["serial"])

    def moved(self, stands: Hashable, value: Any) -> None:
        """The person has dragged the handle to ``value``: no update is sent."""
        known = st.session_state[self.key]
        st.session_state[self.key] = {**known, "stands": stands, "value": value}

    def reopened(self) -> None:
        """Call when the page opens: a timeline mounted anew stands where the person left it, a mounted one stays."""
        known = st.session_state.get(self.key)
        if known is not None:
            st.session_state[self.key] = {**known, "put": known["value"]}
