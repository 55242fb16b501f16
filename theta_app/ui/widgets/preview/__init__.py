"""The data set as it is, before any clustering: a picture on a canvas of ours, there as soon as the page is."""

from pathlib import Path

import numpy as np

from theta_app.figures.palette import ACCENT, colour
from theta_app.ui.components import component
from theta_app.ui.timeline.coding import Scaling

_HERE = Path(__file__).parent
_preview = component("theta_preview", _HERE / "preview.js", css=_HERE / "preview.css")

_MOST_COLOURS = 60  # classes; above, one colour for all says as much
_MOST_NAMES = 12  # in the legend
_DIGITS = 5  # of a place in the picture, which is about 2 wide: less than a pixel


def show(
    positions: np.ndarray,
    classes: np.ndarray | None,
    names: tuple[str, ...],
    axes: tuple[str, str],
    alt: str,
    *,
    aspect: float = 1.0,
    globe: float | None = None,
    many: int = 1,
) -> None:
    """Points (n, 2), or lines of ``many`` positions each, coloured by their true class where it is known.

    ``alt`` is the picture in a sentence; ``aspect`` how wide one unit across is drawn, in units up; ``globe`` the
    radius of the sphere on a map.
    """
    scaling = Scaling.of(positions)
    several = classes is not None and 1 < len(names) <= _MOST_COLOURS
    _preview(
        key="preview",
        data={
            "points": np.round(scaling(positions), _DIGITS).ravel().tolist(),
            "origin": list(scaling.origin),
            "unit": scaling.unit,
            "classes": classes.tolist() if several else None,
            "colours": [colour(code) for code in range(len(names))] if several else [ACCENT],
            "names": [name[:30] for name in names] if several and len(names) <= _MOST_NAMES else [],
            "axes": list(axes),
            "aspect": aspect,
            "globe": globe,
            "many": many,
            "alt": alt,
        },
    )
