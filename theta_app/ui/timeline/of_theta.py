"""From a sweep to what the timeline draws: one frame per θ, curves, ranges, read-outs."""

import hashlib
import math
import string
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from theta_app import datasets, selection
from theta_app.clustering import Anchor, Clustering, Groups, grouped
from theta_app.engine import ClosestPair, Progress
from theta_app.figures.palette import COLOURS
from theta_app.ui import answers, loading, projections, scheduled, store, sweeps
from theta_app.ui.session import Settings
from theta_app.ui.timeline import Axis, Curve, Frame, Options, Packed, Picture, Range, Readout, Texts, pack
from theta_app.ui.timeline.coding import smallest
from theta_app.ui.timeline.look import Look, caption, image_shape, row_notes, table_mark, usual_look
from theta_app.ui.timeline.wire import mark_of
from theta_app.ui.widgets.words import agreement_words, as_angle, decimals, outlier_groups, short

_PAIR_WORK = 5e8  # multiplications that a closest pair may cost at every θ where no tree helps (many features)
_LATE_PAIR_WORK = 1e11  # and at the one θ that was released: a few seconds

_DIGITS = string.digits + string.ascii_letters  # one per colour, in a link
_MOST_COLOURS = 60  # clusters whose colours travel in a link

HINT = "Drag θ: the clusters follow"


@dataclass(frozen=True, eq=False)
class ShownSweep:
    """A sweep as the page shows it: of these points, for these settings.

    settings : Settings
        With an algorithm: the person's, or the verdict's; TDG while there is none.
    verdict : Verdict or None
        Once the sweep is complete.
    start : float or None
        The θ to stand on while the person has not chosen one; None while nothing is known.
    look : Look
        How it is drawn, and which clusters are joined by hand.
    more : Sample or None
        All points, where all are drawn though only a sample of them was swept.
    """

    sample: selection.Sample
    settings: Settings
    sweep: selection.Sweep
    verdict: selection.Verdict | None = None
    start: float | None = None
    look: Look | None = None
    more: selection.Sample | None = None

    @property
    def drawn(self) -> selection.Sample:
        """The points that are drawn."""
        return self.sample if self.more is None else self.more

    @property
    def positions(self) -> np.ndarray:
        """Where they are drawn, an array (n, 2)."""
        return self.look.positions if self.more is None else projections.positions(self.more, self.settings.projection)

    @property
    def drawn_at(self) -> np.ndarray:
        """Where the timeline draws them: the same, or in 3-D an array (n, 3)."""
        return self.positions if self.look is None or self.look.solid is None else self.look.solid

    @property
    def points(self) -> dict[float, selection.ThetaPoint]:
        """The points that were swept."""
        return self.sweep.points

    @property
    def complete(self) -> bool:
        """Whether every θ of the sweep is computed."""
        return self.sweep.complete

    def frame_at(self, theta: float, unit: str = "") -> "ThetaFrame | None":
        """What is shown at a θ; None where it has not been swept."""
        point = self.points.get(theta)
        return None if point is None else self.frame_of(point, unit)

    def frame_of(self, point: selection.ThetaPoint, unit: str = "") -> "ThetaFrame":
        """What is shown of a clustering of the sample."""
        found = theta_frame(self.sample, point, self.settings, unit, self.look)
        return found if self.more is None else _with_all(found, *self.spread(point))

    def part_of(self, point: selection.ThetaPoint, i: int) -> int:
        """The centroid of TDG that a drawn point belongs to."""
        return int(point.tdg.labels[i]) if self.more is None else answers.centroid_of(self.more, i, point.tdg.centroids)

    def spread(self, point: selection.ThetaPoint) -> tuple[np.ndarray, np.ndarray]:
        """(labels, sizes) of all points at one θ."""
        key, work = self.spreading(point)
        return store.PICTURES.get_or_make(key, lambda: work(None, None))

    def spreading(self, point: selection.ThetaPoint) -> tuple[Hashable, Callable]:
        """(key, work) of that, as the queue takes it."""
        settings, look = self.settings, self.look or usual_look(self.sample, self.settings.projection)
        epsilon = answers.epsilon_of(self.sample, settings, point) if settings.algorithm == "TNC" else None
        rests_on = (point.theta, point.row["shuffles"], settings.shuffles, settings.seed)
        key = (self.more.key, "spread", *rests_on, settings.algorithm, epsilon, settings.density, look.merges)
        return key, lambda report, cancel: _spread(self, point, epsilon, look.merges)


def shown_sweep(
    sample: selection.Sample, settings: Settings, asked: tuple[float, ...] = (), look: Look | None = None
) -> ShownSweep:
    """What the store has of a sweep. ``asked`` are θ asked for by hand."""
    sweep = sweeps.load_state(sample, settings, asked)
    usual = settings.theta_low is None
    verdict = answers.verdict(sample, settings) if usual and sweep.complete else answers.known_verdict(sample, settings)
    settings = answers.resolve_algorithm(sample, settings)
    start = selection.start_theta(
        sweep, verdict, settings.algorithm, lambda: answers.chain_suggestion(sample, settings)
    )
    if sweep.swept and start not in sweep.points:  # of chains, or of a verdict that another axis passes over
        sweep = sweeps.load_state(sample, settings, (*asked, start))
    elif sweep.complete and sweep.points[start].row["shuffles"] < settings.shuffles:  # the verdict has looked at all
        sweep = sweeps.load_state(sample, settings, asked)
    return ShownSweep(sample, settings, sweep, verdict, start, look)


# ---- one θ ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ThetaFrame:
    """The clustering at one θ: its groups, what is drawn of them, and its scores as numbers."""

    groups: Groups
    frame: Frame
    scores: dict[str, float]
    epsilon: float | None = None

    @property
    def k(self) -> int:
        """How many clusters there are at this θ, without outlier groups."""
        return self.groups.n_clusters


def theta_frame(
    points: selection.Sample, point: selection.ThetaPoint, settings: Settings, unit: str, look: Look | None = None
) -> ThetaFrame:
    """What to draw at one θ, for the algorithm in use; by default by the projection of the settings."""
    settings = answers.resolve_algorithm(points, settings)
    look = look or usual_look(points, settings.projection)
    algorithm = settings.algorithm
    epsilon = answers.epsilon_of(points, settings, point) if algorithm == "TNC" else None
    rests_on = (point.theta, point.row["shuffles"], settings.shuffles, settings.seed)
    key = (points.key, *rests_on, algorithm, epsilon, settings.density, look.key, unit)
    return store.PICTURES.get_or_make(key, lambda: _make_frame(points, point, settings, epsilon, unit, look))


def clustering_at(
    shown: ShownSweep, data: datasets.Dataset, theta: float, palette: tuple[str, ...] = ()
) -> Clustering | None:
    """The answer at a θ, as it is shown and exported; None where it has not been swept."""
    found = shown.frame_at(theta, data.unit)
    if found is None:
        return None
    settings = shown.settings
    rest = (settings.shuffles, settings.seed, settings.marks, palette)
    found = found.groups, settings.algorithm, theta, found.epsilon
    return Clustering(data, shown.sample, *found, *rest, density=settings.density)


def _spread(
    shown: ShownSweep, point: selection.ThetaPoint, epsilon: float, merges: Sequence[Sequence[Anchor]]
) -> tuple[np.ndarray, np.ndarray]:
    groups = _groups(shown.sample, point, shown.settings, epsilon, merges)
    parts = answers.joined_to(shown.more, shown.sample, groups.centroids, groups.parts)
    labels = groups.owner[parts]
    sizes = np.bincount(labels, minlength=len(groups.sizes))
    return labels.astype(smallest(len(sizes))), sizes


def _with_all(found: ThetaFrame, labels: np.ndarray, sizes: np.ndarray) -> ThetaFrame:
    return replace(found, frame=replace(found.frame, labels=labels, sizes=sizes, distances=None))


def _make_frame(
    points: selection.Sample, point: selection.ThetaPoint, settings: Settings, epsilon: float, unit: str, look: Look
) -> ThetaFrame:
    place = look.positions if look.solid is None else look.solid
    groups = _groups(points, point, settings, epsilon, look.merges)
    pair = sweeps.pair_search(points).closest(groups.labels) if _closest_pair_is_known(points.X) else None
    scores = _scores(points, point, settings, groups)
    drop = selection.size_drop(groups.sizes)
    frame = Frame(
        point.theta,
        groups.labels,
        groups.sizes,
        _drawn(points, place, groups),
        readouts=_readouts(point, settings, groups, scores, density(pair, point.theta, len(groups.sizes)), unit)
        | ({} if epsilon is None else {"epsilon": (short(epsilon), epsilon_unit(settings, unit))}),
        centroid_cluster=groups.owner if groups.joined else None,
        segments=groups.links,
        pair=(*place[pair.i], *place[pair.j]) if pair and look.strands is None else None,
        elbow=drop.suggested if drop.notable else None,
        outliers=groups.outliers,
        distances=_distances(points, groups) if not points.flat else None,
        strands=strands_of(points, groups.centroids),
    )
    return ThetaFrame(groups, frame, scores, epsilon)


def _scores(
    points: selection.Sample, point: selection.ThetaPoint, settings: Settings, groups: Groups
) -> dict[str, float]:
    names = ["nmi", "ari"] if points.truth is not None else []
    if settings.algorithm == "TDG" and not groups.merged:  # then the sweep has it already
        return {"silhouette": point.row["silhouette"], **answers.scores(points, groups.labels, names)}
    return answers.scores(points, groups.labels, ["silhouette", *names])


def _groups(
    points: selection.Sample,
    point: selection.ThetaPoint,
    settings: Settings,
    epsilon: float,
    merges: Sequence[Sequence[Anchor]],
) -> Groups:
    if settings.algorithm == "TNC":
        return grouped(point.tdg, answers.chaining_of(points, point, settings), epsilon, merges)
    result = point.tdg if settings.algorithm == "TDG" else sweeps.tsg_result(points, point.theta)
    return grouped(result, merges=merges)


def _drawn(points: selection.Sample, place: np.ndarray, groups: Groups) -> np.ndarray:
    """Where centroids are drawn: where they are, or in a projection in the middle of their members."""
    d = points.X.shape[1]
    if points.of_curves and points.metric.directions is None:
        return selection.curve_positions(groups.centroids)
    if place.shape[1] == 3 and is_solid(points):
        return groups.centroids
    if points.globe:
        return selection.map_positions(groups.centroids, points.X)
    if points.flat:
        return groups.centroids if d == 2 else np.column_stack([groups.centroids, np.zeros(len(groups.centroids))])
    return middles(place, groups.parts, len(groups.centroids))


_MOST_STRANDS = 200  # centroids whose curves are drawn: more hide what they stand for


def strands_of(points: selection.Sample, centroids: np.ndarray) -> np.ndarray | None:
    """The lines of centroids that are curves; None where they are none, or too many to be told apart."""
    if not points.of_curves or points.metric.directions is not None or len(centroids) > _MOST_STRANDS:
        return None
    return selection.curve_places(centroids)


def is_solid(points: selection.Sample) -> bool:
    """Whether the points are drawn in 3-D as they are, and so spheres of radius θ are true."""
    return points.X.shape[1] == 3 and points.metric.of_columns


def middles(place: np.ndarray, labels: np.ndarray, k: int) -> np.ndarray:
    """Where centroids are drawn in a projection: in the middle of their members."""
    sums = [np.bincount(labels, weights=place[:, axis], minlength=k) for axis in range(place.shape[1])]
    return np.column_stack(sums) / np.maximum(np.bincount(labels, minlength=k), 1)[:, None]


def _distances(points: selection.Sample, groups: Groups, block: int = 4096) -> np.ndarray:
    parts = (slice(i, i + block) for i in range(0, len(points.X), block))
    own = groups.centroids, groups.parts
    return np.concatenate([points.metric.between(points.X[part], own[0][own[1][part]]) for part in parts])


def _closest_pair_is_known(X: np.ndarray) -> bool:
    n, d = X.shape
    return d <= 8 or n * n * d <= _PAIR_WORK


# ---- words ----------------------------------------------------------------------------------------------------------


def _readouts(
    point: selection.ThetaPoint,
    settings: Settings,
    groups: Groups,
    scores: Mapping[str, float],
    apart: tuple[str, str],
    unit: str,
) -> dict:
    row = point.row
    readouts = {
        "theta": (short(point.theta), as_angle(point.theta, unit) or unit),
        "k": (f"{groups.n_clusters:,}", _about_k(settings, row, groups)),
        "agreement": (f"{row['agreement']:.3f}", _about_agreement(row, settings)),
        "density": apart,
        "silhouette": (decimals(scores["silhouette"]), "1 = well separated, 0 = overlapping"),
    }
    if "nmi" in scores:
        readouts["nmi"] = (decimals(scores["nmi"]), f"ARI {decimals(scores['ari'])}")
    return readouts


def epsilon_unit(settings: Settings, unit: str) -> str:
    """What ε is measured in: a depth has no unit."""
    return unit if settings.density is None else "depth"


def _about_agreement(row: dict, settings: Settings) -> str:
    if settings.algorithm == "TNC":  # chains join what the orders cut apart
        return "of the small clusters, before chaining"
    return agreement_words(row["agreement"], row["shuffles"])


def _about_k(settings: Settings, row: dict, groups: Groups) -> str:
    """What stands under K: where it comes from, how many shuffles it rests on, and what it leaves out."""
    passes = "single" if row["shuffles"] == settings.shuffles else f"{row['shuffles']} single"
    where = {
        "TSG": "one pass, in the data's order",
        "TNC": f"chains of {len(groups.centroids):,} clusters",
        "TDG": f"{passes} passes: {row['runs_low']:,} to {row['runs_high']:,}",
    }[settings.algorithm]
    hand = f"{groups.merged} merged by hand" if groups.merged else ""
    return "; ".join(filter(None, [outlier_groups(groups.outliers), hand, where]))


def late_pair(points: selection.Sample, frame: Frame, progress: Progress | None = None) -> selection.ClosestPair | None:
    """The closest pair of different clusters where it was too much work at every θ; None where it is at one θ too."""
    n, d = points.X.shape
    if len(frame.sizes) < 2 or n * n * d > _LATE_PAIR_WORK:
        return None
    key = (points.key, "pair", hashlib.sha256(frame.labels.tobytes()).digest())
    labels, metric = frame.labels, points.metric
    work = lambda report, cancel: selection.closest_pair(points.X, labels, metric=metric, cancel=cancel)  # noqa: E731
    return scheduled.run(key, work, progress, store.PICTURES)


def density(pair: ClosestPair | None, theta: float, k: int) -> tuple[str, str]:
    """Sparse or dense, with the distance that decides it."""
    if k == 1:
        return "one cluster", "nothing to be apart from"
    if pair is None:
        return "–", "shown below after release"
    verdict = "θ-sparse" if pair.distance > theta else "θ-dense"
    return verdict, f"closest pair {short(pair.distance)} apart"


# ---- the whole timeline ---------------------------------------------------------------------------------------------


def theta_timeline(sweep: ShownSweep, data: datasets.Dataset, earlier: Packed | None = None) -> Packed:
    """The timeline of a sweep. ``earlier`` is the one shown before it, whose colours are kept."""
    settings = sweep.settings
    if earlier is not None:
        earlier = _of_sample(earlier.swept or earlier, sweep.sample)
    shape = image_shape(settings, data)
    how = sweep.look.key if sweep.look else settings.projection
    # an ε is of the θ it was chosen for
    chosen = None if settings.epsilon is None else (settings.theta, settings.epsilon)
    lengths = (settings.algorithm, settings.density, chosen, settings.shuffles, settings.seed, how, shape)
    rests_on = tuple((point.theta, point.row["shuffles"]) for point in sweep.points.values())
    key = (sweep.sample.key, table_mark(data, sweep.sample), data.unit, lengths, rests_on, sweep.complete)
    packed = store.PICTURES.get_or_make(key, lambda: _make_timeline(replace(sweep, more=None), data, earlier))
    if sweep.more is None:
        return packed
    key = (*key, sweep.more.key)
    return store.PICTURES.get_or_make(key, lambda: _make_timeline(sweep, data, swept=packed))


def _of_sample(earlier: Packed, points: selection.Sample) -> Packed:
    """A timeline of a sample as the one before that of all points: clusters keep their colours."""
    judged = loading.verdict_sample(points)
    if judged is points or earlier.data != judged.key:
        return earlier
    return replace(earlier, data=points.key, series="", anchor=(*earlier.anchor, judged.rows))


def colours_at(theta: float, shown: Packed) -> dict[str, str]:
    """The colours of the clusters at θ as an option of the link, empty where there are too many to name."""
    if theta not in shown.colours or len(shown.colours[theta]) > _MOST_COLOURS:
        return {}
    given = "".join(_DIGITS[colour % len(COLOURS)] for colour in shown.colours[theta])
    return {"colours": f"{shown.marks[theta]:x}-{given}"}


def coloured_at(sweep: ShownSweep, data: datasets.Dataset, theta: float, option: str) -> Packed | None:
    """What stands for an earlier timeline where a link says how the clusters at θ are coloured."""
    mark, _, given = option.partition("-")
    if theta not in sweep.points or not given or set(given) - set(_DIGITS[: len(COLOURS)]):
        return None
    frame = sweep.frame_at(theta, data.unit).frame
    colours = np.array([_DIGITS.index(digit) for digit in given])
    if f"{mark_of(frame):x}" != mark or len(colours) != len(frame.sizes):
        return None  # other clusters than the link was about
    known: dict[str, Any] = {
        "colours": {theta: colours},
        "anchor": (frame.labels, colours),
        "marks": {theta: mark_of(frame)},
    }
    look = sweep.look or usual_look(sweep.sample, sweep.settings.projection)
    return Packed(b"", "", sweep.sample.key, (theta,), _series(sweep.settings, look), **known)


def _series(settings: Settings, look: Look) -> str:
    return repr((settings.algorithm, settings.density, settings.shuffles, settings.seed, look.merges))


def _make_timeline(
    sweep: ShownSweep, data: datasets.Dataset, earlier: Packed | None = None, swept: Packed | None = None
) -> Packed:
    settings, points = sweep.settings, sweep.sample
    look = sweep.look or usual_look(points, settings.projection)
    sweep, drawn = replace(sweep, look=look), sweep.drawn
    found = [sweep.frame_at(theta, data.unit) for theta in sweep.points]
    ranges = _ranges(sweep, found)
    frames = [_with_range(one.frame, ranges) for one in found]
    axis = axis_of(sweep, data.unit)
    flat = points.flat or (look.solid is not None and is_solid(points))
    picture = Picture(
        sweep.drawn_at,
        frames,
        axis,
        curves=_curves(sweep, found),
        ranges=ranges,
        recommended=sweep.start,
        circles="value" if flat or points.globe else None,
        norm=points.metric.p,
        globe=points.globe,
        plain=flat,
        rows=data.numbers[drawn.rows],
        stretch=look.stretch,
        aspect=points.aspect,
        solid=look.axes,
        strands=look.strands,
        about=row_notes(data, drawn, image_shape(settings, data)),
    )
    words = look.caption if sweep.more is None else caption(drawn, settings.projection)
    texts = Texts(readouts(points, settings.algorithm), words, _note(sweep), HINT, _file_name(data.name))
    tells = ("cluster", "pinned", "drawers")
    series = _series(settings, look)
    how_far: dict[str, Any] = {"planned": sweep.sweep.planned, "complete": sweep.complete}
    options = Options(drawn.key, series, **how_far, selects=look.solid is None, tells=tells)
    return pack(picture, texts, options, earlier, swept)


def axis_of(sweep: ShownSweep, unit: str) -> Axis:
    """The whole range that will be swept, so that nothing moves on the track while values arrive."""
    swept = [theta for theta in sweeps.theta_axis(sweep.sample, sweep.settings) if theta >= sweep.sweep.lowest]
    thetas = [theta for theta in [*swept, *sweep.points] if theta > 0]
    return Axis("theta", "θ", unit, float(min(thetas)), float(max(thetas)))


def readouts(points: selection.Sample, algorithm: str) -> list[Readout]:
    """The boxes beside the picture, that of θ first."""
    known = [Readout("nmi", "NMI")] if points.truth is not None else []
    return [
        Readout("theta", "θ"),
        *([Readout("epsilon", "ε")] if algorithm == "TNC" else []),
        Readout("k", "Clusters K"),
        Readout("agreement", "Order agreement", wide=True),
        Readout("density", "Sparse or dense", wide=True),
        Readout("range", "Range", wide=True),
        Readout("silhouette", "Silhouette"),
        *known,
    ]


def _with_range(frame: Frame, ranges: list[Range]) -> Frame:
    within = [r for r in ranges if r.low <= frame.value <= r.high]
    text = ("none", "K changes with every step here" if len(frame.sizes) > 1 else "all points are one cluster")
    if within:
        best = within[-1]
        text = (
            f"{short(best.low)} – {short(best.high)}",
            f"K = {best.k}{' · suggested' if best.recommended else ''}",
        )
    return replace(frame, readouts={**frame.readouts, "range": text})


def _ranges(sweep: ShownSweep, found: list[ThetaFrame]) -> list[Range]:
    """What the track shows: for TDG the ranked ranges, else ranges of equal K; recommended is only the verdict's."""
    followed = sweep.verdict is not None and sweep.verdict.algorithm == sweep.settings.algorithm
    if sweep.settings.algorithm != "TDG":
        steady = stretches([one.frame.value for one in found], [one.k for one in found])
        return [replace(r, recommended=followed and r.low <= sweep.start <= r.high) for r in steady]
    shown = [
        Range(r.theta_low, r.theta_high, r.theta, int(r.n_clusters), max(float(r.score), 0.0), _is_best(r, sweep))
        for r in sweep.sweep.ranges.itertuples()
        if r.theta_high > r.theta_low
    ]
    # the one to start from, and of the others those of several θ that are wide enough to be pointed at
    first, last = found[0].frame.value, found[-1].frame.value
    span = math.log(last / first) if first > 0 else 0.0
    swept = np.array(list(sweep.sweep.rows))

    def worth_showing(r: Range) -> bool:
        if sweep.start is not None and r.low <= sweep.start <= r.high:
            return True
        return ((r.low <= swept) & (swept <= r.high)).sum() > 1 and math.log(r.high / r.low) > 0.03 * span

    return [r for r in shown if worth_showing(r)] if span else shown


def _is_best(found: Any, sweep: ShownSweep) -> bool:
    """Whether a range is the recommended one: the one that has the verdict's θ, where that is TDG's and clear."""
    verdict = sweep.verdict
    if verdict is None:
        return bool(found.recommended)
    return verdict.algorithm == "TDG" and verdict.stands_out and found.theta_low <= verdict.theta <= found.theta_high


def stretches(values: Sequence[float], counts: Sequence[int]) -> list[Range]:
    """Ranges of at least three neighbouring values with the same number of clusters, two or more."""
    return [
        Range(
            values[run.start],
            values[run.stop - 1],
            float(selection.log_middle(values[run.start], values[run.stop - 1])),
            run.value,
            min(len(run) / 20, 1.0),
        )
        for run in selection.runs(counts)
        if len(run) >= 3 and run.value >= 2
    ]


def _curves(sweep: ShownSweep, found: list[ThetaFrame]) -> list[Curve]:
    rows = [point.row for point in sweep.points.values()]
    passes = sweep.settings.algorithm == "TDG"
    curves = [
        Curve(
            "K",
            [one.k for one in found],
            "k",
            COLOURS[0],
            low=[row["runs_low"] for row in rows] if passes else None,
            high=[row["runs_high"] for row in rows] if passes else None,
        ),
        Curve("Order agreement", [row["agreement"] for row in rows], "unit", COLOURS[3]),
        Curve("Silhouette", [one.scores["silhouette"] for one in found], "unit", COLOURS[2], dash=(5, 3)),
    ]
    if sweep.sample.truth is not None:
        curves.append(Curve("NMI", [one.scores["nmi"] for one in found], "unit", COLOURS[4], dash=(2, 2)))
    return curves


def _note(sweep: ShownSweep) -> str:
    done = len(sweep.points)
    if not sweep.complete:
        return f"{done} of {max(sweep.sweep.planned, done)} θ values tested so far"
    counts = [point.row["shuffles"] for point in sweep.points.values()]
    each = "; more shuffles where results varied" if len(set(counts)) > 1 else ""
    return f"{done} θ values tested{each}" + ("" if sweep.sample.whole else f", on {sweep.sample.sentence}")


def _file_name(name: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in name).strip("-")[:40] or "picture"
