"""What cluster sizes say at the θ one stands on: how many to keep, what that does to the scores, how sure it is."""

from collections.abc import Hashable
from typing import Any

import pandas as pd

from theta_app import datasets, metrics, selection
from theta_app.clustering import Clustering, grouped, kept_clustering
from theta_app.selection import Progress
from theta_app.ui import answers, projections, scheduled, session, store
from theta_app.ui.jobs import Task
from theta_app.ui.timeline import of_evidence
from theta_app.ui.timeline.of_theta import ShownSweep
from theta_app.ui.widgets import export
from theta_app.ui.widgets.words import outlier_groups

_KEEP = "keep"  # an option: the data set and how many of its largest clusters are kept


def kept(shown: ShownSweep, data: datasets.Dataset, theta: float) -> Clustering | None:
    """TDG's largest clusters at θ, as many as the elbow says until the person says otherwise; None for TSG and TNC."""
    point = shown.points.get(theta)
    if shown.settings.algorithm != "TDG" or point is None:
        return None
    own, _, text = session.option(_KEEP, "").partition(":")
    chosen = own == data.digest[:8] and text.isdigit()
    k = int(text) if chosen else selection.size_elbow(point.tdg.sizes)
    rest = (theta, point.row["shuffles"], shown.settings.seed, shown.settings.marks)
    return kept_clustering(data, shown.sample, point.tdg, min(max(k, 1), len(point.tdg.sizes)), "TDG", *rest)


def sent(shown: ShownSweep, found: Clustering | None) -> dict | None:
    """The same as the browser shows it."""
    if found is None:
        return None
    point = shown.points[found.theta]
    support = known_support(shown, found.theta)
    said = "" if support is None else support.sentence
    scores = _scores(shown.sample, point, found)
    return of_evidence.keeping(found, selection.size_drop(point.tdg.sizes), scores, said)


def keep(data: datasets.Dataset, k: int) -> None:
    """Keep the k largest clusters of this data set, 0 for as many as the elbow says; for callbacks."""
    session.set_option(_KEEP, _option(data, k) if k else "")


def _option(data: datasets.Dataset, k: int) -> str:
    return f"{data.digest[:8]}:{k}"


def _scores(points: selection.Sample, point: selection.ThetaPoint, found: Clustering) -> pd.DataFrame:
    """Scores before and after keeping the largest."""
    names = metrics.shown_in("table", points.truth is not None)

    def scored() -> None:
        as_found = grouped(point.tdg)
        words = f"as found {outlier_groups(as_found.outliers)}".strip()
        both = [(words, as_found), (f"largest {found.keep:,}", found.groups)]
        rows = [
            {"": said, "K": result.n_clusters}
            | {metrics.SCORES[name].label: v for name, v in answers.scores(points, result.labels, names).items()}
            for said, result in (both if found.keep < len(point.tdg.sizes) else both[:1])
        ]
        table = pd.DataFrame(rows).astype(object)
        return table.where(table.notna(), None)  # JSON has no NaN

    key = (points.key, "before and after", point.theta, point.tdg.sizes.tobytes(), found.keep)
    return store.MEASURED.get_or_make(key, scored)


def show_export(shown: ShownSweep, found: Clustering | None) -> None:
    """The exports of Explore for the clusters that are kept, where these are not all."""
    if found is None or found.keep == len(shown.points[found.theta].tdg.sizes):
        return
    points, projection = found.points, shown.settings.projection
    drawn = projections.positions(points, projection), points.rows, projection
    export.show(found, shown.verdict, drawn, options={_KEEP: _option(found.data, found.keep)})


# ---- how sure -------------------------------------------------------------------------------------------------------


def _key(shown: ShownSweep, theta: float) -> Hashable:
    return (shown.sample.key, "elbow", theta, shown.settings.shuffles, shown.settings.seed)


def known_support(shown: ShownSweep, theta: float) -> selection.DropSupport | None:
    """With how many other seeds the sizes have the same elbow, if it has been computed."""
    return store.MEASURED.get(_key(shown, theta))


def support(shown: ShownSweep, theta: float, progress: Progress | None) -> None:
    """Compute it."""
    points, settings = shown.sample, shown.settings

    def work(report: Progress, cancel: Task) -> selection.DropSupport:
        options: dict[str, Any] = {"metric": points.metric, "progress": report, "cancel": cancel}
        return selection.drop_support(points.X, theta, settings.shuffles, settings.seed, **options)

    scheduled.run(_key(shown, theta), work, progress, store.MEASURED)
