"""The space that a preparation names, computed: PCA, or a neighbour map of columns, of strokes or of an autoencoder.

`theta_app.datasets.prepare` gives the columns; `in_space` puts the points where they are clustered. `fit_apart` does
the long part in a process that can be ended.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from theta_app import selection, workers
from theta_app.datasets import SPACES, Dataset, Preparation
from theta_app.datasets.space import placed
from theta_app.engine import EUCLIDEAN, Cancel, Cancelled, Metric, Progress, neighbour_map
from theta_app.engine.neighbour_map import NEIGHBOURS, one_thread
from theta_app.profiles import likely_shape

SLOW = ("map", "images", "strokes")
"""Spaces that take seconds to minutes: for pages, see `fit_apart`."""

COMPONENTS = Preparation().components
"""Of a map, unless the person says otherwise."""

_SEED = 0
_SHIFTED = 20  # rows of pixels from which on moving images helps the autoencoder


@dataclass(frozen=True, eq=False)
class FittedSpace:
    """Where points lie in a space, and where others would."""

    kind: str  # a key of `datasets.SPACES`
    steps: tuple  # what is done to prepared columns, one after the other, each with a ``transform``
    X: np.ndarray  # (n, c): the points that it was made of, there

    @property
    def label(self) -> str:
        """The name of the space, as pages show it."""
        return SPACES[self.kind].label

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its coordinates, such as "Map 1"."""
        return tuple(f"{SPACES[self.kind].name} {i}" for i in range(1, self.X.shape[1] + 1))

    def transform(self, X: np.ndarray) -> np.ndarray:
        """Places (m, c) of other points in the same prepared columns."""
        for step in self.steps:
            X = step.transform(X)
        return np.asarray(X, dtype=np.float64)


def in_space(data: Dataset, fitted: FittedSpace | None = None, progress: Progress | None = None) -> Dataset:
    """A prepared `Dataset` with its points in the space that its preparation names; computed where it is not given."""
    if data.preparation is None or data.preparation.space == "columns":
        return data
    fitted = fitted or fit(*_asked(data), progress=progress)  # type: ignore[misc]
    return placed(data, fitted, fitted.X)


def fit(
    X: np.ndarray,
    kind: str,
    components: int,
    metric: Metric = EUCLIDEAN,
    image: tuple[int, int] | None = None,
    progress: Progress | None = None,
) -> FittedSpace:
    """The `FittedSpace` of points X (n, d) in prepared columns; kind and components as in a `Preparation`.

    The metric says how neighbours are found, ``image`` (rows, columns) that the points are images. ValueError or
    ImportError with a sentence where it cannot be made.
    """
    if kind == "pca":
        return _pca(X, components)
    first, steps = X, ()
    if kind == "strokes":
        first, steps, metric = *_strokes(X, image), EUCLIDEAN
    if kind == "images":
        first, steps, metric = *_autoencoder(X, image, progress), EUCLIDEAN
    _check_rows(first, components)
    found = neighbour_map(first, components, seed=_SEED, progress=progress, metric=metric)
    return FittedSpace(kind, (*steps, found), found.embedding)


def _pca(X: np.ndarray, components: int) -> FittedSpace:
    from sklearn.decomposition import PCA

    most = min(X.shape)
    if components > most:
        raise ValueError(f"PCA of {X.shape[1]} columns and {len(X):,} rows has at most {most} directions.")
    unit = float(np.abs(X).max()) or 1.0  # squares of very large values must stay finite
    with np.errstate(invalid="ignore"), one_thread():
        model = _Rounded(PCA(components, random_state=_SEED).fit(X / unit), unit)
    return FittedSpace("pca", (model,), model.transform(X))


@dataclass(frozen=True, eq=False)
class _Rounded:
    """PCA with the last digits, which differ from process to process, cut off: the same points give the same digest."""

    model: Any
    unit: float

    def transform(self, X: np.ndarray) -> np.ndarray:
        with one_thread():
            return np.round(self.model.transform(X / self.unit), 10) * self.unit + 0.0


def _strokes(X: np.ndarray, image: tuple[int, int] | None) -> tuple[np.ndarray, tuple]:
    from theta_app.deep import Strokes

    if image is None:
        raise ValueError("Only images have strokes, and these columns are not the pixels of one.")
    model = Strokes(image)
    return model.fit_transform(X), (model,)


def _autoencoder(X: np.ndarray, image: tuple[int, int] | None, progress: Progress | None) -> tuple[np.ndarray, tuple]:
    from theta_app.deep import Autoencoder

    shift = 2 if image is not None and min(image) >= _SHIFTED else 0
    model = Autoencoder(image_shape=image, shift=shift, random_state=_SEED)
    try:
        return np.asarray(model.fit(X, progress=progress).embedding_, dtype=np.float64), (model,)
    except ImportError as error:
        raise ImportError("The autoencoder needs the packages jax and optax: pip install jax optax.") from error


def _check_rows(X: np.ndarray, components: int) -> None:
    different = len(np.unique(X, axis=0))
    if different <= max(NEIGHBOURS, components + 1):
        raise ValueError(
            f"A neighbour map needs more than {max(NEIGHBOURS, components + 1)} different rows, and there are "
            f"{different}. Cluster in the columns."
        )


def better_map(
    X: np.ndarray,
    plain: selection.Verdict,
    shuffles: int = 50,
    seed: int = 0,
    metric: Metric = EUCLIDEAN,
    image: tuple[int, int] | None = None,
    progress: Progress | None = None,
) -> tuple[FittedSpace, selection.Verdict | None]:
    """Whether a neighbour map, of images that of their strokes, is better supported than ``plain``, that in columns.

    (the map, the verdict in it where it is better supported, as `selection.better_in_map` has it, or None).
    """
    fitted = fit(X, _usual_map(image), COMPONENTS, metric, image, progress)
    described, metric = (X, metric) if image is None else (fitted.steps[0].transform(X), EUCLIDEAN)
    found = selection.verdict(fitted.X, shuffles, seed, space="features", columns=X)
    evidence = None
    if found.algorithm is not None:
        result, owner, _ = selection.verdict_clusters(found, fitted.X, shuffles, seed)
        evidence = selection.neighbour_evidence(described, owner[result.labels], seed, metric=metric)
    where = "in the columns" if image is None else "by strokes"
    return fitted, selection.better_in_map(plain, found, evidence, X.shape[1], where)


def fit_apart(data: Dataset, progress: Progress | None = None, cancel: Cancel | None = None) -> FittedSpace:
    """`fit` in a process of its own, ended (`Cancelled`) when ``cancel`` is set; ValueError where it fails."""
    return _apart(_fit, _asked(data), progress, cancel, niceness=5, threads=None)


def better_map_apart(
    data: Dataset,
    plain: selection.Verdict,
    shuffles: int,
    seed: int,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> tuple[FittedSpace, selection.Verdict | None]:
    """`better_map` for a prepared data set in a process that gives way to everything else, as `fit_apart`."""
    asked = data.in_columns, plain, shuffles, seed, data.metric, likely_shape(data.features)
    return _apart(_better_map, asked, progress, cancel, niceness=19, threads=1)


def _apart(function: Callable, asked: tuple, progress: Progress | None, cancel: Cancel | None, **limits: Any) -> Any:

    def look(steps: list) -> None:
        if cancel is not None and cancel.is_set():
            raise Cancelled("stopped before the end")
        if steps and progress is not None:
            progress(*steps[-1])

    try:
        return workers.run(function, *asked, look=look, **limits)
    except (workers.Died, MemoryError, OSError) as error:
        raise ValueError("The process that computed it ended; it may need more memory.") from error


def _fit(say: Callable[[object], None], *asked: Any) -> FittedSpace:
    return _said(fit, say, asked)


def _better_map(say: Callable[[object], None], *asked: Any) -> tuple[FittedSpace, selection.Verdict | None]:
    return _said(better_map, say, asked)


def _said(function: Callable, say: Callable[[object], None], asked: tuple) -> Any:
    try:
        return function(*asked, progress=lambda *steps: say(steps))
    except Exception as error:  # said on the page
        raise ValueError(str(error) or type(error).__name__) from None


def _asked(data: Dataset) -> tuple:
    chosen = data.preparation
    return data.in_columns, chosen.space, chosen.components, chosen.metric, likely_shape(data.features)  # type: ignore[union-attr]


def key(data: Dataset) -> tuple:
    """What a fitted space follows from, for caches: the content of the prepared columns and the choices."""
    return _key(data, data.preparation.space, data.preparation.components)  # type: ignore[union-attr]


def map_key(data: Dataset) -> tuple:
    """The `key` of the neighbour map that is made unasked of a data set in its columns."""
    return _key(data, usual_map(data), COMPONENTS)


def usual_map(data: Dataset) -> str:
    """The space that is looked at unasked, a key of `datasets.SPACES`: of images the map of their strokes."""
    return _usual_map(likely_shape(data.features))


def _usual_map(image: tuple[int, int] | None) -> str:
    return "map" if image is None else "strokes"


def _key(data: Dataset, space: str, components: int) -> tuple:
    return data.digest, "space", space, components, likely_shape(data.features)
