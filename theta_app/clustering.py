"""The answer on the screen as one value, from which every export is made.

`cluster` computes it from a data set and a few settings; the pages make the same value from a sweep. Labels, tables,
settings, report, notebook and code are functions of a `Clustering` and of nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from theta_app import datasets, selection
from theta_app.engine import Progress, TdgResult, TsgResult, nearest, tdg, tsg
from theta_app.marks import Marks

if TYPE_CHECKING:
    import plotly.graph_objects as go


ALGORITHMS = ("TDG", "TSG", "TNC")
_MOST_PLOTTED = 20_000
OUTLIER = -1
"""The label of points that are in no cluster."""

Anchor = int | tuple[float, ...]
"""A row of a data set beside a sample of it: its index there, or its coordinates where the sample does not have it."""


@dataclass(frozen=True, eq=False)
class Groups:
    """Points in groups: first the clusters, the largest first, then groups of outliers.

    Attributes
    ----------
    labels : (n,) array of int32
        The group of each point.
    sizes : (G,) array
        Points of each group, descending.
    n_clusters : int
        How many groups are clusters, K. The others are a few points far from all others.
    centroids : (m, d) array
        Centroids of one group follow each other. One per group, or more where groups are chains or were merged by hand.
    owner : (m,) array
        The group of each centroid, ascending.
    parts : (n,) array
        The centroid of each point.
    order : (m,) array
        The number that each centroid has in the result of the engine.
    links : (s, 2) array or None
        Pairs of centroids that are chained.
    merged : int
        How many fewer groups there are because a person merged some.
    seconds : float or None
        Processor time the result took.
    """

    labels: np.ndarray
    sizes: np.ndarray
    n_clusters: int
    centroids: np.ndarray
    owner: np.ndarray
    parts: np.ndarray
    order: np.ndarray
    links: np.ndarray | None = None
    merged: int = 0
    seconds: float | None = None

    @property
    def outliers(self) -> int:
        """How many groups are outliers."""
        return len(self.sizes) - self.n_clusters

    @property
    def joined(self) -> bool:
        """Whether some group has several centroids."""
        return len(self.centroids) > len(self.sizes)


def grouped(
    result: TsgResult | TdgResult,
    chaining: selection.Chaining | None = None,
    epsilon: float | None = None,
    merges: Sequence[Sequence[Anchor]] = (),
) -> Groups:
    """The groups of a result of TSG or TDG; of TNC where a `selection.Chaining` of it is given with ε.

    ``merges``: the groups that hold the rows of one sequence become one.
    """
    owner, links = np.arange(len(result.sizes)), None
    if chaining is not None:
        owner = chaining.chains(epsilon)[1]  # type: ignore[arg-type]
        links = chaining.tree.edges[: chaining.tree.links(epsilon)]  # type: ignore[arg-type]
    found = int(owner.max()) + 1
    if merges:
        owner = _merged(owner, [[_part(result, anchor) for anchor in rows] for rows in merges])
    sizes = np.bincount(owner, weights=result.sizes).astype(np.int64)
    outliers = selection.count_outlier_clusters(sizes) if chaining is None else selection.count_outlier_chains(sizes)
    owner = _ranks(np.argsort(-sizes, kind="stable"))[owner]
    order = np.lexsort((-np.asarray(result.sizes), owner))
    at = _ranks(order)
    parts = at[result.labels].astype(np.int32)
    labels = parts if len(sizes) == len(owner) else owner[result.labels].astype(np.int32)
    return Groups(
        labels,
        -np.sort(-sizes),
        len(sizes) - outliers,
        result.centroids[order],
        owner[order],
        parts,
        order,
        links if links is None else at[links],
        found - len(sizes),
        (result if chaining is None else chaining).seconds,
    )


def kept_groups(result: TsgResult | TdgResult, X: np.ndarray, k: int) -> Groups:
    """The `k` largest clusters of a result of TSG or TDG, every point of X given to the nearest of them."""
    kept = selection.keep_largest(X, result, k)
    order = np.argsort(-kept.sizes, kind="stable")
    labels = _ranks(order)[kept.labels].astype(np.int32)
    order = order[: np.count_nonzero(kept.sizes)]
    found = kept.sizes[order], len(order), kept.centroids[order], np.arange(len(order))
    return Groups(labels, *found, labels, kept.kept[order], seconds=result.seconds)


def _ranks(order: np.ndarray) -> np.ndarray:
    """The inverse of a permutation."""
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.arange(len(order))
    return ranks


def _part(result: TsgResult | TdgResult, anchor: Anchor) -> int:
    if isinstance(anchor, int):
        return int(result.labels[anchor])
    return int(nearest(np.array([anchor]), result.centroids, metric=result.metric)[0])


def _merged(owner: np.ndarray, merges: Iterable[Iterable[int]]) -> np.ndarray:
    """The group of each centroid once the groups of the centroids of each sequence are one; numbered from 0."""
    owner = owner.copy()
    for parts in merges:
        joined = {int(owner[part]) for part in parts}
        owner[np.isin(owner, list(joined))] = min(joined, default=0)
    return np.unique(owner, return_inverse=True)[1]


def anchors(numbers: Iterable[int], data: datasets.Dataset, points: selection.Sample) -> dict[int, Anchor]:
    """{row number: its `Anchor`} for those of the numbers that the data set has."""
    wanted = list(numbers)
    if not wanted:
        return {}
    at = positions(wanted, data.numbers)
    places = dict(zip(points.rows[inside := np.isin(points.rows, list(at.values()))].tolist(), np.flatnonzero(inside)))
    return {row: int(places[i]) if i in places else tuple(data.X[i].tolist()) for row, i in at.items()}


def positions(numbers: Sequence[int], among: np.ndarray) -> dict[int, int]:
    """{number: its position in an array} for those of the numbers that are there."""
    if not len(numbers):
        return {}
    order = np.argsort(among, kind="stable")
    at = np.minimum(np.searchsorted(among, numbers, sorter=order), len(among) - 1)
    return {number: int(order[i]) for number, i in zip(numbers, at) if among[order[i]] == number}


def merge_anchors(
    merges: Iterable[Iterable[int]], data: datasets.Dataset, points: selection.Sample
) -> tuple[tuple[Anchor, ...], ...]:
    """Merges of row numbers as `grouped` takes them; those of rows that are not there are left out."""
    at = anchors({row for rows in merges for row in rows}, data, points)
    placed = (tuple(at[row] for row in rows if row in at) for rows in merges)
    return tuple(rows for rows in placed if len(rows) > 1)


@dataclass(frozen=True, eq=False)
class Clustering:
    """Clusters of a data set: what was computed, how, and what a person has said about it.

    Attributes
    ----------
    data : Dataset
        As it was prepared. Its ``preparation`` and ``rows`` say how.
    points : Sample
        What it was computed on: all points, or a fair sample. The others go to the nearest centroid.
    groups : Groups
        Of these points.
    algorithm : str
        "TSG", "TDG" or "TNC".
    theta, epsilon : float, float or None
    shuffles, seed : int
    marks : Marks
        Names, colours and merges by hand, each tied to a row.
    keep : int or None
        How many of the largest clusters were kept, where all points were given to these.
    density : int or None
        Where TNC chained by density: how many points a core holds; ε is a depth then.
    palette : tuple of str
        The colour of each cluster on the screen as ``#rrggbb``, where there is a screen.
    """

    data: datasets.Dataset
    points: selection.Sample
    groups: Groups
    algorithm: str
    theta: float
    epsilon: float | None = None
    shuffles: int = 50
    seed: int = 0
    marks: Marks = field(default_factory=Marks)
    palette: tuple[str, ...] = ()
    keep: int | None = None
    density: int | None = None

    @property
    def n_clusters(self) -> int:
        """K. Groups of outliers are not counted."""
        return self.groups.n_clusters

    @cached_property
    def group_of(self) -> np.ndarray:
        """The group of every point of the data set, (n,): clusters 0 to K - 1, then groups of outliers."""
        return self.groups.labels if self.points.whole else self.groups.owner[self._parts].astype(np.int32)

    @cached_property
    def labels(self) -> np.ndarray:
        """The cluster of every point of the data set, (n,): 0 to K - 1, the largest first, -1 for outliers."""
        return self._numbered(self.group_of)

    @cached_property
    def group_sizes(self) -> np.ndarray:
        """How many rows each group has, outlier groups included, in the order of the groups."""
        return np.bincount(self.group_of, minlength=len(self.groups.sizes))

    @property
    def sizes(self) -> np.ndarray:
        """Points of each cluster, (K,)."""
        return self.group_sizes[: self.n_clusters]

    @property
    def outliers(self) -> int:
        """Points that are in no cluster."""
        return int(self.group_sizes[self.n_clusters :].sum())

    @cached_property
    def names(self) -> dict[int, str]:
        """What a person calls clusters. One that holds several rows with a name has all their names."""
        found: dict[int, list[str]] = {}
        for k, name in self._said(self.marks.names):
            found.setdefault(k, []).append(name)
        return {k: " + ".join(dict.fromkeys(given)) for k, given in found.items()}

    @cached_property
    def colours(self) -> dict[int, str]:
        """The colours of clusters, as far as they are known: a person's, else those of the screen."""
        return {**dict(enumerate(self.palette[: self.n_clusters])), **dict(self._said(self.marks.colours))}

    def _said(self, pairs: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
        """(group, text) of pairs (row number, text)."""
        at = anchors([row for row, _ in pairs], self.data, self.points)
        for row, text in pairs:
            if row in at:
                anchor = at[row]
                part = self._nearest(np.array([anchor]))[0] if isinstance(anchor, tuple) else self.groups.parts[anchor]
                yield int(self.groups.owner[part]), text

    def _nearest(self, X: np.ndarray) -> np.ndarray:
        return nearest(X, self.groups.centroids, metric=self.points.metric)

    def _numbered(self, groups: np.ndarray) -> np.ndarray:
        return np.where(groups < self.n_clusters, groups, OUTLIER).astype(np.int32)

    def predict(self, data: datasets.Dataset) -> tuple[np.ndarray, np.ndarray]:
        """(cluster of the nearest centroid, distance to it) of each point of another data set, prepared as this one."""
        parts = self._nearest(data.X)
        distances = self.points.metric.between(data.X, self.groups.centroids[parts])
        return self._numbered(self.groups.owner[parts]), distances

    def table(self) -> pd.DataFrame:
        """Every row of the file by its number, with its cluster; see `datasets.labelled_rows`."""
        return self.rows_table(self.data, self.labels)

    def rows_table(
        self, data: datasets.Dataset, labels: np.ndarray, rows: np.ndarray | None = None, **more: Any
    ) -> pd.DataFrame:
        """The same of another data set that got these clusters, or of the points at ``rows`` of this one."""
        return rows_table(data, labels, rows, self.names, **more)

    def centroid_table(self) -> pd.DataFrame:
        """One row per centroid in the units of the columns: its cluster, the cluster's name, and its points."""
        groups = self.groups
        members = np.bincount(self._parts, minlength=len(groups.centroids))
        labels = self._numbered(groups.owner)
        return datasets.centroid_table(self.data, groups.centroids, members, labels, self.names, self._parts)

    @cached_property
    def _parts(self) -> np.ndarray:
        """The centroid of every point: its own, and the nearest of those that it was not computed on."""
        if self.points.whole:
            return self.groups.parts
        parts = self._nearest(self.data.X)
        parts[self.points.rows] = self.groups.parts
        return parts

    def drawn(self, most: int | None = None) -> tuple[np.ndarray, np.ndarray, str]:
        """(positions, their rows, a key of `selection.PROJECTIONS`): the points as they are, on a map, or by PCA.

        Curves have the positions of their middles. Of more than ``most`` points a fair sample.
        """
        data = self.data
        rows = np.arange(len(data.X)) if most is None else selection.sample_of(data, most).rows
        X, how = data.X[rows], "pca" if data.X.shape[1] > 2 and not data.of_curves else "none"
        if data.of_curves:
            return selection.curve_positions(X, 2), rows, how
        return (selection.map_positions(X) if data.on_map else selection.project(X, how)), rows, how

    def plot(self) -> go.Figure:
        """The points as a Plotly figure, coloured by cluster, with the columns and their units at the axes."""
        data = self.data
        positions, rows, how = self.drawn(_MOST_PLOTTED)
        figure = selection.figures()["points_figure"](
            positions,
            self.labels[rows],
            self._axes(how),
            self.names,
            self.colours,
            same_scale=not data.on_map,
            aspect=selection.map_aspect(data.X) if data.on_map else 1.0,
        )
        few = "" if len(rows) == len(data.X) else f", {len(rows):,} of {len(data.X):,} points"
        return figure.update_layout(title=f"{data.name}{few}", margin_t=90)

    def _axes(self, how: str) -> tuple[str, ...]:
        if how != "none":
            return "main direction 1", "main direction 2"
        if self.data.on_map:
            return "longitude", "latitude"
        if self.data.of_curves:
            return "middles of curves, from the side", ""
        units = {} if self.data.raw is None or self.data.scale is not None else self.data.raw.units
        unit = {name: units.get(name, "") for name in self.data.coordinates}
        named = [f"{name} ({of})" if of and f"({of})" not in name else name for name, of in unit.items()]
        return (*named, "", "")[:2]

    def settings(self) -> dict:
        """Everything needed to repeat it, and what must come out, as a JSON-like value."""
        data = self.data
        source = {"name": data.name, "source": data.source, "digest": data.digest}
        preparation, shuffled = asdict(data.preparation or datasets.Preparation()), self.algorithm != "TSG"
        preparation |= data.metric.arguments
        return {
            "data": source | ({} if data.spec is None else datasets.spec_to_query(data.spec)),
            "preparation": {**preparation, "features": list(data.features), "unit": data.unit},
            "settings": {
                "algorithm": self.algorithm,
                "theta": self.theta,
                "epsilon": self.epsilon,
                "density": self.density,
                "keep": self.keep,
                "shuffles": self.shuffles if shuffled else None,
                "seed": self.seed if shuffled else None,
                "computed_on": len(self.points.rows),
                "rows": None if data.rows is None else str(data.rows),
                **asdict(self.marks),
            },
            "n_clusters": self.n_clusters,
            "outliers": self.outliers,
            "sizes": self.sizes.tolist(),
            "names": {str(k): name for k, name in self.names.items()},
        }


def rows_table(
    data: datasets.Dataset,
    labels: np.ndarray,
    rows: np.ndarray | None = None,
    names: Mapping[int, str] | None = None,
    **more: Any,
) -> pd.DataFrame:
    """`datasets.labelled_rows`; the true clusters of a set that was made here do not take the name of those found."""
    table = datasets.labelled_rows(data, labels, rows, names, **more)
    made_here = data.truth_column == "cluster" and not isinstance(data.spec, datasets.Upload | None)
    return table.rename(columns={"cluster": "true_cluster", "cluster_found": "cluster"}) if made_here else table


def cluster(
    data: datasets.Dataset,
    algorithm: str = "TDG",
    theta: float = 1.0,
    epsilon: float | None = None,
    shuffles: int = 50,
    seed: int = 0,
    *,
    density: int | None = None,
    keep: int | None = None,
    marks: Marks | None = None,
    computed_on: int | None = None,
    **options: Any,
) -> Clustering:
    """Cluster a data set: the value that the pages show and export.

    Parameters
    ----------
    data : Dataset or array of shape (n, d)
    algorithm : "TDG", "TSG" or "TNC"
    theta : float
        In the units of the (prepared) points.
    epsilon : float, optional
        For TNC: centroids closer than this are chained. By default the middle of the widest range, or 1.5 θ.
    density : int, optional
        For TNC: chain by density instead of distance, with cores of so many points; ``epsilon`` is a depth then.
    shuffles, seed : int
        Random orders that TDG votes over, and where they come from.
    keep : int, optional
        Keep so many of the largest clusters of TDG or TSG, and give every point to the nearest of these.
    marks : Marks, optional
        Names, colours and merges of clusters, by row number; with ``keep`` no clusters are merged.
    computed_on : int, optional
        How many points it is computed on, a fair sample; the others go to the nearest centroid. By default all.
    options
        ``progress``, ``cancel`` and ``n_jobs`` of `engine.tdg`.
    """
    if algorithm not in ALGORITHMS:
        raise ValueError(f"algorithm must be one of {', '.join(ALGORITHMS)}, got {algorithm!r}")
    if keep is not None and algorithm == "TNC":
        raise ValueError(
            "Only TDG and TSG can keep their largest clusters: clusters of TNC are chains without a centre."
        )
    if not isinstance(data, datasets.Dataset):
        columns = [str(name) for name in getattr(data, "columns", ())]
        data = datasets.from_arrays("your data", "Points given as an array.", data, features=columns)
    points = selection.sample_of(data, computed_on or len(data.X))
    marks = marks or Marks()
    chaining = None
    result: Any
    if algorithm == "TSG":
        result = tsg(points.X, theta, metric=points.metric)
    else:
        result = tdg(points.X, theta, shuffles, seed, metric=points.metric, **options)
    if algorithm == "TNC":
        chaining = selection.Chaining.of(theta, result, X=points.X, density=density)
        epsilon = selection.default_epsilon(chaining) if epsilon is None else float(epsilon)
    epsilon, density = (epsilon, density) if algorithm == "TNC" else (None, None)
    if keep is not None:
        return kept_clustering(data, points, result, keep, algorithm, float(theta), shuffles, seed, marks)
    groups = grouped(result, chaining, epsilon, merge_anchors(marks.merges, data, points))
    return Clustering(data, points, groups, algorithm, float(theta), epsilon, shuffles, seed, marks, density=density)


def kept_clustering(
    data: datasets.Dataset,
    points: selection.Sample,
    result: TsgResult | TdgResult,
    keep: int,
    algorithm: str,
    theta: float,
    shuffles: int,
    seed: int,
    marks: Marks,
) -> Clustering:
    """The `Clustering` of the largest clusters of a result; names and colours are theirs, nothing is merged."""
    groups = kept_groups(result, points.X, keep)
    marks = Marks(marks.names, marks.colours)
    return Clustering(data, points, groups, algorithm, theta, None, shuffles, seed, marks, keep=keep)


@dataclass(frozen=True, eq=False)
class Answer:
    """A clustering, and what it was chosen by: the verdict and its sweep, or None where θ was given."""

    clustering: Clustering
    verdict: selection.Verdict | None = None
    sweep: selection.Sweep | None = None


def answer(
    data: datasets.Dataset,
    algorithm: str | None = None,
    theta: float | None = None,
    epsilon: float | None = None,
    shuffles: int = 50,
    seed: int = 0,
    *,
    progress: Progress | None = None,
    **options: Any,
) -> Answer:
    """Cluster a data set as its page shows it once everything is computed.

    Parameters
    ----------
    data : Dataset
    algorithm, theta, epsilon : optional
        By default the verdict's; for another algorithm than the verdict's, the best values of that algorithm. With θ
        given there is no verdict: TNC where ε is given too, else TDG.
    shuffles, seed : int
    progress : callable, optional
        ``progress(done, total)`` of the sweep. May raise to stop the work.
    options
        ``cancel`` and ``n_jobs`` of `engine.tdg`.
    """
    n = len(data.X)
    every = n <= selection.MOST_SWEPT and not data.of_curves
    computed_on = n if every else selection.most_points(data.X.shape[1], data.of_curves)
    algorithm = algorithm or ("TNC" if epsilon is not None else None)
    sweep = verdict = None
    if theta is None:
        points = selection.sample_of(data)
        measured = {"metric": points.metric, **options}
        looked = measured | {"columns": points.columns, "progress": progress}
        sweep, verdict = selection.sweep_and_verdict(points.X, shuffles, seed, **looked)
        algorithm = algorithm or verdict.algorithm or "TDG"
        suggestions: list[selection.Suggestion] = []

        def suggest() -> selection.Suggestion:
            suggestions.append(selection.suggest(points.X, shuffles, seed, **measured))
            return suggestions[-1]

        theta = selection.start_theta(sweep, verdict, algorithm, suggest)
        at_theta: list[selection.Verdict | selection.Suggestion]
        at_theta = [found for found in (verdict, *suggestions) if found.theta == theta]  # type: ignore[attr-defined, misc]
        epsilon = next((e for e in (epsilon, *(found.epsilon for found in at_theta)) if e is not None), None)
    settings: dict[str, Any] = {"shuffles": shuffles, "seed": seed, "computed_on": computed_on}
    options = options if algorithm != "TSG" else {}
    return Answer(cluster(data, algorithm or "TDG", theta, epsilon, **settings, **options), verdict, sweep)  # type: ignore[arg-type]
