"""The sweep of the current data set, for pages that wait until it is complete."""

from theta_app import datasets, selection
from theta_app.ui import loading, session, sweeps
from theta_app.ui.widgets.progress import bar
from theta_app.ui.widgets.words import short


def complete_sweep(data: datasets.Dataset, settings: session.Settings) -> selection.Sweep:
    """The sweep over θ with TDG at each, its ranges and the recommendation, with a progress bar meanwhile."""
    with bar("Sweeping θ") as tick:
        return sweeps.complete(loading.sample(data), settings, tick)


def theta_in_use(settings: session.Settings, sweep: selection.Sweep, verdict: selection.Verdict) -> float:
    """The person's own θ, else TDG's best, which is the verdict's where that is TDG's."""
    return selection.theta_of_tdg(sweep, verdict) if settings.theta is None else settings.theta


def point_in_use(
    data: datasets.Dataset, settings: session.Settings, sweep: selection.Sweep, verdict: selection.Verdict
) -> selection.ThetaPoint:
    """TDG at the θ in use."""
    theta = theta_in_use(settings, sweep, verdict)
    with bar(f"TDG at θ = {short(theta)}") as tick:
        return sweeps.theta_point(loading.sample(data), theta, settings, tick)
