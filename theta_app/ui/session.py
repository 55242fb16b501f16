"""What the person has chosen: the data set and the settings.

They belong to the person, not to a page. They live in the session under one key of ours (widget keys lose their value
on a page change), as one frozen value that is replaced whole, because runs of one session may overlap. Every run writes
them to the address bar; a new session (a reload, a link) reads them from there, and so does Back and Forward.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, TypeVar

import streamlit as st

from theta_app import datasets, selection
from theta_app.datasets import RowSet
from theta_app.marks import LONGEST_LINK, Marks, marks_from, rows_from
from theta_app.ui import streamlit_internals

ALGORITHMS = ("TDG", "TSG", "TNC")

SHUFFLES = (2, 500)  # fewer than two leave nothing to agree
SEEDS = (0, 2**31 - 1)
CORES = (1, 1000)  # points that a core holds

OF_ONE_SET = ("finer", "selection", "colours")
"""Options that say something about one data set, in its units."""

Option = TypeVar("Option", bound=str | float)

_KEY = "theta_app.state"
_NOTICES = "theta_app.notices"
_STAND_IN = "theta_app.stand_in"  # (state that is shown, state that the address keeps)


@dataclass(frozen=True)
class Settings:
    """How to cluster. Each field is one parameter of the address bar.

    algorithm : str or None
        None means what the verdict says.
    theta, epsilon : float or None
        In the units of the data; None means the verdict's.
    density : int or None
        Where TNC chains by density: how many points a core holds; ε is a depth then. None chains by distance.
    theta_low, theta_high : float or None
        The swept range of θ where the person has changed it; None means the range taken from the data.
    shuffles : int
        Random orders that TDG votes over.
    seed : int
        Seed of the shuffles.
    projection : str
        How data of more than two features are drawn. It never changes the clustering.
    picture : str
        "flat", or "3d" where there are more than two features: see `timeline.look.drawn_in_3d`.
    across, up : str or None
        The features drawn as axes where two features are drawn; None means the first two.
    colour_by : str
        "cluster", "truth", "silhouette", or "=" and the name of a feature.
    image : str or None
        The shape of rows that are pictures, such as "8x8"; "" for none, None where the columns' names tell.
    marks : Marks
        Names, colours and merges of clusters.
    rows : RowSet or None
        The rows of the file that are looked at; None for all.
    pinned : float or None
        The θ that stays beside the one that is dragged.
    """

    algorithm: str | None = None
    theta: float | None = None
    epsilon: float | None = None
    density: int | None = None
    shuffles: int = 50
    seed: int = 0
    theta_low: float | None = None
    theta_high: float | None = None
    projection: str = "pca"
    picture: str = "flat"
    across: str | None = None
    up: str | None = None
    colour_by: str = "cluster"
    image: str | None = None
    marks: Marks = field(default_factory=Marks)
    rows: RowSet | None = None
    pinned: float | None = None


_ABOUT_ROWS = ("across", "up", "colour_by", "image", "marks", "rows")  # of one data set, however it is prepared


@dataclass(frozen=True)
class State:
    """Everything that the address bar reproduces."""

    spec: Any
    preparation: datasets.Preparation = field(default_factory=datasets.Preparation)
    settings: Settings = field(default_factory=Settings)
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


# ---- reading and replacing ------------------------------------------------------------------------------------------


def current() -> State:
    """The whole state of this session, read from the address bar when the session is new."""
    if _KEY not in st.session_state:
        _take_from_address()
    return st.session_state[_KEY]


def begun() -> bool:
    """Whether this session has a state already."""
    return _KEY in st.session_state


def stand_in_for(wanted: State) -> None:
    """The current state is only shown because another cannot be: the address keeps the other, so that nothing is lost.

    It does until the person chooses something.
    """
    st.session_state[_STAND_IN] = (current(), wanted)


def follow_history() -> None:
    """After Back or Forward the address is one that the person has been at: what it says is taken again."""
    if _KEY in st.session_state and streamlit_internals.went_through_history():
        _take_from_address()


def _take_from_address() -> None:
    st.session_state[_KEY], faults = from_query(st.query_params.to_dict())
    st.session_state[_NOTICES] = dict.fromkeys(faults)


def settings() -> Settings:
    """How to cluster, as the person has chosen."""
    return current().settings


def spec() -> Any:
    """The data set that the person has chosen."""
    return current().spec


def preparation() -> datasets.Preparation:
    """How its columns are prepared."""
    return current().preparation


def own_data() -> bool:
    """Whether the person looks at data of their own: a file, one on the server, or points drawn by hand."""
    return isinstance(spec(), (datasets.Upload, datasets.Drawn, datasets.Served))


def update(**changes: Any) -> None:
    """Change settings by name: ``update(theta=3.6)``. May be called from a widget's callback."""
    _put(replace(current(), settings=replace(settings(), **changes)))


def choose(new_spec: datasets.Spec, new_preparation: datasets.Preparation | None = None) -> None:
    """Take another data set. θ, ε and the swept range are forgotten: they were lengths in the old data's units.

    So are the options of `OF_ONE_SET`, and the choice between TDG and TNC, which went with the lengths; TSG is a way of
    looking and stays. What was said about clusters and rows stays with the data set, however it is prepared.
    """
    kept = without_lengths(settings())
    if new_spec != spec():
        fresh = Settings()
        kept = replace(kept, **{name: getattr(fresh, name) for name in _ABOUT_ROWS})
    options = {name: text for name, text in current().options.items() if name not in OF_ONE_SET}
    _put(State(new_spec, new_preparation or datasets.Preparation(), kept, MappingProxyType(options)))


def without_lengths(chosen: Settings) -> Settings:
    """Settings that follow the verdict again, for other points: no lengths, and no choice that went with them."""
    algorithm = "TSG" if chosen.algorithm == "TSG" else None
    lengths = ("theta", "epsilon", "density", "theta_low", "theta_high", "pinned")
    return replace(chosen, algorithm=algorithm, **dict.fromkeys(lengths))


def restore(state: State) -> None:
    """Take a whole state, as a link has it."""
    _put(state)


def option(name: str, default: Option) -> Option:
    """A page's own choice by name, of its default's type (str, int, float, bool); survives page changes and reloads."""
    text = current().options.get(name)
    if text is None:
        return default
    try:
        if isinstance(default, bool):
            return {"yes": True, "no": False}[text]
        value = type(default)(text)
    except (KeyError, ValueError):
        return default
    return default if isinstance(value, float) and not math.isfinite(value) else value


def set_option(name: str, value: str | float) -> None:
    """Remember a page's own choice under a name; see :func:`option`."""
    text = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
    _put(replace(current(), options=MappingProxyType({**current().options, name: text})))


def forget_option(name: str) -> None:
    """Take an option out of the address."""
    _put(replace(current(), options=MappingProxyType({k: v for k, v in current().options.items() if k != name})))


def notify(sentence: str) -> None:
    """Show a sentence at the top of the page, until the person changes something or goes to another page."""
    st.session_state[_NOTICES] = {**st.session_state.get(_NOTICES, {}), sentence: None}


def notices(page: str) -> list[str]:
    """What to show on a page. A run may be cut short and run again: being asked for once is not having been read."""
    here = {text: page for text, where in st.session_state.get(_NOTICES, {}).items() if where in (None, page)}
    st.session_state[_NOTICES] = here
    return list(here)


def _put(state: State) -> None:
    st.session_state[_KEY] = state
    st.session_state[_NOTICES] = {text: at for text, at in st.session_state.get(_NOTICES, {}).items() if at is None}


# ---- the address bar ------------------------------------------------------------------------------------------------


def write_url() -> None:
    """Bring the address bar up to date; sends nothing when it says so already, in whatever words.

    Every address that is written becomes a step of the browser's history (js/trail.js).
    """
    said, faults = from_query(st.query_params.to_dict())
    shown, state = st.session_state.get(_STAND_IN, (None, None))
    state = state if shown == current() else current()
    if faults or said != state:
        st.query_params.from_dict(to_query(state))


def to_query(state: State) -> dict[str, str]:
    """The parameters that reproduce a state. Values at their default are left out to keep links short."""
    query = datasets.spec_to_query(state.spec) | datasets.preparation_to_query(state.preparation)
    if isinstance(state.spec, _FILES):
        query[_START] = state.preparation.start
    if state.preparation.metric != state.spec.metric:
        query["norm"] = state.preparation.metric.text
    for name, value in _non_defaults(state.settings).items():
        if isinstance(value, RowSet) and len(value.code) > LONGEST_LINK:
            continue  # the page says so: widgets/inside/part
        query[_SETTING_KEYS[name]] = repr(value) if isinstance(value, float) else str(value)
    return query | {f"o_{name}": text for name, text in state.options.items()}


def from_query(query: Mapping[str, str]) -> tuple[State, list[str]]:
    """The state that parameters describe, and a sentence for each parameter that could not be used."""
    notices: list[str] = []
    try:
        new_spec, usable = datasets.spec_from_query(query), query
    except ValueError as error:
        notices.append(f"{error} The default data set is shown instead.")
        new_spec, usable = datasets.DEFAULT, {key: text for key, text in query.items() if key not in _OF_THE_DATA}

    chosen = {}
    for name, key in _SETTING_KEYS.items():
        if key in usable:
            try:
                chosen[name] = _PARSERS[name](usable[key])
            except ValueError as error:
                notices.append(f"The link says {key} = {usable[key][:40]!r}, but {error}; the default is used instead.")
    if None not in (low := chosen.get("theta_low"), high := chosen.get("theta_high")) and low >= high:
        notices.append("The link's range of θ is empty; the range taken from the data is used instead.")
        del chosen["theta_low"], chosen["theta_high"]

    if isinstance(new_spec, _FILES) and _START not in usable:  # a link from before columns were recommended
        usable = {**usable, _START: "numbers"}
    usable = {"norm": datasets.Preparation(metric=new_spec.metric).metric.text, **usable}
    try:
        prepared = datasets.preparation_from_query(usable)
    except ValueError as error:
        notices.append(f"{error} All columns are used as they are instead.")
        prepared = datasets.Preparation()
    options = {key.removeprefix("o_"): text for key, text in usable.items() if key.startswith("o_")}
    return State(new_spec, prepared, Settings(**chosen), MappingProxyType(options)), notices


def _non_defaults(chosen: Settings) -> dict[str, Any]:
    usual = Settings()
    return {f.name: value for f in fields(chosen) if (value := getattr(chosen, f.name)) != getattr(usual, f.name)}


def _one_of(choices: tuple[str, ...]) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in choices:
            raise ValueError(f"it must be one of {', '.join(choices)}")
        return text

    return parse


def _whole(limits: tuple[int, int]) -> Callable[[str], int]:
    low, high = limits

    def parse(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 12 and low <= int(text) <= high):
            raise ValueError(f"it must be a whole number from {low} to {high}")
        return int(text)

    return parse


def _length(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0):
        raise ValueError("it must be a number, zero or more")
    return value


def _text(text: str) -> str:
    if len(text) > 200:
        raise ValueError("it is too long")
    return text


# The seed of the shuffles is not called "seed" in a link: a generated data set has a seed of its own.
_SETTING_KEYS = {f.name: "shuffle_seed" if f.name == "seed" else f.name for f in fields(Settings)}
_START = "start"
_FILES = (datasets.Upload, datasets.Served)
_PREPARED = (
    "columns",
    "label",
    "scaling",
    "read",
    "missing",
    _START,
    "treat",
    "shapes",
    "weights",
    "space",
    "components",
)
_OF_THE_DATA = ("theta", "epsilon", "theta_low", "theta_high", "pinned", *_PREPARED, *_ABOUT_ROWS)
_PARSERS: dict[str, Callable[[str], Any]] = {
    "algorithm": _one_of(ALGORITHMS),
    "theta": _length,
    "epsilon": _length,
    "density": _whole(CORES),
    "shuffles": _whole(SHUFFLES),
    "seed": _whole(SEEDS),
    "theta_low": _length,
    "theta_high": _length,
    "projection": _one_of(tuple(selection.PROJECTIONS)),
    "picture": _one_of(tuple(selection.PICTURES)),
    "across": _text,
    "up": _text,
    "colour_by": _text,
    "image": _text,
    "marks": marks_from,
    "rows": rows_from,
    "pinned": _length,
}
