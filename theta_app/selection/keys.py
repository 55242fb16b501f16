"""Under what results are kept: who writes them and who reads them make the same key."""

from dataclasses import dataclass

from theta_app.engine import EUCLIDEAN, Metric


@dataclass(frozen=True)
class ResultKey:
    """TDG's result, with a sweep's numbers: of these points, at θ, with so many shuffles.

    ``points`` is the digest of their content.
    """

    points: str
    theta: float
    shuffles: int
    seed: int = 0
    metric: Metric = EUCLIDEAN


@dataclass(frozen=True)
class ChainingKey(ResultKey):
    """The same result with the tree of its centroids: by distance, or by density with cores of so many points."""

    density: int | None = None


@dataclass(frozen=True)
class RunsKey:
    """The TSG runs at θ: results with any number of shuffles begin with the same."""

    points: str
    theta: float
    seed: int = 0
    metric: Metric = EUCLIDEAN


@dataclass(frozen=True)
class VerdictKey:
    """What follows from the sweep over the θ taken from the data."""

    points: str
    shuffles: int
    seed: int = 0
    metric: Metric = EUCLIDEAN


class SuggestionKey(VerdictKey):
    """The suggested (θ, ε)."""
