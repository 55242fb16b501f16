"""Numbers and names as a person reads them."""

import math
import re

from theta_app import datasets
from theta_app.datasets.prepare import count as count  # one wording for pages and for notes
from theta_app.engine import METRICS
from theta_app.selection.wording import short as short


def plain(text: str) -> str:
    """Text from a file, safe to put into Markdown: nothing in it formats, links or loads a picture."""
    return re.sub(r"([\\`*_{}\[\]()#+\-.!|~$<>&:^])", r"\\\1", text)


def outlier_groups(groups: int) -> str:
    """What follows K, which does not count groups of a few points far from all others. Empty where there are none."""
    return f"plus {count(groups, 'outlier group')}" if groups else ""


def ahead_of_you(others: int) -> str:
    """Who else is being served, to follow a sentence; empty where nobody is."""
    if others == 0:
        return ""
    return " 1 other is ahead of you." if others == 1 else f" {others:,} others are ahead of you."


def decimals(score: float, digits: int = 3) -> str:
    """A score, or a dash where it is undefined."""
    return "–" if score is None or math.isnan(score) else f"{score:.{digits}f}"


def agreement_words(agreement: float, shuffles: int) -> str:
    """Order agreement in words. Shuffles are evidence, not proof, so it never says "sparse"."""
    if agreement >= 0.9995:
        return f"no order effect in {shuffles} shuffles"
    for least, words in ((0.95, "the order hardly matters"), (0.8, "the order matters a little")):
        if agreement >= least:
            return words
    return "the order matters" if agreement >= 0.5 else "the order decides"


def as_angle(theta: float, unit: str) -> str:
    """A θ between directions as an angle and as cosine similarity; empty where the unit is no such."""
    if unit not in (datasets.CHORD, METRICS["cosine"].unit):
        return ""
    chord = theta if unit == datasets.CHORD else math.sqrt(2.0 * theta)
    return f"{datasets.angle_of(chord):.3g}°, cosine {datasets.cosine_of(chord):.2f}"
