"""The methods that need K, at the K of each θ of a sweep: which K are tried, and with which parameters."""

from collections import Counter
from functools import lru_cache

from theta_app.compare.methods import METHODS
from theta_app.compare.start import Start
from theta_app.compare.variants import Variant, too_much

FIXED_K = ("kmeans++", "minibatch", "birch")
"""Methods of the curves, as keys of `METHODS`."""

MOST_COUNTS = 40  # numbers of clusters that are tried
_FEW_POINTS = 10  # per cluster: with fewer on average nobody speaks of clusters, and each takes as long as all others
_ALWAYS = 50  # clusters that are tried however few the points
_STARTS = 3  # as on Explore, where K-Means++ runs at the θ one stands on


def largest_count(n):
    """The most clusters that are tried on `n` points."""
    return max(n // _FEW_POINTS, _ALWAYS)


def chosen_counts(counts, best=(), *, largest, most=MOST_COUNTS):
    """The numbers of clusters to try, in the order to try them: at most `most`, from 2 to `largest`.

    Parameters
    ----------
    counts : sequence of int
        K at each θ, in the order of θ.
    best : sequence of int
        Those to take first, such as K of the best ranges, best first.
    largest, most : int

    Returns
    -------
    list of int
        After `best` those that hold at several θ, those of most θ first; then the others, spread over the axis and
        coarse before fine, so that a curve has its shape early.
    """
    counts = [int(k) for k in counts if 2 <= k <= largest]
    held = Counter(counts)
    steady = sorted((k for k in held if held[k] > 1), key=lambda k: -held[k])
    spread = [counts[i] for i in coarse_to_fine(len(counts))]
    return list(dict.fromkeys([*(k for k in best if k in held), *steady, *spread]))[:most]


def coarse_to_fine(n):
    """The numbers 0 to n - 1 so that those that come first are far from each other."""
    bits = max(n - 1, 1).bit_length()
    return sorted(range(n), key=lambda i: int(f"{i:0{bits}b}"[::-1], 2))


@lru_cache(maxsize=1024)  # a page that runs again asks for the same
def fixed_k_variants(k, theta, shape):
    """Each of `FIXED_K` at a K: {method: Variant}.

    Parameters
    ----------
    k : int
    theta : float
        The smallest θ that gives K. BIRCH's tree has a threshold of half of it, so that there is enough in it to merge
        down to K.
    shape : (int, int)
        Of the points. Where a method would take minutes on so many, its variant says that it is left out.
    """
    reason = too_much(shape, k)
    start = Start(theta, theta, k, shape[0], theta)
    return {method: Variant.of(method, left_out=reason, **_parameters(METHODS[method], start)) for method in FIXED_K}


def _parameters(method, start):
    """What a method opens with, told K, from a few starts."""
    told = {"k": start.k, "starts": _STARTS}
    opening = method.start(start)
    return opening | {name: value for name, value in told.items() if name in opening}
