"""Files that the operator has put on the server: opening one, and labelling all of its rows."""

from collections.abc import Callable, Hashable

import streamlit as st

from theta_app import datasets
from theta_app.datasets.served import SAMPLE
from theta_app.ui import answers, cluster, loading, session, shell
from theta_app.ui.jobs import Task
from theta_app.ui.session import Settings
from theta_app.ui.widgets import downloads, links, words

_RUN = "theta_app.labelling"
_EVERY = 1.0  # seconds between looks at a run


def open_one() -> None:
    """The files of the operator's folder, where there is one."""
    names = datasets.served_names()
    if not names:
        return
    spec = session.spec()
    current = spec.name if isinstance(spec, datasets.Served) and spec.name in names else None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox(
            "Open on this server",
            names,
            index=None if current is None else names.index(current),
            placeholder="Choose a file",
            key="data.served",
            width=360,
            help=f"Parquet files of any size. You explore a fair sample of {SAMPLE:,} rows and can then label all "
            "rows.",
        )
        if st.button("Open", icon=":material/folder_open:", key="data.open-served", disabled=chosen in (None, current)):
            session.choose(datasets.Served(chosen))
            st.rerun()


def label_all(data: datasets.Dataset) -> None:
    """Label every row of the file at the θ that was chosen, with progress, a way to stop, and the result."""
    spec = session.spec()
    if not isinstance(spec, datasets.Served):
        return
    st.subheader("All rows", anchor=False)
    if not cluster.has_dask():
        st.info("Labelling all rows needs Dask, which is not installed here: `pip install 'theta-app[distributed]'`.")
        return
    reason = _why_not(data, spec)
    theta = _theta(data)
    if reason:
        st.info(reason)
    elif theta is None:
        st.markdown("Choose θ first, on the sample: then all rows can be labelled with it.")
        links.page_link("app.py", "Explore", ":material/tune:", width="content")
    else:
        _panel(data, spec, theta)


def _why_not(data: datasets.Dataset, spec: datasets.Served) -> str:
    """Why the rows cannot be labelled as the sample is prepared; empty where they can."""
    if session.settings().rows is not None:
        return "Only some of the rows are in use. Bring all rows back to label them."
    settings = session.settings()
    if settings.algorithm == "TNC" and settings.density is not None:
        return "Labelling all rows works with chaining by distance only. Choose it under Settings on Explore."
    return datasets.only_of_a_sample(data, spec.columns())


def _theta(data: datasets.Dataset) -> float | None:
    settings = session.settings()
    if settings.theta is not None:
        return settings.theta
    known = answers.known_verdict(loading.sample(data), settings)
    return None if known is None else known.theta


def _panel(data: datasets.Dataset, spec: datasets.Served, theta: float) -> None:
    settings = answers.resolve_algorithm(loading.sample(data), session.settings())
    epsilon = answers.epsilon_at(loading.sample(data), settings, theta) if settings.algorithm == "TNC" else None
    columns = [spec.columns()[name] for name in data.features]
    key = (spec, spec.version, tuple(columns), settings.shuffles, settings.seed, theta, epsilon, data.digest)
    held = st.session_state.get(_RUN)
    run = held[1] if held is not None and held[0] == key else None
    if run is not None and run.active:
        _watch(run)
        return
    start = lambda: _start(key, data, spec, columns, settings, theta, epsilon)  # noqa: E731
    with st.container(horizontal=True, vertical_alignment="center"):
        if run is None or run.found is None:
            _offer(start, spec, theta, epsilon)
        else:
            _result(run, start)
    if run is not None and run.trouble:
        st.warning(run.trouble, icon=":material/info:")


def _watch(run: cluster.LabelRun) -> None:
    """Progress alone is in the fragment that runs by the clock: a download must not be made anew under a click."""

    @st.fragment(run_every=_EVERY)
    def watch() -> None:
        with shell.guard():
            if not run.active:
                st.rerun()
            with st.container(horizontal=True, vertical_alignment="center"):
                st.button("Stop", icon=":material/stop:", on_click=run.stop, key="label-stop")
                queued = run.queued
                now = "Waiting: another file is being labelled." if queued.waiting else _counted(queued)
                st.progress(min(queued.done / queued.total, 1.0) if queued.total else 0.0, now)

    watch()


def _start(
    key: Hashable,
    data: datasets.Dataset,
    spec: datasets.Served,
    columns: list[str],
    settings: Settings,
    theta: float,
    epsilon: float,
) -> None:
    held = st.session_state.get(_RUN)
    if held is not None:
        held[1].stop()
    task = cluster.task_of(spec.files, columns, settings, theta, epsilon, data.metric, data.scale)
    st.session_state[_RUN] = key, cluster.LabelRun(task, downloads.file_name(spec.name.removesuffix(".parquet")))


def _offer(start: Callable[[], None], spec: datasets.Served, theta: float, epsilon: float | None) -> None:
    where = "on the cluster" if cluster.address() else "on this server"
    label = f"Label all {spec.rows():,} rows {where}"
    st.button(label, icon=":material/play_arrow:", type="primary", on_click=start, key="label-all")
    at = f"at θ = {words.short(theta)}" + ("" if epsilon is None else f", ε = {words.short(epsilon)}")
    st.markdown(f"{at}, as the sample was clustered.", width="content")


def _counted(queued: Task) -> str:
    return f"{queued.done:,} of {queued.total:,} pieces" if queued.total else "Reading the file"


def _result(run: cluster.LabelRun, start: Callable[[], None]) -> None:
    found = run.found
    st.download_button(
        "Labels of all rows",
        lambda: run.path.read_bytes(),
        f"labels-{run.path.name}",
        "application/vnd.apache.parquet",
        key="label-download",
        icon=":material/download:",
        on_click="ignore",
    )
    said = f"{words.count(found.n_clusters, 'cluster')} of {words.count(found.rows, 'row')}, {found.way}."
    if found.left_out:
        said += f" Rows with a gap have no cluster: {found.left_out:,}."
    st.markdown(said, width="content")
    st.button("Again", icon=":material/replay:", on_click=start, key="label-again")
