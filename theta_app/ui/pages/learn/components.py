"""The lessons' pictures as one component, and the channel of a class: the browser draws, Python clusters."""

from pathlib import Path
from typing import Any

from theta_app.figures.palette import COLOURS
from theta_app.ui.components import component

_PARTS = Path(__file__).parent / "parts"
_lesson = component("theta_learn", _PARTS / "lesson.js", css=_PARTS / "learn.css")

channel = component("theta_learn_channel", _PARTS / "channel.js")


def lesson(data: dict, **options: Any) -> Any:
    """The lesson that ``data["kind"]`` names; it stays mounted, and on stage, while lessons change."""
    return _lesson(data={**data, "palette": list(COLOURS)}, **options)
