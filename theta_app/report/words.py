"""An answer in a few lines, for a terminal, and as plain facts, for other programs."""

from dataclasses import fields

from theta_app.clustering import Clustering
from theta_app.datasets.dataset import UNIT
from theta_app.datasets.values import count
from theta_app.selection import Verdict
from theta_app.selection.wording import short

_SIZES = 12  # clusters whose sizes are named


def place(found: Verdict | Clustering, unit: str = "") -> str:
    """Where an answer stands: "TNC at θ = 0.08, ε = 0.2 cm"."""
    epsilon = "" if found.epsilon is None else f", ε = {short(found.epsilon)}"
    unit = "" if unit == UNIT else unit
    how = " by density" if isinstance(found, Clustering) and found.density else ""
    return f"{found.algorithm}{how} at θ = {short(found.theta)}{epsilon} {unit}".strip()


def sureness(confidence: float) -> str:
    """A confidence in words: no answer is certain, and none is ruled out."""
    return "over 99%" if confidence > 0.99 else "under 1%" if confidence < 0.01 else f"{confidence:.0%}"


def summary(clustering: Clustering, verdict: Verdict | None = None) -> list[str]:
    """Lines: what was found and where, how sure that is and why, the alternative, how large the clusters are."""
    data, sizes = clustering.data, clustering.sizes
    outliers = f" and {count(clustering.outliers, 'outlier')}" if clustering.outliers else ""
    found = f"{count(clustering.n_clusters, 'cluster')}{outliers} in {count(len(data.X), 'row')} of {data.name}"
    lines = [f"{found}: {place(clustering, data.unit)}"]
    if verdict is not None:
        if _is_answer(clustering, verdict):
            lines[0] += f" ({sureness(verdict.confidence)} sure)"
            lines.append(verdict.reason)
        else:
            sure = sureness(verdict.confidence)
            said = f"{count(verdict.n_clusters, 'cluster')}, {place(verdict, data.unit)} ({sure}): "
            lines.append(f"The verdict: {said if verdict.algorithm else ''}{verdict.reason}")
        other = verdict.alternative
        if other is not None:
            said = f"{count(other.n_clusters, 'cluster')}, {place(other, data.unit)} ({sureness(other.confidence)})"
            lines.append(f"Alternative: {said}. {other.reason}")
    more = f" and {len(sizes) - _SIZES:,} more" if len(sizes) > _SIZES else ""
    lines.append(f"Rows per cluster: {', '.join(f'{size:,}' for size in sizes[:_SIZES])}{more}.")
    if not clustering.points.whole:
        lines.append(f"Computed on {clustering.points.sentence}; every other row goes to the nearest centroid.")
    return lines


def _is_answer(clustering: Clustering, verdict: Verdict) -> bool:
    found = (verdict.algorithm, verdict.theta, verdict.epsilon)
    return (clustering.algorithm, clustering.theta, clustering.epsilon) == found and clustering.density is None


def verdict_facts(verdict: Verdict | None) -> dict | None:
    """A verdict as a JSON-like value, with its alternative and without its table of candidates."""
    if verdict is None:
        return None
    facts = {f.name: getattr(verdict, f.name) for f in fields(verdict) if f.name != "candidates"}
    return facts | {"alternative": verdict_facts(verdict.alternative)}
