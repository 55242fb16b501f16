"""What tests of pages share."""

import json
import re

import numpy as np
import pandas as pd
from streamlit.testing.v1 import AppTest

from theta_app.ui import moved, shell


def complaints(at: AppTest) -> list[str]:
    """What went wrong: exceptions Streamlit shows, and the sentence the frame shows instead of one."""
    shown = [error.value for error in at.error if "Something went wrong" in error.value]
    return shown + [str(exception.value) for exception in at.exception]


def by_size(labels) -> np.ndarray:
    """Labels numbered anew, the largest cluster first; of equal ones the one with the smaller number."""
    _, place, counts = np.unique(labels, return_inverse=True, return_counts=True)
    return np.argsort(np.argsort(-counts, kind="stable"), kind="stable")[place]


def csv_upload(frame: pd.DataFrame, name: str = "points.csv"):
    return (name, frame.to_csv(index=False).encode(), "text/csv")


def findings_of(at: AppTest) -> str:
    """The line of HTML that says what holds where the person stands."""
    return next(element.proto.body for element in at.get("html") if "findings" in element.proto.body)


def verdict_of(at: AppTest) -> dict[str, str]:
    """The verdict as a page shows it: algorithm, k, theta and epsilon, as texts."""
    shown = [element.proto.body for element in at.get("html") if 'data-testid="verdict"' in element.proto.body]
    assert len(shown) == 1, "a page shows the verdict once"
    return dict(re.findall(r'data-(algorithm|k|theta|epsilon)="([^"]*)"', shown[0]))


def drawn_evidence(at: AppTest) -> dict:
    """What the page Evidence sends to the browser to be drawn."""
    element = next(e for e in at.get("bidi_component") if e.proto.component_name == "theta_evidence")
    return json.loads(element.proto.json)


def former_pages() -> list[str]:
    """The addresses of `moved.MOVED` that are no pages of the menu any more."""
    return [old for old in moved.MOVED if f"pages/{old}.py" not in {entry.file for entry in shell.MENU}]


def is_off_the_verdict(at: AppTest) -> bool:
    """Whether a page says that the person stands elsewhere: Explore in its head, others with a button."""
    lines = [element.proto.body for element in at.get("html") if "data-start=" in element.proto.body]
    if lines:
        return bool(re.search(r'class="theta-verdict \w+ off"', lines[0]))
    return any(button.key == "use-verdict" for button in at.button)
