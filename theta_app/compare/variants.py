"""Methods with their parameters, as they enter a comparison."""

from dataclasses import dataclass

from theta_app.compare.methods import DENSITY, METHODS
from theta_app.engine import EUCLIDEAN, Metric

ELBOW = 0
"""As `Variant.keep`: keep the clusters before the drop in size (`theta_app.selection.size_elbow`)."""

_STARTS = 3  # of K-Means++ at the θ a person stands on
_MOST_WORK = 3e8  # points x features x clusters x starts: about ten seconds of K-Means


@dataclass(frozen=True)
class Variant:
    """A method with its parameters, as it enters a comparison.

    Attributes
    ----------
    method : str
        A key of `METHODS`.
    parameters : tuple of (name, value)
    label : str
        Shown; unique in a comparison.
    keep : int or None
        Keep only so many of the largest clusters and give every point to the nearest of them; `ELBOW` keeps those
        before the drop in size.
    words : str
        The parameters in words, where their names and values alone do not say enough.
    left_out : str
        Why it is not to be run here, or empty.
    metric : Metric
        How TSG, TDG and TNC measure distances. The other methods have their own way.
    """

    method: str
    parameters: tuple
    label: str
    keep: int | None = None
    words: str = ""
    left_out: str = ""
    metric: Metric = EUCLIDEAN

    @classmethod
    def of(cls, method, label=None, *, keep=None, words="", left_out="", metric=EUCLIDEAN, **parameters):
        """A variant from keywords, by default with the method's own label."""
        label = METHODS[method].label if label is None else label
        return cls(method, tuple(sorted(parameters.items())), label, keep, words, left_out, metric)

    @property
    def in_words(self):
        """Its parameters in words, by default those of its method: "θ 3.6, Shuffles 50". A K of 0 is none."""
        if self.words:
            return self.words
        values = dict(self.parameters)
        shown = [s for s in METHODS[self.method].settings if (s.name, values[s.name]) != ("k", 0)]
        listed = [f"{setting.label} {_short(values[setting.name])}" for setting in shown]
        return ", ".join([*listed, self.metric.words] if self.metric != EUCLIDEAN else listed)


def _short(value):
    return value if isinstance(value, str) else f"{value:.6g}"


def shape_variants(start):
    """The methods that stand beside chaining, each told what chaining found: those that find shapes first.

    Parameters
    ----------
    start : Start
        Its ``k`` is the number of chains.

    Returns
    -------
    list of Variant
    """
    shown = [method for method in METHODS.values() if method.beside_chaining]
    variants = []
    for method in sorted(shown, key=lambda method: method.group != DENSITY):
        parameters = method.start(start)
        refused = method.fixed_k and not start.enough_places
        reason = f"{start.k} clusters were asked for, but there are fewer different points." if refused else ""
        words = method.beside_chaining.format(**parameters)
        variants.append(Variant.of(method.key, words=words, left_out=reason, **parameters))
    return variants


def plain_numbers(metric):
    """A sentence where other methods cannot measure as ours do; empty otherwise."""
    if metric.directions is None:
        return ""
    how = "by angles" if metric.radius is None else "in kilometres"
    return f"TSG, TDG and TNC measure {how}, and so do the scores; the other methods see the columns as plain numbers."


def _no_length(metric):
    """Why a method with a threshold is left out where θ is no length in the columns."""
    return "" if metric.directions is None else "left out: its threshold is in the units of the columns, and θ is not"


def variants_at(theta, epsilon, shuffles, k, shape, metric=EUCLIDEAN):
    """The methods that are compared at the θ a person stands on, where TDG finds `k` clusters.

    Parameters
    ----------
    theta, epsilon : float
    shuffles, k : int
    shape : (int, int)
        Of the points: where K-Means and BIRCH would take minutes on so many, they are left out.
    metric : Metric
        How ours measure distances.

    Returns
    -------
    list of Variant
    """
    reason = too_much(shape, k)
    return [
        Variant.of("tsg", theta=theta, metric=metric),
        Variant.of("tdg", theta=theta, shuffles=shuffles, metric=metric),
        Variant.of("tnc", theta=theta, epsilon=epsilon, shuffles=shuffles, metric=metric),
        Variant.of("kmeans++", k=k, starts=_STARTS, left_out=reason),
        # BIRCH's threshold bounds a cluster's radius (root mean square), about half of what θ bounds
        Variant.of("birch", threshold=theta / 2, branching=50, k=0, left_out=reason or _no_length(metric)),
    ]


def too_much(shape, k):
    """Why methods that are told `k` are left out on points of this shape; empty where they are not."""
    n, features = shape
    minutes = n * features * k * _STARTS > _MOST_WORK
    return f"left out: {k:,} clusters of {n:,} points would take minutes" if minutes else ""
