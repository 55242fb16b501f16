"""Is the data ready? What decides the distances, what was left out, what is missing, which column holds the classes."""

import streamlit as st

from theta_app import datasets
from theta_app.datasets.check import percent
from theta_app.datasets.reading import AMOUNT, DATE, Reading
from theta_app.ui import loading, session
from theta_app.ui.widgets import controls, norm, readiness
from theta_app.ui.widgets.words import count, plain

_MOST_TAGS = 30  # columns that are shown one by one without being asked for
_MOST_LISTED = 14  # columns left out that are listed without being asked for
_SHARE = st.column_config.ProgressColumn(
    "share of distances",
    help="Of the squared distances between all pairs of points, as they are clustered now.",
    format="percent",
    min_value=0.0,
    max_value=1.0,
)


def show(data: datasets.Dataset) -> None:
    """The check and every choice it leads to."""
    found = loading.check(data)
    readiness.undoable()
    _distances(data, found)
    _scale()
    _distance(data)
    _columns(data)
    _left_out(data, found)
    _gaps(found)
    _labels(data, found)


# ---- distances ------------------------------------------------------------------------------------------------------


def _distances(data: datasets.Dataset, found: datasets.Check) -> None:
    spread = found.spread
    if readiness.unscaled(found):
        st.warning(f"{plain(spread.sentence)}: standardise?", icon=":material/balance:")
        readiness.scale_button("Standardise")
    elif len(spread.table) > 1:
        first = spread.table.iloc[0]
        st.markdown(
            f":material/balance: '{plain(first['column'])}' has the largest share of the squared distances, "
            f"{percent(first['share'])}."
        )
    if len(spread.table) > 1:
        with st.expander("Spread of each column", icon=":material/straighten:"):
            st.dataframe(
                spread.table,
                hide_index=True,
                height=min(38 + 35 * len(spread.table), 300),
                column_config={"share": _SHARE, "column": st.column_config.TextColumn(pinned=True)},
                alt="Mean, standard deviation, range and share of the distances, per column.",
            )


def _distance(data: datasets.Dataset) -> None:
    with st.container(width=520):
        norm.slider(data.norm)


def _scale() -> None:
    st.pills(  # five of them: pills go on in the next line where there is no room
        "Scale",
        list(datasets.SCALINGS),
        format_func=lambda key: datasets.SCALINGS[key].label,
        required=True,
        help="θ is one distance for all columns: scale them when their units differ.",
        **controls.bound(
            "data.scaling", session.preparation().scaling, lambda key: key and readiness.take(scaling=key)
        ),
    )


# ---- columns --------------------------------------------------------------------------------------------------------


def _columns(data: datasets.Dataset) -> None:
    many = len(data.features) > _MOST_TAGS
    with st.expander(f"{len(data.features):,} columns are used") if many else st.container():
        st.multiselect(
            "Columns to cluster by",
            list(data.numeric_columns),
            help="Distances are measured in these columns alone.",
            **controls.bound("data.columns", list(data.features), _take_columns),
        )


def _take_columns(names: list[str]) -> None:
    if names:
        readiness.take(columns=tuple(names))
    else:
        session.notify("At least one column is needed to measure distances; nothing was changed.")


def _left_out(data: datasets.Dataset, found: datasets.Check) -> None:
    """Columns that are no features, why, and a switch for those that can be read as numbers."""
    readings = {c: r for c, r in data.raw.readings.items() if c != data.truth_column}
    others = [entry for entry in found.left_out if entry.reading is None]
    if not readings and not others:
        return
    total, read = len(found.left_out), len(session.preparation().read)
    said = [f"{count(total, 'column')} {'is' if total == 1 else 'are'} left out"] if total else []
    said += [f"{count(read, 'column')} {'is' if read == 1 else 'are'} read as numbers"] if read else []
    title = ", ".join(said)
    listed = len(readings) + len(others) <= _MOST_LISTED
    with st.container() if listed else st.expander(title):
        if listed:
            st.markdown(f"**{title}**")
        why = {entry.column: entry for entry in found.left_out}
        for column, reading in readings.items():
            _reading(reading, why.get(column))
        if len(found.readable) > 1:
            st.button(
                f"Read all {len(found.readable)}", key="ready-read-all", on_click=_read_all, args=(found.readable,)
            )
        if others:
            st.markdown("\n".join(f"- **{plain(entry.column)}**: {plain(entry.why)}" for entry in others))


def _reading(reading: Reading, entry: datasets.LeftOut | None) -> None:
    as_what = {AMOUNT: "as numbers", DATE: "as days"}.get(reading.kind, "as categories")
    used = f"used as {', '.join(reading.names[:4])}{', ...' if len(reading.names) > 4 else ''}"
    st.toggle(
        f"Read **{plain(reading.column)}** {as_what}: {plain(used if entry is None else entry.offer)}",
        **controls.bound(
            f"data.read.{reading.column}",
            reading.column in session.preparation().read,
            lambda on: _read([reading], on),
        ),
    )


def _read_all(entries: tuple[datasets.LeftOut, ...]) -> None:
    _read([entry.reading for entry in entries], True)


def _read(readings: list[Reading], on: bool) -> None:
    """Read columns as numbers, or no longer; what they become joins the columns that are used, or leaves them."""
    chosen, names = session.preparation(), [name for reading in readings for name in reading.names]
    columns = [reading.column for reading in readings]
    read = tuple(c for c in chosen.read if c not in columns) + (tuple(columns) if on else ())
    used = chosen.columns
    if used is not None:
        used = tuple(c for c in used if c not in names) + (tuple(names) if on else ())
    if used == ():
        session.notify("At least one column is needed to measure distances; nothing was changed.")
        return
    shown = ", ".join(f"'{column}'" for column in columns)
    said = f"{shown} {'is' if len(columns) == 1 else 'are'} read as numbers." if on else ""
    readiness.take(said, read=read, columns=used)


# ---- gaps and labels ------------------------------------------------------------------------------------------------


def _gaps(found: datasets.Check) -> None:
    if not found.gaps.gaps:
        return
    st.markdown(f":material/grid_off: {plain(found.gaps.sentence)}")
    st.radio(
        "Missing values",
        list(datasets.WAYS),
        format_func=lambda way: datasets.WAYS[way].label,
        captions=[found.gaps.does(way) for way in datasets.WAYS],
        help="Filling invents values: what a cluster owes to them is not in the data.",
        **controls.bound("data.missing", session.preparation().missing, lambda way: readiness.take(missing=way)),
    )


def _labels(data: datasets.Dataset, found: datasets.Check) -> None:
    st.selectbox(
        "Label column",
        [datasets.NO_TRUTH, *data.raw.table.columns],
        format_func=lambda name: name or "none",
        help="The true class of each row, if the data have one. It is used to score results and never to cluster.",
        **controls.bound("data.truth", data.truth_column or datasets.NO_TRUTH, lambda name: readiness.take(truth=name)),
    )
    if not found.labels:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption("Could be labels:", width="content")
        for column, classes in found.labels.items():
            st.button(
                f"{plain(column)} ({classes:,} classes)",
                key=f"ready-label-{column}",
                type="tertiary",
                on_click=readiness.take,
                args=(f"'{column}' is the label column: it scores results and is not clustered by.",),
                kwargs={"truth": column},
            )
