"""Running an experiment to its end without a page."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from theta_app import datasets, metrics
from theta_app.compare.measure import OK
from theta_app.compare.running import measure_apart
from theta_app.compare.steps import Step, at_repeat
from theta_app.paper import fresh as freshness
from theta_app.paper import results as store
from theta_app.paper.deep_results import Picture
from theta_app.paper.experiments import Experiment
from theta_app.paper.results import Results
from theta_app.selection import closest_pair

_SAVE_EVERY = 20.0  # seconds


def complete(
    experiment: Experiment,
    repeats: int | None = None,
    fresh: bool = False,
    folder: Path | None = None,
    budget: float = 900.0,
    say: Callable[[str], object] = print,
) -> Results:
    """Measure what the stored results lack, or have from other code, store it as it comes, and return all `Results`."""
    known = store.Results(experiment.key) if fresh else store.stored(experiment.key, folder)
    steps = experiment.steps(repeats)
    stale = set(freshness.stale_rows(experiment, known))
    had = facts(experiment, repeats)  # of the cases that can be had here: what was measured of others stays
    missing = [s for s in steps if s.place not in known.places() or (s.place in stale and s.case in had)]
    known = replace(known, facts={**known.facts, **had})
    saved, count = time.monotonic(), 0

    def done(step: Step, row: dict, picture: Picture | None) -> None:
        nonlocal known, saved, count
        row = row | {"rests_on": freshness.step_digest(experiment, step)}
        known, count = with_row(known, step, row, picture), count + 1
        say(f"{count}/{len(missing)} {step.case}, {step.variant.label}, repeat {step.repeat + 1}: {_told(row)}")
        if time.monotonic() - saved > _SAVE_EVERY:
            store.store(known, folder)
            saved = time.monotonic()

    try:
        measure_apart(missing, budget, done=done)
    finally:
        known = _in_order(known, experiment)
        store.store(known, folder)
    return known


def _in_order(known: Results, experiment: Experiment) -> Results:
    """`Results` with its rows in the order of the experiment's steps, whenever they were measured."""
    order = {step.place: i for i, step in enumerate(experiment.steps())}
    place = lambda row: order.get((row["case"], row["repeat"], row["label"]), len(order))  # noqa: E731
    return replace(known, rows=tuple(sorted(known.rows, key=place)))


def _told(row: dict) -> str:
    if row["status"] != OK:
        return f"{row['status']}: {row['note']}"
    return f"K {row['n_clusters']}, NMI {row['nmi']:.4f}, {row['seconds']:.3g} s"


def with_row(known: Results, step: Step, row: dict, picture: Picture | None) -> Results:
    """`Results` with one more measurement, made now and here, in place of an earlier one."""
    others = tuple(one for one in known.rows if (one["case"], one["repeat"], one["label"]) != step.place)
    pictures = known.pictures if picture is None else {**known.pictures, (step.case, step.variant.label): picture}
    stamp: dict[str, Any] = {"made": store.today(), "versions": store.versions(), "machine": store.machine()}
    return replace(known, rows=(*others, row), pictures=pictures, **stamp)


def facts(experiment: Experiment, repeats: int | None = None) -> dict[str, dict]:
    """What is true of the points of each case; cases that cannot be had here are left out."""
    found = {}
    for case in experiment.cases:
        try:
            data = datasets.load(at_repeat(case.spec, 0))
        except (LookupError, datasets.FetchError):
            continue
        centres = metrics.class_means(data.X, data.truth)
        apart = np.linalg.norm(centres[:, None] - centres[None], axis=2) if len(centres) <= 500 else None
        found[case.label] = {
            "points": len(data.X),
            "features": data.X.shape[1],
            "clusters": len(centres),
            "centre_distance": float(f"{apart[apart > 0].min():.6g}") if apart is not None else None,
            "gap": _gap(case.spec, repeats or experiment.repeats) if data.X.shape[1] <= 3 else None,
        }
    return found


def _gap(spec: datasets.Spec, repeats: int) -> float:
    """The smallest distance between points of different true clusters, over the points of all repeats."""
    loaded = [datasets.load(one) for one in dict.fromkeys(at_repeat(spec, repeat) for repeat in range(repeats))]
    return float(f"{min(closest_pair(data.X, data.truth).distance for data in loaded):.6g}")
