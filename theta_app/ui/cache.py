"""Computed once, kept for everybody: keyed by a digest of the content and by every setting that counts.

Heavy work goes to the scheduler in pieces and takes a ``progress`` callable, called several times a second from the
script's own thread. A progress that writes to the page is where Streamlit stops a run that the person has superseded;
what was finished by then is kept, so the next run resumes.
"""

import threading
import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np
from streamlit.runtime.scriptrunner import get_script_run_ctx

from theta_app import datasets, metrics, profiles, selection
from theta_app.engine import TdgResult, TsgResult, nearest, norms, tdg, tsg
from theta_app.ui import cluster, disk, store, visitor
from theta_app.ui.scheduler import SCHEDULER, Piece, Progress
from theta_app.ui.session import Settings

FIRST, REST, LAST = range(3)
"""Ranks of work: everybody's first answer, the rest of the sweeps, what is asked for beside them."""


def run(key: Hashable, work: Callable, progress: Progress | None = None, kind: store.Kind | None = None):
    """``work(report, cancel)`` in the scheduler, once for all who ask for ``key`` meanwhile; kept if a kind is given.

    Never inside `store.Kind.get_or_make`: who waits there for somebody else sees no progress and cannot be stopped.
    """
    return run_all([(key, work)], progress, kind)[0]


def run_all(pieces: Iterable[tuple[Hashable, Callable]], progress: Progress | None = None, kind=None) -> list:
    """The values of several pieces (key, work), each as in :func:`run`, in their order."""
    pieces = list(pieces)
    found = {key: None if kind is None else kind.get(key) for key, _ in pieces}
    missing = [Piece(key, work, LAST) for key, work in pieces if found[key] is None]
    with closing(SCHEDULER.results(asker(), missing, progress)) as values:
        for piece, value in zip(missing, values):
            found[piece.key] = value
            if kind is not None:
                kind.put(piece.key, value)
    return [found[key] for key, _ in pieces]


def ahead() -> int:
    """How many other visitors' turn comes before this one's."""
    return SCHEDULER.ahead(asker())


def asker() -> Hashable:
    """Whose turn the work takes: the browser tab's."""
    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context else None


# ---- data -----------------------------------------------------------------------------------------------------------

OPENED_FIRST = (datasets.DEFAULT, *map(datasets.Bundled, ("s1", "s2", "s3", "s4")))
"""Sets whose sweep is kept on disk."""

_opened_first: set[str] = set()  # digests of those that have been opened


def dataset(spec, preparation: datasets.Preparation, rows: profiles.RowSet | None = None) -> datasets.Dataset:
    """The data set of a spec, prepared, and of its rows those given. LookupError for an upload of somebody else."""
    if rows is not None:
        owner = visitor.name() if isinstance(spec, datasets.Upload) else getattr(spec, "version", None)
        whole = dataset(spec, preparation)
        return store.DATA.get_or_make((owner, spec, preparation, rows), lambda: profiles.only_rows(whole, rows))
    if isinstance(spec, datasets.Upload):
        plain, owner = visitor.find(spec), visitor.name()  # the table is the visitor's own: never shared
    else:
        owner = spec.version if isinstance(spec, datasets.Served) else None  # a file that changes is another data set
        plain = store.DATA.get_or_make((spec, owner) if owner else spec, lambda: datasets.load(spec))
    if preparation == datasets.Preparation():
        if spec in OPENED_FIRST:
            _opened_first.add(plain.digest)
        return plain
    return store.DATA.get_or_make((owner, spec, preparation), lambda: datasets.prepare(plain, preparation))


def check(data: datasets.Dataset) -> datasets.Check:
    """Whether a data set is ready. It names columns, so it is kept with the data set, never for another's."""
    found = _checks.get(data)
    if found is None:
        found = _checks[data] = datasets.check(data)
    return found


_checks: WeakKeyDictionary[datasets.Dataset, datasets.Check] = WeakKeyDictionary()


def sample(data: datasets.Dataset, size: int = selection.MOST_POINTS) -> selection.Sample:
    """At most ``size`` points of a data set."""
    return store.DATA.get_or_make((data.digest, size), lambda: selection.sample_of(data, size))


def part(points: selection.Sample, size: int) -> selection.Sample:
    """At most ``size`` points of a sample."""
    return store.DATA.get_or_make((points.key, "part", size), lambda: points.part(size))


def all_points(data: datasets.Dataset) -> selection.Sample | None:
    """All points of a data set that is swept in full after its sample; None where it is the sample, or too large."""
    n = len(data.X)
    return sample(data, n) if selection.MOST_POINTS < n <= selection.MOST_SWEPT else None


def judged(points: selection.Sample) -> selection.Sample:
    """The points that the verdict and the θ to sweep are taken from: the same on every page, however many are swept."""
    return points if len(points.X) <= selection.MOST_POINTS else part(points, selection.MOST_POINTS)


def places(points: selection.Sample, projection: str) -> np.ndarray:
    """Where the points of a sample are drawn, an array (n, 2)."""
    key = _places_key(points, projection)
    draw = selection.map_places if points.on_map else lambda X: selection.project(X, key[1])
    return store.PICTURES.get_or_make(key, lambda: draw(points.X))


def _places_key(points: selection.Sample, projection: str) -> Hashable:
    method = projection if points.X.shape[1] > 2 else "none"
    if method == "tsne" and len(points.X) > selection.TSNE_POINTS:
        method = "pca"
    if method == "umap" and not selection.has_umap():
        method = "pca"
    return points.key, method, "places"


_UNWANTED = 60.0  # seconds that nobody has asked after a projection after which it is ended
_ASKING = 5.0  # seconds after which somebody who asked no longer counts
_projecting: dict[Hashable, "_Drawing"] = {}
_failed: dict[Hashable, str] = {}
_change_projecting = threading.Lock()
_one_projection = threading.Lock()  # at a time, beside the scheduler's workers


class _Drawing:
    """A slow projection under way, and when each visitor last asked after it."""

    def __init__(self, key: Hashable, X: np.ndarray):
        self.key, self.work = key, selection.Projecting(X, key[1])
        self.asked: dict[Hashable, float] = {None: time.monotonic()}
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()
        threading.Thread(target=self.watch, daemon=True).start()

    def run(self) -> None:
        try:
            with _one_projection:
                found = None if self.work.stopped.is_set() else self.work.run()
            if found is not None:
                store.PICTURES.put(self.key, found)
        except ValueError as error:
            _failed[self.key] = str(error)
        finally:
            _projecting.pop(self.key, None)

    def watch(self) -> None:
        while self.thread.is_alive():
            self.thread.join(1.0)
            if time.monotonic() - max(self.asked.values()) > _UNWANTED:
                self.work.stop()


def drawn_by(points: selection.Sample, projection: str, meanwhile: str = "pca") -> str:
    """How a sample can be drawn now: as asked, or ``meanwhile`` while that, started here, is computed."""
    key = _places_key(points, projection)
    if key[1] not in selection.SLOW or store.PICTURES.get(key) is not None:
        return projection
    with _change_projecting:
        if key not in _projecting and key not in _failed:
            _projecting[key] = _Drawing(key, points.X)
    ready = meanwhile not in selection.SLOW or store.PICTURES.get(_places_key(points, meanwhile)) is not None
    return meanwhile if ready else "pca"


def projecting(points: selection.Sample, projection: str) -> tuple[int, int] | None:
    """(done, total) steps of what `drawn_by` has started; None once it has ended. Asking shows that it is wanted."""
    drawing = _projecting.get(_places_key(points, projection))
    if drawing is None:
        return None
    drawing.asked = {**drawing.asked, asker(): time.monotonic()}
    return drawing.work.done, drawing.work.total


def stop_projecting(points: selection.Sample, projection: str) -> None:
    """End what `drawn_by` has started, unless another visitor waits for it too."""
    drawing = _projecting.get(_places_key(points, projection))
    if drawing is None:
        return
    others = [seen for who, seen in drawing.asked.items() if who not in (None, asker())]
    if all(time.monotonic() - seen > _ASKING for seen in others):
        drawing.work.stop()


def why_not_drawn(points: selection.Sample, projection: str) -> str:
    """A sentence where a projection has failed; else empty."""
    return _failed.get(_places_key(points, projection), "")


# ---- the sweep ------------------------------------------------------------------------------------------------------


class _Kept(selection.Memory):
    """What is known of a sweep, shared by all who sweep the same points with the same shuffles and seed."""

    def __init__(self, *prefix):
        self.prefix = prefix

    def get(self, key):
        return store.SWEEPS.get((*self.prefix, key))

    def put(self, key, value):
        store.SWEEPS.put((*self.prefix, key), value)


class _Scheduled:
    """Where the pages' sweeps are computed: a piece per θ, in turn with everybody else's."""

    def __init__(self, points: selection.Sample, rank: int = REST):
        self.points_of, self.rank = points, rank

    def points(self, plan, thetas, progress=None, cancel=None, effort=selection.ALL):
        def piece(theta):
            def work(report, cancel):
                found = cluster.evaluated(plan, theta, effort, cancel)
                if found is not None:
                    return found
                options = {"effort": effort, "runs": plan.runs(theta), "progress": report, "cancel": cancel}
                return selection.evaluate(plan.X, theta, plan.shuffles, plan.seed, **plan.references, **options)

            return Piece((self.points_of.key, plan.shuffles, plan.seed, theta, effort), work, self.rank)

        return SCHEDULER.results(asker(), map(piece, thetas), progress)

    def edges(self, plan, edges, cancel=None):
        def piece(edge):
            work = lambda report, cancel: edge.refined(plan, cancel)  # noqa: E731
            return Piece((self.points_of.key, plan.shuffles, plan.seed, edge), work, self.rank)

        return list(SCHEDULER.results(asker(), map(piece, edges), self.refining))

    refining: Progress | None = None


def silhouette_points(points: selection.Sample) -> selection.SilhouetteSample:
    """The points whose silhouette is taken, the same for every clustering of the sample wherever it is shown."""
    return store.SWEEPS.get_or_make(
        (points.key, "silhouettes"), lambda: selection.silhouette_sample(points.X, **points.metric)
    )


def neighbourhoods(points: selection.Sample) -> selection.Neighbourhoods:
    """Who is near whom in a sample: whether there are valleys between clusters."""
    return store.SWEEPS.get_or_make((points.key, "near"), lambda: selection.neighbourhoods(points.X, **points.metric))


def theta_grid(points: selection.Sample) -> np.ndarray:
    """The θ taken from the data."""
    points = judged(points)
    return store.SWEEPS.get_or_make((points.key, "grid"), lambda: selection.theta_grid(points.X, **points.metric))


def theta_axis(points: selection.Sample, settings: Settings) -> np.ndarray:
    """The θ to sweep: the grid taken from the data, or with its step as far as the person has widened it."""
    grid = theta_grid(points)
    if settings.theta_low is None or settings.theta_high is None:
        return grid
    return selection.widened(grid, settings.theta_low, settings.theta_high)


def plan(points: selection.Sample, settings: Settings, asked: Sequence[float] = ()) -> selection.SweepPlan:
    """The sweep of a sample with the shuffles, seed and range of the settings, and θ asked for by hand."""
    sampled = points is judged(points)
    small = selection.small_thetas(theta_grid(points)).tolist() if sampled else []  # chains are suggested from a sample
    grid = theta_axis(points, settings)
    return selection.SweepPlan(
        points.X,
        settings.shuffles,
        settings.seed,
        tuple((grid if sampled else _not_too_fine(judged(points), grid)).tolist()),
        tuple(map(float, asked)),
        tuple(small),
        norm=points.norm,
        memory=_Kept(points.key, settings.shuffles, settings.seed),
        sample=silhouette_points(points),
        near=neighbourhoods(points),
    )


_POINTS_PER_CLUSTER = 4  # of a sample, at least, where all points are swept: finer ones take longest and say nothing


def _not_too_fine(points: selection.Sample, grid: np.ndarray) -> np.ndarray:
    """Of the θ of a sample, ascending, those from which on it has clusters of several points."""
    first = len(grid) - 1
    while first > 0 and len(tsg_result(points, grid[first - 1]).sizes) * _POINTS_PER_CLUSTER <= len(points.X):
        first -= 1
    return grid[first:]


def so_far(points: selection.Sample, settings: Settings, asked: Sequence[float] = ()) -> selection.Sweep:
    """What is known of that sweep, from this server's memory or, for sets that come with the project, from its disk."""
    planned = plan(points, settings, asked)
    key = disk_key(points, settings)
    if key is not None and not planned.memory.get("disk"):
        planned.memory.put("disk", "looked at")
        found = disk.load(key)
        if found is not None:
            planned.memory.put("disk", "kept")
            selection.remember(planned, *found)
    sweep = selection.so_far(planned)
    if key is not None and sweep.complete and planned.memory.get("disk") != "kept":
        planned.memory.put("disk", "kept")
        threading.Thread(target=disk.keep, args=(key, sweep), daemon=True).start()
    return sweep


def disk_key(points: selection.Sample, settings: Settings) -> str | None:
    """Under what the sweep is kept on disk: sets that come with the project, as everybody opens them first."""
    usual = settings.theta_low is None and (settings.shuffles, settings.seed) == (Settings().shuffles, Settings().seed)
    return f"{points.key} {settings.shuffles} {settings.seed}" if usual and points.key in _opened_first else None


def advance(points: selection.Sample, sweep: selection.Sweep, progress: Progress | None = None):
    """Compute what comes next in a sweep of :func:`plan`; yields each new ThetaPoint. See ``selection.advance``."""
    rank = LAST if points is not judged(points) else REST if sweep.worth_showing else FIRST
    place = _Scheduled(points, rank)
    place.refining = progress
    return selection.advance(sweep, place, progress=progress)


def complete(points: selection.Sample, settings: Settings, progress: Progress | None = None) -> selection.Sweep:
    """The sweep of a sample, run to its end."""
    sweep = so_far(points, settings)
    while not sweep.complete:
        for _ in advance(points, sweep, progress):
            pass
        sweep = so_far(points, settings)
    return sweep


def theta_points(
    points: selection.Sample, thetas, settings: Settings, progress: Progress | None = None, effort=selection.ALL
):
    """TDG at each θ in turn, those known from the store, the others computed."""
    options = {"effort": effort, "progress": progress}
    return selection.computed(plan(points, settings), list(map(float, thetas)), _Scheduled(points), **options)


def theta_point(points: selection.Sample, theta: float, settings: Settings, progress: Progress | None = None):
    """TDG at one θ, with the numbers of a sweep's row."""
    with closing(theta_points(points, [theta], settings, progress)) as found:
        return next(found)


# ---- all points ------------------------------------------------------------------------------------------------------

_WANTED = 30.0  # seconds that a sweep of all points counts after it was last asked for
_LABEL_BYTES = 8 * 80  # of a point in a sweep: its cluster at each θ, swept and drawn
_DRAWN_BYTES = 2 * 80  # of a point that is only drawn
_sweeping_all: dict[str, tuple[int, float]] = {}
_change_sweeping = threading.Lock()


def room_for(points: selection.Sample) -> bool:
    """Whether all points can be swept or drawn now: those at once under way fill at most half of what may be kept.

    More would push each other's θ out of the store, and none would ever be complete.
    """
    each = _LABEL_BYTES if len(points.X) <= selection.MOST_SWEPT else _DRAWN_BYTES
    now, size = time.monotonic(), len(points.X) * each
    with _change_sweeping:
        for key in [key for key, (_, asked) in _sweeping_all.items() if now - asked > _WANTED]:
            del _sweeping_all[key]
        others = sum(bytes_ for key, (bytes_, _) in _sweeping_all.items() if key != points.key)
        fits = others + size <= store.BUDGET.total // 2
        if fits:
            _sweeping_all[points.key] = (size, now)
        return fits


def joined_to(points: selection.Sample, swept: selection.Sample, centroids: np.ndarray, own: np.ndarray) -> np.ndarray:
    """The centroid of each of all points: of those that were swept their own, of the others the nearest."""
    found = nearest(points.X, centroids, **points.metric)
    place = np.empty(len(points.rows), dtype=np.int64)
    place[points.rows] = np.arange(len(points.rows))
    found[place[swept.rows]] = own
    return found


def centroid_of(points: selection.Sample, i: int, centroids: np.ndarray) -> int:
    """The nearest centroid of one point."""
    return int(nearest(points.X[i : i + 1], centroids, **points.metric)[0])


# ---- chaining -------------------------------------------------------------------------------------------------------


def chaining(points, theta: float, settings: Settings, progress: Progress | None = None) -> selection.Chaining:
    """TDG at θ, with all shuffles, and the tree of its centroids."""
    known = store.SWEEPS.get(_chaining_key(points, theta, settings, settings.shuffles))
    return known or chaining_of(points, theta_point(points, theta, settings, progress), settings)


def chaining_of(points, point: selection.ThetaPoint, settings: Settings) -> selection.Chaining:
    """The same of a point of a sweep, which may rest on fewer shuffles."""
    key = _chaining_key(points, point.theta, settings, point.row["shuffles"])
    return store.SWEEPS.get_or_make(key, lambda: selection.Chaining.of(point.theta, point.tdg))


def _chaining_key(points, theta: float, settings: Settings, shuffles: int) -> Hashable:
    return (points.key, shuffles, settings.seed, "chaining", float(theta))


def epsilon_of(points, settings: Settings, point: selection.ThetaPoint) -> float:
    """The ε at a point of a sweep, as :func:`epsilon_at`."""
    chosen = _chosen_epsilon(points, settings, point.theta)
    return selection.default_epsilon(chaining_of(points, point, settings)) if chosen is None else chosen


def epsilon_at(points, settings: Settings, theta: float, progress: Progress | None = None) -> float:
    """The ε of the settings; where none is set the verdict's or suggested one at its θ, elsewhere one that fits θ."""
    chosen = _chosen_epsilon(points, settings, theta)
    return selection.default_epsilon(chaining(points, theta, settings, progress)) if chosen is None else chosen


def _chosen_epsilon(points, settings: Settings, theta: float) -> float | None:
    """The ε of the settings, or the verdict's or suggested one at its θ."""
    if settings.epsilon is not None:
        return settings.epsilon
    for found in (known_verdict(points, settings), store.SWEEPS.get(_suggestion_key(points, settings))):
        if found is not None and found.theta == theta and found.epsilon is not None:
            return found.epsilon
    return None


def small_chainings(points, settings: Settings, progress: Progress | None = None) -> list[selection.Chaining]:
    """Chainings at the small θ that a suggestion looks at, each from few shuffles."""
    small = selection.small_thetas(theta_grid(points)).tolist()
    with closing(theta_points(points, small, settings, progress, selection.BRIEF)) as computed:
        return selection.until_too_fine(chaining_of(points, point, settings) for point in computed)


def chain_suggestion(points, settings: Settings, progress: Progress | None = None) -> selection.Suggestion:
    """The suggested (θ, ε)."""
    points = judged(points)
    known = store.SWEEPS.get(_suggestion_key(points, settings))
    if known is not None:
        return known
    tried = small_chainings(points, settings, progress)
    theta = selection.suggest_from(tried).theta
    found = selection.suggest_from(tried, chaining(points, theta, settings, progress))
    return store.SWEEPS.get_or_make(_suggestion_key(points, settings), lambda: found)


def _suggestion_key(points: selection.Sample, settings: Settings) -> Hashable:
    return (judged(points).key, settings.shuffles, settings.seed, "suggestion")


def known_verdict(points: selection.Sample, settings: Settings) -> selection.Verdict | None:
    """The verdict on a sample, if it has been found."""
    return store.SWEEPS.get(_verdict_key(points, settings))


def verdict(points: selection.Sample, settings: Settings, progress: Progress | None = None) -> selection.Verdict:
    """The verdict on a sample. It looks at the θ taken from the data, however the person has widened the axis."""
    points = judged(points)
    known = known_verdict(points, settings)
    if known is not None:
        return known
    usual = replace(settings, theta_low=None, theta_high=None)
    sweep = complete(points, usual, progress)
    tried = small_chainings(points, usual, progress)
    found = selection.decided(sweep, tried, lambda theta: theta_point(points, theta, usual, progress))
    return store.SWEEPS.get_or_make(_verdict_key(points, settings), lambda: found)


def followed(points: selection.Sample, settings: Settings) -> Settings:
    """The settings with an algorithm: the person's, else the verdict's; TDG while there is none."""
    if settings.algorithm is not None:
        return settings
    found = known_verdict(points, settings)
    return replace(settings, algorithm=(found and found.algorithm) or "TDG")


def _verdict_key(points: selection.Sample, settings: Settings) -> Hashable:
    return (judged(points).key, settings.shuffles, settings.seed, "verdict")


def scores(points: selection.Sample, labels: np.ndarray, names: Sequence[str]) -> dict[str, float]:
    """Scores of a clustering of a sample, by the names of ``metrics.METRICS``; NaN where undefined."""
    return metrics.scores(names, points.X, labels, points.truth, sample=silhouette_points(points))


def prefixes(points, theta: float, settings: Settings, progress: Progress | None = None) -> list[selection.ThetaPoint]:
    """TDG at θ for every number of shuffles up to the one of the settings; of many points for some of them."""
    counts = selection.prefix_counts(settings.shuffles, 100 if points is judged(points) else 8)
    references = {"sample": silhouette_points(points), "near": neighbourhoods(points)}

    def work(report, cancel):
        options = {**references, **points.metric, "progress": report, "cancel": cancel}
        return selection.prefix_points(points.X, theta, counts, settings.seed, **options)

    key = (points.key, settings.shuffles, settings.seed, "prefixes", float(theta))
    return run(key, work, progress, store.SWEEPS)


# ---- results --------------------------------------------------------------------------------------------------------


def tsg_result(points: selection.Sample, theta: float) -> TsgResult:
    """TSG at θ, in the order of the rows."""
    return store.SWEEPS.get_or_make((points.key, "tsg", float(theta)), lambda: tsg(points.X, theta, **points.metric))


def whole_result(
    data: datasets.Dataset,
    settings: Settings,
    theta: float,
    progress: Progress | None = None,
    shown: selection.Sample | None = None,
):
    """The algorithm in use at θ on all points, however many: what is downloaded. ``shown`` are those on the page."""
    settings = followed(sample(data), settings)
    everything = sample(data, len(data.X))
    if settings.algorithm == "TSG":
        return tsg_result(everything, theta)
    voted = _voted(everything, settings, theta, progress)
    if settings.algorithm == "TDG":
        return voted
    epsilon = epsilon_at(shown or sample(data), settings, theta, progress)
    key = (everything.key, settings.shuffles, settings.seed, "chained", float(theta), epsilon)
    return store.SWEEPS.get_or_make(key, lambda: selection.Chaining.of(theta, voted).at(epsilon))


def second(first: datasets.Dataset, spec: datasets.Upload) -> datasets.Dataset:
    """A second file of this visitor, prepared as the first. LookupError without it, ValueError if it does not fit."""
    own = (visitor.name(), spec, first.digest, first.features, first.preparation, "second")
    plain = visitor.find(spec)
    return store.DATA.get_or_make(own, lambda: datasets.prepare_like(first, plain))


def predicted(points: datasets.Dataset, result) -> tuple[np.ndarray, np.ndarray]:
    """(cluster of the nearest centroid, distance to it) of each point of a second data set."""
    place = nearest(points.X, result.centroids, **norms.options(points.norm))
    labels = getattr(result, "chain", np.arange(len(result.centroids)))[place]
    return labels, norms.lengths(points.X - result.centroids[place], points.norm)


def _voted(everything: selection.Sample, settings: Settings, theta: float, progress) -> TdgResult:
    """TDG on all points: known from the sweep where that has all of them."""
    known = _Kept(everything.key, settings.shuffles, settings.seed).get(("point", theta))
    if known is not None:
        return known.tdg
    key = (everything.key, settings.shuffles, settings.seed, "tdg", float(theta))

    def work(report, cancel):
        options = {**everything.metric, "progress": report, "cancel": cancel}
        return tdg(everything.X, theta, settings.shuffles, settings.seed, **options)

    return run(key, work, progress, store.SWEEPS)
