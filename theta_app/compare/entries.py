"""The lines of a comparison beside an answer: each method with the answer's K, and by its own rule."""

from dataclasses import dataclass
from typing import Any

from theta_app.compare.methods import METHODS, OURS
from theta_app.compare.start import Start
from theta_app.compare.variants import Variant, no_length, too_much
from theta_app.engine import EUCLIDEAN, Metric

_STARTS = 3  # of the K-Means family


@dataclass(frozen=True)
class Entry:
    """A method, and where its parameters come from."""

    method: str  # a key of `METHODS`
    told: bool  # whether it is given the K of the answer; else it goes by its own rule

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
        """The `Variant` beside an answer with this start.

        Where a method that is given K would take minutes on points of this shape, it says that it is left out. TSG, TDG
        and TNC measure distances by the metric.
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
            left_out = no_length(metric)
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
