"""The Compare page: the paper's experiments and claims, and the person's own comparison."""

from theta_app import datasets
from theta_app.ui.pages.compare import paper, yours
from theta_app.ui.widgets import controls

PAPER, YOURS = "paper", "yours"
_NAMES = {PAPER: "The paper's experiments", YOURS: "Your data"}


def show(data: datasets.Dataset) -> None:
    view = controls.one_of("cmp_view", _NAMES, "Compare on")
    if view == YOURS:
        yours.show(data)
    else:
        paper.show()
