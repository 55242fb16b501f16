"""Points as a picture of pixels: it costs the browser the same for any number of them, a mark per point does not."""

import base64
import io

import numpy as np
from PIL import Image

from theta_app.figures import palette

_SIDE = 440  # pixels of a picture's points
_LARGER = (20_000, 4_000, 1_000)  # points up to which each is a pixel wider; two pixels can always be seen
_OPACITY = 200  # of 255
_EDGE = 0.03  # of the extent, around the points


def image(points: np.ndarray, labels: np.ndarray, low: np.ndarray, high: np.ndarray) -> dict:
    """A layout image of points (n, 2) in the colours of their labels, grey for -1, from corner to corner of a `box`."""
    corners = {"x": low[0], "y": high[1], "sizex": high[0] - low[0], "sizey": high[1] - low[1]}
    return {"source": _points_png(points, labels, low, high), "sizing": "stretch", "layer": "below", **corners}


def box(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The lower left and the upper right corner of what is drawn of points, each [x, y]."""
    low, high = points.min(axis=0), points.max(axis=0)
    edge = np.where(high > low, _EDGE * (high - low), 1.0)
    return low - edge, high + edge


def _points_png(points: np.ndarray, labels: np.ndarray, low: np.ndarray, high: np.ndarray) -> str:
    """Every point as a small square, as a PNG in a data address: a picture costs the browser the same for any n."""
    spans = high - low
    width, height = np.maximum(np.round(_SIDE * spans / spans.max()), 40).astype(int)
    across = ((points[:, 0] - low[0]) / spans[0] * (width - 1)).round().astype(int)
    down = ((high[1] - points[:, 1]) / spans[1] * (height - 1)).round().astype(int)
    colours = np.array([rgb(palette.MUTED), *(rgb(c) for c in palette.COLOURS)], dtype=np.uint8)
    chosen = colours[np.where(labels < 0, 0, 1 + labels % len(palette.COLOURS))]
    pixels = np.zeros((height, width, 4), dtype=np.uint8)
    reach = 1 + sum(len(points) <= most for most in _LARGER)
    for dx in range(reach + 1):
        for dy in range(reach + 1):
            rows, columns = np.minimum(down + dy, height - 1), np.minimum(across + dx, width - 1)
            pixels[rows, columns, :3] = chosen
            pixels[rows, columns, 3] = _OPACITY
    png = io.BytesIO()
    Image.fromarray(pixels).save(png, "PNG")
    return "data:image/png;base64," + base64.b64encode(png.getvalue()).decode()


def rgb(colour: str) -> tuple[int, ...]:
    """Red, green and blue of a colour written as #rrggbb."""
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))
