"""A few lines of Python that give the labels on the page: for a notebook, after ``pip install .``"""

import math
from dataclasses import replace

from theta_app import datasets
from theta_app.ui import cache
from theta_app.ui.session import State


def snippet(state: State, data: datasets.Dataset, theta: float) -> str:
    """The lines, for the data set, preparation and settings of a state at θ."""
    state = replace(state, settings=cache.followed(cache.sample(data), state.settings))
    uploaded = isinstance(state.spec, datasets.Upload)
    prepared = state.preparation != datasets.Preparation()
    names = ["parse_upload"] if uploaded else [type(state.spec).__name__, "load"]
    names += ["Preparation", "prepare"] if prepared else []
    algorithm = state.settings.algorithm
    rows, merges = state.settings.rows, state.settings.marks.merges
    by_hand = (["RowSet", "only_rows"] if rows else []) + (["merged"] if merges else [])
    lines = ["from pathlib import Path", ""] if uploaded else []
    lines += [f"from theta_app import {algorithm}", f"from theta_app.datasets import {', '.join(sorted(names))}"]
    lines += [f"from theta_app.profiles import {', '.join(by_hand)}", ""] if by_hand else [""]
    if uploaded:
        lines += [f"file = Path({data.name!r})  # your file, in the folder of the notebook"]
        sheet = f", sheet={state.spec.sheet!r}" if state.spec.sheet else ""
        header = f", header={int(state.spec.header)}" if state.spec.header else ""
        lines += [f"data = parse_upload(file.name, file.read_bytes(){sheet}{header})"]
    else:
        lines += [f"data = load({state.spec!r})"]
    if prepared:
        lines += [f"data = prepare(data, {state.preparation!r})"]
    if rows:
        lines += [f"data = only_rows(data, {rows!r})  # the part of the rows that is looked at"]
    lines += [f"model = {_model(state, data, theta)}", "labels = model.fit_predict(data.X)"]
    if merges:
        lines += [f"labels = merged(labels, {merges!r}, data.table.index)  # joined by hand, by row numbers"]
    return "\n".join(lines) + "\n"


def _metric(norm: float) -> str:
    named = {1.0: "manhattan", math.inf: "chebyshev"}
    return f"metric={named[norm]!r}" if norm in named else f"metric='minkowski', p={norm!r}"


def _model(state: State, data: datasets.Dataset, theta: float) -> str:
    settings = state.settings
    metric = "" if data.norm == 2.0 else f", {_metric(data.norm)}"
    if settings.algorithm == "TSG":
        return f"TSG(theta={theta!r}{metric})"
    rest = f"n_shuffles={settings.shuffles}, random_state={settings.seed}{metric}"
    if settings.algorithm == "TNC":
        return f"TNC(theta={theta!r}, epsilon={cache.epsilon_at(cache.sample(data), settings, theta)!r}, {rest})"
    return f"TDG(theta={theta!r}, {rest})"
