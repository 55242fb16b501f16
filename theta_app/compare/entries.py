"""The lines of a comparison beside an answer, with its K or by a rule of their own; and which K are tried over θ."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from theta_app.compare.methods import METHODS, OURS
from theta_app.compare.start import Start
from theta_app.compare.variants import Variant, too_much
from theta_app.engine import EUCLIDEAN, Metric

FIXED_K = ("kmeans++", "minibatch", "birch")
"""Methods of the curves, as keys of `METHODS`."""

MOST_COUNTS = 40  # numbers of clusters that are tried
_FEW_POINTS = 10  # per cluster: with fewer on average nobody speaks of clusters, and each takes as long as all others
_ALWAYS = 50  # clusters that are tried however few the points
_STARTS = 3  # of the K-Means family


@dataclass(frozen=True)
class Entry:
    """A method, and where its parameters come from.

    Attributes
    ----------
    method : str
        A key of `METHODS`.
    told : bool
        Whether it is given the K of the answer; else it goes by its own rule.
    """

    method: str
    told: bool

    @property
    def label(self) -> str:
        """The name of the method, as tables show it."""
        return METHODS[self.method].label

    def rule(self, variant: Variant) -> str:
        """Where the parameters come from, in words."""
        if self.told:
            return "your K"
        return METHODS[self.method].rule.format(**dict(variant.parameters)) or variant.in_words

    def variant(self, start: Start, shape: tuple[int, int], metric: Metric = EUCLIDEAN) -> Variant:
        """The `Variant` beside an answer.

        Parameters
        ----------
        start : Start
            Of the answer: its θ and K.
        shape : (int, int)
            Of the points. Where a method that is given K would take minutes on so many, it says that it is left out.
        metric : Metric
            How TSG, TDG and TNC measure distances.
        """
        method = METHODS[self.method]
        values = method.start(start)
        if "k" in values:
            values["k"] = start.k if self.told else 0
        if "starts" in values:
            values["starts"] = min(values["starts"], _STARTS)
        left_out = too_much(shape, start.k) if self.told else ""
        if self.told and not start.enough_places:
            left_out = f"{start.k} clusters were asked for, but there are fewer different points."
        if not self.told and "your θ" in method.rule and method.group != OURS:
            left_out = "" if metric.of_columns else "Its threshold is in the units of the columns, and θ is not."
        own: dict[str, Any] = {"metric": metric} if method.group == OURS else {}
        return Variant.of(self.method, left_out=left_out, **own, **values)


def entries() -> list[Entry]:
    """Every `Entry`, in the order of `METHODS`: methods that can do both have two."""
    found = []
    for key, method in METHODS.items():
        if not method.listed:
            continue
        if any(setting.name == "k" for setting in method.settings):
            found.append(Entry(key, True))
        if not method.fixed_k:
            found.append(Entry(key, False))
    return found


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
