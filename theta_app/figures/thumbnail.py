"""A data set as a small picture: a few hundred dots in an SVG of a kilobyte or two."""

import numpy as np

from theta_app.figures.palette import ACCENT, colour

SIZE = 96  # pixels, the width and height of its own coordinates
DOTS = 220
_MARGIN = 7
_MOST_COLOURS = 60  # classes; above, one colour for all says as much


def thumbnail(positions: np.ndarray, classes: np.ndarray | None = None) -> str:
    """An SVG of points (n, 2), or of lines (n, m, 2), coloured by class where known; both axes on the same scale."""
    positions = np.asarray(positions, dtype=np.float64)
    flat = positions.reshape(-1, 2)
    low, high = flat.min(axis=0), flat.max(axis=0)
    wide = float((high - low).max()) or 1.0
    at = (positions - (low + high) / 2.0) / wide * (SIZE - 2 * _MARGIN) + SIZE / 2.0
    at[..., 1] = SIZE - at[..., 1]
    at = np.round(at).astype(int)
    plain = classes is None or len(np.unique(classes)) > _MOST_COLOURS
    codes = np.zeros(len(at), dtype=int) if plain else np.asarray(classes)
    drawn = _dots if at.ndim == 2 else _lines
    paths = [drawn(at[codes == code], ACCENT if plain else colour(int(code))) for code in np.unique(codes)]
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}">{"".join(paths)}</svg>'


def _lines(at: np.ndarray, fill: str) -> str:
    """Lines of one colour as one path."""
    way = "".join("M" + " ".join(f"{x} {y}" for x, y in line) for line in at.tolist())
    return f'<path d="{way}" stroke="{fill}" stroke-width="0.9" fill="none"/>'


def _dots(at: np.ndarray, fill: str) -> str:
    """Dots of one colour as one path: lines of no length with round ends."""
    way = "".join(f"M{x} {y}h0" for x, y in dict.fromkeys(map(tuple, at.tolist())))
    return f'<path d="{way}" stroke="{fill}" stroke-width="3.4" stroke-linecap="round" fill="none"/>'
