"""From rows that arrive to what the timeline draws: one frame per moment, the rows to come in grey."""

from typing import Any

import numpy as np

from theta_app import selection
from theta_app.compare.arriving import Arrivals, Moment
from theta_app.figures.palette import COLOURS
from theta_app.ui.timeline.frames import Axis, Curve, Frame, Options, Picture, Readout, Texts
from theta_app.ui.timeline.look import usual_look
from theta_app.ui.timeline.of_theta import middles, strands_of
from theta_app.ui.timeline.wire import Packed, mark_of, pack
from theta_app.ui.widgets.words import count, decimals, short

_TO_COME = len(COLOURS)  # of the palette: grey


def arrival_timeline(
    points: selection.Sample, found: Arrivals, theta: float, unit: str, name: str, pace: float
) -> Packed:
    """The timeline over the rows that have arrived, ``pace`` seconds long; a cluster keeps its colour for good."""
    look = usual_look(points, "pca", "columns")
    place = look.positions if look.solid is None else look.solid
    drawn = [_frame(points, found, moment, theta, unit, place) for moment in found.moments]
    frames = [frame for frame, _ in drawn]
    values = tuple(frame.value for frame in frames)
    circles = points.flat or points.globe
    picture = Picture(
        place,
        frames,
        Axis("rows", "rows", "", values[0], values[-1], "linear"),
        curves=_curves(found),
        circles=theta if circles else None,
        norm=points.metric.p,
        globe=points.globe,
        plain=points.flat,
        aspect=points.aspect,
        solid=look.axes,
        strands=look.strands,
        waiting=True,
        pace=1000.0 * pace / len(frames),
    )
    boxes = [Readout("rows", "n"), Readout("k", "Clusters K"), Readout("new", "New clusters", wide=True)]
    if found.moments[-1].nmi is not None:
        boxes += [Readout("nmi", "NMI so far", wide=True)]
    texts = Texts(boxes, look.caption, f"θ = {short(theta)} {unit}", "Play: rows come in their order", name)
    series = f"arrivals at {theta!r}"
    known: dict[str, Any] = {
        "colours": dict(zip(values, (colours for _, colours in drawn))),
        "marks": {frame.value: mark_of(frame) for frame in frames},
        "anchor": (frames[-1].labels, drawn[-1][1]),
    }
    key = f"{points.key}/arrivals"
    earlier = Packed(b"", "", key, values, series, **known)
    return pack(picture, texts, Options(key, series, sweeps=False, selects=False), earlier)


def _frame(
    points: selection.Sample, found: Arrivals, moment: Moment, theta: float, unit: str, place: np.ndarray
) -> tuple[Frame, np.ndarray]:
    """The frame of a moment, and the colour of each of its groups."""
    by_size = np.argsort(-moment.sizes, kind="stable")
    rank = np.empty(len(by_size), np.int64)
    rank[by_size] = np.arange(len(by_size))
    labels = np.full(len(found.labels), len(by_size), np.int32)
    here = found.order[: moment.rows]
    labels[here] = rank[found.labels[here]]
    to_come = len(found.labels) - moment.rows
    sizes = np.append(moment.sizes[by_size], [to_come] if to_come else []).astype(np.int64)
    colours = np.append(by_size % len(COLOURS), [_TO_COME] if to_come else []).astype(np.int64)
    frame = Frame(
        float(moment.rows),
        labels,
        sizes,
        _centroids(points, moment, place, found, here)[by_size],
        readouts=_readouts(found, moment),
        centroid_cluster=np.arange(len(by_size)),
        outliers=int(to_come > 0),
        strands=strands_of(points, moment.centroids[by_size]),
        spoken=_spoken(moment),
    )
    return frame, colours


def _centroids(
    points: selection.Sample, moment: Moment, place: np.ndarray, found: Arrivals, here: np.ndarray
) -> np.ndarray:
    if points.globe:
        return selection.map_positions(moment.centroids, points.X)
    if points.flat and points.X.shape[1] == 2:
        return moment.centroids
    return middles(place[here], found.labels[here], len(moment.sizes))


def _spoken(moment: Moment) -> str:
    new = f"; {count(moment.founded, 'new cluster')}" if moment.founded else ""
    return f"{count(moment.rows, 'row')}: {count(len(moment.sizes), 'cluster')}{new}"


def _readouts(found: Arrivals, moment: Moment) -> dict:
    new = f"+ {moment.founded}" if moment.founded else "none"
    readouts = {
        "rows": (f"{moment.rows:,}", f"of {len(found.labels):,}"),
        "k": (f"{len(moment.sizes):,}", f"largest {moment.sizes.max():,} rows"),
        "new": (new, "appeared just now" if moment.founded else "nothing new"),
    }
    if moment.nmi is not None:
        told = f"given K = {found.n_clusters}"
        batch = "–" if moment.batch_nmi is None else decimals(moment.batch_nmi)
        whole = "" if found.whole_nmi is None else f"; K-Means++ on all rows {decimals(found.whole_nmi)}"
        readouts["nmi"] = (decimals(moment.nmi), f"mini-batch K-Means {batch}{whole}, both {told}")
    return readouts


def _curves(found: Arrivals) -> list[Curve]:
    moments = found.moments
    curves = [Curve("K", [len(moment.sizes) for moment in moments], "k", COLOURS[0])]
    curves += [Curve("Largest", [m.sizes.max() / m.rows for m in moments], "unit", COLOURS[3])]
    if moments[-1].nmi is not None:
        absent = float("nan")
        batch = [absent if m.batch_nmi is None else m.batch_nmi for m in moments]
        curves += [Curve("NMI", [m.nmi for m in moments], "unit", COLOURS[4])]
        curves += [Curve("NMI, mini-batch", batch, "unit", COLOURS[2], dash=(4, 3))]
    return curves
