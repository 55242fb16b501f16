"""Computed once, kept for everybody: bounded stores keyed by a digest of the content and by every setting that counts.

Work that takes longer than a moment takes a ``progress`` callable and calls it several times a second from the script's
own thread. A progress that writes to the page is where Streamlit stops a run that the person has superseded; what was
finished by then is kept, so the next run resumes.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass

import numpy as np
import pandas as pd

from theta_app import datasets, selection
from theta_app.engine import TdgResult, TsgResult, chained, tdg, tsg
from theta_app.ui import visitor
from theta_app.ui.session import Settings
from theta_app.ui.store import Bounded

MOST_POINTS = 20_000
"""Swept and drawn at most; of more points a fair sample stands for all."""

_DATASETS = Bounded(entries=32, megabytes=768)
_SAMPLES = Bounded(entries=16, megabytes=256)
_DISTANCES = Bounded(entries=16, megabytes=160)
_POINTS = Bounded(entries=4000, megabytes=512)
_RANGES = Bounded(entries=500, megabytes=32)
_RESULTS = Bounded(entries=64, megabytes=256)
_CHAININGS = Bounded(entries=600, megabytes=64)
_SUGGESTIONS = Bounded(entries=4000, megabytes=8)

ALL_CORES = -1  # a person is waiting

Progress = Callable[[int, int], None]


# ---- data -----------------------------------------------------------------------------------------------------------


def dataset(spec, preparation: datasets.Preparation) -> datasets.Dataset:
    """The data set of a spec, prepared. LookupError for an upload this visitor does not have."""
    if isinstance(spec, datasets.Upload):
        plain, owner = visitor.find(spec), visitor.visitor()  # the table is the visitor's own: never shared
    else:
        plain, owner = _DATASETS.get_or_make(spec, lambda: datasets.load(spec), _data_size), None
    if preparation == datasets.Preparation():
        return plain
    key = (owner, spec, preparation)
    return _DATASETS.get_or_make(key, lambda: datasets.prepare(plain, preparation), _data_size)


def _data_size(data: datasets.Dataset) -> int:
    return data.X.nbytes + int(data.table.memory_usage(deep=False).sum())


@dataclass(frozen=True, eq=False)
class Sample:
    """The points that are swept and drawn: all of them, or a fair sample.

    key : str
        Digest of the content; part of every cache key.
    rows : int array of shape (n,)
        Positions in the whole data set, ascending.
    X, truth
        Their points and classes (None when unknown).
    total : int
        Points in the whole data set.
    """

    key: str
    rows: np.ndarray
    X: np.ndarray
    truth: np.ndarray | None
    total: int

    @property
    def whole(self) -> bool:
        return len(self.rows) == self.total

    @property
    def sentence(self) -> str:
        """Empty when every point is used."""
        return "" if self.whole else f"a fair sample of {len(self.rows):,} of {self.total:,} points"


def sample(data: datasets.Dataset, size: int = MOST_POINTS) -> Sample:
    """At most ``size`` points of a data set."""

    def make() -> Sample:
        rows = datasets.fair_sample(len(data.X), size)
        if len(rows) == len(data.X):
            return Sample(data.digest, rows, data.X, data.truth, len(data.X))
        truth = None if data.truth is None else data.truth[rows]
        return Sample(f"{data.digest}/{size}", rows, np.ascontiguousarray(data.X[rows]), truth, len(data.X))

    return _SAMPLES.get_or_make((data.digest, size), make, lambda s: s.X.nbytes + s.rows.nbytes)


# ---- one θ and many -------------------------------------------------------------------------------------------------


def known_point(points: Sample, theta: float, shuffles: int, seed: int) -> selection.ThetaPoint | None:
    """TDG at one θ if it has been computed."""
    return _POINTS.get((points.key, float(theta), shuffles, seed))


def theta_points(
    points: Sample, thetas: Sequence[float], shuffles: int, seed: int, progress: Progress | None = None
) -> Iterator[selection.ThetaPoint]:
    """TDG at each θ in turn, those known from the store, the others computed on all cores."""
    missing = [theta for theta in thetas if known_point(points, theta, shuffles, seed) is None]
    fresh = iter(())
    if missing:
        chosen = silhouette_points(points)
        fresh = selection.evaluate_many(
            points.X, missing, shuffles, seed, sample=chosen, n_jobs=ALL_CORES, progress=progress
        )
    computing = set(missing)
    try:
        for theta in thetas:
            if theta in computing:
                point = next(fresh)
                size = point.tdg.labels.nbytes + point.tdg.centroids.nbytes + point.tdg.sizes.nbytes + 2000
                _POINTS.put((points.key, float(theta), shuffles, seed), point, size)
            else:
                point = known_point(points, theta, shuffles, seed) or selection.evaluate(
                    points.X, theta, shuffles, seed, progress=progress
                )
            yield point
    finally:
        close = getattr(fresh, "close", None)
        if close:
            close()  # stops the threads at their next shuffle


def silhouette_points(points: Sample) -> selection.SilhouetteSample:
    """The points whose silhouette is taken, the same at every θ and for every algorithm."""
    make = lambda: selection.silhouette_sample(points.X)  # noqa: E731
    return _DISTANCES.get_or_make(points.key, make, lambda chosen: chosen.distances.nbytes)


def evaluate(
    data: datasets.Dataset, theta: float, shuffles: int = 50, seed: int = 0, progress: Progress | None = None
) -> selection.ThetaPoint:
    """TDG at one θ of a data set (of its sample, when it is large), with the numbers of a sweep's row."""
    return next(theta_points(sample(data), [float(theta)], shuffles, seed, progress))


def theta_axis(points: Sample, settings: Settings) -> np.ndarray:
    """The θ to sweep: the grid taken from the data, or with its step as far as the person has widened it."""
    grid = _RANGES.get_or_make((points.key, "grid"), lambda: selection.theta_grid(points.X), lambda g: g.nbytes)
    if settings.theta_low is None or settings.theta_high is None or len(grid) < 2:
        return grid
    step = np.log(grid[-1] / grid[0]) / (len(grid) - 1)
    first = int(np.floor(np.log(max(settings.theta_low, grid[0] * 1e-6) / grid[0]) / step + 0.5))
    last = int(np.ceil(np.log(max(settings.theta_high, grid[0] * 1e-6) / grid[0]) / step - 0.5))
    first, last = max(first, -200), min(max(last, first + 3), len(grid) + 200)
    # the grid's own values where they are inside: those are known already
    return np.array([grid[i] if 0 <= i < len(grid) else grid[0] * np.exp(step * i) for i in range(first, last + 1)])


def sweep(data: datasets.Dataset, settings: Settings, progress: Progress | None = None) -> pd.DataFrame:
    """The sweep over θ as ``selection.sweep`` makes it, with the shuffles, seed and range of the settings."""
    points = sample(data)
    grid = theta_axis(points, settings)
    done = list(theta_points(points, grid, settings.shuffles, settings.seed, progress))
    finer = finer_thetas(points, settings, done)
    done += theta_points(points, finer, settings.shuffles, settings.seed, progress)
    return selection.sweep_frame(done, points.X, settings.shuffles, settings.seed)


def finer_thetas(points: Sample, settings: Settings, done: Sequence[selection.ThetaPoint]) -> list[float]:
    """What a complete grid asks for between its values."""
    key = (points.key, settings.shuffles, settings.seed, done[0].theta, done[-1].theta, len(done), "finer")
    make = lambda: selection.finer_thetas(selection.sweep_frame(done)).tolist()  # noqa: E731
    return _RANGES.get_or_make(key, make, lambda f: 100 + 8 * len(f))


def ranges(swept: pd.DataFrame, points: Sample, progress: Progress | None = None) -> pd.DataFrame:
    """The ranked ranges of a sweep, their edges refined. ``swept`` is of :func:`sweep`."""
    source = swept.attrs["source"]
    return _RANGES.get_or_make(
        _sweep_key(points, source.shuffles, source.seed, swept),
        lambda: in_background(lambda cancel: selection.theta_ranges(swept, n_jobs=ALL_CORES, cancel=cancel), progress),
        lambda frame: 1000 + int(frame.memory_usage().sum()),
    )


def rough_ranges(swept: pd.DataFrame, points: Sample, shuffles: int, seed: int) -> pd.DataFrame:
    """The ranked ranges of a sweep that may be incomplete, edges between its values."""
    return _RANGES.get_or_make(
        (*_sweep_key(points, shuffles, seed, swept), "rough"),
        lambda: selection.theta_ranges(swept, refine=0),
        lambda frame: 1000 + int(frame.memory_usage().sum()),
    )


def known_ranges(swept: pd.DataFrame, points: Sample, shuffles: int, seed: int) -> pd.DataFrame | None:
    return _RANGES.get(_sweep_key(points, shuffles, seed, swept))


def _sweep_key(points: Sample, shuffles: int, seed: int, swept: pd.DataFrame):
    return (points.key, shuffles, seed, swept["theta"].to_numpy().tobytes())


def recommendation(
    data: datasets.Dataset, settings: Settings, progress: Progress | None = None
) -> selection.Recommendation:
    """The recommended θ of a data set (of its sample, when it is large)."""
    swept = sweep(data, settings, progress)
    return selection.recommend_from(swept, ranges(swept, sample(data), progress))


# ---- chaining -------------------------------------------------------------------------------------------------------


def chaining(points: Sample, theta: float, settings: Settings, progress: Progress | None = None) -> selection.Chaining:
    """TDG at θ and the tree of its centroids."""

    def make() -> selection.Chaining:
        point = next(theta_points(points, [theta], settings.shuffles, settings.seed, progress))
        return selection.chaining(theta, point.tdg)

    key = (points.key, float(theta), settings.shuffles, settings.seed)
    return _CHAININGS.get_or_make(key, make, lambda one: 200 + 3 * one.tree.edges.nbytes)


def epsilon_at(points: Sample, settings: Settings, theta: float, progress: Progress | None = None) -> float:
    """The ε of the settings, or where none is set the one that fits this θ."""
    if settings.epsilon is not None:
        return settings.epsilon
    key = (points.key, float(theta), settings.shuffles, settings.seed, "epsilon")
    make = lambda: selection.default_epsilon(chaining(points, theta, settings, progress))  # noqa: E731
    return _SUGGESTIONS.get_or_make(key, make, lambda _: 200)


def small_chainings(points: Sample, settings: Settings, progress: Progress | None = None) -> list[selection.Chaining]:
    """Chainings at the small θ that a suggestion looks at."""
    small = [float(theta) for theta in selection.small_thetas(theta_axis(points, Settings()))]
    found = []
    computed = theta_points(points, small, settings.shuffles, settings.seed, progress)
    try:
        for theta, _ in zip(small, computed):
            found.append(chaining(points, theta, settings))
            if not selection.fine_enough(found[-1]):
                break
    finally:
        computed.close()
    return found


def chain_suggestion(points: Sample, settings: Settings, progress: Progress | None = None) -> selection.Suggestion:
    """The suggested (θ, ε)."""
    key = (points.key, settings.shuffles, settings.seed, "suggestion")
    make = lambda: selection.suggest_from(small_chainings(points, settings, progress))  # noqa: E731
    return _SUGGESTIONS.get_or_make(key, make, lambda _: 4000)


# ---- a result on every point ----------------------------------------------------------------------------------------


def whole_result(data: datasets.Dataset, settings: Settings, theta: float, progress: Progress | None = None):
    """The chosen algorithm at θ on all points, however many: what is downloaded."""
    key = (data.digest, settings.algorithm, theta, settings.shuffles, settings.seed)
    if settings.algorithm == "TSG":
        return _RESULTS.get_or_make(key[:3], lambda: tsg(data.X, theta), _result_size)
    known = known_point(sample(data), theta, settings.shuffles, settings.seed) if sample(data).whole else None
    make = lambda: tdg(data.X, theta, settings.shuffles, settings.seed, n_jobs=ALL_CORES, progress=progress)  # noqa: E731
    voted = known.tdg if known else _RESULTS.get_or_make((*key[:1], *key[2:]), make, _result_size)
    if settings.algorithm == "TNC":
        epsilon = epsilon_at(sample(data), settings, theta, progress)
        return _RESULTS.get_or_make((*key, epsilon), lambda: chained(voted, epsilon), _result_size)
    return voted


def _result_size(result: TdgResult | TsgResult) -> int:
    return result.labels.nbytes + result.centroids.nbytes + result.sizes.nbytes


# ---- work that does not report its progress -------------------------------------------------------------------------


def in_background(work: Callable, progress: Progress | None = None, every: float = 0.1):
    """``work(cancel)`` in a thread, with ``progress(0, 0)`` called every so many seconds meanwhile.

    When ``progress`` raises, ``cancel`` (a ``threading.Event``) is set; the exception passes on once work has stopped.
    """
    cancel = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(work, cancel)
        try:
            while not wait([future], timeout=every).done:
                if progress:
                    progress(0, 0)
            return future.result()
        finally:
            cancel.set()
