"""Every method in one table: what it is, where it comes from, its parameters, and how to run it.

Adding a method is one entry of `METHODS`; pages, figures, tests and the command line pick it up from there.
"""

import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn import cluster as sk
from sklearn.mixture import GaussianMixture

from theta_app.compare import one_pass
from theta_app.compare.start import Start
from theta_app.datasets import Parameter
from theta_app.engine import EUCLIDEAN, Metric, TdgResult, TncResult, TsgResult, tdg, tnc, tsg
from theta_app.selection import merges_too_much

ELKAN_BOUNDS = 100_000_000  # points x centres, all of which Elkan's K-Means keeps a bound for: 0.8 GB
ALL_PAIRS_POINTS = 12_000  # agglomerative clustering holds all their distances at once: 0.6 GB
MINI_BATCH_NOW = {"batch": 1024, "starts": 1}
"""Mini-batch K-Means as scikit-learn sets it today."""
MINI_BATCH_THEN = {"batch": 100, "starts": 3}
"""As version 0.20 set it, which the paper used."""
_BIC_STEPS = 12  # numbers of Gaussians that are tried in each of two rounds
OURS, FAMILY, THRESHOLD, DENSITY = "ThetA", "K-Means family", "Distance threshold", "Density and linkage"


@dataclass(frozen=True)
class Outcome:
    """What a method found.

    Attributes
    ----------
    labels : (n,) array of int
        Cluster of each point; -1 is a point the method calls noise.
    centroids : (K, d) array or None
        The method's own representatives; None where it has none.
    note : str
        A sentence on how it ran, or empty.
    """

    labels: np.ndarray
    centroids: np.ndarray | None = None
    note: str = ""

    @property
    def n_clusters(self) -> int:
        """Number of clusters, noise not counted."""
        return len(np.unique(self.labels[self.labels >= 0]))


@dataclass(frozen=True)
class Setting:
    """One parameter of a method: a number from ``low`` to ``high``, of the type of ``low``, or one of ``choices``.

    ``start(Start)`` is the value it opens with on a data set.
    """

    name: str
    label: str
    help: str
    start: Callable[[Start], Any]
    low: float = 0.0
    high: float = 1e300
    choices: tuple[str, ...] = ()

    @property
    def kind(self) -> type:
        """The type of its values: int, float, or str where it is a choice."""
        return str if self.choices else type(self.low)

    def check(self, value: object) -> Any:
        """The value as its type, or ValueError with a sentence."""
        if self.choices:
            if value not in self.choices:
                raise ValueError(f"{self.label} must be one of {', '.join(self.choices)}, not {str(value)[:30]!r}.")
            return value
        return Parameter(self.name, self.label, self.kind(self.low), self.low, self.high).check(value)

    def opening(self, start: Start) -> Any:
        """The opening value, within the limits."""
        value = self.start(start)
        return value if self.choices else self.kind(min(max(value, self.low), self.high))


@dataclass(frozen=True)
class Method:
    """One method.

    Attributes
    ----------
    key, label, group : str
        Its name in a link, as shown, and the heading it stands under.
    about, source : str
        A sentence on what it is; who published it.
    settings : tuple of Setting
    function : callable(X, seed, **parameters) -> Outcome
    random : bool
        Whether the seed changes the result.
    colour : int or None
        Its place in the palette; without one it gets a place that no other method has.
    rule : str
        Where its parameters come from when nobody sets them, in words, with the names of its settings as fields; by
        default the settings themselves.
    listed : bool
        False for what is run for the paper's experiments alone.
    """

    key: str
    label: str
    group: str
    about: str
    source: str
    settings: tuple[Setting, ...]
    function: Callable
    random: bool = False
    colour: int | None = None
    rule: str = ""
    listed: bool = True

    @property
    def fixed_k(self) -> bool:
        """Whether it must be told how many clusters to make."""
        return any(setting.name == "k" and setting.low > 0 for setting in self.settings)

    def start(self, start: Start) -> dict[str, Any]:
        """Parameters to open with: {name: value}."""
        return {setting.name: setting.opening(start) for setting in self.settings}

    def check(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """All parameters, each of its type; ValueError with a sentence for a bad value, an unknown or missing name."""
        names = {setting.name for setting in self.settings}
        if set(parameters) != names:
            raise ValueError(f"{self.label} takes {', '.join(sorted(names))}; got {', '.join(sorted(parameters))}.")
        return {setting.name: setting.check(parameters[setting.name]) for setting in self.settings}

    def run(self, X: np.ndarray, seed: int = 0, metric: Metric = EUCLIDEAN, **parameters: Any) -> Outcome:
        """Cluster the rows of X, in their order. ValueError with a sentence where the method cannot run.

        Parameters
        ----------
        X : (n, d) array
        seed : int
            For methods that draw random numbers.
        metric : Metric
            How TSG, TDG and TNC measure distances; the other methods have a way of their own.
        **parameters
            One for each of `settings`, as `start` returns them.

        Returns
        -------
        Outcome
        """
        X = np.ascontiguousarray(X, dtype=np.float64)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            own = {"metric": metric} if self.group == OURS else {}
            outcome = self.function(X, seed, **self.check(parameters), **own)
        # a warning of the library (fewer distinct points than clusters, say) belongs to the result
        notes = [outcome.note] + [str(w.message).split("\n")[0] for w in caught if issubclass(w.category, UserWarning)]
        return Outcome(outcome.labels, outcome.centroids, " ".join(filter(None, dict.fromkeys(notes))))


# ---- how each one runs ----------------------------------------------------------------------------------------------


def outcome_of(result: TsgResult | TdgResult | TncResult) -> Outcome:
    """What TSG, TDG or TNC found, from their result."""
    if isinstance(result, TncResult):
        return Outcome(np.unique(result.labels, return_inverse=True)[1], result.centroids)
    note = ""
    if isinstance(result, TdgResult) and merges_too_much(result):
        median = np.median(result.run_counts)
        note = f"Merged to {len(result.sizes)} clusters what its single passes kept apart (median {median:.0f})."
    return Outcome(result.labels, result.centroids, note)


def _tsg(X: np.ndarray, seed: int, theta: float, metric: Metric) -> Outcome:
    return outcome_of(tsg(X, theta, metric=metric))


def _tdg(X: np.ndarray, seed: int, theta: float, shuffles: int, metric: Metric) -> Outcome:
    return outcome_of(tdg(X, theta, shuffles, seed, metric=metric))


def _tnc(
    X: np.ndarray, seed: int, theta: float, epsilon: float, shuffles: int, metric: Metric, density: int | None = None
) -> Outcome:
    return outcome_of(tnc(X, theta, epsilon, shuffles, seed, metric=metric, density=density))


def _plain_tsg(X: np.ndarray, seed: int, theta: float) -> Outcome:
    return Outcome(*one_pass.plain_tsg(X, theta))


def _plain_tdg(X: np.ndarray, seed: int, theta: float, shuffles: int) -> Outcome:
    return Outcome(*one_pass.plain_tdg(X, theta, shuffles, seed))


def _enough(X: np.ndarray, k: int) -> None:
    if k > len(X):
        raise ValueError(f"{k} clusters were asked for, but there are only {len(X)} points.")


def _lloyd(init: str) -> Callable[..., Outcome]:
    def run(X: np.ndarray, seed: int, k: int, starts: int) -> Outcome:
        _enough(X, k)
        many = len(X) * k > ELKAN_BOUNDS
        algorithm = "elkan" if k > 1 and not many else "lloyd"  # Elkan's bounds need two centres
        model = sk.KMeans(k, init=init, n_init=starts, algorithm=algorithm, random_state=seed).fit(X)
        note = "Ran without Elkan's bounds, which need too much memory here." if many else ""
        return Outcome(model.labels_, model.cluster_centers_, note)

    return run


def _mini_batch(X: np.ndarray, seed: int, k: int, starts: int, batch: int) -> Outcome:
    _enough(X, k)
    model = sk.MiniBatchKMeans(k, n_init=starts, batch_size=batch, random_state=seed).fit(X)
    used, labels = np.unique(model.labels_, return_inverse=True)
    lost = k - len(used)
    note = f"{lost} of its {k} centres {'has' if lost == 1 else 'have'} no points." if lost else ""
    return Outcome(labels, model.cluster_centers_[used], note)


def _faiss(X: np.ndarray, seed: int, k: int, starts: int) -> Outcome:
    _enough(X, k)
    try:
        import faiss  # optional: nobody waits for it, and nothing breaks without it
    except ImportError:
        raise ValueError("FAISS is not installed on this computer (pip install faiss-cpu).") from None
    # FAISS counts in float32: about the mean and by the spread, so that far or large coordinates keep their digits
    middle, spread = X.mean(axis=0), float(X.std()) or 1.0
    small = ((X - middle) / spread).astype(np.float32)
    model = faiss.Kmeans(
        X.shape[1], k, niter=25, nredo=starts, seed=seed, min_points_per_centroid=1, max_points_per_centroid=len(X)
    )
    model.train(small)
    labels = model.index.search(small, 1)[1].ravel()
    used, labels = np.unique(labels, return_inverse=True)
    return Outcome(labels, model.centroids[used].astype(float) * spread + middle)


def _mixture_of(X: np.ndarray, seed: int, k: int, starts: int) -> GaussianMixture:
    # the least variance is a share of the data's own, so that the answer does not change with the units
    least = 1e-6 * (float(X.var(axis=0).mean()) or 1.0)
    return GaussianMixture(k, covariance_type="full", n_init=starts, reg_covar=least, random_state=seed).fit(X)


def _least_bic(X: np.ndarray, seed: int, most: int, starts: int) -> tuple[GaussianMixture, int]:
    """(the mixture with the least BIC, how many K were tried): K from 1 to `most` in wide steps, then around the best.

    A K whose mixture cannot be fitted is passed over.
    """
    most = min(most, len(np.unique(X, axis=0)))
    found, low, high = {}, 1, most
    for space in (np.geomspace, np.linspace):
        for k in np.unique(np.round(space(low, high, _BIC_STEPS)).astype(int)):
            if k not in found:
                with suppress(ValueError):
                    found[int(k)] = _mixture_of(X, seed, int(k), starts)
        if not found:
            raise ValueError("No Gaussian mixture can be fitted to these points.")
        bic = {k: model.bic(X) for k, model in found.items()}
        best = min(bic, key=bic.get)  # type: ignore[arg-type]
        low, high = max((k for k in found if k < best), default=1), min((k for k in found if k > best), default=most)
    return found[best], len(found)


def _mixture(X: np.ndarray, seed: int, k: int, most: int, starts: int) -> Outcome:
    _enough(X, k)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of mixtures that are tried and not taken
        model, tried = (_mixture_of(X, seed, k, starts), 1) if k else _least_bic(X, seed, most, starts)
    used, labels = np.unique(model.predict(X), return_inverse=True)
    notes = [] if k else [f"K by BIC: the best of {tried} tried, from 1 to {most}."]
    notes += [] if model.converged_ else [f"Had not converged after {model.max_iter} steps."]
    return Outcome(labels, model.means_[used], " ".join(notes))


def _birch(X: np.ndarray, seed: int, threshold: float, branching: int, k: int) -> Outcome:
    if threshold <= 0:
        raise ValueError("BIRCH needs a threshold above 0.")
    model = sk.Birch(threshold=threshold, branching_factor=branching, n_clusters=k or None).fit(X)
    labels = np.unique(model.labels_, return_inverse=True)[1]
    return Outcome(labels, None if k else model.subcluster_centers_[np.unique(model.labels_)])


def _leader(X: np.ndarray, seed: int, theta: float) -> Outcome:
    return Outcome(*one_pass.leader(X, theta))


def _bsas(X: np.ndarray, seed: int, theta: float, limit: int) -> Outcome:
    return Outcome(*one_pass.bsas(X, theta, limit))


def _quickbundles(X: np.ndarray, seed: int, theta: float) -> Outcome:
    rule = "Ran as its rule (TSG with a strict <) in this project's own code: "
    if X.shape[1] > 3:
        return Outcome(*one_pass.quickbundles_rule(X, theta), rule + "DIPY takes at most 3 coordinates per point.")
    try:
        return Outcome(*one_pass.dipy_quickbundles(X, theta), "Ran in DIPY.")
    except ImportError:
        return Outcome(*one_pass.quickbundles_rule(X, theta), rule + "DIPY is not installed.")


def _sl(X: np.ndarray, seed: int, theta: float, distance: float) -> Outcome:
    return Outcome(*one_pass.leaders_single_linkage(X, theta, distance))


def _noise(labels: np.ndarray) -> str:
    lost = int((labels < 0).sum())
    return f"{lost:,} points are noise; the scores take them as one more cluster." if lost else ""


def _dbscan(X: np.ndarray, seed: int, eps: float, neighbours: int) -> Outcome:
    if eps <= 0:
        raise ValueError("DBSCAN needs a distance above 0.")
    labels = sk.DBSCAN(eps=eps, min_samples=neighbours).fit_predict(X)
    return Outcome(labels, note=_noise(labels))


def _hdbscan(X: np.ndarray, seed: int, smallest: int) -> Outcome:
    if smallest > len(X):
        raise ValueError(f"The smallest cluster cannot hold {smallest} points: there are {len(X)}.")
    labels = sk.HDBSCAN(min_cluster_size=smallest, copy=True).fit_predict(X)
    return Outcome(labels, note=_noise(labels))


def _plscan(X: np.ndarray, seed: int, neighbours: int) -> Outcome:
    if neighbours >= len(X):
        raise ValueError(f"It needs more points than neighbours: there are {len(X)}.")
    try:
        from fast_plscan import PLSCAN
    except ImportError:
        raise ValueError("PLSCAN is not installed on this computer (pip install fast-plscan).") from None
    labels = PLSCAN(min_samples=neighbours, num_threads=1).fit_predict(X)
    return Outcome(labels, note=_noise(labels))


def _optics(X: np.ndarray, seed: int, neighbours: int, steepness: float, smallest: int) -> Outcome:
    if max(neighbours, smallest) > len(X):
        raise ValueError(
            f"It needs as many points as neighbours and as its smallest cluster holds: there are {len(X)}."
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # points in one place divide by a distance of 0 on the way
        model = sk.OPTICS(min_samples=neighbours, xi=steepness, min_cluster_size=smallest)
        labels = model.fit_predict(X)
    return Outcome(labels, note=_noise(labels))


def _spectral(X: np.ndarray, seed: int, k: int, neighbours: int) -> Outcome:
    _enough(X, k)
    if k == len(X):
        return Outcome(np.arange(k))  # every point alone; its eigensolver wants fewer
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a graph in several parts is what well separated shapes give
        model = sk.SpectralClustering(
            k, affinity="nearest_neighbors", n_neighbors=neighbours, assign_labels="cluster_qr", random_state=seed
        )
        return Outcome(model.fit_predict(X))


def _single_linkage(X: np.ndarray, seed: int, k: int) -> Outcome:
    _enough(X, k)
    return Outcome(sk.AgglomerativeClustering(k, linkage="single").fit_predict(X))


def _agglomerative(X: np.ndarray, seed: int, distance: float, linkage: str) -> Outcome:
    if len(X) > ALL_PAIRS_POINTS:
        raise ValueError(
            f"It compares all pairs of points, too many for {len(X):,} points (at most {ALL_PAIRS_POINTS:,})."
        )
    if len(X) < 2:
        return Outcome(np.zeros(len(X), np.int32))
    model = sk.AgglomerativeClustering(n_clusters=None, distance_threshold=distance, linkage=linkage)
    return Outcome(model.fit_predict(X))


def _mean_shift(X: np.ndarray, seed: int, bandwidth: float) -> Outcome:
    if bandwidth <= 0:
        raise ValueError("Mean shift needs a bandwidth above 0.")
    model = sk.MeanShift(bandwidth=bandwidth, bin_seeding=True).fit(X)
    used, labels = np.unique(model.labels_, return_inverse=True)
    return Outcome(labels, model.cluster_centers_[used])


# ---- the table ------------------------------------------------------------------------------------------------------


def _distance(name: str, label: str, help: str, start: Callable[[Start], object]) -> Setting:
    return Setting(name, label, help, start, 0.0, 1e300)


def _whole(
    name: str, label: str, help: str, start: Callable[[Start], object], low: int = 1, high: int = 100_000
) -> Setting:
    return Setting(name, label, help, start, low, high)


_THETA = _distance("theta", "θ", "Largest distance at which a point joins a cluster.", lambda s: s.theta)
_SHUFFLES = _whole("shuffles", "Shuffles", "Random orders it votes over.", lambda s: s.shuffles, 1, 500)
_K = _whole("k", "Clusters K", "How many clusters to make; this method cannot choose by itself.", lambda s: s.k)
_STARTS = _whole("starts", "Starts", "Runs from different starts; the best is kept.", lambda s: 10, 1, 500)
_TRIED_STARTS = _whole(
    "starts",
    "Starts",
    "Starts that are drawn and weighed on a sample; it runs once, from the best of them.",
    lambda s: MINI_BATCH_NOW["starts"],
    1,
    500,
)


def _fair_size(s: Start) -> int:
    """The fewest points of a cluster: 1 % of all, at least 5."""
    return min(max(5, round(s.n / 100)), max(2, s.n))


_ALL = (
    Method(
        "tsg",
        "TSG",
        OURS,
        "One pass: a point joins the nearest centroid within θ, which moves to the mean; otherwise it starts a "
        "cluster.",
        "ThetA sparse grouping, the paper's Algorithm 1",
        (_THETA,),
        _tsg,
        colour=2,
        rule="your θ",
    ),
    Method(
        "tdg",
        "TDG",
        OURS,
        "TSG on many random orders; their centroids are grouped by θ again, and every point goes to the closest.",
        "ThetA dense grouping, the paper's Algorithm 2",
        (_THETA, _SHUFFLES),
        _tdg,
        random=True,
        colour=0,
        rule="its best θ",
    ),
    Method(
        "tnc",
        "TNC",
        OURS,
        "TDG with a small θ, then clusters whose centroids are closer than ε are chained into shapes.",
        "ThetA nonlinear chaining, the paper's Algorithm 3",
        (
            _distance("theta", "θ", "Size of the small clusters.", lambda s: s.theta / 3),
            _distance("epsilon", "ε", "Centroids closer than this are chained.", lambda s: s.epsilon / 3),
            _SHUFFLES,
        ),
        _tnc,
        random=True,
        colour=5,
        rule="its best θ and ε",
    ),
    Method(
        "plain-tsg",
        "TSG (plain)",
        THRESHOLD,
        "TSG read plainly: compiled, every point against every centroid, no search structure.",
        "The paper's Algorithm 1",
        (_THETA,),
        _plain_tsg,
        listed=False,
    ),
    Method(
        "plain-tdg",
        "TDG (plain)",
        THRESHOLD,
        "TDG read plainly: compiled, every point against every centroid, no search structure.",
        "The paper's Algorithm 2",
        (_THETA, _SHUFFLES),
        _plain_tdg,
        random=True,
        listed=False,
    ),
    Method(
        "kmeans",
        "K-Means",
        FAMILY,
        "K centres from random points move to the means of the points nearest to them, until nothing changes.",
        "Lloyd 1982, with Elkan's 2003 bounds; scikit-learn",
        (_K, _STARTS),
        _lloyd("random"),
        random=True,
        colour=3,
    ),
    Method(
        "kmeans++",
        "K-Means++",
        FAMILY,
        "K-Means whose first centres are drawn far from each other.",
        "Arthur and Vassilvitskii 2007, with Elkan's 2003 bounds; scikit-learn",
        (_K, _STARTS),
        _lloyd("k-means++"),
        random=True,
        colour=4,
    ),
    Method(
        "minibatch",
        "Mini-batch K-Means",
        FAMILY,
        "K-Means that moves its centres after each small random batch of points. Opens with scikit-learn's setting "
        "of today; version 0.20, which the paper used, had a batch of 100 and 3 starts.",
        "Sculley 2010; scikit-learn",
        (
            _K,
            _TRIED_STARTS,
            _whole(
                "batch",
                "Batch",
                "Points looked at before the centres move.",
                lambda s: MINI_BATCH_NOW["batch"],
                1,
                10**6,
            ),
        ),
        _mini_batch,
        random=True,
        colour=1,
    ),
    Method(
        "faiss",
        "FAISS K-Means",
        FAMILY,
        "K-Means from random points, 25 steps in single precision; where FAISS is installed.",
        "Johnson, Douze and Jégou 2019; FAISS",
        (_K, _STARTS),
        _faiss,
        random=True,
        colour=18,
    ),
    Method(
        "mixture",
        "Gaussian mixture",
        FAMILY,
        "A sum of Gaussians, each with a shape of its own (full covariance), is fitted; a point goes to the likeliest.",
        "Dempster, Laird and Rubin 1977, K by Schwarz's 1978 BIC; scikit-learn",
        (
            _whole("k", "Clusters K", "How many Gaussians; 0 takes the number with the least BIC.", lambda s: 0, 0),
            _whole("most", "Largest K tried", "Where K is 0.", lambda s: min(max(10, 2 * s.k), 200)),
            _whole("starts", "Starts", "Runs from different starts; the best is kept.", lambda s: 1, 1, 500),
        ),
        _mixture,
        random=True,
        colour=24,
        rule="K with the least BIC",
    ),
    Method(
        "birch",
        "BIRCH",
        THRESHOLD,
        "Points sink into a tree of small clusters whose radius stays below a threshold.",
        "Zhang, Ramakrishnan and Livny 1996; scikit-learn",
        (
            _distance("threshold", "Threshold", "Largest radius of a cluster in the tree.", lambda s: s.theta / 2),
            _whole("branching", "Branching", "Clusters a node of the tree may hold.", lambda s: 50, 2, 10_000),
            _whole("k", "Clusters K", "Merge the tree's clusters to so many; 0 keeps them.", lambda s: 0, 0),
        ),
        _birch,
        colour=8,
        rule="threshold: half of your θ",
    ),
    Method(
        "leader",
        "Leader",
        THRESHOLD,
        "One pass: a point joins the nearest leader within θ, or becomes a leader itself; leaders never move.",
        "Rush 1988",
        (_THETA,),
        _leader,
        colour=7,
        rule="your θ",
    ),
    Method(
        "bsas",
        "BSAS",
        THRESHOLD,
        "As TSG until there are as many clusters as its limit; from then on every point joins the nearest.",
        "Basic sequential algorithmic scheme, Theodoridis and Koutroumbas 2006",
        (_THETA, _whole("limit", "Cluster limit q", "No more clusters than this.", lambda s: s.k)),
        _bsas,
        colour=9,
        rule="your θ, at most K clusters",
    ),
    Method(
        "quickbundles",
        "QuickBundles",
        THRESHOLD,
        "TSG's pass as it was made for bundles of nerve fibres; a point exactly at θ starts a cluster.",
        "Garyfallidis et al. 2012; DIPY where it is installed",
        (_THETA,),
        _quickbundles,
        colour=11,
        rule="your θ",
    ),
    Method(
        "sl",
        "SL",
        THRESHOLD,
        "Leaders first, then single linkage over the leaders: chains of leaders that are close become clusters.",
        "Patra, Nandi and Viswanath 2011",
        (
            _distance("theta", "Leaders' θ", "Distance at which a point joins a leader.", lambda s: s.theta / 3),
            _distance(
                "distance", "Link distance", "Leaders at most this far apart are linked.", lambda s: s.epsilon / 3
            ),
        ),
        _sl,
        colour=12,
        rule="leaders at a third of your θ, linked within half of it",
    ),
    Method(
        "dbscan",
        "DBSCAN",
        DENSITY,
        "Points with enough neighbours within a distance are linked; points that nothing reaches are noise.",
        "Ester, Kriegel, Sander and Xu 1996; scikit-learn",
        (
            _distance("eps", "Distance", "How near a neighbour is.", lambda s: s.neighbour),
            _whole("neighbours", "Neighbours", "How many make a point a core, itself included.", lambda s: 5),
        ),
        _dbscan,
        colour=14,
        rule="{neighbours} neighbours within a distance at which nine of ten points have them",
    ),
    Method(
        "hdbscan",
        "HDBSCAN",
        DENSITY,
        "DBSCAN at every distance at once, keeping the clusters that last longest.",
        "Campello, Moulavi and Sander 2013; scikit-learn",
        (
            _whole(
                "smallest",
                "Smallest cluster",
                "Fewer points than this are no cluster.",
                # it is also the number of neighbours a core needs: with more, the ends of thin shapes are called noise
                _fair_size,
                2,
            ),
        ),
        _hdbscan,
        colour=17,
        rule="clusters of at least {smallest} points, 1 % of all",
    ),
    Method(
        "plscan",
        "PLSCAN",
        DENSITY,
        "HDBSCAN for every smallest cluster at once, keeping the sizes at which clusters last; where it is installed.",
        "Bot, Peeters and Aerts 2025; fast-plscan",
        (_whole("neighbours", "Neighbours", "How many make a point a core.", lambda s: 5, 2),),
        _plscan,
        colour=13,
        rule="{neighbours} neighbours",
    ),
    Method(
        "optics",
        "OPTICS",
        DENSITY,
        "Points in the order in which they are reached; clusters are where the distance to the next falls steeply.",
        "Ankerst, Breunig, Kriegel and Sander 1999; scikit-learn",
        (
            _whole("neighbours", "Neighbours", "How many make a point a core, itself included.", lambda s: 5, 2),
            Setting("steepness", "Steepness ξ", "By what share the distance has to fall.", lambda s: 0.05, 0.0, 1.0),
            _whole("smallest", "Smallest cluster", "Fewer points than this are no cluster.", _fair_size, 2),
        ),
        _optics,
        colour=21,
        rule="{neighbours} neighbours, clusters of at least {smallest} points, 1 % of all",
    ),
    Method(
        "spectral",
        "Spectral",
        DENSITY,
        "Points are joined to their nearest neighbours; the graph is cut where the fewest of these links are lost.",
        "Shi and Malik 2000, with Damle, Minden and Ying's 2019 assignment; scikit-learn",
        (
            _K,
            _whole("neighbours", "Neighbours", "To how many its graph joins a point.", lambda s: min(10, s.n)),
        ),
        _spectral,
        random=True,
        colour=10,
    ),
    Method(
        "single",
        "Single linkage",
        DENSITY,
        "Every point starts alone; the two clusters with the closest points are merged until K are left.",
        "Sneath 1957; scikit-learn",
        (_K,),
        _single_linkage,
        colour=23,
    ),
    Method(
        "agglomerative",
        "Agglomerative",
        DENSITY,
        "Every point starts alone; the two closest clusters are merged until none are closer than a distance.",
        "Ward 1963, Sneath and Sokal 1973; scikit-learn",
        (
            _distance("distance", "Distance", "Clusters farther apart than this stay apart.", lambda s: s.theta),
            Setting(
                "linkage",
                "Linkage",
                "How far apart two clusters are: mean, largest or smallest distance of their points, or Ward's cost.",
                lambda s: "average",
                choices=("average", "complete", "single", "ward"),
            ),
        ),
        _agglomerative,
        colour=19,
        rule="{linkage} linkage up to your θ",
    ),
    Method(
        "meanshift",
        "Mean shift",
        DENSITY,
        "Every point climbs to where points are densest within a bandwidth; those that meet are one cluster.",
        "Comaniciu and Meer 2002; scikit-learn",
        (_distance("bandwidth", "Bandwidth", "How far a climbing point looks.", lambda s: s.theta / 2),),
        _mean_shift,
        colour=22,
        rule="bandwidth: half of your θ",
    ),
)

METHODS: dict[str, Method] = {method.key: method for method in _ALL}
