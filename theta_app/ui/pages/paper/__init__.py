"""The page Paper: its claims, experiments and deep clustering. A part is computed and drawn once it is opened."""

from theta_app import datasets
from theta_app.ui import session
from theta_app.ui.pages.paper import automatic, claims, deep, experiments, questions, s_sets, spacing
from theta_app.ui.widgets import controls

_PARTS = {
    "claims": ("Claims, checked", claims.show),
    "experiments": ("Experiments", experiments.show),
    "questions": ("Sparsity, θ or K, orders", questions.show),
    "range": ("Range of θ", spacing.show),
    "sets": ("S1 to S4", s_sets.show),
    "deep": ("Deep clustering", deep.show),
    "automatic": ("Automatic answer", automatic.show),
}
_OPENED_BY = {"deep": "deep", "cmp_experiment": "experiments", "spacing": "range", "sets": "sets"}
"""Options of links, by how they begin -> the part they are about: links from before there was this page."""


def show(data: datasets.Dataset) -> None:
    """Draw the page, with the part that the address names."""
    part = controls.one_of("paper", {key: name for key, (name, _) in _PARTS.items()}, "Part", _first())
    draw = _PARTS[part][1]
    draw(data) if part == "deep" else draw()  # type: ignore[operator]


def _first() -> str:
    options = session.current().options
    return next((part for start, part in _OPENED_BY.items() if any(o.startswith(start) for o in options)), "claims")
