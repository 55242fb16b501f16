"""The parts of the page Data: choosing a data set, bringing one's own, preparing it, looking at it."""

from dataclasses import replace

import streamlit as st

from theta_app import datasets, selection
from theta_app.datasets.uploads.process import read_upload
from theta_app.figures.preview import Preview, preview_figure
from theta_app.ui import cache, session, store, visitor
from theta_app.ui.widgets import controls, downloads, words
from theta_app.ui.widgets.progress import bar

_WANTED = "data.wanted"  # key of a published set that is not on this machine yet
_HANDLED = "data.handled"  # the upload dealt with last, and what was said about it
_PREVIEW_POINTS = 5000
_MOST_TAGS = 30  # columns that are shown one by one without being asked for


# ---- choosing -------------------------------------------------------------------------------------------------------


def choose_from_catalogue() -> None:
    """A menu of every data set and the numbers of the chosen one."""
    spec = session.spec()
    keys = list(datasets.CATALOGUE)
    wanted = st.session_state.get(_WANTED)
    current = wanted or (spec.key if spec.key in datasets.CATALOGUE else None)

    def label(key: str) -> str:
        listed = datasets.CATALOGUE[key]
        return f"{listed.label}  ({listed.group.lower()})"

    st.selectbox(
        "Data set",
        keys,
        format_func=label,
        placeholder=f"{spec.label} is in use; choose another data set here",
        help="Generated sets have numbers to change; look-alikes are as hard as the published sets and work offline.",
        **controls.bound("data.key", current, _choose),
    )
    if current is None:
        return
    listed = datasets.CATALOGUE[current]
    st.caption(listed.help)
    if wanted:
        _download(listed)
    else:
        _parameters(spec)


def _choose(key: str | None) -> None:
    if key is None:
        return
    spec = datasets.CATALOGUE[key]
    if isinstance(spec, datasets.Original) and not datasets.is_fetched(spec.name):
        st.session_state[_WANTED] = key
        return
    st.session_state.pop(_WANTED, None)
    session.choose(spec)


def _parameters(spec: datasets.Spec) -> None:
    parameters = spec.parameters()
    cells = [cell for _ in range(0, len(parameters), 2) for cell in st.columns(2)]  # row by row, also on a phone
    for cell, parameter in zip(cells, parameters):
        whole = parameter.kind is int
        cell.number_input(
            parameter.label,
            min_value=parameter.kind(parameter.low),
            max_value=parameter.kind(parameter.high),
            step=1 if whole else 0.1,
            format=None if whole else "%.4g",
            help=parameter.help or None,
            **controls.bound(
                f"data.{spec.key}.{parameter.name}",
                getattr(spec, parameter.name),
                lambda value, name=parameter.name: _change(name, value),
            ),
        )


def _change(name: str, value) -> None:
    if value is None:
        return
    try:
        session.choose(replace(session.spec(), **{name: value}))
    except ValueError as error:
        session.notify(f"{error} Nothing was changed.")


def _download(spec: datasets.Original) -> None:
    """Published points are fetched when the person asks for them, never by themselves."""
    st.info(f"{spec.label} is not on this machine yet. The current data set stays until it is.")
    if not st.button(f"Download {spec.label}", type="primary", icon=":material/cloud_download:"):
        return
    try:
        with bar(f"Downloading {spec.label}") as tick:
            tick(0, 1)  # connecting may take a while
            datasets.fetch(spec.name, tick)
    except datasets.FetchError as error:
        st.error(str(error))
        return
    st.session_state.pop(_WANTED, None)
    session.choose(spec)
    st.rerun()


def bring_your_own() -> None:
    """The uploader. A file that cannot be read leaves the current data set as it was."""
    visitor.recognise()
    file = st.file_uploader(
        "Or bring your own file",
        help="CSV or other text tables (also .gz), Excel (.xlsx), Parquet, NumPy (.npy, .npz) or ARFF, up to 200 MB. "
        "It is kept in the server's memory for you alone and for nobody else.",
    )
    if file is None:
        st.session_state.pop(_HANDLED, None)
        return
    handled, complaint = st.session_state.get(_HANDLED, (None, None))
    if handled != file.file_id:
        complaint = _read(file)
        st.session_state[_HANDLED] = (file.file_id, complaint)
        if complaint is None:
            st.rerun()
    if complaint:
        st.error(f"{complaint} The current data set is still the one below.", icon=":material/error:")


def _read(file) -> str | None:
    """Take an uploaded file as the current data set; returns a sentence when it cannot be.

    Whatever ends this run (the person leaves, goes to another page, uploads another file or cancels) ends the process
    that reads the file, where progress is next written.
    """
    content = file.getvalue()
    slot = st.empty()
    with slot.container():
        shown = st.empty()
        st.button("Cancel", icon=":material/stop:", key="data.cancel", on_click=_cancel, args=(file.file_id,))

    def progress(ahead: int, share: float) -> None:
        files = words.count(ahead, "other file")
        waiting = f"Waiting: {files} {'is' if ahead == 1 else 'are'} being read before yours…"
        shown.progress(share, waiting if ahead else f"Reading {words.plain(file.name[:60])}…")

    try:
        data = read_upload(file.name, content, store.BUDGET.largest, visitor.name(), progress)
        spec = visitor.keep(data, content)
    except datasets.UploadError as error:
        return str(error)
    finally:
        slot.empty()
    st.session_state.pop(_WANTED, None)
    awaited = visitor.awaited(spec)
    if awaited is not None:
        session.restore(awaited)
        session.notify("This is the file of the link you opened: its settings are back.")
    else:
        session.choose(spec)
    return None


def _cancel(file_id: str) -> None:
    st.session_state[_HANDLED] = (file_id, "Reading the file was cancelled.")


# ---- preparing ------------------------------------------------------------------------------------------------------


def prepare(data: datasets.Dataset) -> None:
    """Which columns, which label column, which scale."""
    chosen = session.preparation()
    many = len(data.features) > _MOST_TAGS
    with st.expander(f"{len(data.features):,} columns are used") if many else st.container():
        st.multiselect(
            "Columns to cluster by",
            list(data.numeric_columns),
            help="Distances are measured in these columns alone.",
            **controls.bound("data.columns", list(data.features), _columns),
        )
    labels = [datasets.NO_TRUTH, *data.columns]
    st.selectbox(
        "Label column",
        labels,
        format_func=lambda name: name or "none",
        help="The true class of each row, if the data have one. It is used to score results and never to cluster.",
        **controls.bound("data.truth", data.truth_column or datasets.NO_TRUTH, lambda name: _prepare(truth=name)),
    )
    st.segmented_control(
        "Scale",
        list(datasets.SCALINGS),
        format_func=lambda key: datasets.SCALINGS[key].label,
        required=True,
        help="θ is one distance for all columns: scale them when their units differ.",
        **controls.bound("data.scaling", chosen.scaling, lambda key: key and _prepare(scaling=key)),
    )


def _columns(names: list[str]) -> None:
    if names:
        _prepare(columns=tuple(names))
    else:
        session.notify("At least one column is needed to measure distances; nothing was changed.")


def _prepare(**changes) -> None:
    """Try the preparation before taking it, so that a choice that does not fit changes nothing."""
    wanted = replace(session.preparation(), **changes)
    try:
        cache.dataset(session.spec(), wanted)
    except (ValueError, LookupError) as error:
        session.notify(f"{error} Nothing was changed.")
    else:
        if set(changes) == {"truth"}:  # the points stay as they are, and so do the lengths chosen for them
            session.restore(replace(session.current(), preparation=wanted))
        else:
            session.choose(session.spec(), wanted)


# ---- looking --------------------------------------------------------------------------------------------------------


def facts(data: datasets.Dataset) -> None:
    n, d = data.X.shape
    classes = len(data.truth_names) if data.truth is not None else None
    numbers = [
        ("Points", f"{n:,}"),
        ("Features", f"{d:,}"),
        ("True classes", "unknown" if classes is None else classes),
    ]
    with st.container(horizontal=True):
        for label, value in numbers:
            st.metric(label, value, width="content")
    st.markdown(f"{words.plain(data.source)} Distances, and so θ, are in {words.plain(data.unit)}.")
    if data.notes:
        st.markdown("\n".join(f"- {words.plain(note)}" for note in data.notes))


def picture(data: datasets.Dataset) -> None:
    shown = cache.sample(data, _PREVIEW_POINTS)
    flat = data.X.shape[1] <= 2
    method = cache.drawn_by(shown, session.settings().projection)
    places = cache.places(shown, method)
    if flat:
        axes = (data.features[0], data.features[1] if len(data.features) > 1 else "")
    elif method == "none":
        axes = (data.features[0], data.features[1])
    else:
        axes = ("first direction", "second direction")
    preview = Preview(places, shown.truth, data.truth_names, axes)
    st.plotly_chart(
        preview_figure(preview),
        key="preview",
        config={"displayModeBar": False},
        alt=f"{len(places):,} points of {data.name}",
    )
    notes = [] if shown.whole else [f"Showing {len(places):,} of {shown.total:,} points."]
    if not flat:
        drawn = "the first two columns" if method == "none" else selection.PROJECTIONS[method]
        notes.append(f"{data.X.shape[1]:,} features drawn by {drawn}.")
    if notes:
        st.caption(" ".join(notes))


def table(data: datasets.Dataset) -> None:
    st.subheader("Rows", anchor=False)
    st.dataframe(data.table.head(200), height=300)
    if len(data.table) > 200:
        st.caption(f"The first 200 of {len(data.table):,} rows.")
    downloads.csv("All rows as CSV", data.table, downloads.file_name(data.name))
