"""The Compare page: the paper's experiments and claims, the person's own comparison, the automatic answer."""

from theta_app import datasets
from theta_app.ui import session
from theta_app.ui.pages.compare import automatic, paper, yours
from theta_app.ui.widgets import controls

PAPER, YOURS, AUTOMATIC = "paper", "yours", "automatic"
_NAMES = {PAPER: "The paper's experiments", YOURS: "Your data", AUTOMATIC: "The automatic answer"}


def show(data: datasets.Dataset) -> None:
    chosen = session.spec() != datasets.DEFAULT  # whoever has chosen data has come to compare on them
    view = controls.one_of("cmp_view", _NAMES, "Compare on", YOURS if chosen else PAPER)
    if view == YOURS:
        yours.show(data)
    elif view == AUTOMATIC:
        automatic.show()
    else:
        paper.show()
