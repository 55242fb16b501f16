"""The paper's experiments with the paper's own parameters, and what had to be chosen where it gives none."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from theta_app.compare.steps import Step
from theta_app.compare.variants import ELBOW, Variant
from theta_app.datasets import Bundled, Circles, GridBlobs, Imbalanced, LineClusters, Moons, Original, Smile, Spirals

BUDGET = 900.0  # seconds a step may take


@dataclass(frozen=True)
class Case:
    """Points of an experiment, and the methods to run on them."""

    label: str
    spec: object
    variants: tuple[Variant, ...]

    @property
    def flat(self):
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
        Names of `METRICS` that matter most here.
    across : str
        What differs between cases, for the axis of a figure; empty for a single case.
    listed : bool
        False where another page shows it: measured here for the claims alone.
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

    def steps(self, repeats=None):
        """Every measurement, repeat by repeat, so that a stopped run has something of everything."""
        return [
            Step(case.label, case.spec, repeat, variant, picture=repeat == 0 and case.flat and self.listed)
            for repeat in range(self.repeats if repeats is None else repeats)
            for case in self.cases
            for variant in case.variants
        ]

    def labels(self):
        """Labels of the methods, in order of appearance."""
        return list(dict.fromkeys(variant.label for case in self.cases for variant in case.variants))

    def case(self, label):
        return next(case for case in self.cases if case.label == label)


def _family(k, starts):
    """K-Means with random starts, K-Means++ and mini-batch K-Means, told the true K."""
    return (
        Variant.of("kmeans", k=k, starts=starts),
        Variant.of("kmeans++", k=k, starts=starts),
        Variant.of("minibatch", k=k, starts=starts, batch=1024),
    )


def _birch(threshold, k):
    """BIRCH as its threshold leaves it, and merged to the true K: the paper does not say which it used."""
    return (
        Variant.of("birch", threshold=threshold, branching=50, k=0),
        Variant.of("birch", "BIRCH (told K)", threshold=threshold, branching=50, k=k),
    )


def _tdg(theta, label=None, **options):
    return Variant.of("tdg", label, theta=theta, shuffles=50, **options)


_SHUFFLED = "The points come in random order, new for every repeat."
_BIRCH = "BIRCH runs as its threshold leaves it and told the true K: the paper does not say which it used."


def _easy():
    variants = (Variant.of("tsg", theta=6.0), *_family(100, 10), *_birch(2.7, 100))
    return Experiment(
        "easy",
        "Easy case",
        "100 clusters, centres 10 apart. TSG with θ 6, BIRCH with threshold 2.7 and branching factor 50, the K-Means "
        "family with K = 100.",
        "100 points per cluster, standard deviation 1, centres on a 10 × 10 grid; 10 starts for the K-Means family, "
        f"scikit-learn's default then. {_SHUFFLED} {_BIRCH}",
        (Case("100 clusters, 10 apart", GridBlobs(10, 10.0, 100), variants),),
        10,
        ("nmi", "ari", "ssd", "ssd_exact"),
    )


def _hard():
    variants = (_tdg(3.6), Variant.of("tsg", theta=3.6), *_family(100, 50), *_birch(2.0, 100))
    return Experiment(
        "hard",
        "Hard case",
        "100 clusters, centres 5 apart. TDG with θ 3.6 and 50 shuffles, BIRCH with threshold 2.0, the K-Means family "
        "with K = 100 and 50 starts.",
        "100 points per cluster, standard deviation 1, on a 10 × 10 grid; TSG with the same θ was added, to see what "
        f"the shuffles bring. {_SHUFFLED} {_BIRCH}",
        (Case("100 clusters, 5 apart", GridBlobs(10, 5.0, 100), variants),),
        10,
        ("nmi", "ari", "ssd", "ssd_exact"),
    )


def _dimensions(dimensions, theta, larger, threshold):
    variants = (
        _tdg(theta),
        *_family(100, 50),
        *_birch(threshold, 100),
        Variant.of("tsg", theta=theta),
        _tdg(larger, "TDG (θ 10 % larger)"),
        Variant.of("tsg", "TSG (θ 10 % larger)", theta=larger),
    )
    return Experiment(
        f"dims-{dimensions}",
        f"{dimensions} dimensions",
        f"100 clusters in {dimensions} dimensions, the next centre 1.6 farther in every coordinate, over 10 runs. TDG "
        f"with θ {theta:g} and 50 shuffles, BIRCH with threshold {threshold:g}, the K-Means family with K = 100 and 50 "
        "starts.",
        "100 points per cluster, standard deviation 1. TSG was added, and both with a θ a tenth larger, which exceeds "
        f"the distance of neighbouring centres ({1.6 * dimensions**0.5:.1f}). {_SHUFFLED} {_BIRCH}",
        (Case(f"D = {dimensions}", LineClusters(100, dimensions, 100), variants),),
        10,
        ("nmi", "ari", "ssd", "ssd_exact"),
    )


def _clusters():
    cases = [
        Case(
            f"{side * side} clusters",
            GridBlobs(side, 5.0, 50),
            (_tdg(3.6), *_family(side * side, 50), *_birch(2.0, side * side)),
        )
        for side in (5, 10, 15)
    ]
    return Experiment(
        "clusters",
        "Number of clusters",
        "How accuracy and time change with the number of clusters. The paper shows it in its supplement.",
        "The supplement's parameters are not in the paper: the hard case's are used (centres 5 apart, θ 3.6, 50 "
        f"shuffles, 50 starts), with 25 to 225 clusters of 50 points. {_SHUFFLED} {_BIRCH}",
        tuple(cases),
        3,
        ("nmi", "ari", "ssd"),
        "clusters",
    )


def _sizes():
    cases = [
        Case(
            label,
            Imbalanced(10, 5.0, largest, smallest),
            (_tdg(3.6), *_family(100, 50), *_birch(2.0, 100)),
        )
        for label, largest, smallest in (("equal sizes", 100, 100), ("10 : 1", 250, 25), ("100 : 1", 460, 5))
    ]
    return Experiment(
        "sizes",
        "Points per cluster",
        "Whether accuracy stays when clusters hold very different numbers of points. The paper shows it in its "
        "supplement.",
        "The supplement's parameters are not in the paper: the hard case's are used, with about 10,000 points in 100 "
        f"clusters whose sizes fall geometrically from the largest to the smallest. {_SHUFFLED} {_BIRCH}",
        tuple(cases),
        3,
        ("nmi", "ari", "ssd"),
        "largest : smallest cluster",
    )


def _s_sets():
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
        "50 shuffles; “cut at the drop” keeps the clusters before the largest relative drop in size and gives every "
        "point to the nearest of them, “15 largest” is told how many to keep, as K-Means++ is. "
        "The original points are not part of this project: what is stored was measured on "
        f"them, and running them here needs the download on the Data page; the look-alikes always run. {_SHUFFLED}",
        tuple(Case(spec.label, spec, variants) for spec in specs),
        5,
        ("nmi", "ari"),
        "data set",
    )


def _shapes():
    return Experiment(
        "shapes",
        "Shape sets",
        "TNC on shapes that no centroid describes. The paper shows it in its supplement.",
        "The paper gives no parameters, so every method has the best, judged by NMI with the truth, of a grid searched "
        "once (python -m theta_app.compare tune): an upper limit of what each can do, not what a person would find. "
        "The published sets need the download on the Data page; the generated ones always run.",
        tuple(Case(spec.label, spec, _tuned(spec.key)) for spec in SHAPES),
        3,
        ("nmi", "ari"),
        "data set",
    )


def theta_label(theta):
    """Label of TDG at one θ of the range experiment."""
    return f"TDG (θ {theta:g})"


def _range():
    variants = tuple(_tdg(theta, theta_label(theta)) for theta in THETAS)
    return Experiment(
        "theta-range",
        "Range of θ",
        "25 clusters on a grid 11, 7.5 and 5 apart; TDG over many θ. Over which of them are there 25 clusters?",
        f"100 points per cluster, standard deviation 1, 50 shuffles, {len(THETAS)} values of θ. {_SHUFFLED}",
        tuple(Case(f"{spacing:g} apart", GridBlobs(5, spacing, 100), variants) for spacing in (11.0, 7.5, 5.0)),
        3,
        ("nmi",),
        "distance between centres",
        listed=False,
    )


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
def _tuned_parameters():
    return json.loads(TUNED.read_text(encoding="utf-8")) if TUNED.exists() else {}


def _tuned(key):
    found = _tuned_parameters().get(key, {})
    return tuple(Variant.of(method, **parameters) for method, parameters in found.items())


def _all():
    return (
        _hard(),
        _easy(),
        _dimensions(100, 15.4, 16.94, 12.75),
        _dimensions(1000, 50.0, 55.0, 29.96),
        _clusters(),
        _sizes(),
        _s_sets(),
        _shapes(),
        _range(),
    )


EXPERIMENTS: dict[str, Experiment] = {experiment.key: experiment for experiment in _all()}
