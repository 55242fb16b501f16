"""Is the data ready? One table of all columns, what is suspicious in them, and every choice that follows from it."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from theta_app import datasets
from theta_app.ui import loading, session
from theta_app.ui.pages.data import bringing
from theta_app.ui.widgets import columns, controls, norm, readiness, space
from theta_app.ui.widgets.words import count, plain

_MOST_OPEN = 3  # above the table, which must be seen at once
_MOST_ODD = 8  # listed without being asked for
_MOST_ROWS = 200  # of the file, shown for one of them
_KEEP = "keep"


def show(data: datasets.Dataset) -> None:
    """Which columns are used and why, the table of all of them, and what is suspicious."""
    found = loading.check(data)
    readiness.undoable()
    st.markdown(plain(found.sentence))
    _selections(data)
    _distances(found)
    above = found.open[:_MOST_OPEN]
    _odd(data, above)
    columns.show(found.columns, len(data.raw.table), lambda *told: _change(data, *told))
    _odd(data, [each for each in found.odd if each not in above])
    if len(data.raw.table.columns) > len(found.columns):
        _many_columns(data, len(found.columns))
    bringing.choose_header(data)


def choices(data: datasets.Dataset) -> None:
    """Scale, distance, gaps and label."""
    found = loading.check(data)
    if data.of_curves:
        st.caption(f"Curves are used as they are, in {data.unit}, without scaling or a map.")
    else:
        _scale()
    with st.container(width=520):
        norm.kinds(data)
        if not data.of_curves:
            space.controls_of(data)
            space.watch(data)
    _gaps(found)
    _labels(data, found)


# ---- columns --------------------------------------------------------------------------------------------------------


def _selections(data: datasets.Dataset) -> None:
    offered = datasets.choices.selections(data)
    if not offered:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption("Use instead:", width="content")
        for label, changes in offered.items():
            st.button(
                label,
                key=f"ready-select-{label}",
                type="tertiary",
                on_click=readiness.take,
                args=(f"{label}: now in use.",),
                kwargs=changes,
            )


def _change(data: datasets.Dataset, column: str, what: str, value: Any) -> None:
    """What a person did in the table."""
    name = f"'{column}'"
    try:
        if what == "use":
            changes = datasets.choices.use(data, column, bool(value))
            said = f"{name} is used." if value else f"{name} is no longer used."
        elif what == "way":
            changes = datasets.choices.way(data, column, str(value))
            said = f"{name} is now used differently."
        else:
            changes = datasets.choices.weigh(data, column, float(value))
            said = f"{name} now has weight {float(value):g}."
    except (ValueError, TypeError) as error:
        session.notify(f"{error} Nothing was changed.")
        return
    readiness.take(said, **changes)


def _many_columns(data: datasets.Dataset, shown: int) -> None:
    with st.expander(f"The table shows {shown:,} of {len(data.raw.table.columns):,} columns: choose among all of them"):
        st.multiselect(
            "Columns to cluster by",
            list(data.numeric_columns),
            help="Distances are measured in these columns alone.",
            **controls.bound("data.columns", list(data.features), _take_columns),
        )


def _take_columns(names: list[str]) -> None:
    if names:
        readiness.take("The columns in use have changed.", columns=tuple(names))
    else:
        session.notify("At least one column is needed to measure distances; nothing was changed.")


# ---- what is odd ----------------------------------------------------------------------------------------------------


def _odd(data: datasets.Dataset, found: Sequence[datasets.Odd]) -> None:
    for each in found[:_MOST_ODD]:
        _one_odd(data, each)
    rest = found[_MOST_ODD:]
    if rest:
        with st.expander(count(len(rest), "more suspicious finding")):
            for each in rest:
                _one_odd(data, each)


def _one_odd(data: datasets.Dataset, odd: datasets.Odd) -> None:
    suspicion = odd.suspicion
    converts = suspicion.what.startswith("unit ")
    names = {_KEEP: "Convert" if converts else "Keep", **datasets.TREATMENTS}
    if converts:
        del names["clip"]
    icon = ":material/check:" if odd.treatment or converts else ":material/warning:"
    key = f"{suspicion.column}.{suspicion.what}"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"{icon} {plain(odd.sentence)}", width="content")
        st.segmented_control(
            f"What to do with them: {suspicion.sentence}",
            list(names),
            format_func=names.get,
            required=True,
            label_visibility="collapsed",
            width="content",
            wrap=True,
            **controls.bound(f"data.treat.{key}", odd.treatment or _KEEP, lambda how: _treat(data, odd, how)),
        )
        with st.popover("Rows", type="tertiary", icon=":material/list:"):
            st.dataframe(data.raw.table.loc[list(odd.rows[:_MOST_ROWS])], height=300)
            if suspicion.rows > _MOST_ROWS:
                st.caption(f"The first {_MOST_ROWS} of {suspicion.rows:,} rows.")


def _treat(data: datasets.Dataset, odd: datasets.Odd, how: str) -> None:
    if not how:
        return
    readiness.treat(data, odd, None if how == _KEEP else how)


# ---- distances ------------------------------------------------------------------------------------------------------


def _distances(found: datasets.Check) -> None:
    if readiness.unscaled(found):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.warning(f"{plain(found.spread.sentence)}: standardise?", icon=":material/balance:", width=520)
            readiness.scale_button("Standardise")


def _scale() -> None:
    st.pills(
        "Scale",
        list(datasets.SCALINGS),
        format_func=lambda key: datasets.SCALINGS[key].label,
        required=True,
        help="θ is one distance for all columns: scale them when their units differ.",
        wrap=True,
        **controls.bound("data.scaling", session.preparation().scaling, _take_scale),
    )


def _take_scale(key: str) -> None:
    if key:
        readiness.take(f"Scale: {datasets.SCALINGS[key].label}.", scaling=key)


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
        help="Filling invents values: clusters that come from them are not in the data.",
        **controls.bound(
            "data.missing",
            session.preparation().missing,
            lambda way: readiness.take(f"Missing values: {datasets.WAYS[way].label}.", missing=way),
        ),
    )


def _labels(data: datasets.Dataset, found: datasets.Check) -> None:
    """The one place that speaks of a label column."""
    note = datasets.label_note(data)
    if note:
        st.markdown(f":material/label: {plain(note)}")
    classes = {data.truth_column: len(data.truth_names), **found.labels}
    likely = [name for name in classes if name is not None]
    others = [name for name in data.raw.table.columns if name not in classes]
    st.selectbox(
        "Label column",
        [datasets.NO_TRUTH, *likely, *others],
        format_func=lambda name: f"{name} ({classes[name]:,} classes)" if name in classes else name or "none",
        help="The true class of each row, if the data have one. It is used to judge results, never to cluster.",
        **controls.bound("data.truth", data.truth_column or datasets.NO_TRUTH, _take_label),
    )


def _take_label(name: str) -> None:
    said = f"'{name}' is the label column: it is used to judge, not to cluster." if name else "No column is a label."
    readiness.take(said, truth=name)
