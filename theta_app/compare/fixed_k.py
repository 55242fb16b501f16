"""The methods that need K, at the K of each θ of a sweep: which K are tried, and in which order."""

from collections import Counter
from collections.abc import Iterable, Sequence

FIXED_K = ("kmeans++", "minibatch", "birch")
"""Methods of the curves, as keys of `METHODS`."""

MOST_COUNTS = 40  # numbers of clusters that are tried
_FEW_POINTS = 10  # per cluster: with fewer on average nobody speaks of clusters, and each takes as long as all others
_ALWAYS = 50  # clusters that are tried however few the points


def largest_count(n: int) -> int:
    """The most clusters that are tried on `n` points."""
    return max(n // _FEW_POINTS, _ALWAYS)


def chosen_counts(
    counts: Sequence[int], best: Iterable[int] = (), *, largest: int, most: int = MOST_COUNTS
) -> list[int]:
    """The numbers of clusters to try, in the order to try them: at most `most`, from 2 to `largest`.

    First those of `best`, such as K of the best ranges. Then, of `counts` (K at each θ in turn), those that hold at
    several θ, those of most θ first; then the others, spread over the axis and coarse before fine, so that a curve has
    its shape early.
    """
    counts = [int(k) for k in counts if 2 <= k <= largest]
    held = Counter(counts)
    steady = sorted((k for k in held if held[k] > 1), key=lambda k: -held[k])
    spread = [counts[i] for i in coarse_to_fine(len(counts))]
    return list(dict.fromkeys([*(k for k in best if k in held), *steady, *spread]))[:most]


def coarse_to_fine(n: int) -> list[int]:
    """The numbers 0 to n - 1 so that those that come first are far from each other."""
    bits = max(n - 1, 1).bit_length()
    return sorted(range(n), key=lambda i: int(f"{i:0{bits}b}"[::-1], 2))
