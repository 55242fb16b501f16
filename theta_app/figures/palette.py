"""The one palette of the project.

The first seven colours are Okabe and Ito's, which people with the common kinds of colour blindness can tell apart and a
teacher can name. The ones after them were picked one at a time, each as far as possible (in OKLab, also as seen with
deuteranopia and protanopia) from all before it, and lifted to a contrast of 3 with the dark background where they were
darker. Points have a darker rim, which parts the light ones from a white background.
"""

COLOURS: tuple[str, ...] = (
    "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442", "#BD1866", "#C300FF", "#726600",
    "#2DF0D2", "#962DC6", "#FFB4E1", "#00D25A", "#FF69FF", "#D21EA5", "#4B87FF", "#FF0F69", "#C31B00", "#C3C396",
    "#965A78", "#007869", "#FF7869", "#008700", "#78A500", "#00C3A5", "#A569D2", "#6C57AB", "#694BF0",
)  # fmt: skip

ACCENT = "#0072B2"  # the thing under the cursor, the curve one looks at first
SECOND = "#D55E00"  # the second curve of a figure
MUTED = "#8C8C8C"  # context: grid, outliers, everything not highlighted
GOOD = "#009E73"  # the recommended range


def colour(index: int) -> str:
    """The colour of cluster ``index``, as ``#RRGGBB``; indices beyond the palette start over."""
    return COLOURS[index % len(COLOURS)]


def rgba(hex_colour: str, alpha: float) -> str:
    """``#RRGGBB`` with an opacity between 0 and 1, as CSS ``rgba()``."""
    red, green, blue = (int(hex_colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {alpha:g})"
