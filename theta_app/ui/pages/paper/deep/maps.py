"""The digits of MNIST found in neighbour maps, by ThetA and by other methods: the stored runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import streamlit as st

from theta_app.figures.paper import accuracy_figure
from theta_app.paper import deep, maps
from theta_app.ui.pages.paper import views
from theta_app.ui.widgets import closed
from theta_app.ui.widgets.words import count

if TYPE_CHECKING:
    import pandas as pd

_THROUGH = {
    "strokes": "in a map of their strokes",
    "upright": "made upright, then in a map of their strokes",
    "autoencoder": "through autoencoder and map",
}
_COLUMNS = {
    "space": st.column_config.TextColumn("space"),
    "method": st.column_config.TextColumn("method"),
    "given": st.column_config.TextColumn("given"),
    "accuracy": st.column_config.NumberColumn("accuracy", format="%.3f", help="Median over the seeds."),
    "nmi": st.column_config.NumberColumn("NMI", format="%.3f"),
    "n_clusters": st.column_config.TextColumn("K found", help="Of each seed."),
    "hits": st.column_config.TextColumn("found 10", help="Seeds for which it found ten clusters."),
    "seconds": st.column_config.NumberColumn("CPU s", format="%.2g", help="Of the clustering alone."),
    "space_seconds": st.column_config.NumberColumn("CPU s, space", format="%.3g", help="Of network and map."),
}


def show() -> None:
    """The question, its answer in a sentence, and on request a figure per number of images and the table."""
    st.header("Can the digits be found without labels, and without saying that there are ten?", anchor=False)
    found = maps.stored()
    if not found.rows:
        st.info("There is no stored run. `make mnist` makes one.")
        return
    table = maps.summary(found)
    st.markdown(" ".join(filter(None, (in_short(table), *_answers(table)))))
    views.say_if_stale(found, "mnist-maps", "these answers")
    if box := closed.section("Every method, by what the neighbour map was made of", "deep-maps", "map"):
        with box:
            _details(found, table)


def _details(found: maps.Maps, table: pd.DataFrame) -> None:
    for images in _sizes(table):
        part = table[table["images"] == images]
        st.caption(f"{images:,} images, {count(int(part['runs'].max()), 'seed')}")
        published = ((deep.PUBLISHED["the paper"], "the paper, given 10"),)
        alt = f"Accuracy by method on {images:,} images of MNIST, by what the neighbour map was made of."
        st.plotly_chart(accuracy_figure(part, list(maps.SPACES.values()), published), alt=alt, key=f"maps-{images}")
    shown = table.assign(
        images=[f"{images:,}" for images in table["images"]],
        given=["K = 10" if given else "nothing" for given in table["given"]],
        hits=[f"{row.hits} of {row.runs}" for row in table.itertuples()],
    )[["images", *_COLUMNS]]
    st.dataframe(shown, hide_index=True, column_config=_COLUMNS, alt="Every method in every space, medians.")
    st.caption(
        "Each image becomes five coordinates in a neighbour map. The map is made from the image's strokes (where its "
        "edges run, and in which direction), from its strokes after it is made upright, from its pixels, or from "
        "what an autoencoder learnt. Each method clusters these coordinates. EVoC makes its own map, so it gets what "
        f"ours is made from. Measured {found.made} by `python -m benchmarks.mnist`. {literal(found)}"
    )


def _sizes(table: pd.DataFrame) -> list[int]:
    return sorted(set(table["images"]))


def in_short(table: pd.DataFrame) -> str:
    """Yes or no, by how many images there were: whether every seed found ten in some space; "" without ThetA."""
    ours = table[
        (table["method"] == maps.METHODS["theta"]) & table["space"].isin([maps.SPACES[key] for key in _THROUGH])
    ]
    every = (ours["hits"] == ours["runs"]).groupby(ours["images"]).any()
    found = {f"{images:,}": bool(ten) for images, ten in every.items()}
    if len(set(found.values())) == 1:
        return "**Yes.**" if all(found.values()) else "**No.**"
    words = (f"with {images} images {'yes' if ten else 'no'}" for images, ten in found.items())
    return f"**{', '.join(words).capitalize()}.**" if found else ""


def _answers(table: pd.DataFrame) -> list[str]:
    return [answer(table, images, key) for images in _sizes(table) for key in _THROUGH]


def answer(table: pd.DataFrame, images: int, space: str = "autoencoder") -> str:
    """What ThetA found in a space, given nothing, beside K-Means, given 10; "" where either was not measured."""
    part = table[(table["images"] == images) & (table["space"] == maps.SPACES[space])].set_index("method")
    ours, theirs = maps.METHODS["theta"], maps.METHODS["kmeans"]
    if not {ours, theirs} <= set(part.index):
        return ""
    row, other = part.loc[ours], part.loc[theirs]
    seeds = f"for {row['hits']} of {count(int(row['runs']), 'seed')}" if row["runs"] > 1 else "for the one seed tried"
    ten = f"ten clusters {seeds}" if row["hits"] else f"{row['n_clusters']} clusters, not ten"
    return (
        f"Of {images:,} images, {_THROUGH[space]}, ThetA found {ten}: accuracy {row['accuracy']:.3f}"
        f"{' (median)' if row['runs'] > 1 else ''}; K-Means given 10 has {other['accuracy']:.3f} there."
    )


def literal(found: maps.Maps) -> str:
    """What the paper's own setting gave: one θ, the ten largest clusters, then deep clustering."""
    said = []
    for images in sorted({row["images"] for row in found.literal}):
        rows = [row for row in found.literal if row["images"] == images]
        first = [row["accuracy"] for row in rows if row["epoch"] == 0]
        last = max(row["epoch"] for row in rows)
        end = [row["accuracy"] for row in rows if row["epoch"] == last]
        refined = f", {_range(end)} after {last} epochs of deep clustering" if last else ""
        said.append(f"{_range(first)} on {images:,} images ({count(len(first), 'network')}){refined}")
    if not said:
        return ""
    return f"The paper's own start, the 10 largest clusters of TDG at θ = 4.724, has accuracy {'; '.join(said)}."


def _range(values: Iterable[float]) -> str:
    low, high = min(values), max(values)
    return f"{low:.2f}" if f"{low:.2f}" == f"{high:.2f}" else f"{low:.2f} to {high:.2f}"
