"""Work that takes long starts when it is asked for, and is not asked for again until something has changed."""

from collections.abc import Hashable
from typing import Any

import streamlit as st


def asked(name: str, wanted: Hashable, label: str, **options: Any) -> bool:
    """Whether ``wanted`` has been asked for, by a click on the button that is shown until then.

    ``name`` is where the session remembers it; another value of ``wanted`` needs another click. Label and options are
    the button's.
    """
    if st.session_state.get(name) == wanted:
        return True
    if st.button(label, **options):
        st.session_state[name] = wanted
        return True
    return False
