"""What stored and live runs are shown with: curves, a table, spaces side by side, pictures of members."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from theta_app.deep import STARTS
from theta_app.figures.deep import curves_figure, members_png, space_figure
from theta_app.paper import deep_results
from theta_app.ui.widgets import charts, controls, downloads

BEFORE = "Before the clustering"
_COLOURS = {"cluster": "its cluster", "truth": "its true class"}


@dataclass(frozen=True, eq=False)
class Drawn:
    """A space as it is drawn: places (n, 2), and the cluster of each point or None before any clustering."""

    places: np.ndarray
    labels: np.ndarray | None


def name_of(start: str) -> str:
    """The name of a start in tables and legends."""
    return f"After {STARTS[start]}" if start else BEFORE


def curves(frame: pd.DataFrame, key: str, levels: Mapping[str, tuple] | None = None) -> None:
    """Accuracy and NMI over the epochs, or without truth the loss."""
    scored = frame["accuracy"].notna().any()
    for cell, score in zip(st.columns(2), ("accuracy", "nmi")):
        if not scored:
            break
        with cell:
            table = deep_results.curves(frame, score)
            alt = f"{score} over the epochs, one line per start"
            figure = curves_figure(table, score, (levels or {}).get(score, ()))
            charts.show(figure, f"deep-{key}-{score}", name=f"theta-deep-{key}-{score}", alt=alt, table=table)
    if not scored:
        st.info("The data have no true classes, so there is no score; the spaces and clusters are below.")


def answer(frame: pd.DataFrame) -> None:
    """The page's question answered by the accuracies of the whole runs; nothing where TDG or all others lack one."""
    short = deep_results.summary(frame).set_index("start")[["accuracy_start", "accuracy_end"]].dropna()
    if "tdg" not in short.index or len(short) < 2:
        return
    peers = short.drop("tdg")
    better = short.loc["tdg"] > peers.max()
    words = {2: "Yes, here.", 1: "In part.", 0: "No, not here."}[int(better.sum())]
    told = (f"{STARTS[name]} {row.accuracy_start:.3f} → {row.accuracy_end:.3f}" for name, row in short.iterrows())
    st.markdown(f"**{words}** Accuracy at the start → at the end: {', '.join(told)}.")


_HEADS = {
    "start": "Started from",
    "runs": "Runs",
    "accuracy_start": "Accuracy at the start",
    "accuracy_end": "Accuracy at the end",
    "nmi_start": "NMI at the start",
    "nmi_end": "NMI at the end",
    "seconds": "CPU seconds",
}


def table(frame: pd.DataFrame, key: str) -> None:
    """Medians over the seeds, and every epoch to take away."""
    short = deep_results.summary(frame)
    short["start"] = short["start"].map(STARTS)
    config = {_HEADS[name]: st.column_config.NumberColumn(format="%.3f") for name in short.columns[2:6]}
    config[_HEADS["seconds"]] = st.column_config.NumberColumn(format="%.0f", help="Start and epochs, one core.")
    st.dataframe(short.rename(columns=_HEADS), hide_index=True, column_config=config)
    downloads.csv("Every epoch as CSV", frame, f"theta-deep-{key}")


def coloured_by(known: bool) -> str:
    """What the person wants points coloured by: "cluster" or "truth"."""
    if not known:
        return "cluster"
    return st.segmented_control(
        "Colour each point by",
        list(_COLOURS),
        format_func=_COLOURS.get,
        required=True,
        **controls.option("deep_colour", "truth"),
    )


def spaces(
    drawn: Mapping[str, Drawn], truth: np.ndarray | None, names: Sequence[str] | None, by: str, key: str
) -> None:
    """The spaces side by side; "" is the one before the clustering."""
    cells = [cell for _ in range(0, len(drawn), 2) for cell in st.columns(2)]
    for cell, (start, one) in zip(cells, drawn.items()):
        groups, called = (truth, names) if by == "truth" and truth is not None else (one.labels, None)
        with cell:
            st.markdown(f"**{name_of(start)}**")
            figure = space_figure(one.places, groups, called)
            label = f"deep-{key}-space-{start.replace('+', 'p') or 'before'}"
            alt = f"{len(one.places)} points in the small space, {name_of(start).lower()}"
            charts.show(figure, label, name=f"theta-{label}", alt=alt)


def members(most: np.ndarray, least: np.ndarray, shape: tuple[int, int]) -> None:
    """Pictures (K, m, pixels) of each cluster's most and least typical members, a row per cluster."""
    for cell, images, words in zip(st.columns(2), (most, least), ("Most typical", "Least typical")):
        with cell:
            st.markdown(f"**{words}**")
            alt = f"{words} members, one row per cluster"
            st.image(members_png(images, shape), caption=alt, width="stretch")
