"""Addresses of former pages, and where what they showed is now, with the settings of the link.

`MOVED` is the table of them. Streamlit knows an address only by a file in ``pages/``, so each of these has one, which
calls `lead_on`. They are not in the menu.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from theta_app.ui.components import component
from theta_app.ui.widgets import links

_replace = component("theta_moved", Path(__file__).parent / "js" / "moved.js")


def _chains(query: dict[str, str]) -> dict[str, str]:
    """A link to the former page of chains, for Explore: it kept lengths of its own while TNC was not in use."""
    rest = {name: text for name, text in query.items() if name != "o_chain"}
    own = query.get("o_chain", "").split()
    if rest.get("algorithm") != "TNC" and (len(own) == 3 or "algorithm" in rest):
        lengths = dict(zip(("theta", "epsilon"), own[1:]))
        kept = {name: text for name, text in rest.items() if name not in ("theta", "epsilon")}
        rest = kept | {name: text for name, text in lengths.items() if text != "best"}
    return rest | {"algorithm": "TNC"}


def _deep(query: dict[str, str]) -> dict[str, str]:
    """A link to the former page of deep clustering, for its part of Paper."""
    return {"o_paper": "deep", **query}


@dataclass(frozen=True)
class Move:
    """Where a former page has gone: a page's file and title, and what becomes of a link's parameters."""

    file: str
    title: str
    parameters: Callable[[dict[str, str]], dict[str, str]] = dict


MOVED = {
    "Optimal_theta": Move("pages/Evidence.py", "Evidence"),
    "Cluster_sizes": Move("pages/Evidence.py", "Evidence"),
    "Nonlinear": Move("app.py", "Explore", _chains),
    "Deep": Move("pages/Paper.py", "Paper", _deep),
}


def address(old: str, query: dict[str, str]) -> str:
    """Where a former page's link leads, as an address beside it: ``./Evidence?theta=3.6``."""
    move = MOVED[old]
    page = "" if move.file == "app.py" else Path(move.file).stem
    parameters = urlencode(move.parameters(query))
    return f"./{page}?{parameters}" if parameters else f"./{page}"


def lead_on(file: str) -> None:
    """Lead whoever opened a former page by its address to where it is now; the way back skips it."""
    old = Path(file).stem
    move = MOVED[old]
    st.set_page_config(page_title="ThetA", page_icon="θ")
    links.page_link(move.file, f"This is now on the page {move.title}", ":material/arrow_forward:")
    _replace(key="moved", data=address(old, st.query_params.to_dict()))
