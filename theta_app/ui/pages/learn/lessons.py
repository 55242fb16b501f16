"""The lessons. Each one: what it is about in two sentences, its picture, and the theory behind it, closed."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from theta_app import datasets
from theta_app.datasets import drawn
from theta_app.lessons import beside, chain, growth, links, orders, player, start, tryit, vote
from theta_app.ui import session, shell
from theta_app.ui.pages.learn import components, theory
from theta_app.ui.widgets import controls

# Keys of our own, as a component forgets its state on a page change; each holds a dict.
EDITS = "theta_app.learn.edits"  # what the person made of each story
TRIED = "theta_app.learn.tried"  # how many other orders were tried for each story
STARTED = "theta_app.learn.started"  # which start of K-Means is shown for each story
SOLVED = "theta_app.learn.solved"  # exercises solved
OPENED = "theta_app.learn.opened"  # what the link that opened this session says: its lesson, its story, and the rest
TO_EXPLORE = "theta_app.learn.to_explore"  # the person asked to see the points in Explore

# A low screen has room for the picture rather than for the page's name.
_STYLE = """<style>
[data-testid="stMainBlockContainer"] h1 { font-size: 1.7rem; }
@media (min-width: 641px) {
  h2.theta-question { margin: -1.95rem 0 0 6.2rem; }
  [data-testid="stMainBlockContainer"] { padding-top: 1.2rem; }
  [data-testid="stButtonGroup"] button { padding-inline: 0.72rem; }
}
/* Room for the longest: a caption that grows while a point is dragged must not push the picture away. */
@media (max-width: 1200px) { .st-key-learn-caption { min-height: 3.2rem; } }
@media (max-width: 640px) { .st-key-learn-caption { min-height: 6.2rem; } }
</style>"""


@dataclass(frozen=True)
class Lesson:
    title: str
    draw: Callable[[], None]
    theory: tuple[str, ...] = ()


def show() -> None:
    """The chooser, the chosen lesson alone (nothing else is computed), and the way to the next one."""
    _read_link()
    st.html(_STYLE)
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


def _read_link() -> None:
    """Once per session: what the link asks of a lesson. What cannot be right is said at the top of the page."""
    if OPENED in st.session_state:
        return
    options = dict(session.current().options)
    found, faults = links.opened(options)
    st.session_state[OPENED] = (options, found)
    for fault in faults:
        session.notify(fault)
    if faults:
        st.rerun()


def _opened(lesson, name=None, story=None) -> links.Opened:
    """What the link says about this lesson and story; nothing if it is about another."""
    options, found = st.session_state.get(OPENED, ({}, links.Opened()))
    first = next(iter(LESSONS))
    about = options.get("lesson", first) == lesson and (name is None or options.get(name) == story)
    return found if about else links.Opened()


def _linked(data, lesson, name=None, story=None) -> dict:
    """A picture's data with what a link to it must say, and what the link that was opened wants of it."""
    opened = _opened(lesson, name, story)
    wanted = {"step": opened.step, "epsilon": opened.epsilon}
    return {**data, "link": {"lesson": lesson} | ({name: story} if name else {}), "open": wanted}


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
    return key


def _kept(store, key, default=None):
    return st.session_state.get(store, {}).get(key, default)


def _keep(store, key, value):
    st.session_state[store] = {**st.session_state.get(store, {}), key: value}  # replaced whole: runs may overlap


@shell.fragment
def beginning() -> None:
    st.markdown("Never heard of clustering? Six pictures, on the same points.")
    components.start(_linked(start.start_data(), "start"), key="learn.start")
    st.markdown(
        """
| | stands for | in a sentence |
| --- | --- | --- |
| **TSG** | ThetA Sparse Grouping | one pass over the points: join the nearest centroid within θ, or open a cluster |
| **TDG** | ThetA Dense Grouping | TSG in many random orders, whose centroids then vote |
| **TNC** | ThetA Nonlinear Chaining | TDG's small clusters, chained into shapes where centroids are closer than ε |
"""
    )


@shell.fragment
def one_point() -> None:
    with st.container(gap="xsmall"):
        st.markdown(
            "**TSG** takes one point after the other: the nearest centroid within θ takes it and moves to the mean of "
            "its members; if there is none, the point opens a cluster."
        )
        key = _story_choice("points", player.player_stories())
        edit = _edit_of(key)
        asking = isinstance(edit, dict) and edit.get("asking") is True
        with st.container(key="learn-caption"):
            st.markdown("How many clusters will this θ give?" if asking else player.caption(key, edit))
    data = player.player_data(key, edit)
    _player(key, _linked(data, "point", "points", key))
    if st.session_state.pop(TO_EXPLORE, False):
        st.switch_page("app.py")


def _edit_of(key):
    """What the person made of a story: by hand, or as the link they opened has it."""
    kept = _kept(EDITS, key)
    opened = _opened("point", "points", key)
    if kept is not None or (opened.points is None and opened.theta is None and opened.shape is None):
        return kept
    story = player.story_of(key)
    points = story.X if opened.points is None else opened.points
    theta = story.theta if opened.theta is None else opened.theta
    shape = player.CIRCLE if opened.shape is None else opened.shape
    return {"story": key, "question": 0, "theta": theta, "shape": shape, "points": points.tolist()}


def _player(key, data):
    name = f"learn.player.{key}"

    def keep():
        _keep(EDITS, key, st.session_state[name]["edit"])

    def explore():
        asked = st.session_state[name]["explore"]
        edit = player.checked_edit({"story": key, "question": 0} | asked if isinstance(asked, dict) else None, key)
        if edit and len(edit[0]):
            norm = round(player.norm_of(edit[3]), 6)
            session.choose(datasets.Drawn(drawn.encoded(edit[0])), datasets.Preparation(norm=norm))
            session.update(theta=edit[1])
            st.session_state[TO_EXPLORE] = True

    components.player(data, key=name, on_edit_change=keep, on_explore_change=explore)


@shell.fragment
def order_matters() -> None:
    with st.container(gap="xsmall"):
        key = _story_choice("order", orders.order_stories())
        st.markdown(orders.order_stories()[key].lesson)
    opened = _opened("order", "order", key)
    name, tried = f"learn.orders.{key}", _kept(TRIED, key) or opened.order or 1

    def more():
        asked = st.session_state[name]["more"]
        _keep(TRIED, key, min(tried + (asked if asked in (1, 20) else 1), orders.MOST_ORDERS))

    components.orders(_linked(orders.orders_data(key, tried), "order", "order", key), key=name, on_more_change=more)
    st.subheader("Slide the clusters together", anchor=False)
    st.markdown(
        "The paper's Lemma 1, turned into a number: **order agreement** is 1 while no shuffle changes the result, and "
        "falls once clusters come close. The line joins the closest pair across clusters."
    )
    components.lemma(orders.lemma_data(), key="learn.lemma")


@shell.fragment
def the_vote() -> None:
    with st.container(gap="xsmall"):
        st.markdown(
            "**TDG** lets many orders vote: it collects every shuffle's centroids, groups them with a second TSG, and "
            "sends each point to the closest group. **NMI** (normalised mutual information) is 1 for the true "
            "clusters and little for labels drawn at random."
        )
        key = _story_choice("vote", vote.vote_stories())
        st.markdown(vote.vote_stories()[key].lesson)
    components.vote(_linked(vote.vote_data(key), "vote", "vote", key), key=f"learn.vote.{key}")


@shell.fragment
def chaining() -> None:
    with st.container(gap="xsmall"):
        st.markdown(
            "**TNC** starts from TDG's small clusters and links centroids closer than ε. Whatever hangs together is "
            "one cluster, whatever its shape. Circles of radius ε/2 touch when two centroids are ε apart."
        )
        key = _story_choice("chain", chain.chain_stories())
        st.markdown(chain.chain_stories()[key].lesson)
    components.chain(_linked(chain.chain_data(key), "chain", "chain", key), key=f"learn.chain.{key}")


@shell.fragment
def beside_k_means() -> None:
    with st.container(gap="xsmall"):
        st.markdown(
            "**K-Means** is told K: it assigns every point to the nearest of K centres, moves each centre to the mean "
            "of its points, and repeats until nothing changes. Shaded: all places nearest to a centre."
        )
        key = _story_choice("beside", beside.beside_stories())
        st.markdown(beside.beside_stories()[key].lesson)
    at = _kept(STARTED, key, _opened("beside", "beside", key).start or 0)
    name = f"learn.beside.{key}"

    def another():
        _keep(STARTED, key, (at + 1) % beside.STARTS)

    data = _linked(beside.beside_data(key, at), "beside", "beside", key)
    components.beside(data, key=name, on_another_change=another)


def how_it_grows() -> None:
    st.markdown(
        "What costs time is measuring distances between points and centroids. Here they are **counted while each "
        "method runs** on a grid of clusters 10 apart (θ = 6, TDG with 20 shuffles)."
    )
    components.growth(_linked(growth.growth_data(), "growth"), key="learn.growth")
    one, all_apart = growth.extremes(200)
    told = (200 * 200 + 200 - 2) // 2
    st.markdown(
        rf"""
| | counted | the paper's formula |
| --- | --- | --- |
| TSG | about $N K$: both lines rise straight | $N K$ |
| TDG, $I$ shuffles | $I N K$, and $N K$ more to reassign the points | $I$ times TSG |
| K-Means (Lloyd) | $N K$ for each iteration until nothing moves | $N K I$ (times $D$ features, for all) |
| TSG, one cluster, $N = 200$ | {one:,} = $N - 1$ | $N$ |
| TSG, all alone, $N = 200$ | {all_apart:,} = $\frac{{N (N - 1)}}{{2}}$ | {told:,} = $\frac{{N^2 + N - 2}}{{2}}$ |

TSG is the cheapest in every run here. **TDG is cheaper than Lloyd only where Lloyd needs more iterations than TDG has
shuffles.** The paper's worst case is $N - 1$ too large, and its best for TDG, $I N (N + 1) / 2$, is larger than its
worst: counted, one cluster costs each shuffle $N - 1$. The app's engine skips many of these distances with a grid; the
result is the same.
"""
    )


@shell.fragment
def try_it() -> None:
    titles = {"range": "1. Find a range", "break": "2. Break the order", "rings": "3. Chain the rings"}
    done = st.session_state.get(SOLVED, {})
    marks = {name: f"{title} :material/check:" if done.get(name) else title for name, title in titles.items()}
    with st.container(gap="xsmall"):
        st.markdown(
            f"Three exercises, answered by doing: what you move is checked as you go. **{sum(done.values())} of "
            f"{len(titles)} solved.**"
        )
        exercise = _choice("Exercise", "exercise", marks)
        session.write_url()
    solved = {"range": _find_range, "break": _break_order, "rings": _chain_rings}[exercise]()
    if solved and not done.get(exercise):
        _keep(SOLVED, exercise, True)
        st.rerun(scope="fragment")


def _feedback(solved, words):
    return {"solved": solved, "words": words} if words else None


def _find_range():
    st.markdown(
        "**Find a θ that gives 25 clusters. How wide is the range?** Drag θ, then mark where it starts and ends."
    )
    name, data = "learn.finder", tryit.finder_data()

    def keep():
        _keep(EDITS, name, st.session_state[name]["marks"])

    marks = _kept(EDITS, name)
    solved, words = tryit.check_range(marks, data)
    shown = {**data, "story": "finder", "marks": marks, "feedback": _feedback(solved, words)}
    components.finder(shown, key=name, on_marks_change=keep)
    return solved


def _break_order():
    st.markdown(
        "**At first every order gives these three clusters. Move, add or remove points until the order matters**, with "
        "θ as it is. How few changes do you need?"
    )
    edit = _kept(EDITS, "exercise")
    solved, words, other = tryit.check_order_matters(edit, "exercise")
    data = player.player_data("exercise", edit, exercise=True)
    _player("exercise", {**data, "feedback": _feedback(solved, words), "other": other})
    return solved


def _chain_rings():
    st.markdown("**Find an ε that makes two clusters of the two rings.** How much room is there?")
    name = "learn.rings"

    def keep():
        _keep(EDITS, name, st.session_state[name]["epsilon"])

    epsilon = _kept(EDITS, name)
    solved, words = tryit.check_chain(epsilon, "rings")
    data = {**chain.chain_data("rings"), "asks": True, "epsilon": epsilon, "feedback": _feedback(solved, words)}
    components.chain(data, key=name, on_epsilon_change=keep)
    return solved


LESSONS = {
    "start": Lesson("Start here", beginning),
    "point": Lesson("One point at a time", one_point, ("theorem",)),
    "order": Lesson("Order matters", order_matters, ("definitions", "theorem", "lemma")),
    "vote": Lesson("TDG's vote", the_vote, ("vote",)),
    "chain": Lesson("Chaining", chaining),
    "beside": Lesson("K-Means", beside_k_means),
    "growth": Lesson("How it grows", how_it_grows, ("space",)),
    "try": Lesson("Try it", try_it, tuple(theory.BOXES)),
}
