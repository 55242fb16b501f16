"""What stands around every page: its look, the menu, the current data set, and what happens when something breaks.

A page is::

    with shell.page("Evidence") as data:
        ...

Parts that run again alone use ``@shell.fragment``.
Streamlit's own navigation is not used: while a ``pages/`` folder exists, a deep link to a server just started would
run a page without it.
"""

import contextlib
import functools
import gc
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException

from theta_app import datasets
from theta_app.ui import cluster, housekeeping, loading, opened, scheduled, session, store, visitor
from theta_app.ui.components import component
from theta_app.ui.home import HOME
from theta_app.ui.jobs import QUEUE
from theta_app.ui.widgets import links, norm, readiness, space
from theta_app.ui.widgets.words import count, plain, short

LOG = logging.getLogger("theta_app")
_around = component("theta_around", Path(__file__).parent / "js" / "around.js")


@dataclass(frozen=True)
class Page:
    """One line of the menu, and what stands at the top of its page.

    caption : str
        What is found there, under its name in the menu.
    about_data : bool
        Whether it shows the current data set, named in a line under the title.
    own_head : bool
        Whether it names itself and the data: then the title is for screen readers alone.
    """

    file: str
    title: str
    question: str
    icon: str
    caption: str
    about_data: bool = True
    own_head: bool = False


MENU = (
    Page(
        "app.py",
        "Explore",
        "What happens as I drag θ?",
        ":material/tune:",
        "Drag θ: TDG/TNC results, live",
        own_head=True,
    ),
    Page(
        "pages/Data.py", "Data", "What am I looking at?", ":material/scatter_plot:", "Your file, or one of ours", False
    ),
    Page(
        "pages/Evidence.py",
        "Evidence",
        "Why this θ and not another?",
        ":material/straighten:",
        "Optimal-θ range plots, cluster-size elbows",
    ),
    Page(
        "pages/Compare.py",
        "Compare",
        "How do other methods do on your data?",
        ":material/balance:",
        "Comparison metrics: other methods on your data",
    ),
    Page(
        "pages/Paper.py",
        "Paper",
        "Do the paper's claims hold?",
        ":material/article:",
        "Claims, experiments, deep clustering",
        False,
    ),
    Page(
        "pages/Learn.py",
        "Learn",
        "Why does it work, and when not?",
        ":material/school:",
        "The story, for a class or for you",
        False,
    ),
)

_STYLE = """<style>
[data-testid="stMainBlockContainer"] { padding: 2.2rem clamp(0.8rem, 2.5vw, 3rem) 3rem; max-width: 1760px; }
[data-testid="stHeader"] { background: transparent; }
[data-testid="stSidebarHeader"] { padding-bottom: 0; margin-bottom: -1.2rem; }
[data-testid="stSidebarUserContent"] [data-testid="stVerticalBlock"] { gap: 0; }
@media (min-width: 769px) { [data-testid="stSidebar"] { width: 15.5rem !important; min-width: 15.5rem !important; } }
[data-testid="stSidebar"][data-collapsed="true"] { visibility: hidden; } /* a closed menu takes no focus */
[data-testid="stSidebarUserContent"] [data-testid="stMarkdown"]:has(strong) {
  padding: 0.15rem 0.5rem; border-radius: 0.5rem; background: color-mix(in srgb, currentColor 9%, transparent); }
[data-testid="stSidebarUserContent"] [data-testid="stMarkdown"]:has(strong) p { font-size: 0.875rem; }
[data-testid="stSidebarUserContent"] [data-testid="stMarkdown"]:has(strong) [role="img"] { margin-right: 0.35rem; }
[data-testid="stSidebarUserContent"] [data-testid="stCaptionContainer"] {
  margin: 0.25rem 0 0.6rem 2rem; font-size: 0.8rem; line-height: 1.25; }
[data-testid="stLayoutWrapper"]:has(> .st-key-theta-around),
[data-testid="stLayoutWrapper"]:has(> :is(.st-key-file-opening, .st-key-file-line)):not(:has(button)) {
  position: absolute; }
[data-testid="stPageLink-NavLink"]:focus-visible {
  outline: 2px solid currentColor; outline-offset: -2px; }
.theta-unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
h1 { padding: 0 0 0.1rem !important; letter-spacing: -0.01em; }
h2.theta-question { font-size: 1.05rem; font-weight: 400; letter-spacing: 0; opacity: 0.75; padding: 0;
  margin: 0.1rem 0 0; line-height: 1.3; }
/* a table's own download would write formulas as they are: ours (widgets/downloads) does not */
button[aria-label="Download as CSV"] { display: none; }
[data-testid="stCaptionContainer"] { color: inherit; opacity: 0.8; }
/* what is written on the accent colour, which is light in the dark theme */
.stApp [data-testid="stBaseButton-primary"], .stApp [data-testid="stBaseButton-primary"] p,
.stApp [data-testid="stMultiSelect"] :has(> span[title]) :is(span, svg) { color: light-dark(#fff, #11161c); }
.theta-verdict { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.7rem; font-size: 1.1rem;
  line-height: 1.7rem; min-height: 1.7rem; margin: -0.4rem 0; }
.theta-verdict i { font-style: normal; font-size: 0.8rem; font-weight: 650;
  line-height: 1.4rem; padding: 0 0.65rem; border-radius: 1rem; color: #fff; background: #5c6673; }
.theta-verdict.found i { background: #00785a; }
.theta-verdict.guess i { background: #8a5a00; }
.theta-verdict .sure { opacity: 0.7; font-size: 0.95rem; }
.theta-alternative { display: flex; gap: 0.7rem; align-items: center; }
.theta-alternative figure { margin: 0; flex: none; width: 64px; text-align: center; font-size: 0.8rem; }
.theta-alternative img { display: block; width: 64px; height: 64px; border: 1px solid #8886; border-radius: 6px; }
.theta-alternative p { margin: 0; } .theta-alternative small { opacity: 0.8; }
.theta-brand { margin-bottom: 1rem; font-size: 1.7rem; font-weight: 750; letter-spacing: -0.02em; line-height: 1.1; }
.theta-brand small { display: block; font-size: 0.85rem; font-weight: 400; letter-spacing: 0; margin-top: 0.3rem; }
@media (max-width: 640px) {
  [data-testid="stMainBlockContainer"] { padding-top: 3rem; }
  .theta-verdict { min-height: 3.4rem; font-size: 1.05rem; }
  /* on a phone the picture and what is dragged come first, the settings after them */
  [data-testid="stLayoutWrapper"]:has(> .st-key-settings) { order: 1; }
  [data-testid="stLayoutWrapper"]:has(> .st-key-findings) ~ * { order: 2; }
  .st-key-verdict-go { flex-direction: column; }
  .st-key-verdict-go > * { flex: none; }
  .theta-verdict .sure { order: 1; }
  .theta-verdict .place { order: 2; }
}
</style>"""


@contextlib.contextmanager
def page(title: str) -> Iterator[datasets.Dataset]:
    """Draw what stands around the page of this title in `MENU`; gives the prepared current data set.

    Everything inside is guarded.
    """
    data = None
    with QUEUE.turn(scheduled.asker()):
        with guard():
            data = _open(next(page for page in MENU if page.title == title))
        if data is None:
            st.stop()
        with guard():
            yield data


def _open(page: Page) -> datasets.Dataset:
    _leave_imports_alone()
    st.set_page_config(page_title=f"{page.title} · ThetA", page_icon="θ", layout="wide", initial_sidebar_state="locked")
    st.html(_STYLE)
    session.follow_history()
    with st.container(key="file-opening"):  # always there: what comes after it is not drawn anew while a file is read
        opened.enter()
    _own_upload_first()
    data = current_data()
    session.write_url()
    with st.container(key="theta-around"):
        _around(key="theta_app.around")
    _menu(page)
    if page.own_head:
        st.html(f'<div class="theta-unseen"><h1>{page.title}</h1><h2>{page.question}</h2></div>')
    else:
        st.title(page.title, anchor=False)
        st.html(f'<h2 class="theta-question">{page.question}</h2>')
    for sentence in session.notices(page.title):
        st.warning(sentence, icon=":material/info:")
    if said := cluster.complaint():
        st.caption(said)
    with st.container(key="file-line"):  # always there, as the line of the space is
        opened.watch()
    if page.about_data:
        if not page.own_head:
            _data_line(data)
        with st.container(key="space-line"):  # always there: what comes after it is not drawn anew when it speaks
            space.watch(data)
        readiness.line(data)
    return data


@functools.cache
def _leave_imports_alone() -> None:
    """Leave what is imported out of garbage collection.

    Streamlit collects garbage after every run, and looking through the libraries' quarter of a million objects held
    everything up for a tenth of a second each time. Once, when the first page opens: what is frozen later would keep
    the sessions and data of visitors who have left.
    """
    gc.collect()
    gc.freeze()
    housekeeping.begin()


def fragment(function: Callable) -> Callable:
    """``st.fragment``, guarded."""

    @st.fragment
    @functools.wraps(function)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        with QUEUE.turn(scheduled.asker()), guard():
            return function(*args, **kwargs)

    return guarded


def run_again() -> None:
    """Run the fragment again, or the page where that is running."""
    try:
        st.rerun(scope="fragment")
    except StreamlitAPIException:  # the whole page is running
        st.rerun()


@contextlib.contextmanager
def guard() -> Iterator[None]:
    """Log whatever breaks inside and say it on the page in a sentence; a traceback never reaches the page."""
    try:
        yield
    except MemoryError:
        LOG.exception("out of memory")
        st.error("Something went wrong: this needs more memory than the server has. Try fewer points or a larger θ.")
    except Exception:
        LOG.exception("a page broke")
        st.error(
            "Something went wrong on this page; the server's log has the details. Your data set and settings are "
            "unchanged. Change a setting or reload the page."
        )


def _own_upload_first() -> None:
    """Who comes back by the bare address finds the file that the server still has of theirs."""
    if not session.begun() and not st.query_params.to_dict():
        latest = visitor.latest()
        if latest is not None:
            session.choose(latest)


def current_data() -> datasets.Dataset:
    """The data set and preparation of this session; when they cannot be had, the nearest that can, and a notice."""
    chosen = session.current()
    try:
        return loading.dataset(chosen.spec, chosen.preparation, chosen.settings.rows)
    except LookupError as error:
        session.choose(datasets.DEFAULT)
        if isinstance(error, store.NoRoom):
            session.stand_in_for(chosen)  # so that the page, loaded again, tries again
            session.notify(f"{error} The default data set is shown instead.")
        elif isinstance(chosen.spec, datasets.Upload):
            visitor.await_upload(chosen)
            session.stand_in_for(chosen)
            session.notify(_did_not_travel(chosen.settings))
        else:  # a published set that has not been downloaded to this machine
            session.notify(f"{error.args[0]} The default data set is shown instead.")
    except ValueError as error:
        if chosen.settings.rows is not None:  # of another file, or of other columns
            session.update(rows=None)
            session.notify(f"{error} All rows are shown.")
            return current_data()
        session.choose(chosen.spec)
        session.notify(f"{error} All columns are used as they are instead.")
    return current_data()


def _did_not_travel(settings: session.Settings) -> str:
    lengths = [f"θ = {short(settings.theta)}"] if settings.theta is not None else []
    lengths += [f"ε = {short(settings.epsilon)}"] if settings.epsilon is not None else []
    named = [settings.algorithm] if settings.algorithm else []
    kept = ", ".join([*named, *lengths, f"{settings.shuffles} shuffles", f"seed {settings.seed}"])
    return (
        "This link belongs to an uploaded file, and links do not carry files. Upload the same file on the Data page "
        f"to see it with the link's settings ({kept}). Until then the default data set is shown."
    )


def _menu(current: Page) -> None:
    with st.sidebar:
        st.html('<div class="theta-brand">ThetA<small>Choose a distance by eye</small></div>')
        for entry in MENU:
            if (HOME / entry.file).exists():
                if entry == current:  # it leads nowhere
                    st.markdown(f"{entry.icon} **{entry.title}**")
                else:
                    links.page_link(entry.file, entry.title, entry.icon)
                st.caption(entry.caption)


def _data_line(data: datasets.Dataset) -> None:
    """What is being looked at, in one line, with the way to change it."""
    facts = [f"**{plain(data.name)}**", *facts_of(data)]
    if session.settings().rows is not None:
        total = len(loading.dataset(session.spec(), session.preparation()).X)
        facts.append(f":orange-background[a part: {len(data.X):,} of {total:,} rows]")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(" · ".join(facts), width="content")
        links.page_link("pages/Data.py", "Change the data", ":material/edit:", width="content")
        norm.choice(data)
        space.choice(data)


def facts_of(data: datasets.Dataset) -> list[str]:
    """How much of what a data set has."""
    n, d = data.in_columns.shape
    known = [] if data.truth is None else [count(len(data.truth_names), "true cluster")]
    if data.of_curves:
        return [count(n, "curve"), f"{d // 3} places each", *known]
    return [count(n, "point"), count(d, "column"), *known]
