"""From Python to the browser: everything a timeline shows, as bytes.

Bytes, because labels of 64 values of a million points as JSON would be hundreds of megabytes::

    "TTL2", uint32 length, start as JSON     value, serial, selection: where to stand; body: digest of the rest;
                                             length: of the rest where a second body follows (the chains at one θ)
    zlib:
        uint32 length, 4 bytes, body as JSON     texts, curves, ranges; arrays: name -> [type, offset, length]
        arrays                                   little-endian, each at a multiple of 8

``start`` is apart so that Python can move the cursor without packing again, and the browser reads the rest only when
its digest is new. JSON parts are padded with blanks to multiples of 8. Labels are sent as changes from value to value
(`coding`). What the browser can tell by itself is left out: sizes and centroids where these are the numbers and the
means of the drawn members, rows that follow each other, values that are the places. ``js/wire.js``
and ``js/frames.js`` read this.
"""

import hashlib
import json
import math
import zlib
from collections.abc import Iterable, Sequence, Sized
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from theta_app.figures.palette import COLOURS, GOOD, MUTED
from theta_app.selection.wording import short
from theta_app.ui.timeline.coding import Scaling, coded_labels, smallest
from theta_app.ui.timeline.colours import colour_frames
from theta_app.ui.timeline.frames import Axis, Curve, Frame, Options, Picture, RowNotes, Texts


@dataclass(frozen=True)
class Packed:
    """A timeline ready to be sent. ``values`` are the swept values, ascending."""

    body: bytes
    digest: str
    data: str
    values: tuple[float, ...]
    series: str
    colours: dict[float, np.ndarray] = field(repr=False, compare=False)
    anchor: tuple[np.ndarray, ...] = field(repr=False, compare=False)
    marks: dict[float, int] = field(repr=False, compare=False)
    swept: "Packed | None" = field(default=None, repr=False, compare=False)  # of the sample, where more are drawn

    def state_at(
        self,
        value: float,
        serial: str,
        selection: list | None = None,
        beside: dict | None = None,
        chains: "Chains | None" = None,
    ) -> bytes:
        """What is sent: the body, after where the cursor stands, what is selected and what is said beside it."""
        place = {"value": value, "serial": serial, "selection": selection, "body": self.digest, "data": self.data}
        place |= {"beside": beside} if beside else {}
        place |= {"length": len(self.body), "chains": chains.start} if chains else {}
        start, second = _padded(place), chains.packed.body if chains else b""
        return b"".join([b"TTL2", len(start).to_bytes(4, "little"), start, self.body, second])


@dataclass(frozen=True)
class Chains:
    """The track of ε beside that of θ: the chains at one θ, and where on it the person stands."""

    packed: Packed
    theta: float
    epsilon: float
    serial: str

    @property
    def start(self) -> dict:
        """What the browser is told of the second track besides its bytes."""
        return {"body": self.packed.digest, "theta": self.theta, "value": self.epsilon, "serial": self.serial}


def pack(
    picture: Picture,
    texts: Texts,
    options: Options | None = None,
    earlier: Packed | None = None,
    swept: Packed | None = None,
) -> Packed:
    """Everything the browser needs.

    ``earlier`` is the timeline shown before: values of the same series keep their colours, and another series of the
    same data starts from them. ``swept`` is the timeline of a sample of these points: the same clusters, and so the
    same colours.
    """
    options = options or Options()
    frames = sorted(picture.frames, key=lambda frame: frame.value)
    values = tuple(float(frame.value) for frame in frames)
    colours = swept.colours if swept else _colours(values, frames, options, earlier)
    scaling = Scaling.of(picture.points if picture.strands is None else picture.strands.reshape(-1, 3))
    points = scaling(picture.points).astype("<f4")
    arrays = {
        "points": points,
        **_row_numbers(picture.rows),
        **_cluster_arrays(frames, [colours[value] for value in values], points),
        **_centroid_arrays(frames, scaling, points),
        **_strand_arrays(picture, frames, scaling),
        **_segment_arrays(frames),
        **_distance_arrays(frames),
        **_row_arrays(picture),
    }
    body = {
        **_drawn(picture, frames, scaling),
        **_said(texts, picture.axis, frames),
        "palette": [*COLOURS, MUTED],
        "good": GOOD,
        "planned": options.planned or len(frames),
        "complete": options.complete,
        "sweeps": options.sweeps,
        "selects": options.selects,
        "tells": options.tells,
        **_row_notes(picture.about),
    }
    content = _compressed(body, arrays)
    digest = hashlib.sha256(content).hexdigest()[:16]
    if swept:
        known: dict[str, Any] = {"colours": swept.colours, "anchor": swept.anchor, "marks": swept.marks, "swept": swept}
        return Packed(content, digest, options.data, values, options.series, **known)
    middle = len(frames) // 2
    anchor = (frames[middle].labels, colours[values[middle]])
    marks = {float(frame.value): mark_of(frame) for frame in frames}
    return Packed(content, digest, options.data, values, options.series, colours, anchor, marks)


def _colours(
    values: Sequence[float], frames: Sequence[Frame], options: Options, earlier: Packed | None
) -> dict[float, np.ndarray]:
    labels, counts = [frame.labels for frame in frames], [len(frame.sizes) for frame in frames]
    majors = [len(frame.sizes) - frame.outliers for frame in frames]
    if earlier is None or earlier.data != options.data or len(earlier.anchor[0]) > len(labels[0]):
        return colour_frames(values, labels, counts, majors=majors)
    if earlier.series == options.series:
        # the clusters at a value are others where they rest on more shuffles now
        same = {float(f.value) for f in frames if earlier.marks.get(float(f.value)) == mark_of(f)}
        known = {value: colours for value, colours in earlier.colours.items() if value in same}
        if known:
            return colour_frames(values, labels, counts, known=known, majors=majors)
    return colour_frames(values, labels, counts, anchor=earlier.anchor, majors=majors)


def mark_of(frame: Frame) -> int:
    """What tells the clusters of a frame from others at the same value."""
    return zlib.crc32(frame.labels.tobytes())


# ---- texts and numbers ----------------------------------------------------------------------------------------------


def _drawn(picture: Picture, frames: Sequence[Frame], scaling: Scaling) -> dict:
    axis = picture.axis
    return {
        "n": len(picture.points),
        "first_row": 0 if picture.rows is None else int(picture.rows[0]),
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
        "outliers": [frame.outliers for frame in frames],
        "origin": list(scaling.origin),
        "unit": scaling.unit,
        "pairs": [frame.pair and scaling(frame.pair).ravel().tolist() for frame in frames],
        "curves": [_curve(curve) for curve in picture.curves],
        "ranges": [vars(r) for r in sorted(picture.ranges, key=lambda r: (r.recommended, r.strength))],
        "recommended": picture.recommended,
        "circles": picture.circles,
        "norm": picture.norm if math.isfinite(picture.norm) else None,  # JSON has no infinity
        "globe": picture.globe,
        "waiting": picture.waiting,
        "pace": picture.pace,
        "plain": picture.plain,
        "stretch": picture.stretch,
        "aspect": picture.aspect,
        "solid": list(picture.solid) or None,
        "many": None if picture.strands is None else picture.strands.shape[1],
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
    def clean(values: Iterable[float] | None) -> list[float | None] | None:
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
    if frame.spoken is not None:
        return frame.spoken
    k = len(frame.sizes) - frame.outliers
    text = f"{axis.symbol} = {short(frame.value)} {axis.unit}".rstrip() + f": {k:,} cluster{'' if k == 1 else 's'}"
    agreement = frame.readouts.get("agreement")
    return f"{text}, order agreement {agreement[0]}" if agreement else text


# ---- arrays ---------------------------------------------------------------------------------------------------------


def _cluster_arrays(
    frames: Sequence[Frame], colours: Sequence[np.ndarray], points: np.ndarray
) -> dict[str, np.ndarray]:
    counts = [len(frame.sizes) for frame in frames]
    given = np.concatenate([_grey_outliers(own, frame) for own, frame in zip(colours, frames)])
    counted = all(np.array_equal(np.bincount(f.labels, minlength=k), f.sizes) for f, k in zip(frames, counts))
    return {
        **coded_labels([frame.labels for frame in frames], counts, points),
        "cluster_start": _starts(counts),
        **({} if counted else {"sizes": np.concatenate([f.sizes for f in frames]).astype("<u4")}),
        "colours": given.astype(smallest(int(given.max(initial=0)) + 1)),
    }


def _grey_outliers(colours: np.ndarray, frame: Frame) -> np.ndarray:
    """Colours as they are sent: outliers have the palette's last. What later values take over stays as it was."""
    k = len(frame.sizes) - frame.outliers
    return np.where(np.arange(len(frame.sizes)) < k, colours % len(COLOURS), len(COLOURS))


def _centroid_arrays(frames: Sequence[Frame], scaling: Scaling, points: np.ndarray) -> dict[str, np.ndarray]:
    """Where centroids are and whose they are; nothing where they are the means of their clusters' points."""
    places = [scaling(frame.centroids) for frame in frames]
    if all(f.centroid_cluster is None and _are_means(f, place, points) for f, place in zip(frames, places)):
        return {}
    owners = [_or_index(f.centroid_cluster, f.centroids) for f in frames]
    return {
        "centroid_start": _starts([len(f.centroids) for f in frames]),
        "centroids": np.concatenate(places).astype("<f4"),
        "centroid_cluster": np.concatenate(owners).astype("<u4"),
    }


_SAME = 1e-6  # of the picture: places so near are one


def _are_means(frame: Frame, places: np.ndarray, points: np.ndarray) -> bool:
    k = len(frame.sizes)
    members = np.bincount(frame.labels, minlength=k)
    if len(places) != k or not members.all():
        return False
    means = [np.bincount(frame.labels, weights=column, minlength=k) / members for column in points.T]
    return bool(np.abs(np.column_stack(means) - places).max() <= _SAME)


def _or_index(numbers: Sequence[int] | np.ndarray | None, of: Sized) -> np.ndarray:
    return np.arange(len(of)) if numbers is None else np.asarray(numbers)


def _strand_arrays(picture: Picture, frames: Sequence[Frame], scaling: Scaling) -> dict[str, np.ndarray]:
    """The lines of the points, and those of centroids: each array of lines once, and which of them a frame has."""
    if picture.strands is None:
        return {}
    lines = {id(frame.strands): frame.strands for frame in frames if frame.strands is not None}
    first = dict(zip(lines, _starts([len(given) for given in lines.values()])))
    of = [
        np.zeros(0)
        if frame.strands is None
        else first[id(frame.strands)] + _or_index(frame.strand_order, frame.strands)
        for frame in frames
    ]
    own = np.concatenate([scaling(given) for given in lines.values()]) if lines else np.zeros((0, 3))
    return {
        "strands": scaling(picture.strands).astype("<f4"),
        "centroid_strands": own.astype("<f4"),
        "strand_of": np.concatenate(of).astype("<u4"),
        "strand_start": _starts([len(each) for each in of]),
    }


def _row_numbers(rows: np.ndarray | None) -> dict[str, np.ndarray]:
    counted = rows is None or np.array_equal(rows, np.arange(rows[0], rows[0] + len(rows)))
    return {} if counted else {"rows": np.asarray(rows, dtype="<u4")}


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


def _row_arrays(picture: Picture) -> dict[str, np.ndarray]:
    about = picture.about
    if about is None:
        return {}
    codes = {f"text{k}": np.asarray(c).astype(smallest(len(words))) for k, (_, c, words) in enumerate(about.texts)}
    if about.values.shape == picture.points.shape and np.array_equal(about.values, picture.points):
        return codes  # what is drawn is what is said
    sent = np.where(np.abs(about.values) < np.finfo("f4").max, about.values, np.nan)  # the tooltip has a dash then
    return {"row_values": sent.astype("<f4"), **codes}


def _row_notes(about: RowNotes | None) -> dict:
    if about is None:
        return {}
    image = about.image and dict(zip(("height", "width", "low", "high"), about.image))
    return {
        "features": list(about.features),
        "feature_count": about.count,
        "texts": [{"name": name, "codes": f"text{k}", "words": list(w)} for k, (name, _, w) in enumerate(about.texts)],
        "image": image,
    }


def _starts(lengths: Sequence[int]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(lengths)]).astype("<u4")


def _largest(distances: np.ndarray) -> float:
    return 0.0 if distances is None or len(distances) == 0 else float(np.max(distances))


# ---- bytes ----------------------------------------------------------------------------------------------------------


def _compressed(body: dict, arrays: dict[str, np.ndarray]) -> bytes:
    table, offset = {}, 0
    for name, array in arrays.items():
        table[name] = [array.dtype.str[1:], offset, array.size]
        offset += array.nbytes + -array.nbytes % 8
    text = _padded({**body, "arrays": table})
    packing = zlib.compressobj(_EFFORT)
    parts = [packing.compress(len(text).to_bytes(4, "little") + b"\0\0\0\0" + text)]
    for array in arrays.values():
        parts += [packing.compress(np.ascontiguousarray(array)), packing.compress(b"\0" * (-array.nbytes % 8))]  # type: ignore[arg-type]
    return b"".join([*parts, packing.flush()])


_EFFORT = 6  # of zlib: more takes much longer and gains little


def _padded(value: object) -> bytes:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    return text + b" " * (-len(text) % 8)
