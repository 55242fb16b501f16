"""Which θ? Sweeps over θ, the ranges in which the answer holds, the recommended one, and what the sizes say."""

import threading
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from theta_app.engine import Cancelled, TdgResult, tdg, validation
from theta_app.engine.members import members
from theta_app.engine.pairs import ClosestPair, closest_pair
from theta_app.engine.search import Search
from theta_app.engine.silhouette import silhouette

SILHOUETTE_POINTS = 1000
_NEIGHBOUR_POINTS = 2000  # whose nearest neighbours tell the typical distance between points
_LOOK_INTERVAL = 0.05  # seconds between looks at the progress, hence the time it takes to stop

SWEEP_COLUMNS = (
    "theta",
    "n_clusters",
    "runs_low",
    "runs_median",
    "runs_high",
    "agreement",
    "silhouette",
    "score",
    "largest_share",
    "singleton_share",
    "stragglers",
    "elbow",
)
RANGE_COLUMNS = (
    "theta_low",
    "theta_high",
    "theta",
    "n_clusters",
    "agreement",
    "silhouette",
    "score",
    "relative_width",
    "recommended",
)


# --- the θ axis ------------------------------------------------------------------------------------------------------


def theta_grid(X, n=64):
    """θ values worth trying, ascending, log-spaced: from half the typical neighbour distance to about the diameter."""
    X = validation.points(X)
    n = validation.count(n, "n")
    farthest = X[np.argmax(_lengths(X - X.mean(axis=0)))]
    diameter = float(_lengths(X - farthest).max())  # from the farthest point: within a factor √3, in practice exact
    if diameter == 0.0:
        return np.ones(1)  # all points are one: any θ will do
    chosen = X[fair_indices(len(X), _NEIGHBOUR_POINTS)]
    tree_fits = X.shape[1] <= 16
    neighbours = cKDTree(X).query(chosen, k=2)[0][:, 1] if tree_fits else _neighbour_distances(chosen)
    positive = neighbours[neighbours > 0]
    nearest = 0.5 * float(np.median(positive)) if len(positive) else diameter / 100
    return np.geomspace(min(nearest, diameter / 2), diameter, n)


def _lengths(vectors):
    """Lengths of the rows, safe for coordinates whose squares would overflow."""
    largest = np.abs(vectors).max()
    if largest == 0.0:
        return np.zeros(len(vectors))
    return largest * np.sqrt(((vectors / largest) ** 2).sum(axis=1))


def _neighbour_distances(points):
    """Distance of each point to its nearest other point, among themselves."""
    distances = cdist(points, points)
    np.fill_diagonal(distances, np.inf)
    finite = distances.min(axis=1)
    return finite[np.isfinite(finite)]


def fair_indices(n, size, seed=0):
    """Indices of a uniform random sample of `size` of n points, ascending; all of them when n is not larger."""
    if n <= size:
        return np.arange(n)
    return np.sort(np.random.default_rng(seed).choice(n, size, replace=False))


# --- one θ, and many -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SilhouetteSample:
    """The points whose silhouette is taken, the same at every θ, and their distances."""

    indices: np.ndarray
    distances: np.ndarray


def silhouette_sample(X, size=SILHOUETTE_POINTS):
    """A fair sample of the points of X for silhouettes that can be compared along a sweep."""
    X = validation.points(X)
    indices = fair_indices(len(X), size)
    return SilhouetteSample(indices, cdist(X[indices], X[indices]))


@dataclass(frozen=True)
class ThetaPoint:
    """One θ of a sweep: TDG's result there, and the numbers of a sweep's row."""

    theta: float
    tdg: TdgResult
    row: dict


def evaluate(X, theta, shuffles=50, seed=0, *, sample=None, n_jobs=None, progress=None, cancel=None):
    """TDG at one θ with everything a sweep tells about it.

    Parameters
    ----------
    X, theta, shuffles, seed, n_jobs, progress, cancel
        As for `theta_app.engine.tdg`.
    sample : SilhouetteSample, optional
        From `silhouette_sample(X)`; pass it when evaluating many θ.

    Returns
    -------
    ThetaPoint
    """
    sample = silhouette_sample(X) if sample is None else sample
    result = tdg(X, theta, shuffles, seed, n_jobs=n_jobs, progress=progress, cancel=cancel, agreement=True)
    runs = np.sort(result.run_counts)
    shape = silhouette(sample.distances, result.labels[sample.indices])
    row = {
        "theta": float(theta),
        "n_clusters": len(result.sizes),
        "runs_low": int(runs[0]),
        "runs_median": float(np.median(runs)),
        "runs_high": int(runs[-1]),
        "agreement": result.agreement,
        "silhouette": shape,
        "score": result.agreement * shape,
        "largest_share": float(result.sizes.max() / len(result.labels)),
        "singleton_share": float(np.mean(result.sizes == 1)),
        "stragglers": int(stragglers(result.sizes).sum()),
        "elbow": size_elbow(result.sizes),
    }
    return ThetaPoint(float(theta), result, row)


def evaluate_many(X, thetas, shuffles=50, seed=0, *, sample=None, n_jobs=None, progress=None, cancel=None):
    """`evaluate` at each of `thetas`, yielded in their order, with `n_jobs` threads working a few θ ahead.

    ``progress(done, total)`` counts shuffles over all θ; it is called from the thread that iterates, many times a
    second, and may raise. When it raises, or the iteration is dropped, the threads stop at their next shuffle.
    """
    X = validation.points(X)
    sample = silhouette_sample(X) if sample is None else sample
    workers = validation.jobs(n_jobs)
    thetas = list(thetas)
    done = [0] * len(thetas)  # shuffles finished at each θ; one writer each
    stop = threading.Event()

    class _Either:
        @staticmethod
        def is_set():
            return stop.is_set() or (cancel is not None and cancel.is_set())

    def work(i):
        def count(finished, _):
            done[i] = finished

        return evaluate(X, thetas[i], shuffles, seed, sample=sample, progress=count, cancel=_Either)

    pool = ThreadPoolExecutor(workers)
    futures = {}
    try:
        for i in range(len(thetas)):
            for ahead in range(i, min(i + 2 * workers, len(thetas))):
                if ahead not in futures:
                    futures[ahead] = pool.submit(work, ahead)
            while not futures[i].done():
                wait([futures[i]], _LOOK_INTERVAL, FIRST_COMPLETED)
                if progress is not None:
                    progress(sum(done), shuffles * len(thetas))
            yield futures.pop(i).result()
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)


class _Source:
    """What a sweep was made from, so that the edges of its ranges can be refined. Carried in ``DataFrame.attrs``."""

    def __init__(self, X, shuffles, seed):
        self.X, self.shuffles, self.seed = X, shuffles, seed

    def __deepcopy__(self, memo):  # pandas copies attrs with every frame made from this one
        return self

    def standing(self, theta, n_jobs=None, cancel=None):
        """Number of clusters at θ, stragglers not counted."""
        sizes = tdg(self.X, theta, self.shuffles, self.seed, n_jobs=n_jobs, cancel=cancel).sizes
        return int((~stragglers(sizes)).sum())


def sweep(X, thetas=None, shuffles=50, seed=0, *, n_jobs=None, progress=None, cancel=None):
    """TDG over many θ.

    Parameters
    ----------
    X : array of shape (n, d)
    thetas : sequence of float, optional
        Distances to try, in the units of ``X``; by default `theta_grid(X)`, and finer where the answer changes near
        the best θ.
    shuffles, seed, n_jobs, cancel
        As for `theta_app.engine.tdg`.
    progress : callable, optional
        ``progress(done, total)`` in shuffles over all θ, from the calling thread. May raise to stop the work.

    Returns
    -------
    DataFrame with a row a θ, ascending, and the columns

    - theta
    - n_clusters : TDG's number of clusters
    - runs_low, runs_median, runs_high : numbers of clusters of its TSG runs
    - agreement : order agreement, the mean adjusted Rand index between TSG runs on different orders; 1: no order effect
    - silhouette : of a fixed fair sample of the points; 0 where undefined
    - score : agreement x silhouette
    - largest_share : share of the points in the largest cluster
    - singleton_share : share of the clusters that hold one point
    - stragglers : number of clusters that are a few points too far from all others (`stragglers`)
    - elbow : number of clusters before the largest relative drop in size
    """
    X = validation.points(X)
    shuffles = validation.count(shuffles, "shuffles")
    options = {"sample": silhouette_sample(X), "n_jobs": n_jobs, "progress": progress, "cancel": cancel}
    if thetas is not None:
        thetas = sorted({validation.distance(t, "thetas") for t in np.atleast_1d(thetas).tolist()})
        return sweep_frame(evaluate_many(X, thetas, shuffles, seed, **options), X, shuffles, seed)
    points = list(evaluate_many(X, theta_grid(X), shuffles, seed, **options))
    points += evaluate_many(X, finer_thetas(sweep_frame(points)), shuffles, seed, **options)
    return sweep_frame(points, X, shuffles, seed)


def finer_thetas(sweep, most=24):
    """θ worth adding to a sweep: between neighbours where the number of clusters changes close to the best score."""
    good = (sweep["score"] >= 0.85 * sweep["score"].max()).to_numpy()
    standing = (sweep["n_clusters"] - sweep["stragglers"]).to_numpy()
    thetas = sweep["theta"].to_numpy()
    gaps = np.flatnonzero((good[:-1] | good[1:]) & (standing[:-1] != standing[1:]) & (thetas[:-1] > 0))
    scores = sweep["score"].to_numpy()
    gaps = sorted(gaps, key=lambda i: -max(scores[i], scores[i + 1]))[: most // 3]
    return np.sort([theta for i in gaps for theta in np.geomspace(thetas[i], thetas[i + 1], 5)[1:-1]])


def sweep_frame(points, X=None, shuffles=50, seed=0):
    """A sweep's DataFrame from the `ThetaPoint`s of its θ. With X, `theta_ranges` can refine the edges."""
    rows = sorted((point.row for point in points), key=lambda row: row["theta"])
    frame = pd.DataFrame(rows, columns=list(SWEEP_COLUMNS))
    if X is not None:
        frame.attrs["source"] = _Source(X, shuffles, seed)
    return frame


# --- ranges and the recommendation -----------------------------------------------------------------------------------


def theta_ranges(sweep, *, refine=4, n_jobs=None, cancel=None):
    """Ranges of θ in which the number of clusters holds, best first.

    A range is a stretch of neighbouring θ with the same number of clusters, 2 or more, not counting stragglers (see
    `stragglers`). It is ranked by how well its answer holds: the score (order agreement x silhouette) at its best θ,
    and among ranges of about the same score the wider. Width alone misleads: a few large clusters often hold over a
    wider range than the true ones.

    Parameters
    ----------
    sweep : DataFrame of `sweep`
    refine : int
        The edges of the best ranges are found by this many bisections between grid values (0: none). Needs a frame
        that knows its data, as those of `sweep` do.

    Returns
    -------
    DataFrame with the columns theta_low, theta_high, theta (the geometric middle), n_clusters (without stragglers),
    agreement, silhouette and score (means over the range), relative_width (log of theta_high / theta_low) and
    recommended (True in the first row, if it stands out).
    """
    thetas = sweep["theta"].to_numpy()
    standing = (sweep["n_clusters"] - sweep["stragglers"]).to_numpy()
    starts = np.flatnonzero(np.diff(standing, prepend=-1))
    scores = {name: sweep[name].to_numpy() for name in ("agreement", "silhouette", "score")}
    rows = [
        _range(scores, int(standing[start]), thetas, start, stop)
        for start, stop in zip(starts, [*starts[1:], len(standing)])
        if standing[start] >= 2
    ]
    rows.sort(key=_standing, reverse=True)
    source = sweep.attrs.get("source")
    if refine and source is not None:
        for row in rows[:_REFINED]:
            _refine(row, thetas, source, refine, n_jobs, cancel)
    ranges = pd.DataFrame(rows, columns=[*RANGE_COLUMNS, "peak"])
    low, high = ranges["theta_low"].astype(float), ranges["theta_high"].astype(float)
    ranges["theta"] = np.sqrt(low * high)
    ranges["relative_width"] = np.log(high / low.where(low > 0)).fillna(0.0)
    ranges["recommended"] = False
    if len(ranges) and _stands_out(sweep, ranges.iloc[0]):
        ranges.loc[0, "recommended"] = True
    return ranges.drop(columns="peak")


_REFINED = 4  # ranges whose edges are bisected: those a person may choose


def _range(scores, n_clusters, thetas, start, stop):
    """The stretch of rows start..stop-1 as a range."""
    return {
        "n_clusters": n_clusters,
        **{name: float(values[start:stop].mean()) for name, values in scores.items()},
        "peak": float(scores["score"][start:stop].max()),
        # half a step beyond the outermost θ, so that a single θ has a width too
        "theta_low": _between(thetas, start - 1, start),
        "theta_high": _between(thetas, stop - 1, stop),
        "inside": (start, stop - 1),
    }


def _between(thetas, i, j):
    """Geometric middle of two neighbouring θ; at an end of the axis the end itself."""
    i, j = max(i, 0), min(j, len(thetas) - 1)
    return float(np.sqrt(thetas[i] * thetas[j]))


def _standing(row):
    """How well a range's answer holds: mostly its best score, a little its width."""
    width = np.log(row["theta_high"] / row["theta_low"]) if row["theta_low"] > 0 else 0.0
    return row["peak"] * (1.0 + 0.1 * np.tanh(width / 0.3))


# What the best θ gives on uniform noise, measured over 100 to 20,000 points: a square is always four quarters, a line
# two halves, and only the silhouette tells that from clusters.
_NOISE_SILHOUETTE = {1: 0.63, 2: 0.42}
_NOISE_SILHOUETTE_BEYOND = 0.30  # three features and more
_NOISE_AGREEMENT = 0.85


def _stands_out(sweep, best):
    """Whether the best range deserves to be recommended: it must do clearly better than uniform noise would.

    Its runs mostly agree; its clusters are farther apart than parts of noise, or its runs agree more than on noise; and
    it is wide and well apart, or clearly better than the usual θ of this data, as noise is about the same at every θ.
    """
    if best["agreement"] < 0.65 or best["peak"] < 0.3:
        return False
    source = sweep.attrs.get("source")
    features = 2 if source is None else source.X.shape[1]
    noise = _NOISE_SILHOUETTE.get(features, _NOISE_SILHOUETTE_BEYOND)
    if best["silhouette"] < noise + 0.05 and best["agreement"] < _NOISE_AGREEMENT + 0.05:
        return False
    usual = sweep["score"][sweep["score"] > 0].median()
    return bool(best["peak"] >= 1.4 * usual or (best["relative_width"] >= 0.3 and best["peak"] >= 0.6))


def _refine(row, thetas, source, steps, n_jobs, cancel):
    """Move a range's edges to where K changes, by bisection on a log axis between a θ inside and one outside."""
    first, last = row["inside"]
    for edge, inside, outside in (("theta_low", first, first - 1), ("theta_high", last, last + 1)):
        if not 0 <= outside < len(thetas):
            row[edge] = float(thetas[inside])
            continue
        good, bad = float(thetas[inside]), float(thetas[outside])
        for _ in range(steps):
            middle = float(np.sqrt(good * bad))
            if source.standing(middle, n_jobs, cancel) == row["n_clusters"]:
                good = middle
            else:
                bad = middle
        row[edge] = good


@dataclass(frozen=True)
class Recommendation:
    """The recommended θ.

    Attributes
    ----------
    theta, n_clusters : the middle of the best range, and its number of clusters, stragglers not counted
    theta_low, theta_high : the range
    stands_out : False where no θ is much better than the others (uniform noise, say)
    reason : a sentence
    """

    theta: float
    n_clusters: int
    theta_low: float
    theta_high: float
    stands_out: bool
    reason: str


def recommend(X, shuffles=50, seed=0, *, n_jobs=None, progress=None, cancel=None):
    """The θ at which clusters are farthest apart and least dependent on the order of the data.

    Sweeps θ and takes the middle of the best of `theta_ranges`. Returns a `Recommendation`.
    """
    swept = sweep(X, None, shuffles, seed, n_jobs=n_jobs, progress=progress, cancel=cancel)
    return recommend_from(swept, theta_ranges(swept, n_jobs=n_jobs, cancel=cancel))


def recommend_from(sweep, ranges):
    """The `Recommendation` that follows from a sweep and its ranges."""
    if len(ranges) == 0:
        last = sweep.iloc[-1]
        theta = float(last["theta"])
        reason = "Every θ tried puts all points into one cluster or leaves each alone: there is nothing to choose."
        return Recommendation(theta, int(last["n_clusters"]), theta, theta, False, reason)
    best = ranges.iloc[0]
    if best["recommended"]:
        reason = (
            f"From θ = {best['theta_low']:.4g} to {best['theta_high']:.4g} there are {int(best['n_clusters'])} "
            f"clusters: order agreement {best['agreement']:.2f}, silhouette {best['silhouette']:.2f}."
        )
    else:
        reason = (
            "No θ stands out: for none are the clusters both apart and independent of the order of the data "
            f"(best: order agreement {best['agreement']:.2f}, silhouette {best['silhouette']:.2f})."
        )
    return Recommendation(
        float(best["theta"]),
        int(best["n_clusters"]),
        float(best["theta_low"]),
        float(best["theta_high"]),
        bool(best["recommended"]),
        reason,
    )


# --- sizes -----------------------------------------------------------------------------------------------------------


def size_elbow(sizes):
    """How many clusters stand before the largest relative drop in size; all of them if no size drops.

    With sizes in descending order, the k for which (size k - size k+1) / size k is largest; the first on a tie.
    """
    sizes = np.sort(np.asarray(sizes, dtype=float))[::-1]
    sizes = sizes[sizes > 0]
    if len(sizes) < 2:
        return len(sizes)
    drops = (sizes[:-1] - sizes[1:]) / sizes[:-1]
    return int(np.argmax(drops)) + 1 if drops.max() > 0 else len(sizes)


def stragglers(sizes):
    """Which clusters are stragglers: a few points too far from all others, not clusters in their own right.

    Those that hold at most ten points and at most a tenth of a typical cluster, where typical is the cluster of the
    median point. Returns an array of bool.
    """
    sizes = np.asarray(sizes)
    descending = np.sort(sizes)[::-1]
    typical = descending[np.searchsorted(np.cumsum(descending), descending.sum() / 2)]
    return sizes <= min(10, typical / 10)


@dataclass(frozen=True)
class Kept:
    """The largest clusters of a result, every point reassigned to the nearest of them; largest first."""

    labels: np.ndarray
    centroids: np.ndarray
    sizes: np.ndarray
    kept: np.ndarray  # their indices in the result they come from


def keep_largest(X, result, k):
    """Keep the `k` largest clusters of `result` and give every point to the nearest of their centroids."""
    X = validation.points(X)
    k = min(validation.count(k, "k"), len(result.sizes))
    kept = np.argsort(-np.asarray(result.sizes), kind="stable")[:k]
    labels = Search(X, 0.0).nearest(np.ascontiguousarray(result.centroids[kept]))
    centroids, sizes = members(validation.read_only(X), labels, k)
    return Kept(labels, np.where(sizes[:, None] > 0, centroids, result.centroids[kept]), sizes, kept)


# --- what to say about a result --------------------------------------------------------------------------------------


def is_sparse(X, labels, theta):
    """True if the clusters are θ-sparse: no two points of different clusters are within θ of each other. Exact."""
    pair = closest_pair(X, labels)
    return pair is None or pair.distance > theta


def warnings_for(result, agreement=None):
    """Sentences on what is odd about a `TdgResult`, each with what to do; an empty list if nothing is."""
    n, K = len(result.labels), len(result.sizes)
    agreement = result.agreement if agreement is None else agreement
    median = float(np.median(result.run_counts))
    found = []
    if 0.6 * median > K:
        found.append(
            f"TDG merged to {K} clusters what its single passes kept apart (their median is {median:.0f}): θ is larger "
            "than the distance between some centres. Lower θ, or use TSG."
        )
    if n > 1 and K == 1:
        found.append("All points are in one cluster. Lower θ to see structure.")
    elif n > 2 and 0.5 * n < K:
        found.append(f"{K} clusters for {n} points: most points are alone. Raise θ.")
    elif K > 2 and np.mean(result.sizes == 1) > 0.5:
        found.append("More than half of the clusters hold a single point. Raise θ, or keep the largest clusters only.")
    if agreement is not None and K > 1 and agreement < 0.5:
        found.append(
            f"The order of the data matters much here (order agreement {agreement:.2f}). Try another θ, or lower θ and "
            "look at the cluster sizes."
        )
    return found


__all__ = [
    "Cancelled",
    "ClosestPair",
    "Kept",
    "Recommendation",
    "SilhouetteSample",
    "ThetaPoint",
    "closest_pair",
    "evaluate",
    "evaluate_many",
    "fair_indices",
    "finer_thetas",
    "is_sparse",
    "keep_largest",
    "recommend",
    "recommend_from",
    "silhouette_sample",
    "size_elbow",
    "stragglers",
    "sweep",
    "sweep_frame",
    "theta_grid",
    "theta_ranges",
    "warnings_for",
]
