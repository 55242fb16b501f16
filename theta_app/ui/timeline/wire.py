"""From Python to the browser: everything a timeline shows, as bytes.

Bytes, because labels of 64 values of 20,000 points as JSON would be tens of megabytes::

    "TTL1", uint32 length, start as JSON     value, serial: where to stand; body: digest of the rest
    uint32 length, 4 bytes, body as JSON     texts, curves, ranges; arrays: name -> [type, offset, length]
    arrays                                   little-endian, each at a multiple of 8

``start`` is apart so that Python can move the cursor without packing again, and the browser parses the rest only when
its digest is new. JSON parts are padded with blanks to multiples of 8. ``js/wire.js`` reads this.
"""

import hashlib
import json
import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from theta_app.figures.palette import COLOURS, GOOD
from theta_app.ui.timeline.colours import colour_frames
from theta_app.ui.timeline.frames import Axis, Curve, Frame, Options, Picture, Texts


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
    marks: dict[float, int] = field(repr=False, compare=False)

    def standing_at(self, value: float, serial: str) -> bytes:
        """What is sent: the body, after where the cursor stands."""
        start = _padded({"value": value, "serial": serial, "body": self.digest, "data": self.data})
        return b"".join([b"TTL1", len(start).to_bytes(4, "little"), start, self.body])


def pack(picture: Picture, texts: Texts, options: Options | None = None, earlier: Packed | None = None) -> Packed:
    """Everything the browser needs.

    ``earlier`` is the timeline shown before: values of the same series keep their colours, and another series of the
    same data starts from them.
    """
    options = options or Options()
    frames = sorted(picture.frames, key=lambda frame: frame.value)
    values = tuple(float(frame.value) for frame in frames)
    colours = _colours(values, frames, options, earlier)
    scaling = _Scaling.of(picture.points)
    arrays = {
        **_point_arrays(picture, scaling),
        **_cluster_arrays(frames, [colours[value] for value in values]),
        **_centroid_arrays(frames, scaling),
        **_segment_arrays(frames),
        **_distance_arrays(frames),
    }
    body = {
        **_drawn(picture, frames, scaling),
        **_said(texts, picture.axis, frames),
        "palette": COLOURS,
        "good": GOOD,
        "planned": options.planned or len(frames),
        "complete": options.complete,
        "sweeps": options.sweeps,
        "selects": options.selects,
    }
    content = _joined(body, arrays)
    digest = hashlib.sha256(content).hexdigest()[:16]
    middle = len(frames) // 2
    anchor = (frames[middle].labels, colours[values[middle]])
    marks = {float(frame.value): _mark(frame) for frame in frames}
    return Packed(content, digest, options.data, values, options.series, colours, anchor, marks)


def _colours(values, frames, options: Options, earlier: Packed | None) -> dict[float, np.ndarray]:
    labels, counts = [frame.labels for frame in frames], [len(frame.sizes) for frame in frames]
    if earlier is None or earlier.data != options.data or len(earlier.anchor[0]) != len(labels[0]):
        return colour_frames(values, labels, counts)
    if earlier.series == options.series:
        # the clusters at a value are others where they rest on more shuffles now
        same = {float(f.value) for f in frames if earlier.marks.get(float(f.value)) == _mark(f)}
        known = {value: colours for value, colours in earlier.colours.items() if value in same}
        if known:
            return colour_frames(values, labels, counts, known=known)
    return colour_frames(values, labels, counts, anchor=earlier.anchor)


def _mark(frame: Frame) -> int:
    """What tells the clusters of a frame from others at the same value."""
    return zlib.crc32(frame.labels.tobytes())


@dataclass(frozen=True)
class _Scaling:
    """Coordinates as they are sent, about -1 to 1: the browser's 32 bits would blur times and coordinates of maps."""

    origin: tuple[float, float]
    unit: float

    @classmethod
    def of(cls, points: np.ndarray) -> "_Scaling":
        low, high = points.min(axis=0), points.max(axis=0)
        origin = low / 2 + high / 2
        unit = float(np.abs(points - origin).max())
        return cls((float(origin[0]), float(origin[1])), unit if unit > 0 else 1.0)

    def __call__(self, points) -> np.ndarray:
        return (np.reshape(points, (-1, 2)) - self.origin) / self.unit


# ---- texts and numbers ----------------------------------------------------------------------------------------------


def _drawn(picture: Picture, frames: Sequence[Frame], scaling: _Scaling) -> dict:
    axis = picture.axis
    return {
        "n": len(picture.points),
        "axis": {
            "id": axis.id,
            "low": axis.low,
            "high": axis.high,
            "scale": axis.scale if axis.low > 0 else "linear",
            "label": axis.label,
            "counts": axis.counts,
        },
        "values": [float(frame.value) for frame in frames],
        "elbows": [frame.elbow for frame in frames],
        "origin": list(scaling.origin),
        "unit": scaling.unit,
        "pairs": [frame.pair and scaling(frame.pair).ravel().tolist() for frame in frames],
        "curves": [_curve(curve) for curve in picture.curves],
        "ranges": [vars(r) for r in sorted(picture.ranges, key=lambda r: (r.recommended, r.strength))],
        "recommended": picture.recommended,
        "circles": picture.circles,
        "plain": picture.plain,
        "distance_scale": [_largest(frame.distances) for frame in frames],
    }


def _said(texts: Texts, axis: Axis, frames: Sequence[Frame]) -> dict:
    return {
        "spoken": [_spoken(axis, frame) for frame in frames],
        "readouts": [
            {"id": r.id, "label": r.label, "wide": r.wide, "values": [f.readouts.get(r.id, ("–", "")) for f in frames]}
            for r in texts.readouts
        ],
        "caption": texts.caption,
        "note": texts.note,
        "hint": texts.hint,
        "name": texts.name,
    }


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


# ---- arrays ---------------------------------------------------------------------------------------------------------


def _point_arrays(picture: Picture, scaling: _Scaling) -> dict[str, np.ndarray]:
    rows = np.arange(len(picture.points)) if picture.rows is None else picture.rows
    return {"points": scaling(picture.points).astype("<f4"), "rows": np.asarray(rows, dtype="<u4")}


def _cluster_arrays(frames: Sequence[Frame], colours: Sequence[np.ndarray]) -> dict[str, np.ndarray]:
    counts = [len(frame.sizes) for frame in frames]
    names = [np.arange(len(frame.sizes)) if frame.names is None else frame.names for frame in frames]
    return {
        "labels": np.concatenate([f.labels for f in frames]).astype("<u2" if max(counts) <= 65536 else "<u4"),
        "cluster_start": _starts(counts),
        "sizes": np.concatenate([f.sizes for f in frames]).astype("<u4"),
        "names": np.concatenate(names).astype("<u4"),
        "colours": np.concatenate(colours).astype("<u2"),
    }


def _centroid_arrays(frames: Sequence[Frame], scaling: _Scaling) -> dict[str, np.ndarray]:
    owners = [np.arange(len(f.centroids)) if f.centroid_cluster is None else f.centroid_cluster for f in frames]
    places = np.concatenate([np.reshape(f.centroids, (-1, 2)) for f in frames])
    return {
        "centroid_start": _starts([len(f.centroids) for f in frames]),
        "centroids": scaling(places).astype("<f4"),
        "centroid_cluster": np.concatenate(owners).astype("<u4"),
    }


def _segment_arrays(frames: Sequence[Frame]) -> dict[str, np.ndarray]:
    if all(f.segments is None for f in frames):
        return {}
    segments = [np.zeros((0, 2)) if f.segments is None else np.reshape(f.segments, (-1, 2)) for f in frames]
    return {"segments": np.concatenate(segments).astype("<u4"), "segment_start": _starts([len(s) for s in segments])}


def _distance_arrays(frames: Sequence[Frame]) -> dict[str, np.ndarray]:
    if any(f.distances is None for f in frames):
        return {}
    # 16 bits of the largest distance of the frame: more than a tooltip shows
    parts = [np.round(f.distances * (65535 / (_largest(f.distances) or 1.0))) for f in frames]
    return {"distances": np.concatenate(parts).astype("<u2")}


def _starts(lengths) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(lengths)]).astype("<u4")


def _largest(distances) -> float:
    return 0.0 if distances is None or len(distances) == 0 else float(np.max(distances))


# ---- bytes ----------------------------------------------------------------------------------------------------------


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
