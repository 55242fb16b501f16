"""The six lessons. Each one: what it is about in two sentences, its picture, and the theory behind it, closed."""

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from theta_app.figures import learn as figures
from theta_app.lessons import chain, growth, orders, player, tryit, vote
from theta_app.ui import session, shell
from theta_app.ui.pages.learn import components, theory
from theta_app.ui.widgets import controls

# Keys of our own, as a component forgets its state on a page change; each holds a dict.
EDITS = "theta_app.learn.edits"  # what the person made of each story
TRIED = "theta_app.learn.tried"  # how many other orders were tried for each story
SOLVED = "theta_app.learn.solved"  # exercises solved


@dataclass(frozen=True)
class Lesson:
    title: str
    draw: Callable[[], None]
    theory: tuple[str, ...] = ()


def show() -> None:
    """The chooser, the chosen lesson alone (nothing else is computed), and the way to the next one."""
    keys = list(LESSONS)
    key = _choice("Lesson", "lesson", {key: lesson.title for key, lesson in LESSONS.items()})
    lesson = LESSONS[key]
    lesson.draw()
    if lesson.theory:
        theory.show(*lesson.theory)
    following = keys[keys.index(key) + 1 :]
    if following:
        label = f"Next: {LESSONS[following[0]].title}"
        st.button(label, icon=":material/arrow_forward:", on_click=session.set_option, args=("lesson", following[0]))


def _choice(label, name, titles):
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


def _story_choice(name, stories):
    key = _choice("Points", name, {key: story.name for key, story in stories.items()})
    session.write_url()  # a fragment runs without the frame, which does this for a page
    st.markdown(stories[key].lesson)
    return key


def _kept(store, key, default=None):
    return st.session_state.get(store, {}).get(key, default)


def _keep(store, key, value):
    st.session_state[store] = {**st.session_state.get(store, {}), key: value}  # replaced whole: runs may overlap


@shell.fragment
def one_point() -> None:
    st.markdown(
        "**TSG** takes one point after the other. The nearest centroid within θ takes the point and moves to the mean "
        "of its members. If there is none, the point starts a cluster."
    )
    key = _story_choice("points", player.player_stories())
    _player(key)


def _player(key, **options):
    name = f"learn.player.{key}"

    def keep():
        _keep(EDITS, key, st.session_state[name]["edit"])

    components.player(player.player_data(key, _kept(EDITS, key), **options), key=name, on_edit_change=keep)


@shell.fragment
def order_matters() -> None:
    st.markdown("The same points, the same θ, another order of arrival: is the result the same?")
    key = _story_choice("order", orders.order_stories())
    name, tried = f"learn.orders.{key}", _kept(TRIED, key) or orders.first_shown(key)

    def more():
        asked = st.session_state[name]["more"]
        _keep(TRIED, key, min(tried + (asked if asked in (1, 20) else 1), orders.MOST_ORDERS))

    components.orders(orders.orders_data(key, tried), key=name, on_more_change=more)
    st.subheader("Slide the clusters together", anchor=False)
    st.markdown(
        "The paper's Lemma 1, turned into a number: **order agreement** is 1 while no shuffle changes the result, and "
        "falls once clusters come close. The line joins the closest pair across clusters."
    )
    components.lemma(orders.lemma_data(), key="learn.lemma")


@shell.fragment
def the_vote() -> None:
    st.markdown(
        "**TDG** lets many orders vote: it collects the centroids of every shuffle, groups them with a second TSG, and "
        "sends each point to the closest group."
    )
    key = _story_choice("vote", vote.vote_stories())
    components.vote(vote.vote_data(key), key=f"learn.vote.{key}")


@shell.fragment
def chaining() -> None:
    st.markdown(
        "**TNC** starts from TDG's small clusters and links centroids closer than ε. Whatever hangs together is one "
        "cluster, whatever its shape. Circles of radius ε/2 touch when two centroids are ε apart."
    )
    key = _story_choice("chain", chain.chain_stories())
    components.chain(chain.chain_data(key), key=f"learn.chain.{key}")


@st.cache_data(max_entries=2, show_spinner=False)
def _growth(against: str) -> pd.DataFrame:
    sizes = [(n, 5) for n in growth.GROWTH_SIZES] if against == "n" else [(4000, s) for s in growth.GROWTH_SIDES]
    return pd.DataFrame([row for size, side in sizes for row in growth.growth_rows(size, side)])


def how_it_grows() -> None:
    st.markdown(
        "What costs time is measuring distances between points and centroids. Here they are **counted while each "
        "method runs** on a grid of clusters 10 apart (θ = 6, TDG with 20 shuffles). Dotted: the paper's formulas."
    )
    left, right = st.columns(2)
    for column, against, title in ((left, "n", "More points, K = 25"), (right, "k", "More clusters, N = 4,000")):
        with column:
            st.subheader(title, anchor=False)
            figure = figures.growth_figure(_growth(against), against)
            st.plotly_chart(figure, key=f"learn.growth.{against}", config={"displaylogo": False}, alt=title)
    one, all_apart = growth.extremes()
    st.markdown(
        f"""
| | counted | the paper's formula |
| --- | --- | --- |
| TSG | about N·K: both lines rise straight | N·K |
| TDG, I shuffles | I·N·K, and N·K more to reassign the points | I times TSG |
| K-Means (Lloyd) | N·K for each iteration until nothing moves | N·K·I (times D features, for all) |
| TSG, one cluster, N = 200 | {one:,} = N − 1 | N |
| TSG, every point alone, N = 200 | {all_apart:,} = N(N − 1)/2 | (N² + N − 2)/2 = {(200 * 200 + 198) // 2:,} |

TSG is the cheapest in every run here. **TDG is cheaper than Lloyd only where Lloyd needs more iterations than TDG has
shuffles.** The paper's worst case is N − 1 too large, and its best for TDG, I·N(N + 1)/2, is larger than its worst:
counted, one cluster costs each shuffle N − 1. The app's engine skips many of these distances with a grid; the result is
the same.
"""
    )


@shell.fragment
def try_it() -> None:
    st.markdown("Three exercises, answered by doing. What you move is checked as you go.")
    titles = {"range": "1. Find a range", "break": "2. Break the order", "rings": "3. Chain the rings"}
    done = st.session_state.get(SOLVED, {})
    marks = {name: f"{title} :material/check:" if done.get(name) else title for name, title in titles.items()}
    exercise = _choice("Exercise", "exercise", marks)
    session.write_url()
    solved, words = {"range": _find_range, "break": _break_order, "rings": _chain_rings}[exercise]()
    if solved:
        st.success(words, icon=":material/check_circle:")
        if not done.get(exercise):
            _keep(SOLVED, exercise, True)
            st.rerun(scope="fragment")
    elif words:
        st.info(words, icon=":material/search:")
    st.caption(f"{sum(done.values())} of {len(titles)} solved")


def _find_range():
    st.markdown(
        "**Find a θ that gives 25 clusters. How wide is the range?** Drag θ, then mark where it starts and ends."
    )
    name, data = "learn.finder", tryit.finder_data()

    def keep():
        _keep(EDITS, name, st.session_state[name]["marks"])

    components.finder({**data, "marks": _kept(EDITS, name)}, key=name, on_marks_change=keep)
    return tryit.check_range(_kept(EDITS, name), data)


def _break_order():
    st.markdown(
        "**Every order gives these three clusters. Move, add or remove points until the order matters**, with θ as it "
        "is. How few changes do you need?"
    )
    _player("exercise", exercise=True)
    return tryit.check_order_matters(_kept(EDITS, "exercise"), "exercise")


def _chain_rings():
    st.markdown("**Find an ε that makes two clusters of the two rings.** How much room is there?")
    name = "learn.rings"

    def keep():
        _keep(EDITS, name, st.session_state[name]["epsilon"])

    epsilon = _kept(EDITS, name)
    components.chain({**chain.chain_data("rings"), "asks": True, "epsilon": epsilon}, key=name, on_epsilon_change=keep)
    return tryit.check_chain(epsilon, "rings")


LESSONS = {
    "point": Lesson("One point at a time", one_point, ("theorem",)),
    "order": Lesson("Order matters", order_matters, ("definitions", "theorem", "lemma")),
    "vote": Lesson("TDG's vote", the_vote, ("vote",)),
    "chain": Lesson("Chaining", chaining),
    "growth": Lesson("How it grows", how_it_grows),
    "try": Lesson("Try it", try_it, tuple(theory.BOXES)),
}
