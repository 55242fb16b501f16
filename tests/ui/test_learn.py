"""The Learn page: each lesson opened, alone and from a link."""

import itertools
import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from theta_app.datasets import drawn
from theta_app.ui.pages.learn import lessons

PAGE = str(Path(__file__).parents[2] / "pages" / "Learn.py")


# The page


def opened(**query):
    app = AppTest.from_file(PAGE, default_timeout=60)
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    assert not app.error
    return app


@pytest.mark.parametrize("lesson", lessons.LESSONS)
def test_every_lesson_opens_from_a_link(lesson):
    assert opened(o_lesson=lesson).segmented_control[0].value == lesson


def test_a_link_to_an_unknown_lesson_opens_the_first():
    assert opened(o_lesson="nowhere", o_points="nothing").segmented_control[0].value == "start"


def picture(app):
    """What the browser gets to draw."""
    element = next(e for e in app.get("bidi_component") if e.proto.component_name == "theta_learn")
    return json.loads(element.proto.json)


def told(app):
    """Everything that the story of the shown place says."""
    return " ".join(moment["words"] for moment in picture(app)["moments"])


def test_every_place_knows_the_one_before_and_the_one_after():
    everything = lessons.places()
    assert everything[0] == ("start", "start")
    assert len(everything) == len(set(everything)) > 20
    for before, after in itertools.pairwise(everything):
        assert lessons._neighbours(*before)["next"] | {"words": ""} == dict(zip(("lesson", "story"), after)) | {
            "words": ""
        }
        assert lessons._neighbours(*after)["previous"]["story"] == before[1]
    assert lessons._neighbours(*everything[0])["previous"] is None
    assert lessons._neighbours(*everything[-1])["next"] is None


def test_the_theory_names_the_assumption_the_paper_makes():
    boxes = {box.label: box.markdown[0].value for box in opened(o_lesson="order").expander}
    theorem = next(text for label, text in boxes.items() if label.startswith("Theorem 1"))
    assert "takes for granted" in theorem
    lemma = next(text for label, text in boxes.items() if label.startswith("Lemma 1"))
    assert "evidence, not proof" in lemma
    assert "At exactly θ" in theorem
    assert r"\frac{2}{N (N - 1)}" in lemma
    assert r"\theta / 2" in lemma


def test_the_sketch_of_the_vote_and_the_space_have_their_place():
    vote = next(box for box in opened(o_lesson="vote").expander if "vote" in box.label)
    assert r"\frac{m}{2} + \epsilon" in vote.markdown[0].value
    space = next(box for box in opened(o_lesson="growth").expander if box.label.startswith("Space"))
    assert "$O(2N)$" in space.markdown[0].value


@given(n=st.integers(1, 200), m=st.integers(1, 200), epsilon=st.integers(0, 400))
def test_the_condition_in_the_box_on_the_vote_is_the_right_one(n, m, epsilon):
    lower = Fraction(m, 2) + epsilon < Fraction(m, n + m) * (n + 2 * m)
    assert lower == (epsilon < Fraction(3 * m * m + m * n, 2 * (m + n)))


def test_the_first_lesson_spells_the_names_out_and_nmi_is_explained_where_it_first_appears():
    first = " ".join(text.value for text in opened().markdown)
    for name in ("ThetA Sparse Grouping", "ThetA Dense Grouping", "ThetA Nonlinear Chaining"):
        assert name in first
    assert "normalised mutual information" in told(opened(o_lesson="vote"))


def test_a_link_with_drawn_points_shows_them_and_says_what_is_true_of_them():
    text = drawn.encoded([[1.0, 1.0], [1.2, 1.0], [9.0, 8.0]])
    app = opened(o_lesson="point", o_points="separated", o_drawn=text, o_theta="1.5", o_step="2")
    assert "Now 3 points, θ = 1.5, K = 2." in told(app)
    assert picture(app)["open"]["step"] == 2
    assert not app.warning


def test_a_broken_link_gets_a_sentence_and_the_lesson_opens():
    app = opened(o_lesson="point", o_points="separated", o_drawn="AAAA", o_theta="wide")
    assert [warning.value for warning in app.warning] == [
        "The link's drawn points cannot be read: a part of it is missing or was changed. The lesson opens without it.",
        "The link says theta = 'wide', but it must be a number from 0 to 8. The lesson opens without it.",
    ]
    assert "every order gives these clusters" in told(app)


@pytest.mark.parametrize(("lesson", "story"), lessons.places())
def test_every_story_opens_from_a_link_and_says_something_at_each_of_its_steps(lesson, story):
    app = opened(o_lesson=lesson, **{f"o_{lessons.LESSONS[lesson].option}": story})
    shown = picture(app)
    assert (shown["lesson"], shown["story"]) == (lesson, story)
    steps = [moment["step"] for moment in shown["moments"]]
    assert steps == sorted(steps)
    assert all(moment["words"] for moment in shown["moments"])


def test_a_link_to_a_room_that_is_not_open_gets_a_sentence():
    app = opened(o_room="QQQQ")
    assert any("There is no room QQQQ" in warning.value for warning in app.warning)
    assert "o_room" not in app.query_params


# What a student must find in the lessons alone: a question, and words of the answer
QUIZ = {
    "What is θ?": ("start", "start", "a distance: how far a member may be from its centroid"),
    "How does TSG decide?": ("point", "separated", "joins the nearest centroid if it is within θ; otherwise"),
    "What is a good θ?": ("point", "separated", "larger than a cloud and smaller than the gap between clouds"),
    "What is a good θ, seen from K?": ("fails", "theta", "A wide range with one K is the sign of a good θ"),
    "Does the order change the result?": (
        "order",
        "few",
        "order B with K = 3, from the same points and the same θ",
    ),
    "Why?": (
        "order",
        "few",
        "a centroid moves with every point that joins, so the points before decide",
    ),
    "Why, seen once?": ("order", "few", "So in A the nearest centroid is 3.11 away, within θ = 3.4"),
    "What does the vote do?": ("vote", "close", "TSG runs in one random order after the other"),
    "When does it fail?": ("vote", "merge", "The vote fails here: K = 3 of 6"),
    "What is chaining?": ("chain", "six", "everything linked together becomes one cluster"),
    "When does ε fail?": ("chain", "moons", "ε fails where the gap between shapes is no wider"),
    "When does ε fail, with noise?": ("fails", "bridge", "so no ε separates them"),
    "What is an outlier?": ("fails", "outliers", "too far from all others to be a cluster"),
}


@pytest.mark.parametrize("question", QUIZ)
def test_every_question_of_the_quiz_is_answered_in_a_lesson(question):
    lesson, story, answer = QUIZ[question]
    assert answer in told(opened(o_lesson=lesson, **{f"o_{lessons.LESSONS[lesson].option}": story}))
