"""A few lines of Python that give the labels on the page: for a notebook, after ``pip install .``"""

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
    lines = ["from pathlib import Path", ""] if uploaded else []
    lines += [f"from theta_app import {algorithm}", f"from theta_app.datasets import {', '.join(sorted(names))}", ""]
    if uploaded:
        lines += [f"file = Path({data.name!r})  # your file, in the folder of the notebook"]
        lines += ["data = parse_upload(file.name, file.read_bytes())"]
    else:
        lines += [f"data = load({state.spec!r})"]
    if prepared:
        lines += [f"data = prepare(data, {state.preparation!r})"]
    lines += [f"model = {_model(state, data, theta)}", "labels = model.fit_predict(data.X)"]
    return "\n".join(lines) + "\n"


def _model(state: State, data: datasets.Dataset, theta: float) -> str:
    settings = state.settings
    if settings.algorithm == "TSG":
        return f"TSG(theta={theta!r})"
    rest = f"n_shuffles={settings.shuffles}, random_state={settings.seed}"
    if settings.algorithm == "TNC":
        return f"TNC(theta={theta!r}, epsilon={cache.epsilon_at(cache.sample(data), settings, theta)!r}, {rest})"
    return f"TDG(theta={theta!r}, {rest})"
