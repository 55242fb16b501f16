"""From one tree of centroids to what the timeline draws: one frame per ε, curves, ranges, read-outs."""

import math
from dataclasses import replace

from theta_app import datasets, selection
from theta_app.clustering import Groups, grouped, merge_anchors
from theta_app.figures.palette import COLOURS
from theta_app.ui import loading, projections, store
from theta_app.ui.session import Settings
from theta_app.ui.timeline import Axis, Curve, Frame, Options, Packed, Picture, Range, Readout, Texts, pack
from theta_app.ui.timeline.look import caption, image_shape, row_notes, table_mark
from theta_app.ui.timeline.of_theta import middles
from theta_app.ui.widgets import downloads
from theta_app.ui.widgets.words import count, decimals, outlier_groups, short


def epsilon_timeline(
    data: datasets.Dataset, chaining: selection.Chaining, epsilon: float, settings: Settings
) -> Packed:
    """The timeline over ε of a chaining; ``epsilon`` is one of its values."""
    points = loading.sample(data)
    settings = replace(settings, projection=projections.available_projection(points, settings.projection))
    values = epsilon_values(points, chaining)
    extra = () if epsilon in values else (float(epsilon),)
    drawn = (settings.shuffles, settings.seed, settings.projection, data.name, data.unit)
    merges = merge_anchors(settings.marks.merges, data, points)
    key = (points.key, table_mark(data, points), "epsilon", chaining.theta, extra, settings.image, merges, *drawn)
    values = sorted({*values, *extra})
    return store.PICTURES.get_or_make(key, lambda: _make_timeline(data, points, chaining, values, settings, merges))


def epsilon_values(points: selection.Sample, chaining: selection.Chaining) -> list[float]:
    """The ε of the timeline: fewer where there are many points to send for each."""
    return selection.epsilon_values(chaining, 160 if len(points.X) <= 5000 else 100).tolist()


def _make_timeline(data, points, chaining, values, settings, merges) -> Packed:
    place = projections.positions(points, settings.projection)
    flat = points.flat
    ranges = track_ranges(chaining, values)
    drawn, nmi = _frames(data, points, chaining, values, ranges, place, merges)
    low, high = selection.epsilon_limits(chaining)
    positive = [value for value in values if value > 0]
    axis = Axis("epsilon", "ε", data.unit, min([low, *positive]), max([high, *positive]), counts="K'")
    readouts = [
        Readout("epsilon", "ε"),
        Readout("k", "Chains K'"),
        Readout("theta", "θ"),
        Readout("range", "Range", wide=True),
        Readout("largest", "Largest chain"),
    ]
    if points.truth is not None:
        readouts.append(Readout("nmi", "NMI"))
    best = next((r.middle for r in ranges if r.recommended), None)
    picture = Picture(
        place,
        drawn,
        axis,
        curves=_curves(drawn, nmi),
        ranges=ranges,
        recommended=selection.best_epsilon(chaining) if best is None else best,
        circles="half" if flat else None,
        norm=points.metric.p,
        plain=flat,
        aspect=points.aspect,
        rows=data.numbers[points.rows],
        about=row_notes(data, points, image_shape(settings, data)),
    )
    texts = Texts(
        readouts,
        caption=caption(points, settings.projection),
        note=f"{count(chaining.n_clusters, 'small cluster')}, every ε from one tree",
        hint="Drag ε: circles that overlap are chained" if flat else "Drag ε: centroids closer than ε are chained",
        name=downloads.file_name(data.name)[:40],
    )
    return pack(picture, texts, Options(f"{points.key}/epsilon", sweeps=False, selects=False, tells=("cluster",)))


def _frames(data, points, chaining, values, ranges, place, merges) -> tuple[list[Frame], list[float] | None]:
    """A frame per ε, and NMI at each where the truth is known. Made once per number of links."""
    voted = chaining.tdg
    centroids = voted.centroids if points.X.shape[1] == 2 else middles(place, voted.labels, chaining.n_clusters)
    truth = None if points.truth is None else selection.truth_table(chaining, points.truth)
    made: dict[int, tuple[Frame, float | None]] = {}
    drawn, nmi = [], []
    for epsilon in values:
        links = chaining.tree.links(epsilon)
        if links not in made:
            made[links] = _frame(truth, chaining, grouped(voted, chaining, epsilon, merges), centroids)
        frame, score = made[links]
        drawn.append(_at(frame, epsilon, ranges, chaining.theta, data.unit))
        nmi.append(score)
    return drawn, None if truth is None else nmi


def _frame(truth, chaining, groups: Groups, centroids) -> tuple[Frame, float | None]:
    of = outlier_groups(groups.outliers) or f"of {count(chaining.n_clusters, 'small cluster')}"
    readouts = {
        "k": (f"{groups.n_clusters:,}", of),
        "largest": (f"{groups.sizes[0] / len(groups.labels):.0%}", "of the points"),
    }
    nmi = None if truth is None else selection.chain_nmi(truth[groups.order], groups.owner)
    if nmi is not None:
        readouts["nmi"] = (decimals(nmi), "with the truth")
    frame = Frame(
        0.0,
        groups.labels,
        groups.sizes,
        centroids[groups.order],
        readouts=readouts,
        centroid_cluster=groups.owner,
        segments=groups.links,
        outliers=groups.outliers,
    )
    return frame, nmi


def _at(frame, epsilon, ranges, theta, unit) -> Frame:
    """A frame at another ε of the same stretch, with the read-outs that tell them apart."""
    within = [r for r in ranges if r.low < epsilon <= r.high]
    text = ("none", "K' changes with every step here" if len(frame.sizes) > 1 else "everything is one chain")
    if within:
        best = within[-1]
        stands = " · stands out" if best.recommended else ""
        text = (
            f"{short(best.low)} – {short(best.high)}",
            f"{best.k} chains · factor {best.high / best.low:.2f}{stands}",
        )
    readouts = {"epsilon": (short(epsilon), unit), "theta": (short(theta), unit), "range": text}
    return replace(frame, value=float(epsilon), readouts={**frame.readouts, **readouts})


def track_ranges(chaining: selection.Chaining, values) -> list[Range]:
    """The ranges wide enough to be pointed at on the track."""
    low, high = values[0], values[-1]
    span = math.log(high / low) if low > 0 and high > low else 0.0
    return [
        Range(r.epsilon_low, r.epsilon_high, r.epsilon, r.n_chains, r.relative_width, r.recommended)
        for r in chaining.ranges.itertuples()
        if r.recommended or r.relative_width > 0.015 * span
    ]


def _curves(drawn, nmi) -> list[Curve]:
    shares = [frame.sizes.max() / frame.sizes.sum() for frame in drawn]
    curves = [
        Curve("Chains K'", [len(frame.sizes) - frame.outliers for frame in drawn], "k", COLOURS[0]),
        Curve("Share of the largest chain", shares, "unit", COLOURS[3]),
    ]
    if nmi is not None:
        curves.append(Curve("NMI", nmi, "unit", COLOURS[4], dash=(2, 2)))
    return curves
