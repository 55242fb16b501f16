"""A training that runs while the page is looked at: started, stopped, and whatever was done shown."""

import importlib.util
import math
from collections.abc import Hashable

import numpy as np
import pandas as pd
import streamlit as st

from theta_app import datasets, selection
from theta_app.datasets.dataset import from_arrays
from theta_app.deep import STARTS
from theta_app.paper.deep_live import MOST_POINTS, LivePlan, LiveResult, Space, train_apart
from theta_app.paper.deep_results import COLUMNS
from theta_app.selection import Progress
from theta_app.ui import loading, scheduled, session, store, visitor
from theta_app.ui.jobs import PROCESSES, QUEUE, Job, Task
from theta_app.ui.pages.paper.deep import views
from theta_app.ui.pages.paper.live import watched
from theta_app.ui.widgets import controls, downloads, links
from theta_app.ui.widgets.progress import bar

_RUN = "theta_app.deep.run"
_DRAWN_POINTS = 1500
_STOPPED = "Stopped. Results so far are shown."
_FORGOTTEN = "Nobody had this page open for a while, so training was stopped. Results so far are shown."
_LEAST_SIDE = 4  # pixels; fewer are no picture
_PICTURES = {datasets.RealData("digits"), datasets.Original("mnist")}  # whose columns are pixels for certain


def show(data: datasets.Dataset) -> None:
    """Draw the run that can be started here, or what is missing for one."""
    if importlib.util.find_spec("jax") is None or importlib.util.find_spec("optax") is None:
        st.info("Training needs JAX, which is not installed here: `pip install 'theta-app[deep]'`, then start again.")
        return
    points = loading.sample(data, MOST_POINTS)
    plan = _plan(data)
    if not points.whole:
        st.caption(f"Trained on {len(points.X):,} of {points.total:,} points.")
    _panel(plan, points, data)


# ---- choosing -------------------------------------------------------------------------------------------------------


def _plan(data: datasets.Dataset) -> LivePlan:
    classes = len(data.truth_names) if data.truth is not None else 10
    with st.container(horizontal=True, vertical_alignment="bottom"):
        k = st.number_input(
            "Clusters",
            2,
            100,
            step=1,
            width=140,
            help="How many clusters the clustering layer has. TDG starts it from the same number of its largest "
            "clusters.",
            **controls.option("deep_k", min(max(classes, 2), 100)),
        )
        epochs = st.number_input(
            "Training epochs",
            1,
            500,
            step=10,
            width=160,
            help="How many times the autoencoder sees every point before clustering begins. More may give better "
            "clusters.",
            **controls.option("deep_epochs", LivePlan.pretrain_epochs),
        )
        seed = controls.seed("on the same machine")
        image = _image(data)
    return LivePlan.of_length(epochs, n_clusters=k, seed=seed, image=image)


def _image(data: datasets.Dataset) -> tuple[int, int] | None:
    """The shape of the picture that a row is, where it is one."""
    side = math.isqrt(data.X.shape[1])
    if side < _LEAST_SIDE or side * side != data.X.shape[1]:
        return None
    if session.spec() in _PICTURES:
        return side, side
    words = f"Each row is a picture of {side} × {side} pixels"
    return (side, side) if st.checkbox(words, **controls.option("deep_pictures", False)) else None


# ---- running --------------------------------------------------------------------------------------------------------


def _panel(plan: LivePlan, points: selection.Sample, data: datasets.Dataset) -> None:
    """Buttons and progress, and under them the result so far."""
    key = ("deep", points.key, plan)
    controls_of = lambda task: _controls(key, plan, points, task)  # noqa: E731
    running = watched(lambda: _running(key), lambda: len(_known(key).rows), controls_of)
    _results(_known(key), data, points, plan, running)


def _known(key: Hashable) -> LiveResult:
    return store.MEASURED.get(key) or LiveResult()


def _running(key: Hashable) -> Task | None:
    """The training of this plan and points, if the session has started it and it goes on."""
    return scheduled.running(_RUN, key, lambda: QUEUE.look(scheduled.asker(), key))


def _job(key: Hashable, plan: LivePlan, points: selection.Sample) -> Job:
    def work(report: Progress, cancel: Task) -> None:
        def look(result: LiveResult) -> None:
            store.MEASURED.put(key, result)
            cancel.progress(result.done, plan.total)

        try:
            store.MEASURED.put(key, train_apart(plan, points.X, points.truth, look))
        except selection.Cancelled:
            store.MEASURED.put(key, _known(key).ended(_FORGOTTEN if cancel.forgotten else _STOPPED))

    return Job(key, work, lane=PROCESSES)


def _start(key: Hashable, plan: LivePlan, points: selection.Sample) -> None:
    store.MEASURED.forget(key)
    st.session_state[_RUN] = key
    QUEUE.ask(scheduled.asker(), _job(key, plan, points))


def _controls(key: Hashable, plan: LivePlan, points: selection.Sample, task: Task | None) -> None:
    known = _known(key)
    with st.container(horizontal=True, vertical_alignment="center"):
        if task is not None:
            st.button("Stop", icon=":material/stop:", on_click=scheduled.stop, args=(_RUN,), key="deep-stop")
            waiting = "Waiting: others are using this computer."
            words = waiting if task.waiting else f"{known.done} of {plan.total} epochs · {known.now}"
            st.progress(min(known.done / plan.total, 1.0), words)
            return
        again = bool(known.rows)
        st.button(
            "Train again" if again else "Train it here",
            icon=":material/replay:" if again else ":material/play_arrow:",
            type="secondary" if again else "primary",
            on_click=_start,
            args=(key, plan, points),
            key="deep-run",
        )
        if not again:
            st.markdown(
                "One autoencoder, then the clustering from each of the three starts: about a minute on one core with "
                f"{LivePlan.pretrain_epochs} epochs. You can stop it and keep the results so far.",
                width="content",
            )


# ---- showing --------------------------------------------------------------------------------------------------------


def _results(
    known: LiveResult, data: datasets.Dataset, points: selection.Sample, plan: LivePlan, running: bool
) -> None:
    if known.trouble:
        st.warning(known.trouble, icon=":material/info:")
    for name, sentence in known.notes.items():
        st.warning(f"No start from {STARTS[name]}: {sentence}", icon=":material/info:")
    if not known.rows:
        return
    frame = pd.DataFrame(list(known.rows), columns=list(COLUMNS))
    if not running:
        views.answer(frame)
    views.curves(frame, "live")
    views.table(frame, downloads.file_name(data.name))
    if running:
        st.caption("The spaces and the members of the clusters are drawn when training ends.")
        return
    _spaces(known, data, points)
    if plan.image is not None:
        _members(known, points, plan.image)
    _take_away(known, data, points)


def _spaces(known: LiveResult, data: datasets.Dataset, points: selection.Sample) -> None:
    st.subheader("The space, before and after", anchor=False)
    with st.container(horizontal=True):
        by = views.coloured_by(points.truth is not None)
        method = st.segmented_control(
            "Draw by",
            list(selection.PROJECTIONS),
            format_func={**selection.PROJECTIONS, "none": "First two axes"}.get,
            required=True,
            **controls.option("deep_draw", "pca"),
        )
    rows = selection.fair_sample(len(points.X), _DRAWN_POINTS)
    with bar("Drawing the spaces") as tick:
        drawn = {name: _drawn(known.spaces[name], rows, method, tick) for name in ("", *STARTS) if name in known.spaces}
    truth = None if points.truth is None else points.truth[rows]
    views.spaces(drawn, truth, data.truth_names, by, "live")
    notes = [] if len(rows) == len(points.X) else [f"Showing {len(rows):,} of {len(points.X):,} points."]
    if method == "tsne":
        notes.append("t-SNE keeps neighbours together and distorts distances.")
    if notes:
        st.caption(" ".join(notes))


def _drawn(space: Space, rows: np.ndarray, method: str, tick: Progress) -> views.Drawn:
    Z = space.Z[rows].astype(float)
    key = (datasets.content_digest(Z), method, "latent places")
    places = scheduled.run(key, lambda report, cancel: selection.project(Z, method), tick, store.PICTURES)
    return views.Drawn(places, None if space.labels is None else space.labels[rows])


def _members(known: LiveResult, points: selection.Sample, image: tuple[int, int]) -> None:
    st.subheader("What's in each cluster?", anchor=False)
    space = known.spaces[_chosen_start("Clusters started from", known, "deep-live-members")]
    views.members(points.X[space.most], points.X[space.least], image)


def _chosen_start(label: str, known: LiveResult, key: str) -> str:
    names = [name for name in STARTS if name in known.spaces]
    return st.segmented_control(label, names, format_func=STARTS.get, default=names[-1], required=True, key=key)


# ---- taking away ----------------------------------------------------------------------------------------------------


def _take_away(known: LiveResult, data: datasets.Dataset, points: selection.Sample) -> None:
    st.subheader("Drag θ in this space", anchor=False)
    visitor.recognise()
    start = _chosen_start("The space after", known, "deep-live-space")
    space = known.spaces[start]
    found = from_arrays(
        f"{data.name}, latent space ({STARTS[start]})",
        f"Where an autoencoder puts the points of {data.name} after clustering that started from {STARTS[start]}.",
        space.Z,
        points.truth,
        data.truth_names,
        [f"z{j + 1}" for j in range(space.Z.shape[1])],
        "units of the latent space",
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Open in Explore", icon=":material/tune:", key="deep-explore"):
            _explore(found)
        table = found.table.rename(columns={"cluster": "true_cluster"}).assign(cluster=space.labels)
        downloads.csv("The space as CSV", table, downloads.file_name(data.name, "latent", start))


def _explore(found: datasets.Dataset) -> None:
    """Make the space the current data set, kept for this visitor as an upload is, and go there."""
    try:
        session.choose(visitor.keep(found, found.digest.encode()))
    except datasets.UploadError as error:
        st.error(str(error))
    else:
        links.go("app.py")
