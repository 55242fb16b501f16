"""The two maps of Evidence: K over θ and shuffles, and the number of chains over θ and ε."""

from collections.abc import Callable, Hashable

import numpy as np

from theta_app import datasets, selection
from theta_app.selection import Progress
from theta_app.ui import answers, scheduled, session, store, sweeps
from theta_app.ui.jobs import Task
from theta_app.ui.timeline import of_evidence
from theta_app.ui.timeline.of_theta import ShownSweep, axis_of
from theta_app.ui.widgets.words import short

_COLUMNS = 48


def known(shown: ShownSweep, data: datasets.Dataset, theta: float) -> list[dict]:
    """The maps that there are already, as the browser draws them."""
    drawn = []
    if (found := known_shuffle_map(shown.sample, shown.settings)) is not None:
        axis = of_evidence.axis_sent(axis_of(shown, data.unit))
        first, second = of_evidence.shuffle_maps(found, axis)
        k, enough = found.at(theta)
        said = f"Near θ = {short(theta)}, K is {k:,} from {enough} shuffles on. Above the line K stays the same."
        of = "" if shown.settings.algorithm == "TDG" else " of TDG"
        first |= {"heading": f"θ × shuffles: K{of}", "note": said}
        said = "Light: reordering the rows gives the same result."
        second |= {"heading": "θ × shuffles: order agreement", "note": said}
        drawn += [first, second]
    suggested = answers.chain_suggestion(shown.sample, shown.settings)
    here = None
    if shown.settings.algorithm == "TNC" and shown.settings.density is None:  # a depth is none of its ε
        here = (theta, answers.epsilon_at(shown.sample, shown.settings, theta))
    chains = of_evidence.chain_map(chain_map(shown), suggested, here, data.unit)
    if chains is not None:
        note = "Where one colour is tall, the number of chains holds over many ε. Click to use TNC there."
        drawn.append({**chains, "heading": "θ × ε: chains by distance (TNC)", "note": note})
    return drawn


def chain_map(shown: ShownSweep) -> selection.ChainMap:
    """The number of chains over small θ and ε."""
    points, settings = shown.sample, shown.settings
    key = (points.key, settings.shuffles, settings.seed, "map")
    make = lambda: selection.chain_map(answers.small_chainings(points, settings))  # noqa: E731
    return store.PICTURES.get_or_make(key, make)


# ---- θ x shuffles ---------------------------------------------------------------------------------------------------


def known_shuffle_map(points: selection.Sample, settings: session.Settings) -> selection.ShuffleMap | None:
    """The map over θ and shuffles, if all of it has been computed."""
    thetas, counts = _axes(points, settings)
    columns = [store.MEASURED.get(_key(points, settings, theta)) for theta in thetas]
    return None if any(column is None for column in columns) else selection.shuffle_map(thetas, counts, columns)


def compute(shown: ShownSweep, progress: Progress | None) -> None:
    """Compute the map over θ and shuffles. Columns are kept one by one: a stopped map resumes."""
    points, settings = shown.sample, shown.settings
    thetas, counts = _axes(points, settings)

    def column(theta: float) -> tuple[Hashable, Callable]:
        def work(report: Progress, cancel: Task) -> tuple[np.ndarray, np.ndarray]:
            return selection.shuffle_column(points.X, theta, counts, settings.seed, report, cancel, points.metric)

        return _key(points, settings, theta), work

    scheduled.run_all(map(column, thetas), progress, store.MEASURED)


def _axes(points: selection.Sample, settings: session.Settings) -> tuple[np.ndarray, np.ndarray]:
    axis = sweeps.theta_axis(points, settings)
    chosen = np.unique(np.linspace(0, len(axis) - 1, min(len(axis), _COLUMNS)).round().astype(int))
    return axis[chosen], selection.shuffle_counts(settings.shuffles)


def _key(points: selection.Sample, settings: session.Settings, theta: float) -> Hashable:
    return (points.key, "shuffles", float(theta), settings.shuffles, settings.seed)
