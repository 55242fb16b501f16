"""Pictures of a report as SVG: they need neither a script nor a network, and print as sharp as text."""

import html
import math
from collections.abc import Callable, Iterable

import numpy as np

from theta_app.clustering import Clustering
from theta_app.figures.palette import ACCENT, GOOD, MUTED, SECOND, rgba
from theta_app.report.content import MOST_DRAWN, Report
from theta_app.selection import curve_places, map_aspect, seen
from theta_app.selection.wording import short

WIDTH, HEIGHT, MARGIN = 640, 420, 44
_HEAD = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {{height}}" role="img" aria-label="{{alt}}">'


class Picture:
    """An SVG that a notebook shows when it is the last value of a cell."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg


def picture(clustering: Clustering) -> Picture:
    """The points in the plane (of more than two features by PCA), coloured by cluster."""
    return Picture(scatter(Report.of(clustering)))


def scatter(report: Report) -> str:
    """The points where they are drawn on the page, coloured by cluster."""
    n = len(report.rows)  # type: ignore[arg-type]
    chosen = np.linspace(0, n - 1, min(n, MOST_DRAWN)).astype(np.int64)
    positions, labels = report.positions[chosen], report.clustering.labels[report.rows[chosen]]  # type: ignore[index]
    positions = positions * (map_aspect(report.data.X), 1.0) if report.data.on_map else positions
    if report.data.of_curves:
        return _curves(report, report.rows[chosen], labels)  # type: ignore[index]
    at = _fitted(positions)
    radius = float(np.clip(5.0 - 0.9 * math.log10(len(at) + 1), 1.4, 4.5))
    marks = []
    for label in np.unique(labels):  # outliers first: nothing is hidden under them
        way = "".join(f"M{x:.1f} {y:.1f}h0" for x, y in at[labels == label])
        fill = report.colour(label)
        marks.append(f'<path d="{way}" stroke="{fill}" stroke-width="{2 * radius:.1f}" stroke-linecap="round"/>')
    alt = f"{len(at):,} points of {report.data.name}, coloured by cluster"
    return _svg(alt, HEIGHT, *marks)


def _fitted(positions: np.ndarray) -> np.ndarray:
    """Positions (..., 2) in pixels of the picture, both axes on one scale."""
    flat = positions.reshape(-1, 2)
    low, high = flat.min(axis=0), flat.max(axis=0)
    room = np.array([WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN])
    scale = float((room / np.maximum(high - low, 1e-300)).min()) if (high > low).any() else 1.0
    return (positions - (low + high) / 2.0) * scale * (1, -1) + np.array([WIDTH, HEIGHT]) / 2.0


def _curves(report: Report, rows: np.ndarray, labels: np.ndarray) -> str:
    """Curves as lines, from the side, those of a cluster in its colour."""
    at = _fitted(seen(curve_places(report.data.X[rows])))
    marks = []
    for label in np.unique(labels):
        ways = (" ".join(f"{x:.1f},{y:.1f}" for x, y in line) for line in at[labels == label])
        way = "".join(f"M{line}" for line in ways)
        marks.append(
            f'<path d="{way}" stroke="{report.colour(label)}" stroke-width="1" stroke-opacity="0.7" fill="none"/>'
        )
    return _svg(f"{len(at):,} curves of {report.data.name}, coloured by cluster", HEIGHT, *marks)


def curve(report: Report) -> str:
    """K over θ, and order agreement under it, with the θ of the report."""
    sweep = report.sweep.sort_values("theta")  # type: ignore[union-attr]
    sweep = sweep[sweep["theta"] > 0]
    thetas = np.log10(sweep["theta"].to_numpy(dtype=float))
    span = float(np.ptp(thetas)) or 1.0

    def x(theta: float) -> float:
        return MARGIN + (math.log10(theta) - thetas[0]) / span * (WIDTH - 2 * MARGIN)

    across = [x(theta) for theta in sweep["theta"]]
    k = np.maximum(sweep["n_clusters"].to_numpy(dtype=float), 1.0)
    tall = math.log10(k.max()) or 1.0
    small = " before chaining" if report.clustering.algorithm == "TNC" else ""
    parts = [
        _line(across, 190 - 150 * np.log10(k) / tall, ACCENT, "stroke-width='2.5'"),
        _line(across, 300 - 70 * sweep["agreement"].to_numpy(dtype=float), SECOND, "stroke-width='2'"),
        _text(MARGIN, 24, f"K, the number of clusters{small} (logarithmic)", ACCENT),
        _text(MARGIN, 218, "order agreement, 0 to 1", SECOND),
        _text(4, 190, "1"),
        _text(4, 46, f"{int(k.max()):,}"),
    ]
    for theta in np.unique([sweep["theta"].iloc[0], sweep["theta"].iloc[-1]]):
        parts.append(_text(x(theta), 322, short(float(theta)), anchor="middle"))
    band = _band(report, x)
    theta = report.clustering.theta
    if theta > 0 and thetas[0] <= math.log10(theta) <= thetas[-1]:
        at = x(theta)
        parts.append(f'<path d="M{at:.1f} 34V304" stroke="{MUTED}" stroke-width="2" stroke-dasharray="4 4"/>')
        parts.append(_text(at, 340, f"θ = {short(theta)}", anchor="middle"))
    return _svg("The number of clusters and the order agreement over θ", 350, *band, *parts)


def _band(report: Report, x: Callable) -> list[str]:
    """The range of θ that the verdict stands in, where it has one."""
    verdict = report.verdict
    if verdict is None or verdict.algorithm != "TDG" or not len(verdict.candidates):
        return []
    row = verdict.candidates.iloc[0]
    low, high = x(max(row["low"], 1e-300)), x(max(row["high"], 1e-300))
    low, high = max(low, MARGIN), min(high, WIDTH - MARGIN)
    return [f'<rect x="{low:.1f}" y="34" width="{max(high - low, 0):.1f}" height="270" fill="{rgba(GOOD, 0.18)}"/>']


def sizes(report: Report) -> str:
    """Bars: points per cluster, the largest first."""
    counts = report.clustering.sizes[:60]
    step = (WIDTH - 2 * MARGIN) / len(counts)
    bars = []
    for k, number in enumerate(counts):
        tall = 130 * number / counts.max()
        bars.append(
            f'<rect x="{MARGIN + k * step:.1f}" y="{150 - tall:.1f}" width="{max(step - 2, 1):.1f}" '
            f'height="{tall:.1f}" fill="{report.colour(k)}"/>'
        )
    return _svg("Points per cluster, the largest first", 160, *bars, _text(4, 28, f"{int(counts.max()):,}"))


def _line(x: Iterable[float], y: Iterable[float], stroke: str, options: str) -> str:
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y) if math.isfinite(b))
    return f'<polyline points="{points}" fill="none" stroke="{stroke}" {options}/>'


def _text(x: float, y: float, words: str, fill: str = "currentColor", anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y}" fill="{fill}" font-size="13" text-anchor="{anchor}">{html.escape(words)}</text>'


def _svg(alt: str, height: int, *parts: str) -> str:
    return _HEAD.format(height=height, alt=html.escape(alt, quote=True)) + "".join(parts) + "</svg>"
