"""Which ε? Chains of small clusters for every ε, the ranges in which their number holds, and a suggested (θ, ε).

For one TDG result all ε come from one minimum spanning tree of its centroids: chains change only where ε passes the
length of an edge. K' counts all chains. Ranges count only major chains (`major_chains`), so that a lone point far away
does not pass for a shape.

Chained by density (`Chaining.by_density`) the lengths of the tree are depths, logarithms without a unit, and ε is the
depth from which a valley separates two chains; everything else is the same.
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd

from theta_app.engine import (
    Cancel,
    Metric,
    SpanningTree,
    TdgResult,
    TncResult,
    chained,
    nearest,
    spanning_tree,
    spanning_tree_by_density,
    tdg,
    validation,
)
from theta_app.metrics import ari, nmi_of
from theta_app.selection.density import PEAK_ERRORS, standard_errors
from theta_app.selection.runs import log_middle, log_width, runs
from theta_app.selection.sizes import entropy, major_chains
from theta_app.selection.theta import POINTS_PER_LINK, quick_tdg, theta_grid
from theta_app.selection.wording import short


class ChainRange(NamedTuple):
    """A row of `chain_ranges`, where `recommended` is whether it is strong enough, first or not."""

    epsilon_low: float
    epsilon_high: float
    epsilon: float
    n_chains: int
    relative_width: float
    entropy: float
    strength: float
    needed: float
    recommended: bool


CHAIN_RANGE_COLUMNS = ChainRange._fields
TRIED_COLUMNS = ("theta", "n_clusters", *CHAIN_RANGE_COLUMNS[:-1])

_PROFILED = 250  # chains at most: with more nobody looks for shapes, and each number of chains costs a pass over them
_CLUSTERS_PER_CHAIN = 4  # on average at least: θ is small enough that a shape is made of several small clusters
_MAJOR_SHARE = 0.85  # of the points at least must be in major chains, or these are not the answer
_SMALL = (2.0, 24.0)  # the θ tried for shapes, in multiples of the grid's smallest: 1 to 12 neighbour distances
_TRIED = 16  # θ at most
CORE_POINTS = 10  # that a centroid's core holds, chained by density: fewer follow chance, more blur thin shapes
_COMPARED = 12  # ranges that are compared with others of the same θ


# --- all ε from one tree ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Chaining:
    """A TDG result with what is needed to chain it at any ε: θ, the result, and the tree of its centroids.

    ``seconds`` is the processor time of both. ``density`` is the number of points that a core holds where lengths of
    the tree are depths, None where they are distances.
    """

    theta: float
    tdg: TdgResult
    tree: SpanningTree
    seconds: float = float("nan")
    density: int | None = None

    @classmethod
    def of(
        cls,
        theta: float,
        result: TdgResult,
        cancel: Cancel | None = None,
        *,
        X: np.ndarray | None = None,
        density: int | None = None,
    ) -> Self:
        """The `Chaining` of a `TdgResult` made with θ; `cancel` as for `theta_app.engine.tdg`.

        With `density` as `by_density`, which needs the points X.
        """
        if density is not None:
            return cls.by_density(theta, result, X, density, cancel)
        began = time.thread_time()
        tree = spanning_tree(result.centroids, metric=result.metric, cancel=cancel)
        return cls(float(theta), result, tree, result.seconds + time.thread_time() - began)

    @classmethod
    def by_density(
        cls, theta: float, result: TdgResult, X: np.ndarray, density: int = CORE_POINTS, cancel: Cancel | None = None
    ) -> Self:
        """As `of`, of the points X of the result, chained by density: every ε is a depth, all from one tree."""
        began = time.thread_time()
        tree = spanning_tree_by_density(X, result.centroids, density, metric=result.metric, cancel=cancel)
        return cls(float(theta), result, tree, result.seconds + time.thread_time() - began, int(density))

    @property
    def n_clusters(self) -> int:
        """Number of small clusters, K."""
        return len(self.tdg.sizes)

    @property
    def shuffles(self) -> int:
        """Number of random orders that the result rests on."""
        return len(self.tdg.run_counts)

    @property
    def most_chains(self) -> float:
        """More chains than this are hardly chained: on average they are made of fewer than four small clusters."""
        return self.n_clusters / _CLUSTERS_PER_CHAIN

    @property
    def fine_enough(self) -> bool:
        """False once θ is so small that its clusters are hardly more than the points themselves."""
        return self.n_clusters * POINTS_PER_LINK <= len(self.tdg.labels)

    @cached_property
    def ranges(self) -> pd.DataFrame:
        """`chain_ranges` of this chaining."""
        return chain_ranges(self)

    @cached_property
    def strongest(self) -> list[ChainRange]:
        """The same as a list of `ChainRange`."""
        return _strongest(self)

    def labels(self, epsilon: float) -> np.ndarray:
        """The major chain of each point at ε; outliers in the one they go to."""
        return self.major(epsilon)[0][self.tdg.labels]

    def range_like(self, labels: np.ndarray) -> tuple[ChainRange | None, float]:
        """(ChainRange, adjusted Rand index): the range whose chains are most like others of the same points.

        (None, 0.0) where there are no ranges.
        """
        found = [(row, ari(labels, self.labels(row.epsilon))) for row in self.strongest[:_COMPARED]]
        return max(found, key=lambda pair: pair[1], default=(None, 0.0))

    def at(self, epsilon: float) -> TncResult:
        """`TncResult` at ε."""
        return chained(self.tdg, epsilon, self.tree)

    def chains(self, epsilon: float) -> tuple[np.ndarray, np.ndarray]:
        """(names, owner): the chains at ε, each named after its smallest cluster number, and each cluster's chain."""
        return np.unique(self.tree.cut(epsilon), return_inverse=True)

    def sizes(self, epsilon: float) -> np.ndarray:
        """Points of each chain at ε, in the order of their names."""
        return self.sizes_of(self.chains(epsilon)[1])

    def major(self, epsilon: float) -> tuple[np.ndarray, np.ndarray]:
        """(owner, outliers): the major chain of each small cluster at ε, 0 the largest, and which only go there.

        A cluster of a minor chain goes to the chain of the nearest cluster of a major one.
        """
        owner = self.chains(epsilon)[1]
        sizes = self.sizes_of(owner)
        stand = major_chains(sizes)
        rank = np.empty(len(sizes), dtype=np.int64)
        rank[np.lexsort((-sizes, ~stand))] = np.arange(len(sizes))
        outliers = ~stand[owner]
        found = rank[owner]
        if outliers.any() and not outliers.all():
            centroids = self.tdg.centroids
            at = nearest(centroids[outliers], centroids[~outliers], metric=self.tdg.metric)
            found[outliers] = found[~outliers][at]
        return found, outliers

    def sizes_of(self, owner: np.ndarray) -> np.ndarray:
        """Points of each chain, given the chain of each small cluster."""
        return np.bincount(owner, weights=self.tdg.sizes).astype(np.int64)


def count_outlier_chains(sizes: np.ndarray) -> int:
    """How many chains are only a few outliers; none where they hold much, as then nothing is chained yet."""
    sizes = np.asarray(sizes)
    stand = major_chains(sizes)
    return int((~stand).sum()) if sizes[stand].sum() >= _MAJOR_SHARE * sizes.sum() else 0


def chain_profile(chaining: Chaining) -> pd.DataFrame:
    """How the chains of a `Chaining` join as ε grows.

    Returns
    -------
    DataFrame with one row for each range of ε in which the chains are the same, ascending, from the
    first with at most 250 chains on, and the columns

    - links : edges of the tree shorter than ε
    - epsilon_low, epsilon_high : the range; a link needs a distance below ε, so the lower end does not belong to it
    - n_chains : K', the number of chains
    - major, major_share : the number of major chains, and the share of the points they hold
    - largest_share : share of the points in the largest chain
    - entropy : how much information the major chain of a point carries
    """
    return pd.DataFrame(_profile(chaining))


def _profile(chaining: Chaining) -> dict[str, np.ndarray]:
    """The columns of `chain_profile`, as arrays."""
    first = max(chaining.n_clusters - _PROFILED, 0)
    ends = np.concatenate([[0.0], chaining.tree.lengths, [np.inf]])[first:]
    sizes = chaining.tree.joining(chaining.tdg.sizes, first)
    stand, total = major_chains(sizes), sizes[0].sum()
    columns = {
        "links": np.arange(first, chaining.n_clusters),
        "epsilon_low": ends[:-1],
        "epsilon_high": ends[1:],
        "n_chains": np.arange(len(sizes), 0, -1),
        "major": stand.sum(axis=1),
        "major_share": np.where(stand, sizes, 0).sum(axis=1) / total,
        "largest_share": sizes.max(axis=1) / total,
        "entropy": entropy(np.where(stand, sizes, 0)),
    }
    wide = ends[:-1] < ends[1:]
    return {name: values[wide] for name, values in columns.items()}


def chain_ranges(chaining: Chaining) -> pd.DataFrame:
    """Ranges of ε, a distance or a depth, in which the number of major chains holds, strongest first.

    Only ranges of two chains or more, with at least four small clusters per chain on average: with fewer, θ is not
    small against the shapes.

    Returns
    -------
    DataFrame with the columns epsilon_low, epsilon_high, epsilon (the geometric middle), n_chains
    (major chains), relative_width (log of epsilon_high / epsilon_low), entropy (how much information the chain of a
    point carries), strength (width x entropy), needed (the strength above which a range is more than chance) and
    recommended (True in the first row, if it is strong enough). Depths are logarithms already: epsilon is their middle,
    relative_width the difference.
    """
    ranges = pd.DataFrame(chaining.strongest, columns=list(CHAIN_RANGE_COLUMNS))
    ranges["recommended"] = ranges["recommended"].astype(bool) & (ranges.index == 0)
    return ranges


def _strongest(chaining: Chaining) -> list[ChainRange]:
    """The `ChainRange`s of a `Chaining`, strongest first."""
    profile = _profile(chaining)
    counts = np.where(profile["major_share"] >= _MAJOR_SHARE, profile["major"], 0)
    found = []
    for run in runs(counts):
        low, high = float(profile["epsilon_low"][run.start]), float(profile["epsilon_high"][run.stop - 1])
        if 2 <= run.value <= chaining.most_chains and (low > 0 or chaining.density) and np.isfinite(high):
            middle, width = _middle_and_width(chaining, low, high)
            telling = float(profile["entropy"][np.searchsorted(profile["epsilon_high"], middle)])
            strength, needed = width * telling, _needed(chaining, low) * max(telling, _HALVES)
            enough = strength >= needed
            found.append(ChainRange(low, high, middle, run.value, width, telling, strength, needed, enough))
    return sorted(found, key=lambda found: (found.recommended, found.strength), reverse=True)


def _middle_and_width(chaining: Chaining, low: float, high: float) -> tuple[float, float]:
    return float(_middle(chaining, low, high)), high - low if chaining.density else float(log_width(low, high))


def _middle(chaining: Chaining, low: Any, high: Any) -> Any:
    return (low + high) / 2 if chaining.density else log_middle(low, high)


_ON_A_LINE = 2.0  # times wider are the gaps that chance gives in one feature
_HALVES = float(np.log(2))  # the entropy of two halves: unbalanced splits need wider ranges


def _needed(chaining: Chaining, low: float) -> float:
    """The relative width above which a range that starts at `low` is more than chance.

    Measured on clouds without shapes: few centroids give wide gaps by chance, about 2 / √K; so do centroids on a line,
    where the longest edges are far longer than the median edge. By density, four standard errors of a depth.
    """
    tree = chaining.tree
    if chaining.density:
        return _chance_depth(chaining)
    chance = max(np.log(1.2), np.log1p(2.0 / np.sqrt(tree.n_centroids)))
    if chaining.tdg.centroids.shape[1] == 1:
        chance *= _ON_A_LINE
    inside = np.median(tree.lengths[tree.lengths <= low])
    return max(chance, 0.4 * np.log(low / inside)) if inside > 0 else np.inf


def epsilon_limits(chaining: Chaining) -> tuple[float, float]:
    """The ε worth dragging over: from where nothing is chained to where everything is, both with a little room.

    Centroids that are by chance very close do not stretch the axis below a twentieth of the median edge. Depths begin
    at 0, where nothing is chained.
    """
    if chaining.density:
        return 0.0, 1.1 * max(chaining.tree.lengths.max(initial=0.0), _chance_depth(chaining))
    lengths = chaining.tree.lengths[chaining.tree.lengths > 0]
    if len(lengths) == 0:
        middle = chaining.theta or 1.0
        return 0.5 * middle, 2.0 * middle
    return max(0.8 * float(lengths[0]), float(np.median(lengths)) / 20), 1.25 * float(lengths[-1])


def epsilon_values(chaining: Chaining, most: int = 160) -> np.ndarray:
    """ε to offer, ascending, at most so many: evenly along the axis, and one inside each range with few chains.

    The axis is that of logarithms, which depths are already.
    """
    low, high = epsilon_limits(chaining)
    even = (np.linspace if chaining.density else np.geomspace)(low, high, most // 2)
    lengths = chaining.tree.lengths[chaining.tree.lengths > low]
    ends = np.concatenate([[low], lengths, [high]])[-(most // 2 + 1) :]
    middles = _middle(chaining, ends[:-1], ends[1:])[np.diff(ends) > 0]
    return np.unique(np.concatenate([even, middles]))


# --- the suggestion --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Suggestion:
    """The suggested (θ, ε).

    Attributes
    ----------
    theta, epsilon : float
    n_chains : int
        Number of major chains there.
    epsilon_low, epsilon_high : float
        The range of ε in which this number holds.
    stands_out : bool
        False where no chaining is more than chance (uniform noise, one cloud).
    reason : str
        A sentence.
    tried : DataFrame
        The strongest range at each θ tried, θ ascending: theta, n_clusters (K) and the columns of `chain_ranges`. A θ
        without any range has NaN.
    """

    theta: float
    epsilon: float
    n_chains: int
    epsilon_low: float
    epsilon_high: float
    stands_out: bool
    reason: str
    tried: pd.DataFrame


def small_thetas(grid: Sequence[float] | np.ndarray) -> np.ndarray:
    """θ to try for shapes, descending, from a grid of `selection.theta_grid`: 1 to 12 neighbour distances."""
    grid = np.asarray(grid, dtype=float)
    small = grid[(grid >= _SMALL[0] * grid[0]) & (grid <= _SMALL[1] * grid[0])]
    if len(small) == 0:
        return grid[-1:]
    return small[::-1][:: int(np.ceil(len(small) / _TRIED))]


def until_too_fine(chainings: Iterable[Chaining]) -> list[Chaining]:
    """A list of `Chaining`s of descending θ, up to the first whose clusters are hardly more than the points."""
    found = []
    for chaining in chainings:
        found.append(chaining)
        if not chaining.fine_enough:
            break
    return found


def suggest(
    X: np.ndarray,
    shuffles: int = 50,
    seed: int = 0,
    *,
    metric: str | Metric = "euclidean",
    p: float | None = None,
    radius: float | None = None,
    n_jobs: int | None = None,
    cancel: Cancel | None = None,
) -> Suggestion:
    """The (θ, ε) at which the number of chains holds over the strongest range of ε: wide, and rich in information.

    θ is tried from twelve typical neighbour distances down, as long as a small cluster holds three points on average.
    Parameters are those of `theta_app.engine.tdg`. Returns a `Suggestion`.
    """
    X = validation.points(X)
    options: dict[str, Any] = {"metric": Metric.of(metric, p, radius), "n_jobs": n_jobs, "cancel": cancel}
    grid = theta_grid(X, metric=options["metric"])
    made = (Chaining.of(theta, quick_tdg(X, theta, shuffles, seed, **options)) for theta in small_thetas(grid))

    tried = until_too_fine(made)
    theta = suggest_from(tried).theta
    return suggest_from(tried, Chaining.of(theta, tdg(X, theta, shuffles, seed, **options)))


def suggest_from(tried: Iterable[Chaining], full: Chaining | None = None) -> Suggestion:
    """The `Suggestion` that follows from `Chaining`s at several θ (at least one); those too fine are passed over.

    They may rest on few shuffles. `full` is the `Chaining` of all of them at the θ that is suggested: its ε are taken.
    """
    usable = sorted((chaining for chaining in tried if chaining.fine_enough), key=lambda chaining: chaining.theta)
    table = pd.DataFrame([_strongest_range(chaining) for chaining in usable], columns=[*TRIED_COLUMNS, "recommended"])
    if table["relative_width"].isna().all():
        return _nothing_to_chain(min(tried, key=lambda chaining: chaining.theta), table[list(TRIED_COLUMNS)])
    among = table[table["recommended"].astype("boolean").fillna(False)] if table["recommended"].any() else table
    best = among.loc[among["strength"].idxmax()].to_dict()  # of equals the first, which is the smaller θ
    if full is not None:
        few = next(chaining for chaining in usable if chaining.theta == best["theta"])
        again = full.range_like(few.labels(best["epsilon"]))[0]
        best |= again._asdict() if again else {}
    low, high, count = float(best["epsilon_low"]), float(best["epsilon_high"]), int(best["n_chains"])
    if best["recommended"]:
        reason = (
            f"Of {len(table)} small θ tried, θ = {short(best['theta'])} has the strongest range: {count} chains from "
            f"ε = {short(low)} to {short(high)}, a factor of {high / low:.2f}."
        )
    else:
        reason = (
            f"No chaining is clear: the strongest range of ε at any of {len(table)} small θ tried is a factor of "
            f"{high / low:.2f} ({count} chains), no more than expected by chance."
        )
    return Suggestion(
        float(best["theta"]),
        float(best["epsilon"]),
        count,
        low,
        high,
        bool(best["recommended"]),
        reason,
        table[list(TRIED_COLUMNS)],
    )


def _strongest_range(chaining: Chaining) -> dict:
    """One row of `Suggestion.tried`, and whether its range is more than chance."""
    ranges = chaining.ranges
    strongest = ranges.iloc[0].to_dict() if len(ranges) else dict.fromkeys(CHAIN_RANGE_COLUMNS, np.nan)
    return {"theta": chaining.theta, "n_clusters": chaining.n_clusters, **strongest}


def _nothing_to_chain(chaining: Chaining, table: pd.DataFrame) -> Suggestion:
    low, high = epsilon_limits(chaining)
    epsilon = float(log_middle(low, high))
    reason = "No chaining is clear: at no small θ do two or more chains hold nearly all points."
    return Suggestion(chaining.theta, epsilon, chaining.tree.count(epsilon), low, high, False, reason, table)


def strongest_per_count(chainings: Iterable[Chaining]) -> list[tuple[Chaining, ChainRange]]:
    """(chaining, range) of the strongest range of ε for each number of chains, strongest first."""
    found: dict = {}
    for chaining in chainings:
        if chaining.fine_enough:
            for row in chaining.strongest:
                known = found.get(row.n_chains)
                if known is None or (row.recommended, row.strength) > known[0]:
                    found[row.n_chains] = (row.recommended, row.strength), chaining, row
    return [rest for _, *rest in sorted(found.values(), key=lambda entry: entry[0], reverse=True)]


def best_epsilon(chaining: Chaining) -> float:
    """The middle of the strongest range at this θ, or of all ε worth dragging over where there is no range."""
    ranges = chaining.ranges
    if len(ranges):
        return float(ranges.loc[0, "epsilon"])
    return float(_middle(chaining, *epsilon_limits(chaining)))


def default_epsilon(chaining: Chaining) -> float:
    """ε where nobody chose one: the middle of the strongest range, if it is more than chance; else 1.5 θ.

    TDG leaves centroids about θ apart, so 1.5 θ chains neighbours within a shape. By density, the depth that chance
    seldom exceeds.
    """
    ranges = chaining.ranges
    if len(ranges) and ranges.loc[0, "recommended"]:
        return float(ranges.loc[0, "epsilon"])
    return _chance_depth(chaining) if chaining.density else 1.5 * chaining.theta


def _chance_depth(chaining: Chaining) -> float:
    return float(PEAK_ERRORS[-1] / standard_errors(chaining.density, chaining.tdg.centroids.shape[1]))


def truth_table(chaining: Chaining, truth: np.ndarray) -> np.ndarray:
    """How many points of each true class each small cluster holds: an array (K, classes)."""
    table = np.zeros((chaining.n_clusters, int(np.max(truth)) + 1))
    np.add.at(table, (chaining.tdg.labels, truth), 1.0)
    return table


def chain_nmi(table: np.ndarray, owner: np.ndarray) -> float:
    """NMI of chains with the truth, without a pass over the points: what a drag over every ε needs.

    Parameters
    ----------
    table : array of `truth_table`
    owner : (K,) array
        The chain of each small cluster, 0, 1, ...
    """
    joint = np.zeros((int(owner.max()) + 1, table.shape[1]))
    np.add.at(joint, owner, table)
    return nmi_of(joint.sum(axis=0), joint.sum(axis=1), joint.ravel())


# --- what to say about a choice --------------------------------------------------------------------------------------


def chain_warnings(chaining: Chaining, epsilon: float) -> list[str]:
    """Sentences on what is odd about chaining at ε, each with what to do; an empty list if nothing is."""
    n, K = len(chaining.tdg.labels), chaining.n_clusters
    if K == 1:
        return ["All points are in one small cluster, so there is nothing to chain. Lower θ."] if n > 1 else []
    found = []
    if n < 2 * K:
        found.append(f"{K} small clusters for {n} points: most hold a single point. Raise θ.")
    links = chaining.tree.links(epsilon)
    if links == 0:
        least = short(chaining.tree.lengths[0])
        why = f"every valley is deeper than {least}" if chaining.density else f"the closest centroids are {least} apart"
        found.append(f"Nothing is chained: {why}. Raise ε above that.")
    elif links == K - 1:
        most = short(chaining.tree.lengths[-1])
        why = "no valley is as deep as ε" if chaining.density else "every gap is shorter than ε"
        found.append(f"The chain joins everything: {why}. Lower ε to {most} or less.")
    else:
        sizes = chaining.sizes(epsilon)
        if major_chains(sizes).sum() == 1:
            share = sizes.max() / n
            found.append(f"One chain holds {share:.0%} of the points and the rest are outliers. Lower ε, or lower θ.")
    return found
