"""Running pages without a browser, on any data set."""

import hashlib
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from theta_app import datasets
from theta_app.datasets.dataset import from_arrays
from theta_app.ui import session, store

ROOT = Path(__file__).resolve().parents[2]
VISITOR = "a-visitor-of-the-tests-0001"


def everything_open(at: AppTest) -> AppTest:
    """Drawers and the panel Export are closed until somebody opens them, and made only then."""
    at.session_state["explore.drawers"] = ("numbers", "settings")
    at.session_state["closed.export"] = True
    return at


@pytest.fixture
def offered(monkeypatch):
    """What the page offers to download: what each button was given, by its label."""
    contents: dict = {}
    keep = lambda label, content, *_, **__: contents.update({label: content})  # noqa: E731
    monkeypatch.setattr("streamlit.download_button", keep)
    return contents


@pytest.fixture
def open_page():
    """``open_page("app.py", X=..., truth=..., query=..., settings=...)`` -> an AppTest that has run once."""

    def run(script: str = "app.py", X=None, truth=None, query=None, visitor=None, **settings) -> AppTest:
        at = everything_open(AppTest.from_file(str(ROOT / script), default_timeout=60))
        for name, value in (query or {}).items():
            at.query_params[name] = value
        if visitor is not None:
            at.session_state["theta_app.visitor"] = visitor
        if X is not None:
            data = from_arrays("A test set", "Made by a test.", np.asarray(X, dtype=float), truth)
            digest = hashlib.sha256(data.digest.encode()).hexdigest()
            store.UPLOADS.put((VISITOR, digest), data)
            at.session_state["theta_app.visitor"] = VISITOR
            chosen = session.State(datasets.Upload(digest), settings=session.Settings(**settings))
            at.session_state["theta_app.state"] = chosen
        return at.run()

    return run
