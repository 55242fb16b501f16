"""How every figure is laid out: room for a phone, a legend above, one hover box, axes in the words of the project."""

import numpy as np

SCALE = ((0.0, "#F0E442"), (0.33, "#009E73"), (0.67, "#0072B2"), (1.0, "#780FB4"))
"""A colour scale from the palette, light to dark, that reads in order with every kind of colour vision."""

NUMBERS = {"exponentformat": "none", "separatethousands": True}
"""How an axis writes its numbers: 15,510, as everywhere."""


def scale_colours(count):
    """So many colours along the scale, light to dark, as ``#rrggbb``."""
    ends = [place for place, _ in SCALE]
    parts = [[int(colour[i : i + 2], 16) for _, colour in SCALE] for i in (1, 3, 5)]
    at = np.linspace(0, 1, count)
    channels = np.rint([np.interp(at, ends, part) for part in parts]).astype(int).T
    return tuple(f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in channels)


def tidy(figure, height, **layout):
    """Apply the common layout to a figure of ``height`` pixels."""
    return figure.update_layout(
        height=height,
        margin={"l": 8, "r": 8, "t": 30, "b": 8},
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0.0, "font": {"size": 13}},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        hoverlabel={"font": {"size": 13}},
        **layout,
    )
