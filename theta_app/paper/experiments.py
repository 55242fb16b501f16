"""The paper's experiments with the paper's own parameters, and what had to be chosen where it gives none."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from theta_app.compare.methods import MINI_BATCH_NOW, MINI_BATCH_THEN
from theta_app.compare.steps import Step
from theta_app.compare.variants import ELBOW, Variant
from theta_app.datasets import (
    Bundled,
    Circles,
    GridBlobs,
    Imbalanced,
    LineClusters,
    Moons,
    Original,
    Smile,
    Spec,
    Spirals,
)

BUDGET = 900.0  # seconds a step may take


@dataclass(frozen=True)
class Case:
    """Points of an experiment, and the methods to run on them."""

    label: str
    spec: Spec
    variants: tuple[Variant, ...]

    @property
    def flat(self) -> bool:
        """Whether the points can be drawn as they are."""
        return not isinstance(self.spec, LineClusters)


@dataclass(frozen=True)
class Experiment:
    """One experiment.

    Attributes
    ----------
    key, title : str
        Its name in a link and on the command line; as shown.
    about : str
        What the paper did, in a sentence or two.
    chosen : str
        What the paper leaves open, and what was taken here.
    cases : tuple of Case
    repeats : int
        Runs of each method on each case, each with other random points, order and seed.
    scores : tuple of str
        Names of `SCORES` that matter most here.
    across : str
        What differs between cases, for the axis of a figure; empty for a single case.
    listed : bool
        False where another page shows it: measured here for the claims alone.
    beside : str
        Key of the experiment with the same cases under other conditions, or "".
    all_scores : bool
        False where only `scores` are taken: some take longer than the methods where clusters are many.
    """

    key: str
    title: str
    about: str
    chosen: str
    cases: tuple[Case, ...]
    repeats: int
    scores: tuple[str, ...] = ("nmi", "ssd")
    across: str = ""
    listed: bool = True
    beside: str = ""
    all_scores: bool = True

    def steps(self, repeats: int | None = None) -> list[Step]:
        """Every measurement, repeat by repeat, so that a stopped run has something of everything."""
        return [
            Step(
                case.label,
                case.spec,
                repeat,
                variant,
                picture=repeat == 0 and case.flat and self.listed and self.all_scores,
                scores=None if self.all_scores else self.scores,
            )
            for repeat in range(self.repeats if repeats is None else repeats)
            for case in self.cases
            for variant in case.variants
        ]

    def labels(self) -> list[str]:
        """Labels of the methods, in order of appearance."""
        return list(dict.fromkeys(variant.label for case in self.cases for variant in case.variants))

    def case(self, label: str) -> Case:
        """The case with this label."""
        return next(case for case in self.cases if case.label == label)


MINI_THEN, MINI_NOW = "Mini-batch (0.20)", "Mini-batch (today)"
"""Mini-batch K-Means as scikit-learn 0.20 set it, which the paper used, and as it is set today."""


def _family(k: int, starts: int | None = None) -> tuple[Variant, ...]:
    """K-Means with random starts, K-Means++ and mini-batch K-Means, given the true K.

    Without `starts` each has its library's own number: those of version 0.20, and for mini-batch today's as well.
    """
    given: dict[str, Any] = {} if starts is None else {"starts": starts}
    return (
        Variant.of("kmeans", k=k, starts=starts or 10),
        Variant.of("kmeans++", k=k, starts=starts or 10),
        Variant.of("minibatch", MINI_THEN, k=k, **MINI_BATCH_THEN | given),
        Variant.of("minibatch", MINI_NOW, k=k, **MINI_BATCH_NOW | given),
    )


def _birch(threshold: float, k: int) -> tuple[Variant, ...]:
    """BIRCH as its threshold leaves it, and merged to the true K: the paper does not say which it used."""
    return (
        Variant.of("birch", threshold=threshold, branching=50, k=0),
        Variant.of("birch", "BIRCH (given K)", threshold=threshold, branching=50, k=k),
    )


def _tdg(theta: float, label: str | None = None, **options: Any) -> Variant:
    return Variant.of("tdg", label, theta=theta, shuffles=50, **options)


def _plain_tdg(theta: float) -> Variant:
    """TDG without a search structure: what a claim on time is judged by beside the engine."""
    return Variant.of("plain-tdg", theta=theta, shuffles=50)


_PLAIN = (
    "“plain” is the same algorithm, compiled, without any search structure: its time is that of the paper's "
    "algorithm, not of a fast engine."
)
_SHUFFLED = "The points come in random order, new for every repeat."
_READINGS = (
    "The paper does not say how wide its clusters are, and some verdicts depend on it: standard deviations of 1 and "
    "of 0.5 are both measured."
)
_MINI = (
    "Mini-batch K-Means runs with the batch of scikit-learn 0.20, which the paper used (100 points), and with that of "
    "today (1024)."
)
_BIRCH = "BIRCH runs twice, as its threshold leaves it and given the true K: the paper does not say which it used."


def reading(sd: float) -> str:
    """Name of the case that reads the paper's clusters as so wide."""
    return f"standard deviation {sd:g}"


def _readings(spacing: float, variants: tuple[Variant, ...]) -> tuple[Case, ...]:
    """The paper's 100 clusters of 100 points on a grid, with either standard deviation."""
    return tuple(Case(reading(sd), GridBlobs(10, spacing, 100, sd), variants) for sd in SDS)


def _easy() -> Experiment:
    variants = (Variant.of("tsg", theta=6.0), Variant.of("plain-tsg", theta=6.0), *_family(100), *_birch(2.7, 100))
    return Experiment(
        "easy",
        "Easy case",
        "100 clusters, centres 10 apart. TSG with θ 6, BIRCH with threshold 2.7 and branching factor 50, the K-Means "
        "family with K = 100.",
        f"100 points per cluster, centres on a 10 × 10 grid. {_READINGS} K-Means and K-Means++ have 10 starts, the "
        f"default of scikit-learn 0.20. {_MINI} With its number of starts, too: 3 then, 1 today. {_SHUFFLED} "
        f"{_BIRCH} {_PLAIN}",
        _readings(10.0, variants),
        10,
        ("nmi", "ami", "ari", "ssd", "ssd_exact"),
        "width of the clusters",
    )


def _hard() -> Experiment:
    variants = (_tdg(3.6), _plain_tdg(3.6), Variant.of("tsg", theta=3.6), *_family(100, 50), *_birch(2.0, 100))
    return Experiment(
        "hard",
        "Hard case",
        "100 clusters, centres 5 apart. TDG with θ 3.6 and 50 shuffles, BIRCH with threshold 2.0, the K-Means family "
        "with K = 100 and 50 starts.",
        f"100 points per cluster, on a 10 × 10 grid. {_READINGS} TSG with the same θ was added, to see what "
        f"the shuffles bring. {_MINI} {_SHUFFLED} {_BIRCH} {_PLAIN}",
        _readings(5.0, variants),
        10,
        ("nmi", "ami", "ari", "ssd", "ssd_exact"),
        "width of the clusters",
    )


def _dimensions(dimensions: int, threshold: float) -> Experiment:
    theta = PAPER_THETA[dimensions]
    variants = (
        _tdg(theta),
        _plain_tdg(theta),
        *_family(100, 50),
        *_birch(threshold, 100),
        Variant.of("tsg", theta=theta),
    )
    return Experiment(
        f"dims-{dimensions}",
        f"{dimensions} dimensions",
        f"100 clusters in {dimensions} dimensions, each centre 1.6 farther than the one before in every coordinate, "
        f"over 10 runs. TDG with θ {theta:g} and 50 shuffles, BIRCH with threshold {threshold:g}, the K-Means family "
        "with K = 100 and 50 starts.",
        "100 points per cluster, standard deviation 1. TSG was added. Neighbouring centres are "
        f"{centre_distance(dimensions):.1f} apart. {_MINI} {_SHUFFLED} {_BIRCH} {_PLAIN}",
        (Case(f"D = {dimensions}", LineClusters(100, dimensions, 100), variants),),
        10,
        ("nmi", "ami", "ari", "ssd", "ssd_exact"),
    )


def _clusters() -> Experiment:
    cases = [
        Case(
            f"{side * side} clusters",
            GridBlobs(side, 5.0, 50),
            (_tdg(3.6), _plain_tdg(3.6), *_family(side * side, 50), *_birch(2.0, side * side)),
        )
        for side in (5, 10, 15)
    ]
    return Experiment(
        "clusters",
        "Number of clusters",
        "How accuracy and time change with the number of clusters. The paper shows it in its supplement.",
        "The supplement's parameters are not in the paper: the hard case's are used (centres 5 apart, θ 3.6, 50 "
        "shuffles, 50 starts), with 25 to 225 clusters of 50 points and standard deviation 1. "
        f"{_MINI} {_SHUFFLED} {_BIRCH}",
        tuple(cases),
        3,
        ("nmi", "ami", "ari", "ssd"),
        "clusters",
    )


def _sizes() -> Experiment:
    cases = [
        Case(
            label,
            Imbalanced(10, 5.0, largest, smallest),
            (_tdg(3.6), _plain_tdg(3.6), *_family(100, 50), *_birch(2.0, 100)),
        )
        for label, largest, smallest in (("equal sizes", 100, 100), ("10 : 1", 250, 25), ("100 : 1", 460, 5))
    ]
    return Experiment(
        "sizes",
        "Points per cluster",
        "Whether accuracy stays when clusters hold very different numbers of points. The paper shows it in its "
        "supplement.",
        "The supplement's parameters are not in the paper: the hard case's are used, with about 10,000 points in 100 "
        "clusters (standard deviation 1) whose sizes fall geometrically from the largest to the smallest. "
        f"{_MINI} {_SHUFFLED} {_BIRCH}",
        tuple(cases),
        3,
        ("nmi", "ami", "ari", "ssd"),
        "largest : smallest cluster",
    )


def _s_sets() -> Experiment:
    variants = (
        _tdg(1e5),
        _tdg(1e5, "TDG (cut at the drop)", keep=ELBOW),
        _tdg(1e5, "TDG (15 largest)", keep=15),
        Variant.of("kmeans++", k=15, starts=10),
    )
    specs = [Original(name) for name in ("s1", "s2", "s3", "s4")] + [Bundled(name) for name in ("s1", "s2", "s3", "s4")]
    return Experiment(
        "s-sets",
        "S1 to S4",
        "5000 points in 15 clusters that overlap more and more. TDG with θ 100,000, K-Means++ with 10 starts. The "
        "paper reads the number of clusters from the drop in their sizes.",
        "50 shuffles; “cut at the drop” keeps the clusters before the drop in size, as Evidence finds it, and gives "
        "every point to the nearest of them; “15 largest” is given how many to keep, as K-Means++ is. The original "
        "points are not part of this project: the stored run was measured on them, and running them here needs the "
        f"download on the Data page. The look-alikes always run. {_SHUFFLED}",
        tuple(Case(spec.label, spec, variants) for spec in specs),
        20,
        ("nmi", "ami", "ari"),
        "data set",
    )


_NEEDS_DOWNLOAD = "The published sets need the download on the Data page; the generated ones always run."


def _shapes() -> Experiment:
    return Experiment(
        "shapes",
        "Shape sets, tuned",
        "TNC on shapes that no centroid describes. The paper shows it in its supplement. Every method has the best "
        f"of {TRIES} tries; “Shape sets, as it comes” has none.",
        f"The paper gives no parameters, so every method, ours like the others, has the best of {TRIES} tries, judged "
        "by AMI with the truth (python -m theta_app.paper tune): what a search of this size finds when it knows the "
        f"truth. It is not a limit: a value between two tries may do better. {_NEEDS_DOWNLOAD}",
        tuple(Case(spec.label, spec, _of_shape(spec.key, "tuned")) for spec in SHAPES),
        3,
        ("nmi", "ami", "ari"),
        "data set",
        beside="shapes-untuned",
    )


def _shapes_untuned() -> Experiment:
    return Experiment(
        "shapes-untuned",
        "Shape sets, as it comes",
        "The same shapes without tuning: every method with the parameters this app opens with, chosen without "
        "knowing the answer.",
        "TNC has the θ and ε that the app suggests for the points. The others start as on Compare: distances from "
        "the points, K-Means++ with the K of the app's own answer, the Gaussian mixture with the least BIC. "
        f"{_NEEDS_DOWNLOAD}",
        tuple(Case(spec.label, spec, _of_shape(spec.key, "untuned")) for spec in SHAPES),
        3,
        ("nmi", "ami", "ari"),
        "data set",
        beside="shapes",
    )


def theta_label(theta: float) -> str:
    """Label of TDG at one θ of the range experiment."""
    return f"TDG (θ {theta:g})"


def _range() -> Experiment:
    variants = tuple(_tdg(theta, theta_label(theta)) for theta in THETAS)
    return Experiment(
        "theta-range",
        "Range of θ",
        "25 clusters on a grid 11, 7.5 and 5 apart; TDG over many θ. Over which of them are there 25 clusters?",
        f"100 points per cluster, 50 shuffles, {len(THETAS)} values of θ. {_READINGS} {_SHUFFLED}",
        tuple(
            Case(f"{spacing:g} apart{'' if sd == 1 else f', {reading(sd)}'}", GridBlobs(5, spacing, 100, sd), variants)
            for sd in SDS
            for spacing in (11.0, 7.5, 5.0)
        ),
        3,
        ("nmi",),
        "distance between centres",
        listed=False,
    )


def centre_distance(dimensions: int) -> float:
    """Between neighbouring centres: 1.6 in every coordinate."""
    return 1.6 * dimensions**0.5


def thetas_around(dimensions: int) -> tuple[float, ...]:
    """θ from well below the right ones to above, in steps of a hundredth of the distance between centres."""
    lowest = {100: 75, 1000: 83}[dimensions]  # below, nearly every point is a cluster, which takes hours
    steps = (float(f"{centre_distance(dimensions) * share / 100:.4g}") for share in range(lowest, 107))
    return tuple(sorted({*steps, PAPER_THETA[dimensions]}))


def _range_in_many_dimensions() -> Experiment:
    cases = [
        Case(
            f"D = {dimensions}",
            LineClusters(100, dimensions, 100),
            tuple(_tdg(theta, theta_label(theta)) for theta in thetas_around(dimensions)),
        )
        for dimensions in PAPER_THETA
    ]
    return Experiment(
        "theta-dims",
        "Range of θ in many dimensions",
        "100 clusters in 100 and in 1000 dimensions; TDG over many θ around the paper's. Over which is it right?",
        f"100 points per cluster, standard deviation 1, 50 shuffles. {_SHUFFLED}",
        tuple(cases),
        3,
        ("nmi",),
        "dimensions",
        listed=False,
    )


def shuffles_label(shuffles: int) -> str:
    """Label of TDG with so many shuffles in the experiment on orderings."""
    return f"TDG ({shuffles} shuffle{'' if shuffles == 1 else 's'})"


def _orderings() -> Experiment:
    share = 3.6 / 5.0  # θ of the distance between centres in the hard case
    cases = [
        Case(
            f"{spacing:g} apart",
            GridBlobs(5, spacing, 100),
            tuple(Variant.of("tdg", shuffles_label(n), theta=round(share * spacing, 6), shuffles=n) for n in ORDERINGS),
        )
        for spacing in ORDERED
    ]
    return Experiment(
        "orderings",
        "Orderings needed",
        "25 clusters on a grid, 4 to 11 apart; TDG with more and more shuffles. How many are always enough?",
        f"100 points per cluster, standard deviation 1, θ 0.72 of the distance, as in the hard case. {_SHUFFLED}",
        tuple(cases),
        10,
        ("nmi",),
        "distance between centres",
        listed=False,
        all_scores=False,
    )


def _thousands() -> Experiment:
    cases = [
        Case(
            f"{side * side:,} clusters",
            GridBlobs(side, 5.0, per_cluster),
            (
                _tdg(3.6),
                _plain_tdg(3.6),
                Variant.of("kmeans++", k=side * side, starts=1),
                Variant.of("minibatch", MINI_NOW, k=side * side, **MINI_BATCH_NOW),  # type: ignore[arg-type]
                _birch(2.0, side * side)[1],
            ),
        )
        for side, per_cluster in ((32, 50), (64, 20), (100, 10))
    ]
    return Experiment(
        "thousands",
        "Thousands of clusters",
        "“Often the number of clusters is in the range of thousands, which is hard to predict.” 1,024 to 10,000 "
        "clusters: TDG with θ, the others given K.",
        "The paper has no such experiment: the hard case's parameters are used (centres 5 apart on a grid, standard "
        "deviation 1, θ 3.6, 50 shuffles), with 50, 20 and 10 points per cluster. K-Means++ has one start, mini-batch "
        f"K-Means today's settings: more starts would take hours. One repeat. {_SHUFFLED} {_PLAIN}",
        tuple(cases),
        1,
        ("nmi",),
        "clusters",
        all_scores=False,
    )


ORDERED = 4.0, 5.0, 6.0, 7.5, 11.0
"""Distances between centres in the experiment on orderings."""
ORDERINGS = 1, 2, 3, 5, 10, 20, 50, 100
SDS = 1.0, 0.5
PAPER_THETA = {100: 15.4, 1000: 50.0}
TRIES = 100  # of parameters, for every method on every shape set
THETAS = tuple(float(f"{theta:.3g}") for theta in np.geomspace(2.0, 12.0, 36))
SHAPES = (
    *(Original(name) for name in ("aggregation", "compound", "pathbased", "spiral", "jain", "flame", "r15", "d31")),
    Moons(),
    Circles(),
    Spirals(),
    Smile(),
)
TUNED = Path(__file__).with_name("tuned.json")


@cache
def _tuned_parameters() -> dict:
    return json.loads(TUNED.read_text(encoding="utf-8")) if TUNED.exists() else {}


def _of_shape(key: str, how: str) -> tuple[Variant, ...]:
    found = _tuned_parameters().get(key, {}).get(how, {})
    return tuple(Variant.of(method, **parameters) for method, parameters in found.items())


def _all() -> tuple[Experiment, ...]:
    return (
        _hard(),
        _easy(),
        _dimensions(100, 12.75),
        _dimensions(1000, 29.96),
        _clusters(),
        _sizes(),
        _s_sets(),
        _shapes(),
        _shapes_untuned(),
        _range(),
        _range_in_many_dimensions(),
        _orderings(),
        _thousands(),
    )


EXPERIMENTS: dict[str, Experiment] = {experiment.key: experiment for experiment in _all()}
