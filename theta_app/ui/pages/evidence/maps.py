"""The two maps of Evidence: K over θ and shuffles, and the number of chains over θ and ε."""

import numpy as np

from theta_app import datasets, selection
from theta_app.ui import answers, scheduled, session, shell, store, sweeps
from theta_app.ui.timeline import of_evidence
from theta_app.ui.timeline.of_theta import ShownSweep, axis_of
from theta_app.ui.widgets import on_request
from theta_app.ui.widgets.progress import bar
from theta_app.ui.widgets.words import short

_COLUMNS = 48
_UNASKED = 20_000  # values (points x features) up to which the map is a matter of seconds


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
    if shown.settings.algorithm == "TNC":
        here = (theta, answers.epsilon_at(shown.sample, shown.settings, theta))
    chains = of_evidence.chain_map(chain_map(shown), suggested, here, data.unit)
    if chains is not None:
        note = "A tall stretch of one colour is a number of chains that holds over many ε. A click uses TNC there."
        drawn.append({**chains, "heading": "θ × ε: chains (TNC)", "note": note})
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


def complete(shown: ShownSweep) -> None:
    """Compute the map over θ and shuffles where it is not there yet, and run again to show it.

    It starts by itself where it takes seconds, on request where it takes longer.
    """
    points, settings = shown.sample, shown.settings
    if known_shuffle_map(points, settings) is not None:
        return
    if points.X.size > _UNASKED:
        wanted = (points.key, settings.shuffles, settings.seed)
        label = f"Compute the map of θ × shuffles on {len(points.X):,} points"
        options = {"icon": ":material/calculate:", "help": "It takes about as long as the sweep.", "key": "compute-map"}
        if not on_request.asked("evidence.map", wanted, label, **options):
            return
    thetas, counts = _axes(points, settings)

    def column(theta):
        def work(report, cancel):
            return selection.shuffle_column(points.X, theta, counts, settings.seed, report, cancel, points.metric)

        return _key(points, settings, theta), work

    with bar("Mapping shuffles") as tick:  # columns are kept one by one: a stopped map resumes
        scheduled.run_all(map(column, thetas), tick, store.MEASURED)
    shell.run_again()


def _axes(points: selection.Sample, settings: session.Settings) -> tuple[np.ndarray, np.ndarray]:
    axis = sweeps.theta_axis(points, settings)
    chosen = np.unique(np.linspace(0, len(axis) - 1, min(len(axis), _COLUMNS)).round().astype(int))
    return axis[chosen], selection.shuffle_counts(settings.shuffles)


def _key(points: selection.Sample, settings: session.Settings, theta: float):
    return (points.key, "shuffles", float(theta), settings.shuffles, settings.seed)
