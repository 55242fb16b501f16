"""Cluster sizes without a browser: the drop, what is kept, S1 to S4, and data at the edges."""

import numpy as np
import pytest

from tests.shared_data import points
from tests.ui.helpers import complaints
from theta_app import datasets, metrics, selection
from theta_app.compare import s_sets
from theta_app.ui.pages import cluster_sizes

PAGE = "pages/Cluster_sizes.py"


@pytest.fixture(autouse=True)
def quick(request, monkeypatch):
    """S1 to S4 are measured where a test is about them."""
    if "four_sets" not in request.node.name:
        monkeypatch.setattr(cluster_sizes, "_set_result", lambda spec, *_: named(spec))


def named(spec):
    return s_sets.SetResult(spec.label, selection.size_drop([9, 8, 1]), 15, 0.5, 0.6, 0.7)


def crumbs():
    """Three clusters of 60 points and three crumbs of 4 between them: at θ = 3 the sizes drop after the third."""
    rng = np.random.default_rng(0)
    centres = np.array([[0.0, 0.0], [20.0, 0.0], [0.0, 20.0], [10.0, 10.0], [30.0, 30.0], [10.0, 30.0]])
    X = np.repeat(centres, [60, 60, 60, 4, 4, 4], axis=0) + rng.uniform(-1, 1, (192, 2))
    return X, np.repeat([0, 1, 2, 0, 1, 2], [60, 60, 60, 4, 4, 4])


def finding(at):
    return next(m.value for m in at.markdown if "clusters stand" in m.value)


def scores(at):
    return next(frame.value for frame in at.dataframe if "clustering" in frame.value)


def test_the_drop_says_how_many_stand_out_and_that_many_are_kept(open_page):
    at = open_page(PAGE, *crumbs(), shuffles=5, theta=3.0)
    assert not complaints(at)
    assert finding(at).endswith("3 of 6 clusters stand out: after number 3, sizes drop by 93%.")
    assert at.slider(key="widget.keep").value == 3
    before, after = scores(at)["clusters"]
    assert (before, after) == (6, 3)


def test_keeping_another_number_changes_the_scores_and_goes_back(open_page):
    X, truth = crumbs()
    at = open_page(PAGE, X, truth, shuffles=5, theta=3.0)
    at.slider(key="widget.keep").set_value(5).run()
    assert not complaints(at)
    assert scores(at)["clusters"].tolist() == [6, 5]
    found = selection.evaluate(X, 3.0, 5).tdg
    expected = selection.keep_largest(X, found, 5)
    assert scores(at)["nmi"].iloc[1] == pytest.approx(metrics.score("nmi", X, expected.labels, truth))
    at.button(key="keep-suggested").click().run()
    assert at.slider(key="widget.keep").value == 3


def test_without_truth_there_is_no_score_that_needs_it(open_page):
    at = open_page(PAGE, crumbs()[0], shuffles=5, theta=3.0)
    assert "nmi" not in scores(at)
    assert "silhouette" in scores(at)


def test_theta_is_chosen_on_the_page_for_every_page(open_page):
    X, truth = crumbs()
    at = open_page(PAGE, X, truth, shuffles=5, theta=3.0)
    wanted = float(selection.theta_grid(X)[40])
    at.select_slider(key="widget.sizes-theta").set_value(wanted).run()
    assert not complaints(at)
    assert at.session_state["theta_app.state"].settings.theta == wanted


def test_what_is_kept_is_forgotten_with_the_data_set(open_page):
    at = open_page(PAGE, query={"o_keep": "01234567:2", "data": "grid", "shuffles": "2", "data_per_cluster": "5"})
    assert not complaints(at)
    assert at.slider(key="widget.keep").value == at.slider(key="widget.keep").max


def test_the_four_sets_are_measured_beside_what_the_paper_says(open_page):
    at = open_page(PAGE, *crumbs(), shuffles=20, theta=3.0)
    table = next(frame.value for frame in at.dataframe if "nmi_kmeans" in frame.value)
    assert table["set"].tolist() == [f"S{i} (look-alike)" for i in (1, 2, 3, 4)]
    assert (table["nmi_top"] > table["nmi_all"] + 0.01).all()  # keeping the largest brings it nearer to the truth
    said = " ".join(m.value for m in at.markdown)
    assert "closer to the ground truth than K-Means++" in said
    dropped = int((table["suggested"] == 15).sum())
    assert f"falls after the 15th cluster on {dropped} of 4 sets" in said


def test_originals_are_offered_where_they_were_fetched(open_page, monkeypatch):
    monkeypatch.setattr(datasets, "is_fetched", lambda name: name == "s1")
    at = open_page(PAGE, *crumbs(), shuffles=5, theta=3.0)
    at.segmented_control(key="widget.option.sets").set_value("originals").run()
    table = next(frame.value for frame in at.dataframe if "nmi_kmeans" in frame.value)
    assert table["set"].tolist() == ["S1 (original)", "S2 (look-alike)", "S3 (look-alike)", "S4 (look-alike)"]


@pytest.mark.parametrize(("name", "top", "told"), [("s1", 0.985, 0.987), ("s2", 0.944, 0.946), ("s3", 0.789, 0.795)])
def test_on_the_real_sets_the_drop_is_after_fifteen_and_scores_are_as_measured(name, top, told):
    result = s_sets.set_result(name, *points(f"s-sets/{name}"), theta=1e5)
    assert result.drop.suggested == 15
    assert result.nmi_top == pytest.approx(top, abs=0.006)
    assert result.nmi_kmeans == pytest.approx(told, abs=0.006)


EDGES = {
    "one point": np.zeros((1, 2)),
    "equal points": np.ones((6, 2)),
    "two points": np.array([[0.0, 0.0], [1.0, 1.0]]),
    "one feature": np.concatenate([np.arange(10.0), 100 + np.arange(10.0)])[:, None],
    "five features": np.random.default_rng(0).normal(size=(40, 5)),
}


@pytest.mark.parametrize("theta", [None, 0.0])
@pytest.mark.parametrize("name", EDGES)
def test_data_at_the_edges_open_at_every_theta(open_page, name, theta):
    at = open_page(PAGE, EDGES[name], shuffles=2, theta=theta)
    assert not complaints(at)
