"""The sweep of the current data set, for pages that wait until it is complete."""

from theta_app import datasets, selection
from theta_app.ui import loading, session, sweeps
from theta_app.ui.widgets.progress import bar


def complete_sweep(data: datasets.Dataset, settings: session.Settings) -> selection.Sweep:
    """The sweep over θ with TDG at each, its ranges and the recommendation, with a progress bar meanwhile."""
    with bar("Sweeping θ") as tick:
        return sweeps.complete(loading.sample(data), settings, tick)
