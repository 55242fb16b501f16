"""The lessons as one story: a place in it is a lesson and one of its stories, and the page shows one place.

What is drawn and said comes from `theta_app.lessons`; the browser's side (parts/) leads through a story's moments and
asks for the next place when they are over.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from theta_app import datasets
from theta_app.datasets import drawn
from theta_app.lessons import beside, chain, failures, growth, links, orders, player, start, tryit, vote
from theta_app.lessons.base import Story, moment
from theta_app.ui import session, shell
from theta_app.ui.pages.learn import classroom, components, pack, theory
from theta_app.ui.widgets import controls

# Keys of our own, as a component forgets its state on a page change; each holds a dict.
EDITS = "theta_app.learn.edits"  # what the person made of each story
TRIED = "theta_app.learn.tried"  # how many other orders were tried for each story
STARTED = "theta_app.learn.started"  # which start of K-Means is shown for each story
SOLVED = "theta_app.learn.solved"  # exercises solved
OPENED = "theta_app.learn.opened"  # where a link, a room or Next wants a story to stand: {"place", "step", ...}
OPENINGS = "theta_app.learn.openings"  # how often that was
TO_EXPLORE = "theta_app.learn.to_explore"  # the person asked to see the points in Explore
_KEY = "learn.lesson"

# A low screen, and a phone's, has room for the picture rather than for the page's name.
_STYLE = """<style>
[data-testid="stMainBlockContainer"] h1 { font-size: 1.7rem; }
[data-testid="stLayoutWrapper"]:has(> .st-key-learn-channel) { position: absolute; }
@media (min-width: 641px) {
  h2.theta-question { margin: -1.95rem 0 0 6.2rem; }
  [data-testid="stMainBlockContainer"] { padding-top: 1.2rem; }
  [data-testid="stButtonGroup"] button { padding-inline: 0.62rem; }
}
@media (max-width: 640px) {
  [data-testid="stElementContainer"]:has(h2.theta-question) { display: none; }
  [data-testid="stMainBlockContainer"] { padding-top: 0.4rem; }
  /* Streamlit's empty header lies over the choosers; its own buttons still work */
  [data-testid="stHeader"], [data-testid="stHeader"] * { pointer-events: none; }
  [data-testid="stHeader"] button, [data-testid="stHeader"] button * { pointer-events: auto; }
  [data-testid="stMainBlockContainer"] h1 { margin-left: 2.6rem; }
  .st-key-learn-choice [data-testid="stButtonGroup"] > div {
    flex-wrap: nowrap; overflow-x: auto; scrollbar-width: none; }
  .st-key-learn-choice [data-testid="stButtonGroup"] button { flex: none; min-height: 2.4rem; }
}
</style>"""


@dataclass(frozen=True)
class Lesson:
    """One lesson: its stories by key, named by an option of the address, and what stands below the picture."""

    title: str
    option: str
    stories: Callable[[], dict[str, str]]
    data: Callable[[str], dict]
    theory: tuple[str, ...] = ()
    below: Callable[[], None] | None = None


def show() -> None:
    """The chooser, the picture of one place, and what is to be read about it."""
    _read_link()
    classroom.read_link()
    st.html(_STYLE)
    with st.container(key="learn-channel"):
        classroom.channel()
    _place()


def _read_link() -> None:
    """Once per session: what the link asks of a lesson. What cannot be right is said at the top of the page."""
    if OPENED in st.session_state:
        return
    faults = _take(dict(session.current().options))
    for fault in faults:
        session.notify(fault)
    if faults:
        st.rerun()


def _take(options: Mapping[str, str]) -> list[str]:
    """Stand where a link or a room says; a sentence for each thing that cannot be used."""
    lesson, story = _known_place(options)
    found, faults = links.opened(options)
    changed = found.points is not None or found.theta is not None or found.shape is not None
    _keep(EDITS, story, _edited(story, found) if lesson == "point" and changed else None)
    _keep(TRIED, story, found.order)
    _keep(STARTED, story, found.start)
    _open_at(lesson, story, step=found.step, epsilon=found.epsilon)
    return faults


def _known_place(options: Mapping[str, str]) -> tuple[str, str]:
    lesson = options.get("lesson")
    lesson = lesson if lesson in LESSONS else next(iter(LESSONS))
    stories = LESSONS[lesson].stories()
    story = options.get(LESSONS[lesson].option)
    return lesson, story if story in stories else next(iter(stories))


def _edited(key: str, found: links.Opened) -> dict:
    story = player.story_of(key)
    points = story.X if found.points is None else found.points
    theta = story.theta if found.theta is None else found.theta
    shape = player.CIRCLE if found.shape is None else found.shape
    return {"story": key, "question": 0, "theta": theta, "shape": shape, "points": points.tolist()}


def _open_at(lesson: str, story: str, **where: object) -> None:
    st.session_state[OPENINGS] = st.session_state.get(OPENINGS, 0) + 1
    st.session_state[OPENED] = {"place": (lesson, story), **where}


def _go() -> None:
    """The browser asks for another place: the next or last one, or the one of its room."""
    asked = st.session_state[_KEY].get("go")
    if not isinstance(asked, dict):
        return
    if isinstance(asked.get("options"), dict):
        options = {str(name): str(value) for name, value in asked["options"].items() if value is not None}
        _take(options)
    else:
        named = {"lesson": asked.get("lesson")}
        if named["lesson"] in LESSONS:
            named[LESSONS[named["lesson"]].option] = asked.get("story")
        options = dict(zip(("lesson", "story"), _known_place(named)))
        _open_at(*options.values(), last=asked.get("last") is True)
    lesson, story = st.session_state[OPENED]["place"]
    session.set_option("lesson", lesson)
    session.set_option(LESSONS[lesson].option, story)


@shell.fragment
def _place() -> None:
    with st.container(key="learn-choice", gap="xsmall"):
        key = _choice("Lesson", "lesson", {key: lesson.title for key, lesson in LESSONS.items()})
        lesson = LESSONS[key]
        stories = lesson.stories()
        story = next(iter(stories))
        if len(stories) > 1:
            story = _choice("Story", lesson.option, stories)
    session.write_url()  # a fragment runs without the frame, which does this for a page
    components.lesson(
        _shown(key, story),
        key=_KEY,
        on_go_change=_go,
        on_edit_change=_keep_edit,
        on_explore_change=lambda: _to_explore(story),
        on_more_change=lambda: _more_orders(story),
        on_another_change=lambda: _keep(STARTED, story, ((_kept(STARTED, story) or 0) + 1) % beside.STARTS),
        on_marks_change=lambda: _keep(EDITS, "finder", st.session_state[_KEY]["marks"]),
        on_epsilon_change=lambda: _keep(EDITS, "rings", st.session_state[_KEY]["epsilon"]),
    )
    with st.container(key="learn-below"):
        if lesson.below:
            lesson.below()
        if lesson.theory:
            theory.show(*lesson.theory)
        pack.show()
    if st.session_state.pop(TO_EXPLORE, False):
        st.switch_page("app.py")


def _choice(label: str, name: str, titles: dict[str, str]) -> str:
    """A row of buttons for a choice that the address bar keeps; a link with an unknown one gets the first."""
    first = next(iter(titles))
    if session.option(name, first) not in titles:
        session.set_option(name, first)
    return st.segmented_control(
        label,
        list(titles),
        format_func=titles.get,
        required=True,
        label_visibility="collapsed",
        **controls.option(name, first),
    )


def _shown(key: str, story: str) -> dict:
    """A place as the browser gets it: its picture and moments, what is before and after it, where to stand."""
    lesson, opened = LESSONS[key], st.session_state.get(OPENED, {})
    stories = lesson.stories()
    here = opened if opened.get("place") == (key, story) else {}
    heading = lesson.title if len(stories) == 1 else f"{lesson.title}: {plain_title(stories[story])}"
    return {
        **lesson.data(story),
        "lesson": key,
        "story": story,
        "heading": heading,
        "link": {"lesson": key} | ({lesson.option: story} if len(stories) > 1 else {}),
        "open": {name: here.get(name) for name in ("step", "epsilon", "last")},
        "opening": f"{key}/{story}/{st.session_state.get(OPENINGS, 0) if here else ''}",
        **_neighbours(key, story),
    }


def places() -> list[tuple[str, str]]:
    """Every place of the story, in the order it is told."""
    return [(key, story) for key, lesson in LESSONS.items() for story in lesson.stories()]


def _neighbours(key: str, story: str) -> dict:
    everything = places()
    at = everything.index((key, story))
    ends = {
        "previous": everything[at - 1] if at else None,
        "next": everything[at + 1] if at + 1 < len(everything) else None,
    }
    return {name: place and _named(place, key) for name, place in ends.items()}


def _named(place: tuple[str, str], here: str) -> dict:
    lesson, story = place
    words = LESSONS[lesson].title if lesson != here else plain_title(LESSONS[lesson].stories()[story])
    return {"lesson": lesson, "story": story, "words": words}


def plain_title(title: str) -> str:
    """A lesson's title without its icon."""
    return title.split(" :material")[0]


def _kept(store: str, key: str, default: Any = None) -> Any:
    return st.session_state.get(store, {}).get(key, default)


def _keep(store: str, key: str, value: object) -> None:
    st.session_state[store] = {**st.session_state.get(store, {}), key: value}  # replaced whole: runs may overlap


# ---- what the browser sends


def _keep_edit() -> None:
    edit = st.session_state[_KEY]["edit"]
    if isinstance(edit, dict) and edit.get("story") in {*player.player_stories(), "exercise"}:
        _keep(EDITS, edit["story"], edit)


def _more_orders(story: str) -> None:
    asked = st.session_state[_KEY]["more"]
    more = asked if asked in (1, 20) else 1
    _keep(TRIED, story, min((_kept(TRIED, story) or 1) + more, orders.MOST_ORDERS))


def _to_explore(story: str) -> None:
    asked = st.session_state[_KEY]["explore"]
    edit = player.checked_edit({"story": story, "question": 0} | asked if isinstance(asked, dict) else None, story)
    if edit and len(edit[0]):
        metric = player.metric_of(edit[3], 6)
        session.choose(datasets.Drawn(drawn.encoded(edit[0])), datasets.Preparation(metric=metric))
        session.update(theta=edit[1])
        st.session_state[TO_EXPLORE] = True


# ---- the data of each lesson


def _names(stories: Callable[[], dict[str, Story]]) -> Callable[[], dict[str, str]]:
    return lambda: {key: story.name for key, story in stories().items()}


def _orders(key: str) -> dict:
    return orders.lemma_data() if key == "lemma" else orders.orders_data(key, _kept(TRIED, key) or 1)


def _order_names() -> dict[str, str]:
    return {key: story.name for key, story in orders.order_stories().items()} | {"lemma": "Slide together"}


EXERCISES = {"range": "1. Find a range", "break": "2. Break the order", "rings": "3. Chain the rings"}


def _exercise_names() -> dict[str, str]:
    done = st.session_state.get(SOLVED, {})
    return {key: f"{title} :material/check:" if done.get(key) else title for key, title in EXERCISES.items()}


def _exercise(key: str) -> dict:
    """An exercise, checked; the first time that it is solved the chooser has to say so too."""
    data, solved, words = {"range": _find_range, "break": _break_order, "rings": _chain_rings}[key]()
    done = st.session_state.get(SOLVED, {})
    if solved and not done.get(key):
        _keep(SOLVED, key, True)
        st.rerun(scope="fragment")
    task = f"{_TASKS[key]} ({sum(done.values())} of {len(EXERCISES)} exercises solved.)"
    feedback = {"solved": solved, "words": words} if words else None
    return {**data, "feedback": feedback, "moments": [moment(0 if key != "break" else len(data["steps"]), task)]}


_TASKS = {
    "range": "Find a θ that gives 25 clusters. How wide is the range? Drag θ, then mark where it starts and ends.",
    "break": "At first every order gives these 3 clusters. Keep θ, and move, add or remove points until the order "
    "matters. How few changes do you need?",
    "rings": "Find an ε that makes two clusters of the two rings. Which values of ε work?",
}


def _find_range() -> tuple[dict, bool, str]:
    data, marks = tryit.finder_data(), _kept(EDITS, "finder")
    return {**data, "marks": marks}, *tryit.check_range(marks, data)


def _break_order() -> tuple[dict, bool, str]:
    edit = _kept(EDITS, "exercise")
    solved, words, other = tryit.check_order_matters(edit, "exercise")
    return {**player.player_data("exercise", edit, exercise=True), "other": other}, solved, words


def _chain_rings() -> tuple[dict, bool, str]:
    epsilon = _kept(EDITS, "rings")
    data = {**chain.chain_data("rings"), "asks": True, "epsilon": epsilon}
    return data, *tryit.check_chain(epsilon, "rings")


# ---- what stands below


def _names_of_methods() -> None:
    st.markdown(
        """
| | stands for | in a sentence |
| --- | --- | --- |
| **TSG** | ThetA Sparse Grouping | one pass over the points: join the nearest centroid within θ, or start a cluster |
| **TDG** | ThetA Dense Grouping | TSG in many random orders, whose centroids then vote |
| **TNC** | ThetA Nonlinear Chaining | TDG's small clusters, chained into shapes where centroids are closer than ε |
"""
    )


def _counted_distances() -> None:
    one, all_apart = growth.extremes(200)
    told = (200 * 200 + 200 - 2) // 2
    st.markdown(
        rf"""
| | counted | the paper's formula |
| --- | --- | --- |
| TSG | about $N K$: both lines rise straight | $N K$ |
| TDG, $I$ shuffles | $I N K$, and $N K$ more to reassign the points | $I$ times TSG |
| K-Means (Lloyd) | $N K$ for each iteration until nothing moves | $N K I$ (times $D$ columns, for all) |
| TSG, one cluster, $N = 200$ | {one:,} = $N - 1$ | $N$ |
| TSG, all alone, $N = 200$ | {all_apart:,} = $\frac{{N (N - 1)}}{{2}}$ | {told:,} = $\frac{{N^2 + N - 2}}{{2}}$ |

TSG is the cheapest in every run here. **TDG is cheaper than Lloyd only where Lloyd needs more iterations than TDG has
shuffles.** The paper's worst case is $N - 1$ too large, and its best for TDG, $I N (N + 1) / 2$, is larger than its
worst: counted, one cluster costs each shuffle $N - 1$. The app's engine skips many of these distances with a grid; the
result is the same.
"""
    )


LESSONS = {
    "start": Lesson(
        "Start here", "picture", lambda: {"start": "Start here"}, lambda _: start.start_data(), below=_names_of_methods
    ),
    "point": Lesson(
        "One point at a time",
        "points",
        _names(player.player_stories),
        lambda key: player.player_data(key, _kept(EDITS, key)),
        ("theorem",),
    ),
    "order": Lesson("Order matters", "order", _order_names, _orders, ("definitions", "theorem", "lemma")),
    "vote": Lesson("TDG's vote", "vote", _names(vote.vote_stories), vote.vote_data, ("vote",)),
    "chain": Lesson("Chaining", "chain", _names(chain.chain_stories), chain.chain_data),
    "fails": Lesson("When it fails", "fails", lambda: failures.NAMES, failures.failure_data, ("choose",)),
    "beside": Lesson(
        "K-Means",
        "beside",
        _names(beside.beside_stories),
        lambda key: beside.beside_data(key, _kept(STARTED, key) or 0),
    ),
    "growth": Lesson(
        "How it grows",
        "growing",
        lambda: {"growth": "How it grows"},
        lambda _: growth.growth_data(),
        ("space",),
        _counted_distances,
    ),
    "try": Lesson("Try it", "exercise", _exercise_names, _exercise, tuple(theory.BOXES)),
}
