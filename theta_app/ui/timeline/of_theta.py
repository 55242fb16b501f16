"""From a sweep to what the timeline draws: one frame per θ, curves, ranges, read-outs."""

import hashlib
import math
from dataclasses import dataclass, replace

import numpy as np

from theta_app import datasets, selection
from theta_app.figures.palette import COLOURS
from theta_app.ui import cache, store
from theta_app.ui.session import Settings
from theta_app.ui.timeline import Axis, Curve, Frame, Options, Packed, Picture, Range, Readout, Texts, pack
from theta_app.ui.widgets.words import agreement_words, decimals, short, stray

_PAIR_WORK = 5e8  # multiplications that a closest pair may cost at every θ where no tree helps (many features)
_LATE_PAIR_WORK = 1e11  # and at the one θ that was released: a few seconds

HINT = "Drag θ: clusters, curves and numbers follow"


@dataclass(frozen=True, eq=False)
class ShownSweep:
    """A sweep as the page shows it: of these points, for these settings.

    settings : Settings
        With an algorithm: the person's, or the verdict's; TDG while there is none.
    verdict : Verdict or None
        Once the sweep is complete.
    start : float or None
        The θ to stand on while the person has not chosen one; None while nothing is known.
    """

    sample: selection.Sample
    settings: Settings
    sweep: selection.Sweep
    verdict: selection.Verdict | None = None
    start: float | None = None

    @property
    def points(self) -> dict[float, selection.ThetaPoint]:
        return self.sweep.points

    @property
    def complete(self) -> bool:
        return self.sweep.complete


def shown_sweep(sample: selection.Sample, settings: Settings, asked: tuple[float, ...] = ()) -> ShownSweep:
    """What the store has of a sweep. ``asked`` are θ asked for by hand."""
    sweep = cache.so_far(sample, settings, asked)
    usual = settings.theta_low is None
    verdict = cache.verdict(sample, settings) if usual and sweep.complete else cache.known_verdict(sample, settings)
    settings = cache.followed(sample, settings)
    start = _start(sample, settings, sweep, verdict)
    if sweep.swept and start not in sweep.points:  # of chains, or of a verdict that another axis passes over
        sweep = cache.so_far(sample, settings, (*asked, start))
    return ShownSweep(sample, settings, sweep, verdict, start)


def _start(sample, settings: Settings, sweep: selection.Sweep, verdict: selection.Verdict | None) -> float | None:
    """The verdict's θ for its algorithm, and for another the best of its own; where nothing is found, one cluster."""
    if verdict is not None and verdict.algorithm == settings.algorithm:
        return verdict.theta
    if settings.algorithm == "TNC" and sweep.complete:
        return cache.chain_suggestion(sample, settings).theta
    if verdict is not None and verdict.algorithm is None and sweep.swept:
        return _one_cluster(sweep)
    return sweep.best.theta if sweep.best else None


def _one_cluster(sweep: selection.Sweep) -> float:
    """The smallest θ from which on there is one cluster, in every order; the largest θ where there always are more."""
    thetas = sorted(sweep.points)
    counts = [max(sweep.points[theta].standing, sweep.points[theta].row["runs_high"]) for theta in thetas]
    last = selection.runs(counts)[-1]
    return thetas[last.start] if last.value == 1 else thetas[-1]


def caption(points: selection.Sample, projection: str) -> str:
    """What the picture is, where that needs saying."""
    parts = [] if points.whole else [f"showing {len(points.X):,} of {points.total:,}"]
    d = points.X.shape[1]
    if d > 2:
        how = {"pca": "their two main directions (PCA)", "tsne": "t-SNE", "none": "their first two"}[projection]
        if projection == "tsne" and len(points.X) > selection.TSNE_POINTS:
            how = f"PCA (t-SNE draws at most {selection.TSNE_POINTS:,} points)"
        parts.append(f"{d} features drawn by {how}; circles of radius θ would not be true here")
    return " · ".join(parts)


# ---- one θ ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ThetaFrame:
    """The clustering at one θ: what is drawn, its scores as numbers, and how many clusters stand (strays aside)."""

    frame: Frame
    scores: dict[str, float]
    standing: int
    strays: int


@dataclass(frozen=True, eq=False)
class _Clusters:
    """The clusters of the chosen algorithm at one θ.

    owner, segments, names : of chains, see Frame; None for plain clusters
    strays : how many are only a few stray points
    parts : (n,) array
        The centroid each point belongs to.
    """

    labels: np.ndarray
    sizes: np.ndarray
    centroids: np.ndarray
    parts: np.ndarray
    owner: np.ndarray | None = None
    segments: np.ndarray | None = None
    names: np.ndarray | None = None
    strays: int = 0


def theta_frame(points: selection.Sample, point: selection.ThetaPoint, settings: Settings, unit: str) -> ThetaFrame:
    """What to draw at one θ, for the algorithm in use and the projection of the settings."""
    settings = cache.followed(points, settings)
    algorithm = settings.algorithm
    epsilon = cache.epsilon_of(points, settings, point) if algorithm == "TNC" else None
    rests_on = (point.theta, point.row["shuffles"], settings.shuffles, settings.seed)
    key = (points.key, *rests_on, algorithm, epsilon, settings.projection, unit)
    return store.PICTURES.get_or_make(key, lambda: _make_frame(points, point, settings, epsilon, unit))


def _make_frame(points, point, settings, epsilon, unit) -> ThetaFrame:
    place = cache.places(points, settings.projection)
    found = _clusters(points, point, settings, epsilon)
    pair = selection.closest_pair(points.X, found.labels) if _closest_pair_is_known(points.X) else None
    scores = _scores(points, point, found.labels)
    drop = selection.size_drop(found.sizes)
    frame = Frame(
        point.theta,
        found.labels.astype(np.int32, copy=False),
        found.sizes,
        _drawn(points, place, found),
        readouts=_readouts(point, settings, found, scores, density(pair, point.theta, len(found.sizes)), unit),
        centroid_cluster=found.owner,
        segments=found.segments,
        pair=(*place[pair.i], *place[pair.j]) if pair else None,
        elbow=drop.suggested if drop.notable else None,
        names=found.names,
        distances=_distances(points.X, found.centroids, found.parts) if points.X.shape[1] > 2 else None,
    )
    return ThetaFrame(frame, scores, len(found.sizes) - found.strays, found.strays)


def _scores(points, point, labels) -> dict[str, float]:
    names = ["nmi", "ari"] if points.truth is not None else []
    if labels is point.tdg.labels:  # then the sweep has it already
        return {"silhouette": point.row["silhouette"], **cache.scores(points, labels, names)}
    return cache.scores(points, labels, ["silhouette", *names])


def _clusters(points, point, settings, epsilon) -> _Clusters:
    voted = point.tdg
    if settings.algorithm == "TSG":
        single = cache.tsg_result(points, point.theta)
        strays = selection.stray_clusters(single.sizes)
        return _Clusters(single.labels, single.sizes, single.centroids, single.labels, strays=strays)
    if settings.algorithm == "TDG":
        strays = point.row["stragglers"]
        return _Clusters(voted.labels, voted.sizes, voted.centroids, voted.labels, strays=strays)
    chaining = cache.chaining_of(points, point, settings)
    names, owner = chaining.chains(epsilon)
    links = chaining.tree.edges[: chaining.tree.links(epsilon)]  # the edges that chain
    sizes = chaining.sizes_of(owner)
    strays = selection.stray_chains(sizes)
    return _Clusters(owner[voted.labels], sizes, voted.centroids, voted.labels, owner, links, names, strays)


def _drawn(points, place, found) -> np.ndarray:
    """Where centroids are drawn: where they are, or in a projection in the middle of their members."""
    d = points.X.shape[1]
    if d <= 2:
        return found.centroids if d == 2 else np.column_stack([found.centroids, np.zeros(len(found.centroids))])
    return middles(place, found.parts, len(found.centroids))


def middles(place: np.ndarray, labels: np.ndarray, k: int) -> np.ndarray:
    """Where centroids are drawn in a projection: in the middle of their members."""
    sums = [np.bincount(labels, weights=place[:, axis], minlength=k) for axis in (0, 1)]
    return np.column_stack(sums) / np.maximum(np.bincount(labels, minlength=k), 1)[:, None]


def _distances(X, centroids, labels, block: int = 4096) -> np.ndarray:
    parts = [
        np.linalg.norm(X[i : i + block] - centroids[labels[i : i + block]], axis=1) for i in range(0, len(X), block)
    ]
    return np.concatenate(parts)


def _closest_pair_is_known(X) -> bool:
    n, d = X.shape
    return d <= 8 or n * n * d <= _PAIR_WORK


# ---- words ----------------------------------------------------------------------------------------------------------


def _readouts(point, settings, found, scores, apart, unit) -> dict:
    row = point.row
    readouts = {
        "theta": (short(point.theta), unit),
        "k": (f"{len(found.sizes) - found.strays:,}", _about_k(settings, row, found)),
        "agreement": (f"{row['agreement']:.3f}", _about_agreement(row, settings)),
        "density": apart,
        "silhouette": (decimals(scores["silhouette"]), "1 apart, 0 touching"),
    }
    if "nmi" in scores:
        readouts["nmi"] = (decimals(scores["nmi"]), f"ARI {decimals(scores['ari'])}")
    return readouts


def _about_agreement(row: dict, settings: Settings) -> str:
    if settings.algorithm == "TNC":  # chains join what the orders cut apart
        return "of the small clusters, before chaining"
    return agreement_words(row["agreement"], row["shuffles"])


def _about_k(settings: Settings, row: dict, found: _Clusters) -> str:
    """What stands under K: where it comes from, how many shuffles it rests on, and how much of it are strays."""
    passes = "single" if row["shuffles"] == settings.shuffles else f"{row['shuffles']} single"
    where = {
        "TSG": "one pass, in the data's order",
        "TNC": f"chains of {len(found.centroids):,} clusters",
        "TDG": f"{passes} passes: {row['runs_low']:,} to {row['runs_high']:,}",
    }[settings.algorithm]
    return f"{stray(found.strays)}; {where}" if found.strays else where


def late_pair(points: selection.Sample, frame: Frame, progress=None) -> selection.ClosestPair | None:
    """The closest pair of different clusters where it was too much work at every θ; None where it is at one θ too."""
    n, d = points.X.shape
    if len(frame.sizes) < 2 or n * n * d > _LATE_PAIR_WORK:
        return None
    key = (points.key, "pair", hashlib.sha256(frame.labels.tobytes()).digest())
    work = lambda report, cancel: selection.closest_pair(points.X, frame.labels)  # noqa: E731
    return cache.run(key, work, progress, store.PICTURES)


def density(pair, theta: float, k: int) -> tuple[str, str]:
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
    lengths = (settings.algorithm, settings.epsilon, settings.shuffles, settings.seed, settings.projection)
    rests_on = tuple((point.theta, point.row["shuffles"]) for point in sweep.points.values())
    key = (sweep.sample.key, data.name, data.unit, lengths, rests_on, sweep.complete)
    return store.PICTURES.get_or_make(key, lambda: _make_timeline(sweep, data, earlier))


def _make_timeline(sweep: ShownSweep, data: datasets.Dataset, earlier: Packed | None) -> Packed:
    settings, points = sweep.settings, sweep.sample
    found = [theta_frame(points, point, settings, data.unit) for point in sweep.points.values()]
    ranges = _ranges(sweep, found)
    frames = [_with_range(one.frame, ranges) for one in found]
    # the whole range that will be swept, so that nothing moves on the track while values arrive
    swept = [theta for theta in cache.theta_axis(points, settings) if theta >= sweep.sweep.lowest]
    thetas = [theta for theta in [*swept, *sweep.points] if theta > 0]
    axis = Axis("theta", "θ", data.unit, float(min(thetas)), float(max(thetas)))
    readouts = [
        Readout("theta", "θ"),
        Readout("k", "Clusters K"),
        Readout("agreement", "Order agreement", wide=True),
        Readout("density", "Sparse or dense", wide=True),
        Readout("range", "Range", wide=True),
        Readout("silhouette", "Silhouette"),
    ]
    if points.truth is not None:
        readouts.append(Readout("nmi", "NMI"))
    flat = points.X.shape[1] <= 2
    picture = Picture(
        cache.places(points, settings.projection),
        frames,
        axis,
        curves=_curves(sweep, found),
        ranges=ranges,
        recommended=sweep.start,
        circles="value" if flat else None,
        plain=flat,
        rows=_row_numbers(data, points.rows),
    )
    texts = Texts(readouts, caption(points, settings.projection), _note(sweep), HINT, _file_name(data.name))
    series = repr((settings.algorithm, settings.epsilon, settings.shuffles, settings.seed))
    options = Options(points.key, series, planned=sweep.sweep.planned, complete=sweep.complete)
    return pack(picture, texts, options, earlier)


def _with_range(frame: Frame, ranges: list[Range]) -> Frame:
    within = [r for r in ranges if r.low <= frame.value <= r.high]
    text = ("none", "K changes with every step here" if len(frame.sizes) > 1 else "all points are one cluster")
    if within:
        best = within[-1]
        text = (
            f"{short(best.low)} – {short(best.high)}",
            f"K = {best.k}{' · recommended' if best.recommended else ''}",
        )
    return replace(frame, readouts={**frame.readouts, "range": text})


def _ranges(sweep: ShownSweep, found: list[ThetaFrame]) -> list[Range]:
    """What the track shows: for TDG the ranked ranges, else stretches of equal K; recommended is only the verdict's."""
    followed = sweep.verdict is not None and sweep.verdict.algorithm == sweep.settings.algorithm
    if sweep.settings.algorithm != "TDG":
        steady = stretches([one.frame.value for one in found], [one.standing for one in found])
        return [replace(r, recommended=followed and r.low <= sweep.start <= r.high) for r in steady]
    shown = [
        Range(r.theta_low, r.theta_high, r.theta, int(r.n_clusters), max(float(r.score), 0.0), best)
        for r in sweep.sweep.ranges.itertuples()
        if r.theta_high > r.theta_low
        for best in [bool(r.recommended) and (followed or sweep.verdict is None)]
    ]
    # the best ranges, and of the others those wide enough to be pointed at
    first, last = found[0].frame.value, found[-1].frame.value
    span = math.log(last / first) if first > 0 else 0.0
    return [r for r in shown if r.recommended or math.log(r.high / r.low) > 0.03 * span] if span else shown


def stretches(values, counts) -> list[Range]:
    """Stretches of at least three neighbouring values with the same number of clusters, two or more."""
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
            [one.standing for one in found],
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
        return f"{done} of {max(sweep.sweep.planned, done)} θ swept so far"
    most = sweep.settings.shuffles
    full = sum(point.row["shuffles"] == most for point in sweep.points.values())
    best = f", the best {full} with all {most} shuffles" if full < done else ""
    return f"{done} θ swept{best}" + ("" if sweep.sample.whole else f" on {sweep.sample.sentence}")


def _row_numbers(data: datasets.Dataset, rows: np.ndarray) -> np.ndarray:
    """The numbers a person sees in their file."""
    index = data.table.index.to_numpy()[rows]
    return index if np.issubdtype(index.dtype, np.integer) and index.min(initial=0) >= 0 else rows


def _file_name(name: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in name).strip("-")[:40] or "picture"
