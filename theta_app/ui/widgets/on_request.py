"""Work that takes long starts when it is asked for, and is not asked for again until something has changed."""

from collections.abc import Hashable
from typing import Any

import streamlit as st


def asked(name: str, wanted: Hashable, label: str, **options: Any) -> bool:
    """Whether ``wanted`` has been asked for, by a click on the button that is shown until then.

    Parameters
    ----------
    name : str
        Of the session: what is remembered.
    wanted : hashable
        What would be computed; another value needs another click.
    label : str
        Of the button.
    options
        Of the button.
    """
    if st.session_state.get(name) == wanted:
        return True
    if st.button(label, **options):
        st.session_state[name] = wanted
        return True
    return False
