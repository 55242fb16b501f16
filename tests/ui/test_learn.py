"""The Learn page: each lesson opened, alone and from a link."""

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


def test_the_next_button_leads_through_all_lessons():
    app, seen = opened(), []
    while True:
        seen.append(app.segmented_control[0].value)
        following = [button for button in app.button if button.label.startswith("Next: ")]
        if not following:
            break
        following[0].click().run()
    assert seen == ["start", "point", "order", "vote", "chain", "beside", "growth", "try"]


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
    assert "normalised mutual information" in " ".join(text.value for text in opened(o_lesson="vote").markdown)


def test_a_link_with_drawn_points_shows_them_and_says_what_is_true_of_them():
    text = drawn.encoded([[1.0, 1.0], [1.2, 1.0], [9.0, 8.0]])
    app = opened(o_lesson="point", o_points="separated", o_drawn=text, o_theta="1.5", o_step="2")
    told = " ".join(text.value for text in app.markdown)
    assert "Now 3 points, θ = 1.5, K = 2." in told
    assert not app.warning


def test_a_broken_link_gets_a_sentence_and_the_lesson_opens():
    app = opened(o_lesson="point", o_points="separated", o_drawn="AAAA", o_theta="wide")
    assert [warning.value for warning in app.warning] == [
        "The link's drawn points cannot be read: a part of it is missing or was changed. The lesson opens without it.",
        "The link says theta = 'wide', but it must be a number from 0 to 8. The lesson opens without it.",
    ]
    assert any("every order gives K = 3" in text.value for text in app.markdown)
