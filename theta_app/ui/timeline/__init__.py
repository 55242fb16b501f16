"""The timeline: one component that shows a clustering at every value of a parameter, live, in the browser.

Python computes the values once and sends them; dragging repaints without the server; on release Python gets the value.
The parameter may be θ or ε or any other: its name, unit and scale are part of what is sent.

What is sent is bytes, because labels of 64 values of 20,000 points as JSON would be tens of megabytes::

    "TTL1", uint32 length, start as JSON     value, serial: where to stand; body: digest of the rest
    uint32 length, 4 bytes, body as JSON     texts, curves, ranges; arrays: name -> [type, offset, length]
    arrays                                   little-endian, each at a multiple of 8

``start`` is apart so that Python can move the cursor without packing again, and the browser parses the rest only when
its digest is new. JSON parts are padded with blanks to multiples of 8.
"""

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import streamlit as st

from theta_app.figures.palette import COLOURS, GOOD
from theta_app.ui.timeline.colours import colour_frames

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Axis:
    """The parameter that is dragged: ``Axis("theta", "θ", "cm", 0.1, 40.0)``; ``counts`` is what ranges count."""

    id: str
    symbol: str
    unit: str
    low: float
    high: float
    scale: str = "log"
    counts: str = "K"

    @property
    def label(self) -> str:
        return f"{self.symbol} in {self.unit}" if self.unit else self.symbol


@dataclass(frozen=True, eq=False)
class Frame:
    """The clustering at one value of the parameter, in what is drawn.

    value : float
    labels : int array of shape (n,)
        Cluster of each drawn point, 0 to K - 1.
    sizes : int array of shape (K,)
        Points in each cluster.
    centroids : float array of shape (m, 2)
        Where to draw the centroids; m = K, or more when clusters are chains of centroids.
    readouts : dict of id -> (text, words)
        What the read-outs show: a figure, and what it means in words.
    centroid_cluster : int array of shape (m,), optional
        The cluster of each centroid; by default centroid k is of cluster k.
    segments : int array of shape (s, 2), optional
        Pairs of centroids to join by a line: the chaining graph.
    pair : four floats, optional
        x, y, x, y of two points to join by a line: the closest pair of different clusters.
    elbow : int, optional
        After how many clusters, largest first, the sizes drop most.
    names : int array of shape (K,), optional
        What each cluster is called in downloads; by default its index.
    distances : float array of shape (n,), optional
        Distance of each point to its centroid, where the picture cannot tell (more than two features).
    """

    value: float
    labels: np.ndarray
    sizes: np.ndarray
    centroids: np.ndarray
    readouts: dict[str, tuple[str, str]] = field(default_factory=dict)
    centroid_cluster: np.ndarray | None = None
    segments: np.ndarray | None = None
    pair: tuple[float, float, float, float] | None = None
    elbow: int | None = None
    names: np.ndarray | None = None
    distances: np.ndarray | None = None


@dataclass(frozen=True)
class Curve:
    """A number over the parameter. Panel "k" has its own scale, logarithmic when it must; panel "unit" is 0 to 1."""

    label: str
    values: Sequence[float]
    panel: str = "unit"
    colour: str = COLOURS[0]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None
    dash: tuple[int, ...] = ()


@dataclass(frozen=True)
class Range:
    """A stretch of the track where the number of clusters holds. Strength (0 to 1) says how boldly it is painted."""

    low: float
    high: float
    middle: float
    k: int
    strength: float = 0.5
    recommended: bool = False


@dataclass(frozen=True)
class Readout:
    """A box above the picture; its texts are in the frames under the same id."""

    id: str
    label: str
    wide: bool = False


@dataclass(frozen=True)
class Packed:
    """A timeline ready to be sent. ``values`` are the swept values, ascending."""

    body: bytes
    digest: str
    data: str
    values: tuple[float, ...]
    series: str
    colours: dict[float, np.ndarray] = field(repr=False, compare=False)
    anchor: tuple[np.ndarray, np.ndarray] = field(repr=False, compare=False)


def pack(
    points: np.ndarray,
    frames: Sequence[Frame],
    axis: Axis,
    *,
    readouts: Sequence[Readout],
    curves: Sequence[Curve] = (),
    ranges: Sequence[Range] = (),
    recommended: float | None = None,
    circles: float | str | None = "value",
    plain: bool = True,
    rows: np.ndarray | None = None,
    caption: str = "",
    note: str = "",
    hint: str = "",
    name: str = "picture",
    data: str = "",
    planned: int | None = None,
    complete: bool = True,
    sweeps: bool = True,
    selects: bool = True,
    series: str = "",
    earlier: "Packed | None" = None,
) -> Packed:
    """Everything the browser needs.

    Parameters
    ----------
    points : array of shape (n, 2)
        Where to draw the points.
    frames : one a value, in any order, at least one
    axis, readouts, curves, ranges
        A curve has one value a frame, in ascending order of the frames' values. The first read-out is the parameter.
    recommended : float, optional
        Where a double-click goes.
    circles : "value", "half", float or None
        Radius of the circles around centroids: the parameter itself, half of it (so that circles meet where centroids
        are that far apart), a fixed length, or none.
    plain : bool
        Whether distances in the picture are distances in the data.
    rows : int array of shape (n,), optional
        The number by which a person knows each drawn point; by default its index.
    data : str
        Digest of the data set: when it changes, highlight and selection are forgotten.
    planned : int, optional
        How many values there will be when the sweep is complete.
    complete : bool
        Whether this is all there will be.
    sweeps, selects : bool
        Whether to offer wider and finer sweeps, and box and lasso.
    series : str
        Tells sweeps apart: in one series, a value always has the same labels.
    earlier : Packed, optional
        The timeline shown before. Values of the same series keep their colours; another series of the same data starts
        from them.
    """
    frames = sorted(frames, key=lambda frame: frame.value)
    values = [float(frame.value) for frame in frames]
    colours = _colours(values, frames, series, data, earlier)
    picture = _Picture.of(points)
    arrays = _arrays(picture, points, frames, [colours[value] for value in values], rows)
    body = {
        "n": len(points),
        "axis": {
            "id": axis.id,
            "low": axis.low,
            "high": axis.high,
            "scale": axis.scale if axis.low > 0 else "linear",
            "label": axis.label,
            "counts": axis.counts,
        },
        "values": values,
        "k": [len(frame.sizes) for frame in frames],
        "elbows": [frame.elbow for frame in frames],
        "origin": list(picture.origin),
        "unit": picture.unit,
        "pairs": [frame.pair and picture(np.reshape(frame.pair, (2, 2))).ravel().tolist() for frame in frames],
        "spoken": [_spoken(axis, frame) for frame in frames],
        "readouts": [
            {"id": r.id, "label": r.label, "wide": r.wide, "values": [f.readouts.get(r.id, ("–", "")) for f in frames]}
            for r in readouts
        ],
        "curves": [_curve(curve) for curve in curves],
        "ranges": [vars(r) for r in sorted(ranges, key=lambda r: (r.recommended, r.strength))],
        "recommended": recommended,
        "circles": circles,
        "plain": plain,
        "distance_scale": [_scale(frame.distances) for frame in frames],
        "palette": COLOURS,
        "good": GOOD,
        "caption": caption,
        "note": note,
        "hint": hint,
        "name": name,
        "planned": planned or len(frames),
        "complete": complete,
        "sweeps": sweeps,
        "selects": selects,
    }
    packed = _joined(body, arrays)
    digest = hashlib.sha256(packed).hexdigest()[:16]
    middle = len(frames) // 2
    anchor = (frames[middle].labels, colours[values[middle]])
    return Packed(packed, digest, data, tuple(values), series, colours, anchor)


def _colours(values, frames, series, data, earlier) -> dict[float, np.ndarray]:
    labels, counts = [frame.labels for frame in frames], [len(frame.sizes) for frame in frames]
    if earlier is None or earlier.data != data or len(earlier.anchor[0]) != len(labels[0]):
        return colour_frames(values, labels, counts)
    if earlier.series == series:
        return colour_frames(values, labels, counts, known=earlier.colours)
    return colour_frames(values, labels, counts, anchor=earlier.anchor)


@dataclass(frozen=True)
class _Picture:
    """Coordinates as they are sent, about -1 to 1: the browser's 32 bits would blur times and coordinates of maps."""

    origin: tuple[float, float]
    unit: float

    @classmethod
    def of(cls, points: np.ndarray) -> "_Picture":
        low, high = points.min(axis=0), points.max(axis=0)
        origin = low / 2 + high / 2
        unit = float(np.abs(points - origin).max())
        return cls((float(origin[0]), float(origin[1])), unit if unit > 0 else 1.0)

    def __call__(self, points) -> np.ndarray:
        return (np.reshape(points, (-1, 2)) - self.origin) / self.unit


def _arrays(picture, points, frames, colours, rows) -> dict[str, np.ndarray]:
    clusters = [np.arange(len(f.centroids)) if f.centroid_cluster is None else f.centroid_cluster for f in frames]
    most = max(len(frame.sizes) for frame in frames)
    arrays = {
        "points": picture(points).astype("<f4"),
        "rows": np.asarray(np.arange(len(points)) if rows is None else rows, dtype="<u4"),
        "labels": np.concatenate([f.labels for f in frames]).astype("<u2" if most <= 65536 else "<u4"),
        "cluster_start": _starts([len(f.sizes) for f in frames]),
        "sizes": np.concatenate([f.sizes for f in frames]).astype("<u4"),
        "names": np.concatenate([np.arange(len(f.sizes)) if f.names is None else f.names for f in frames]).astype(
            "<u4"
        ),
        "colours": np.concatenate(colours).astype("<u2"),
        "centroid_start": _starts([len(f.centroids) for f in frames]),
        "centroids": picture(np.concatenate([np.reshape(f.centroids, (-1, 2)) for f in frames])).astype("<f4"),
        "centroid_cluster": np.concatenate(clusters).astype("<u4"),
    }
    if any(f.segments is not None for f in frames):
        segments = [np.zeros((0, 2)) if f.segments is None else np.reshape(f.segments, (-1, 2)) for f in frames]
        arrays["segments"] = np.concatenate(segments).astype("<u4")
        arrays["segment_start"] = _starts([len(s) for s in segments])
    if all(f.distances is not None for f in frames):
        # 16 bits of the largest distance of the frame: more than a tooltip shows
        arrays["distances"] = np.concatenate(
            [np.round(f.distances * (65535 / (_scale(f.distances) or 1.0))) for f in frames]
        ).astype("<u2")
    return arrays


def _starts(lengths) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(lengths)]).astype("<u4")


def _scale(distances) -> float:
    return 0.0 if distances is None or len(distances) == 0 else float(np.max(distances))


def _curve(curve: Curve) -> dict:
    def clean(values):
        return None if values is None else [float(v) if math.isfinite(v) else None for v in values]

    return {
        "label": curve.label,
        "panel": curve.panel,
        "colour": curve.colour,
        "dash": list(curve.dash),
        "values": clean(curve.values),
        "low": clean(curve.low),
        "high": clean(curve.high),
    }


def _spoken(axis: Axis, frame: Frame) -> str:
    """The value as a screen reader says it and a saved picture is headed."""
    k = len(frame.sizes)
    text = f"{axis.symbol} = {frame.value:.4g} {axis.unit}".rstrip() + f": {k:,} cluster{'' if k == 1 else 's'}"
    agreement = frame.readouts.get("agreement")
    return f"{text}, order agreement {agreement[0]}" if agreement else text


def _joined(body: dict, arrays: dict[str, np.ndarray]) -> bytes:
    table, parts, offset = {}, [], 0
    for name, array in arrays.items():
        content = np.ascontiguousarray(array).tobytes()
        table[name] = [array.dtype.str[1:], offset, array.size]
        padding = -len(content) % 8
        parts += [content, b"\0" * padding]
        offset += len(content) + padding
    text = _padded({**body, "arrays": table})
    return b"".join([len(text).to_bytes(4, "little"), b"\0\0\0\0", text, *parts])


def _padded(value) -> bytes:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    return text + b" " * (-len(text) % 8)


# ---- on the page ----------------------------------------------------------------------------------------------------


def show(
    packed: Packed,
    value: float,
    *,
    key: str,
    serial: str,
    on_value: Callable[[float], None],
    on_selection: Callable[[list | None], None] | None = None,
    on_wider: Callable[[], None] | None = None,
    on_finer: Callable[[float], None] | None = None,
) -> None:
    """Mount the timeline. The callbacks run before the script runs again, as those of any widget.

    Parameters
    ----------
    value, serial
        The cursor stands at ``value`` when the component is new, and goes there whenever ``serial`` changes, unless the
        person is dragging. Keep the serial when the value came from the timeline itself.
    on_value : called with the value on release
    on_selection : called with a polygon, a list of [x, y] in the coordinates of ``points``, or None
    on_wider : called when a wider sweep is asked for
    on_finer : called with the value around which a finer sweep is asked for
    """

    def state(name):
        return st.session_state[key].get(name)

    def released():
        if isinstance(state("value"), (int, float)) and math.isfinite(state("value")):
            on_value(float(state("value")))

    def selected():
        polygon = state("selection")
        if on_selection and (polygon is None or _is_polygon(polygon)):
            on_selection(polygon)

    def finer():
        if on_finer and isinstance(state("finer"), (int, float)):
            on_finer(float(state("finer")))

    start = _padded({"value": value, "serial": serial, "body": packed.digest, "data": packed.data})
    data = b"".join([b"TTL1", len(start).to_bytes(4, "little"), start, packed.body])
    _component()(
        key=key,
        data=data,
        on_value_change=released,
        on_selection_change=selected,
        on_wider_change=(lambda: on_wider and on_wider()),
        on_finer_change=finer,
    )


def _component():
    """Registered at each use: Streamlit keeps one definition a server, and tests start several in one process."""
    read = _assets()
    return st.components.v2.component("theta_timeline", html=read[0], css=read[1], js=read[2], isolate_styles=False)


def _assets() -> tuple[str, str, str]:
    return tuple((_HERE / f"timeline.{ending}").read_text(encoding="utf-8") for ending in ("html", "css", "js"))


def _is_polygon(value) -> bool:
    return (
        isinstance(value, list)
        and 3 <= len(value) <= 20_000
        and all(isinstance(p, list) and len(p) == 2 and all(isinstance(v, (int, float)) for v in p) for p in value)
    )


def inside(polygon, points: np.ndarray) -> np.ndarray:
    """Which of ``points`` (n, 2) lie inside a polygon, by the even-odd rule."""
    x, y = points[:, 0], points[:, 1]
    within = np.zeros(len(points), dtype=bool)
    ends = np.roll(np.asarray(polygon, dtype=float), 1, axis=0)
    for (xi, yi), (xj, yj) in zip(polygon, ends):
        crosses = (yi > y) != (yj > y)
        with np.errstate(divide="ignore", invalid="ignore"):
            within ^= crosses & (x < (xj - xi) * (y - yi) / (yj - yi) + xi)
    return within
