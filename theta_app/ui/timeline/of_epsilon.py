"""From the tree of centroids at one θ to the track of ε: one frame per ε, and the ranges where the chains hold."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from theta_app import datasets, selection
from theta_app.clustering import Groups, grouped
from theta_app.figures.palette import COLOURS
from theta_app.ui import answers, session, store
from theta_app.ui.session import Settings
from theta_app.ui.timeline.coding import smallest
from theta_app.ui.timeline.cursor import Cursor
from theta_app.ui.timeline.frames import Axis, Curve, Frame, Options, Picture, Range, Texts
from theta_app.ui.timeline.look import usual_look
from theta_app.ui.timeline.of_theta import ShownSweep, epsilon_unit, is_solid, middles, readouts, strands_of
from theta_app.ui.timeline.wire import Chains, Packed, pack
from theta_app.ui.widgets.words import count, decimals, outlier_groups, short

_LATER = ("–", "shown after release")  # what takes too long at every ε


def epsilon_track(
    sweep: ShownSweep, data: datasets.Dataset, theta: float, shown: Packed, earlier: Packed | None = None
) -> Packed:
    """A frame per ε at θ, its clusters in the colours they have on the timeline ``shown``.

    ``earlier`` is the track shown before, whose colours are kept while θ stays.
    """
    points, settings, point = sweep.sample, sweep.settings, sweep.points[theta]
    chaining = answers.chaining_of(points, point, settings)
    epsilon = answers.epsilon_of(points, settings, point)
    values = sorted({*epsilon_values(sweep, chaining), float(epsilon)})
    look = sweep.look or usual_look(points, settings.projection)
    drawn = (settings.density, settings.shuffles, settings.seed, look.key, data.unit, point.row["shuffles"])
    key = (sweep.drawn.key, "epsilon", theta, tuple(values), *drawn, shown.colours[theta].tobytes())
    make = lambda: _make(replace(sweep, look=look), data, chaining, values, epsilon, shown, earlier)  # noqa: E731
    return store.PICTURES.get_or_make(key, make)


def chains_at(
    sweep: ShownSweep,
    data: datasets.Dataset,
    theta: float,
    shown: Packed,
    cursor: Cursor,
    earlier: Packed | None = None,
) -> Chains | None:
    """The track of ε at the θ the person stands on, as a page shows it; None where nothing is chained."""
    if sweep.settings.algorithm != "TNC" or theta not in sweep.points:
        return None
    track = epsilon_track(sweep, data, theta, shown, earlier)
    epsilon = sweep.frame_at(theta, data.unit).epsilon
    value, serial = cursor.placed(_place(sweep, data, theta, epsilon), epsilon)
    return Chains(track, theta, value, serial)


def take_epsilon(sweep: ShownSweep, data: datasets.Dataset, theta: float, epsilon: float, cursor: Cursor) -> None:
    """Take ε from its track, with the θ it is about; for callbacks."""
    cursor.moved(_place(sweep, data, theta, epsilon), epsilon)
    session.update(algorithm="TNC", theta=theta, epsilon=epsilon)


def _place(sweep: ShownSweep, data: datasets.Dataset, theta: float, epsilon: float) -> tuple:
    return data.digest, theta, epsilon, sweep.settings.density


def epsilon_values(sweep: ShownSweep, chaining: selection.Chaining) -> list[float]:
    """The ε of the track: fewer where there are many points to send for each."""
    n = len(sweep.drawn.X)
    return selection.epsilon_values(chaining, 160 if n <= 5000 else 100 if n <= 50_000 else 24).tolist()


def _make(
    sweep: ShownSweep,
    data: datasets.Dataset,
    chaining: selection.Chaining,
    values: Sequence[float],
    epsilon: float,
    shown: Packed,
    earlier: Packed | None,
) -> Packed:
    points, flat, theta = sweep.sample, sweep.sample.flat, chaining.theta
    ranges = track_ranges(chaining, values)
    frames = _frames(sweep, data, chaining, values, ranges)
    low, high = selection.epsilon_limits(chaining)
    deep = chaining.density is not None
    shown_on = values if deep else [value for value in values if value > 0]
    unit, scale = ("", "linear") if deep else (data.unit, "log")
    axis = Axis("epsilon", "depth ε" if deep else "ε", unit, min([low, *shown_on]), max([high, *shown_on]), scale)
    best = next((r.middle for r in ranges if r.recommended), None)
    recommended = selection.best_epsilon(chaining) if best is None else best
    drawn: dict[str, Any] = {"strands": sweep.look.strands}
    if deep or sweep.look.strands is not None:  # a depth is no length: circles stay those of θ
        drawn["circles"] = None
    curves = _curves(frames, points.truth is not None)
    picture = Picture(sweep.drawn_at, frames, axis, curves, ranges, recommended, plain=flat, **drawn)
    boxes = [box for box in readouts(points, "TNC") if box.id in frames[0].readouts]
    series = f"epsilon at {theta!r} {chaining.density} {sweep.look.merges!r}"
    if earlier is None or earlier.series != series or earlier.data != shown.data:
        colours = shown.colours[theta]
        at_theta = next(frame for frame in frames if frame.value == epsilon)
        known: dict[str, Any] = {
            "colours": {epsilon: colours},
            "marks": {epsilon: shown.marks[theta]},
            "anchor": (at_theta.labels, colours),
        }
        earlier = replace(shown, series=series, swept=None, **known)
    return pack(picture, Texts(boxes), Options(shown.data, series), earlier)


def _frames(
    sweep: ShownSweep,
    data: datasets.Dataset,
    chaining: selection.Chaining,
    values: Sequence[float],
    ranges: list[Range],
) -> list[Frame]:
    """A frame per ε. Made once per number of links."""
    points, voted, merges = sweep.sample, chaining.tdg, sweep.look.merges
    place = sweep.look.positions if sweep.look.solid is None else sweep.look.solid
    strands = strands_of(points, voted.centroids)
    if points.of_curves and points.metric.directions is None:
        centroids = selection.curve_positions(voted.centroids)
    elif points.globe:
        centroids = selection.map_positions(voted.centroids, points.X)
    elif (points.flat and points.X.shape[1] == 2) or (sweep.look.solid is not None and is_solid(points)):
        centroids = voted.centroids
    else:
        centroids = middles(place, voted.labels, chaining.n_clusters)
    truth = None if points.truth is None else selection.truth_table(chaining, points.truth)
    parts = None if sweep.more is None else answers.joined_to(sweep.more, points, voted.centroids, voted.labels)
    made: dict[int, Frame] = {}
    frames = []
    for epsilon in values:
        links = chaining.tree.links(epsilon)
        if links not in made:
            groups = grouped(voted, chaining, epsilon, merges)
            made[links] = _frame(groups, chaining, centroids, strands, truth, parts)
        frames.append(_at(made[links], epsilon, ranges, sweep.settings, chaining.theta, data.unit))
    return frames


def _frame(
    groups: Groups,
    chaining: selection.Chaining,
    centroids: np.ndarray,
    strands: np.ndarray | None,
    truth: np.ndarray | None,
    parts: np.ndarray | None,
) -> Frame:
    of = outlier_groups(groups.outliers) or f"chains of {count(chaining.n_clusters, 'cluster')}"
    readouts = {"k": (f"{groups.n_clusters:,}", of), "density": _LATER, "silhouette": _LATER}
    if truth is not None:
        readouts["nmi"] = (decimals(selection.chain_nmi(truth[groups.order], groups.owner)), "with the truth")
    labels, sizes = groups.labels, groups.sizes
    if parts is not None:  # all points are drawn, those not swept with the nearest centroid
        labels = groups.owner[np.argsort(groups.order)][parts]
        labels = labels.astype(smallest(len(sizes)))
        sizes = np.bincount(labels, minlength=len(sizes))
    return Frame(
        0.0,
        labels,
        sizes,
        centroids[groups.order],
        readouts=readouts,
        centroid_cluster=groups.owner,
        segments=groups.links,
        outliers=groups.outliers,
        strands=strands,
        strand_order=groups.order,
    )


def _at(frame: Frame, epsilon: float, ranges: list[Range], settings: Settings, theta: float, unit: str) -> Frame:
    """A frame at another ε of the same range, with what tells them apart."""
    within = [r for r in ranges if r.low < epsilon <= r.high]
    text = ("none", "K changes with every step here" if len(frame.sizes) > 1 else "everything is one chain")
    if within:
        best = within[-1]
        text = (f"ε {short(best.low)} – {short(best.high)}", f"K = {best.k}")
    k = len(frame.sizes) - frame.outliers
    unit = epsilon_unit(settings, unit)
    spoken = f"θ = {short(theta)}, ε = {short(epsilon)} {unit}: {count(k, 'cluster')}".replace(" :", ":")
    readouts = {**frame.readouts, "epsilon": (short(epsilon), unit), "range": text}
    return replace(frame, value=float(epsilon), readouts=readouts, spoken=spoken)


def _curves(frames: list[Frame], truth: bool) -> list[Curve]:
    """What is known at every ε without a pass over the points."""
    curves = [Curve("K", [len(frame.sizes) - frame.outliers for frame in frames], "k", COLOURS[0])]
    if truth:
        texts = (frame.readouts["nmi"][0] for frame in frames)
        scores = [math.nan if text == decimals(math.nan) else float(text) for text in texts]
        curves.append(Curve("NMI", scores, "unit", COLOURS[4], dash=(2, 2)))
    return curves


def track_ranges(chaining: selection.Chaining, values: Sequence[float]) -> list[Range]:
    """The ranges wide enough to be pointed at on the track."""
    low, high = values[0], values[-1]
    if chaining.density:
        span = high - low
    else:
        span = math.log(high / low) if low > 0 and high > low else 0.0
    return [
        Range(r.epsilon_low, r.epsilon_high, r.epsilon, r.n_chains, r.relative_width, r.recommended)
        for r in chaining.ranges.itertuples()
        if r.recommended or r.relative_width > 0.015 * span
    ]
