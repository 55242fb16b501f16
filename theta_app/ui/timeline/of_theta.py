"""From a sweep to what the timeline draws: one frame a θ, curves, ranges, read-outs."""

import functools
import hashlib
import math

import numpy as np

from theta_app import datasets, metrics, selection
from theta_app.engine import tsg
from theta_app.engine.silhouette import silhouette
from theta_app.figures.palette import COLOURS
from theta_app.ui import cache
from theta_app.ui.session import Settings
from theta_app.ui.store import Bounded
from theta_app.ui.sweeps import Sweep
from theta_app.ui.timeline import Axis, Curve, Frame, Options, Packed, Picture, Range, Readout, Texts, pack
from theta_app.ui.widgets.words import agreement_words, short, stray

_FRAMES = Bounded(entries=4000, megabytes=384)
_PLACES = Bounded(entries=32, megabytes=64)
_PACKED = Bounded(entries=48, megabytes=256)
_PAIRS = Bounded(entries=500, megabytes=1)

_PAIR_WORK = 5e8  # multiplications that a closest pair may cost at every θ where no tree helps (many features)
_LATE_PAIR_WORK = 1e11  # and at the one θ that was released: a few seconds
TSNE_POINTS = 5000

HINT = "Drag θ: the clusters, the curves and the numbers follow at once"


def places(points: cache.Sample, projection: str) -> np.ndarray:
    """Where the sampled points are drawn, an array (n, 2)."""
    method = projection if points.X.shape[1] > 2 else "none"
    if method == "tsne" and len(points.X) > TSNE_POINTS:
        method = "pca"
    make = functools.partial(datasets.project, points.X, method)
    return _PLACES.get_or_make((points.key, method), make, lambda p: p.nbytes)


def caption(points: cache.Sample, projection: str) -> str:
    """What the picture is, where that needs saying."""
    parts = [] if points.whole else [f"showing {len(points.X):,} of {points.total:,}"]
    d = points.X.shape[1]
    if d > 2:
        how = {"pca": "their two main directions (PCA)", "tsne": "t-SNE", "none": "their first two"}[projection]
        if projection == "tsne" and len(points.X) > TSNE_POINTS:
            how = f"PCA (t-SNE draws at most {TSNE_POINTS:,} points)"
        parts.append(f"{d} features drawn by {how}; circles of radius θ would not be true here")
    return " · ".join(parts)


# ---- one θ ----------------------------------------------------------------------------------------------------------


def theta_frame(points: cache.Sample, point: selection.ThetaPoint, settings: Settings, unit: str) -> Frame:
    """What to draw at one θ, for the algorithm and projection of the settings."""
    algorithm = settings.algorithm
    epsilon = cache.epsilon_at(points, settings, point.theta) if algorithm == "TNC" else None
    key = (points.key, point.theta, settings.shuffles, settings.seed, algorithm, epsilon, settings.projection, unit)
    make = functools.partial(_make_frame, points, point, settings, epsilon, unit)
    return _FRAMES.get_or_make(key, make, lambda f: f.labels.nbytes + f.centroids.nbytes + 2 * f.sizes.nbytes + 3000)


def _make_frame(points, point, settings, epsilon, unit) -> Frame:
    place = places(points, settings.projection)
    centroids, owner, segments, names = point.tdg.centroids, None, None, None
    labels, sizes, own = point.tdg.labels, point.tdg.sizes, point.tdg.labels
    if settings.algorithm == "TSG":
        single = tsg(points.X, point.theta)
        labels, sizes, centroids, own = single.labels, single.sizes, single.centroids, single.labels
    elif settings.algorithm == "TNC":
        tree = cache.chaining(points, point.theta, settings).tree
        names, owner = np.unique(tree.cut(epsilon), return_inverse=True)
        labels, sizes = owner[own], np.bincount(owner, weights=point.tdg.sizes).astype(np.int64)
        segments = tree.edges[: tree.links(epsilon)]  # the edges that chain
    shape = point.row["silhouette"]
    if settings.algorithm != "TDG":
        chosen = cache.silhouette_points(points)
        shape = silhouette(chosen.distances, labels[chosen.indices])
    pair = _closest_pair(points.X, labels)
    return Frame(
        point.theta,
        labels.astype(np.int32),
        sizes,
        _drawn(points, place, centroids, own),
        readouts=_readouts(points, point, settings, labels, sizes, shape, pair, unit, len(centroids)),
        centroid_cluster=owner,
        segments=segments,
        pair=(*place[pair.i], *place[pair.j]) if pair else None,
        elbow=_clear_drop(sizes),
        names=names,
        distances=_distances(points.X, centroids, own) if points.X.shape[1] > 2 else None,
    )


def _clear_drop(sizes) -> int | None:
    """After how many clusters the sizes drop most, unless that drop is none to speak of."""
    elbow = selection.size_elbow(sizes)
    descending = np.sort(sizes)[::-1]
    return elbow if elbow < len(sizes) and descending[elbow] < 0.8 * descending[elbow - 1] else None


def _drawn(points, place, centroids, labels) -> np.ndarray:
    """Where centroids are drawn: where they are, or in a projection in the middle of their members."""
    d = points.X.shape[1]
    if d <= 2:
        return centroids if d == 2 else np.column_stack([centroids, np.zeros(len(centroids))])
    return middles(place, labels, len(centroids))


def middles(place: np.ndarray, labels: np.ndarray, k: int) -> np.ndarray:
    """Where centroids are drawn in a projection: in the middle of their members."""
    sums = [np.bincount(labels, weights=place[:, axis], minlength=k) for axis in (0, 1)]
    return np.column_stack(sums) / np.maximum(np.bincount(labels, minlength=k), 1)[:, None]


def _distances(X, centroids, labels, block: int = 4096) -> np.ndarray:
    parts = [
        np.linalg.norm(X[i : i + block] - centroids[labels[i : i + block]], axis=1) for i in range(0, len(X), block)
    ]
    return np.concatenate(parts)


def _closest_pair(X, labels):
    n, d = X.shape
    return None if d > 8 and n * n * d > _PAIR_WORK else selection.closest_pair(X, labels)


# ---- words ----------------------------------------------------------------------------------------------------------


def _readouts(points, point, settings, labels, sizes, shape, pair, unit, n_centroids) -> dict:
    k = len(sizes)
    runs = f"single passes: {point.row['runs_low']:,} to {point.row['runs_high']:,}"
    about_k = {"TDG": runs, "TSG": "one pass, in the data's order", "TNC": f"chains of {n_centroids:,} clusters"}
    if settings.algorithm == "TDG" and point.row["stragglers"]:  # or a range "K = 25" would show 26 here, unexplained
        about_k["TDG"] = f"{stray(k, point.row['stragglers'])}; {runs}"
    readouts = {
        "theta": (short(point.theta), unit),
        "k": (f"{k:,}", about_k[settings.algorithm]),
        "agreement": (f"{point.row['agreement']:.3f}", agreement_words(point.row["agreement"], settings.shuffles)),
        "density": density(pair, point.theta, k, _closest_pair_is_known(points.X)),
        "silhouette": (f"{shape:.3f}", "1 apart, 0 touching"),
    }
    if points.truth is not None:
        nmi, ari = (metrics.score(name, points.X, labels, points.truth) for name in ("nmi", "ari"))
        readouts["nmi"] = (f"{nmi:.3f}", f"ARI {ari:.3f}")
    return readouts


def _closest_pair_is_known(X) -> bool:
    n, d = X.shape
    return d <= 8 or n * n * d <= _PAIR_WORK


def late_pair(points: cache.Sample, frame: Frame, progress=None) -> selection.ClosestPair | None:
    """The closest pair of different clusters where it was too much work at every θ; None where it is at one θ too."""
    n, d = points.X.shape
    if len(frame.sizes) < 2 or n * n * d > _LATE_PAIR_WORK:
        return None
    key = (points.key, hashlib.sha256(frame.labels.tobytes()).digest())
    make = lambda: cache.in_background(lambda _: selection.closest_pair(points.X, frame.labels), progress)  # noqa: E731
    return _PAIRS.get_or_make(key, make, lambda _: 200)


def density(pair, theta: float, k: int, known: bool = True) -> tuple[str, str]:
    """Sparse or dense, with the distance that decides it."""
    if k == 1:
        return "one cluster", "nothing to be apart from"
    if not known or pair is None:
        return "–", "shown below after release"
    verdict = "θ-sparse" if pair.distance > theta else "θ-dense"
    return verdict, f"closest pair {short(pair.distance)} apart"


# ---- the whole timeline ---------------------------------------------------------------------------------------------


def theta_timeline(sweep: Sweep, data: datasets.Dataset, earlier: Packed | None = None) -> Packed:
    """The timeline of a sweep. ``earlier`` is the one shown before it, whose colours are kept."""
    settings = sweep.settings
    lengths = (settings.algorithm, settings.epsilon, settings.shuffles, settings.seed, settings.projection)
    key = (sweep.sample.key, data.name, data.unit, lengths, tuple(sweep.points), sweep.complete)
    make = functools.partial(_make_timeline, sweep, data, earlier)
    return _PACKED.get_or_make(key, make, lambda packed: len(packed.body) + 50_000)


def _make_timeline(sweep: Sweep, data: datasets.Dataset, earlier: Packed | None) -> Packed:
    settings, points = sweep.settings, sweep.sample
    frames = [theta_frame(points, point, settings, data.unit) for point in sweep.points.values()]
    ranges = _ranges(sweep, frames)
    frames = [_with_range(frame, ranges) for frame in frames]
    # the whole range that will be swept, so that nothing moves on the track while values arrive
    thetas = [theta for theta in [*cache.theta_axis(points, settings), *sweep.points] if theta > 0]
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
        places(points, settings.projection),
        frames,
        axis,
        curves=_curves(sweep, frames),
        ranges=ranges,
        recommended=sweep.best.theta if sweep.best else None,
        circles="value" if flat else None,
        plain=flat,
        rows=_row_numbers(data, points.rows),
    )
    texts = Texts(readouts, caption(points, settings.projection), _note(sweep), HINT, _file_name(data.name))
    series = repr((settings.algorithm, settings.epsilon, settings.shuffles, settings.seed))
    options = Options(points.key, series, planned=sweep.planned, complete=sweep.complete)
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
    return Frame(**{**vars(frame), "readouts": {**frame.readouts, "range": text}})


def _ranges(sweep: Sweep, frames: list[Frame]) -> list[Range]:
    """What the track shows: for TDG the ranked ranges, else stretches of equal K, and where TDG's best range lies."""
    if sweep.settings.algorithm == "TDG":
        shown = [
            Range(r.theta_low, r.theta_high, r.theta, int(r.n_clusters), max(float(r.score), 0.0), bool(r.recommended))
            for r in sweep.ranges.itertuples()
            if r.theta_high > r.theta_low
        ]
        # the best ranges, and of the others those wide enough to be pointed at
        span = math.log(frames[-1].value / frames[0].value) if frames[0].value > 0 else 0.0
        return [r for r in shown if r.recommended or math.log(r.high / r.low) > 0.03 * span] if span else shown
    return stretches([frame.value for frame in frames], [len(frame.sizes) for frame in frames])


def stretches(values, counts) -> list[Range]:
    """Stretches of at least three neighbouring values with the same number of clusters, two or more."""
    found, start = [], 0
    for i in range(1, len(values) + 1):
        if i == len(values) or counts[i] != counts[start]:
            if i - start >= 3 and counts[start] >= 2:
                low, high = values[start], values[i - 1]
                middle = math.sqrt(low * high)
                found.append(Range(low, high, middle, counts[start], min((i - start) / 20, 1.0)))
            start = i
    return found


def _curves(sweep: Sweep, frames: list[Frame]) -> list[Curve]:
    rows = [point.row for point in sweep.points.values()]
    runs = sweep.settings.algorithm == "TDG"
    curves = [
        Curve(
            "K",
            [len(frame.sizes) for frame in frames],
            "k",
            COLOURS[0],
            low=[row["runs_low"] for row in rows] if runs else None,
            high=[row["runs_high"] for row in rows] if runs else None,
        ),
        Curve("Order agreement", [row["agreement"] for row in rows], "unit", COLOURS[3]),
        Curve("Silhouette", [float(f.readouts["silhouette"][0]) for f in frames], "unit", COLOURS[2], dash=(5, 3)),
    ]
    if sweep.sample.truth is not None:
        curves.append(Curve("NMI", [float(f.readouts["nmi"][0]) for f in frames], "unit", COLOURS[4], dash=(2, 2)))
    return curves


def _note(sweep: Sweep) -> str:
    done = len(sweep.points)
    if not sweep.complete:
        return f"{done} of {max(sweep.planned, done)} θ swept so far"
    return f"{done} θ swept" + ("" if sweep.sample.whole else f" on {sweep.sample.sentence}")


def _row_numbers(data: datasets.Dataset, rows: np.ndarray) -> np.ndarray:
    """The numbers a person sees in their file."""
    index = data.table.index.to_numpy()[rows]
    return index if np.issubdtype(index.dtype, np.integer) and index.min(initial=0) >= 0 else rows


def _file_name(name: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in name).strip("-")[:40] or "picture"
