"""What is odd about a result, in sentences."""

from collections.abc import Sequence

import numpy as np

from theta_app.engine import TdgResult


def merges_too_much(result: TdgResult) -> bool:
    """Whether TDG's second stage merged what its single passes keep apart: θ exceeds the distance between centres."""
    return bool(0.6 * np.median(result.run_counts) > len(result.sizes))


def warnings_for(result: TdgResult, agreement: float | None = None) -> list[str]:
    """Sentences on what is odd about a `TdgResult`, each with what to do; an empty list if nothing is."""
    n, K = len(result.labels), len(result.sizes)
    agreement = result.agreement if agreement is None else agreement
    found = []
    if merges_too_much(result):
        found.append(
            f"TDG merged to {K} clusters what its single passes kept apart (their median is "
            f"{np.median(result.run_counts):.0f}): θ is larger than the distance between some centres. Lower θ, or use "
            "TSG."
        )
    if n > 1 and K == 1:
        found.append("All points are in one cluster. Lower θ to see structure.")
    elif n > 2 and 0.5 * n < K:
        found.append(f"{K} clusters for {n} points: most points are alone. Raise θ.")
    elif K > 2 and np.mean(result.sizes == 1) > 0.5:
        found.append("More than half of the clusters hold a single point. Raise θ, or keep the largest clusters only.")
    if agreement is not None and K > 1 and agreement < 0.5:
        found.append(
            f"The order of the data matters much here (order agreement {agreement:.2f}). Try another θ, or lower θ and "
            "look at the cluster sizes."
        )
    return found


def first_of(sentences: Sequence[str]) -> str:
    """The one that is shown, as the first says most: empty where there is none."""
    return next(iter(sentences), "")
