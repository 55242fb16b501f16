"""Spaces that take long are computed in a process of their own while the page is used, once for all who want them."""

from collections.abc import Hashable

from theta_app import datasets, selection, spaces
from theta_app.engine import Progress
from theta_app.ui import scheduled, store
from theta_app.ui.jobs import MAPS, PROJECTIONS, QUEUE, Job, Task
from theta_app.ui.session import Settings


def computing(columns: datasets.Dataset) -> Task | None:
    """The task that computes the space of a data set, started or still wanted by this call; None once it is there."""
    key = spaces.key(columns)
    if store.DATA.get(key) is not None:
        return None
    stop_looking()

    def work(report: Progress, cancel: Task) -> None:
        store.DATA.put(key, spaces.fit_apart(columns, report, cancel))

    return QUEUE.ask(scheduled.asker(), Job(key, work, lane=PROJECTIONS))


def stop(columns: datasets.Dataset) -> None:
    """End it, unless another visitor waits for it too. One that failed may be tried again."""
    QUEUE.leave(scheduled.asker(), spaces.key(columns))


# ---- unasked: does a neighbour map show more than the columns? -------------------------------------------------------


def in_map(data: datasets.Dataset, settings: Settings) -> tuple[selection.Verdict | None] | None:
    """What `looking` has found: (the verdict in the map,) where that is better supported, else (None,)."""
    return store.SWEEPS.get(_looked_key(data, settings))


def looking(data: datasets.Dataset, plain: selection.Verdict, settings: Settings) -> Task | None:
    """The task that computes the neighbour map of a data set and the verdict in it; None once both are there.

    ``plain`` is the verdict in the columns. One at a time on the whole server, in a process that gives way to
    everything else.
    """
    key = _looked_key(data, settings)
    if store.SWEEPS.get(key) is not None:
        return None

    def work(report: Progress, cancel: Task) -> None:
        found = spaces.better_map_apart(data, plain, settings.shuffles, settings.seed, report, cancel)
        store.DATA.put(spaces.map_key(data), found[0])  # whoever goes there need not wait
        store.SWEEPS.put(key, (found[1],))

    return QUEUE.ask(scheduled.asker(), Job(key, work, lane=MAPS))


def stop_looking() -> None:
    """This visitor does not want to know any more, or has asked for the map itself."""
    for key in QUEUE.asked_for(scheduled.asker(), MAPS):
        QUEUE.leave(scheduled.asker(), key)


def _looked_key(data: datasets.Dataset, settings: Settings) -> Hashable:
    return spaces.map_key(data), "better", settings.shuffles, settings.seed
