"""Evidence without a browser: what it sends to be drawn, what is kept, what it says, and data at the edges."""

import numpy as np
import pytest

from tests.ui.helpers import complaints, drawn_evidence
from theta_app import metrics, selection
from theta_app.datasets import GridBlobs, Moons, Noise
from theta_app.ui.pages import evidence
from theta_app.ui.timeline.of_evidence import size_sentence

PAGE = "pages/Evidence.py"
GRID = GridBlobs(side=3, spacing=8.0, per_cluster=20).dataset()


def crumbs():
    """Three clusters of 60 points and three of 4 between them: at θ = 3 the elbow is after the third."""
    rng = np.random.default_rng(0)
    centres = np.array([[0.0, 0.0], [20.0, 0.0], [0.0, 20.0], [10.0, 10.0], [30.0, 30.0], [10.0, 30.0]])
    X = np.repeat(centres, [60, 60, 60, 4, 4, 4], axis=0) + rng.uniform(-1, 1, (192, 2))
    return X, np.repeat([0, 1, 2, 0, 1, 2], [60, 60, 60, 4, 4, 4])


def at_theta(sent, theta):
    """What is drawn at a θ: curves by name, sizes, elbow."""
    i = sent["values"].index(theta)
    return {curve["id"]: curve["values"][i] for curve in sent["curves"]}, sent["sizes"][i], sent["elbows"][i]


def said(at):
    return " ".join([m.value for m in at.markdown] + [c.value for c in at.caption])


def test_every_theta_has_what_a_run_of_tdg_gives_there(open_page):
    at = open_page(PAGE, GRID.X, GRID.truth, shuffles=5)
    assert not complaints(at)
    sent = drawn_evidence(at)
    theta = selection.verdict(GRID.X, shuffles=5).theta
    curves, sizes, elbow = at_theta(sent, theta)
    point = selection.evaluate(GRID.X, theta, 5)
    assert curves["k"] == 9
    assert curves["agreement"] == pytest.approx(point.row["agreement"])
    assert curves["silhouette"] == pytest.approx(point.row["silhouette"])
    assert curves["nmi"] == pytest.approx(metrics.score("nmi", GRID.X, point.tdg.labels, GRID.truth))
    assert sizes == sorted(point.tdg.sizes.tolist(), reverse=True)
    assert elbow["after"] is None


def test_the_ranges_are_best_first_and_the_verdicts_is_the_suggested_one(open_page):
    ranges = drawn_evidence(open_page(PAGE, GRID.X, shuffles=5))["ranges"]
    found = selection.verdict(GRID.X, shuffles=5)
    assert (ranges[0]["low"], ranges[0]["high"], ranges[0]["k"]) == (found.low, found.high, 9)
    assert [r["recommended"] for r in ranges] == [True] + [False] * (len(ranges) - 1)


def test_where_the_verdict_is_chains_they_are_drawn_and_tdg_alone_is_one_click_away(open_page):
    moons = Moons(per_shape=60).dataset()
    at = open_page(PAGE, moons.X, shuffles=10)
    sent = drawn_evidence(at)
    found = selection.verdict(moons.X, shuffles=10)
    assert at_theta(sent, found.theta)[0]["k"] == 2
    assert sent["keep"] is None
    chains = next(m for m in sent["maps"] if m["id"] == "chains")
    assert chains["here"] == [found.theta, found.epsilon]
    row = np.argmin(np.abs(np.log(np.array(chains["rows"]) / found.epsilon)))
    assert chains["values"][row][int(np.argmin(np.abs(np.array(chains["thetas"]) - found.theta)))] == 2
    at.button(key="use-tdg").click().run()
    chosen = at.session_state["theta_app.state"].settings
    assert (chosen.algorithm, chosen.theta) == ("TDG", selection.recommend(moons.X, shuffles=10).theta)
    assert drawn_evidence(at)["keep"]["theta"] == chosen.theta


def test_noise_has_no_suggested_range(open_page):
    at = open_page(PAGE, Noise(n=300).dataset().X, shuffles=10)
    assert not complaints(at)
    assert not any(r["recommended"] for r in drawn_evidence(at)["ranges"])
    assert "TDG alone: " in said(at)


def test_both_answers_are_there_with_what_sizes_say(open_page):
    at = open_page(PAGE, GRID.X, shuffles=5)
    assert "Cluster sizes support this: they give the same number from θ = " in said(at)
    close = {"data": "grid", "data_side": "5", "data_spacing": "5.0", "data_per_cluster": "40", "shuffles": "10"}
    at = open_page(PAGE, query=close)
    assert any('data-testid="alternative"' in e.proto.body for e in at.get("html"))


# ---- maps -----------------------------------------------------------------------------------------------------------


def test_the_map_of_shuffles_is_what_fewer_shuffles_give(open_page):
    sent = drawn_evidence(open_page(PAGE, GRID.X, shuffles=5))
    found = next(m for m in sent["maps"] if m["id"] == "shuffles")
    assert found["rows"] == [2, 3, 4, 5]
    column = len(found["thetas"]) // 2
    for row, shuffles in enumerate(found["rows"]):
        assert found["values"][row][column] == len(
            selection.evaluate(GRID.X, found["thetas"][column], shuffles).tdg.sizes
        )
    assert "K is 9 from " in found["note"]


def test_a_large_data_set_is_mapped_only_when_asked(open_page, monkeypatch):
    monkeypatch.setattr(evidence, "UNASKED", 100)
    at = open_page(PAGE, GRID.X, shuffles=3)
    assert [m["id"] for m in drawn_evidence(at)["maps"]] == ["chains"]
    at.button(key="more").click().run()
    assert [m["id"] for m in drawn_evidence(at)["maps"]] == ["shuffles", "orders", "chains"]


# ---- sizes ----------------------------------------------------------------------------------------------------------


def test_as_many_as_the_elbow_says_are_kept_until_the_link_says_otherwise(open_page):
    X, truth = crumbs()
    at = open_page(PAGE, X, truth, shuffles=5, theta=3.0)
    keep = drawn_evidence(at)["keep"]
    assert (keep["k"], keep["suggested"], keep["total"]) == (3, 3, 6)
    assert at_theta(drawn_evidence(at), 3.0)[2]["text"] == (
        "3 of 6 clusters are large: 60 points on average, the others 4 points."
    )
    k = at_theta(drawn_evidence(at), 3.0)[0]["k"]
    assert [row[:2] for row in keep["scores"]["rows"]] == [["as found plus 3 outlier groups", k], ["largest 3", 3]]
    assert keep["support"] == selection.drop_support(X, 3.0, 5).sentence
    assert keep["support"].startswith("With 20 of 20 random seeds")


def test_keeping_another_number_is_scored_and_travels(open_page):
    grid = {"data": "grid", "data_side": "2", "data_per_cluster": "20", "shuffles": "5"}
    digest = GridBlobs(side=2, per_cluster=20).dataset().digest[:8]
    at = open_page(PAGE, query=grid | {"o_keep": f"{digest}:2"})
    keep = drawn_evidence(at)["keep"]
    data = GridBlobs(side=2, per_cluster=20).dataset()
    result = selection.evaluate(data.X, keep["theta"], 5).tdg
    expected = metrics.score("nmi", data.X, selection.keep_largest(data.X, result, 2).labels, data.truth)
    columns, (_, after) = keep["scores"]["columns"], keep["scores"]["rows"]
    assert dict(zip(columns, after))["NMI"] == pytest.approx(expected)
    assert any(button.label == "Labels" for button in at.get("download_button"))


def test_what_is_kept_is_forgotten_with_the_data_set(open_page):
    query = {"o_keep": "01234567:2", "data": "grid", "shuffles": "2", "data_per_cluster": "5"}
    keep = drawn_evidence(open_page(PAGE, query=query))["keep"]
    assert keep["k"] == keep["suggested"]


@pytest.mark.parametrize(
    ("sizes", "sentence"),
    [
        ([9], "One cluster holds everything: lower θ to compare sizes."),
        ([50, 49, 48], "No size elbow: the sizes are alike or fall gradually. Keep all 3 clusters."),
        ([300, 290, 2, 1], "2 of 4 clusters are large: 295 points on average, the others 1.5 points."),
    ],
)
def test_what_sizes_say(sizes, sentence):
    assert size_sentence(selection.size_drop(sizes)) == sentence


# ---- edges ----------------------------------------------------------------------------------------------------------

EDGES = {
    "one point": np.zeros((1, 2)),
    "equal points": np.ones((6, 2)),
    "two points": np.array([[0.0, 0.0], [1.0, 1.0]]),
    "one feature": np.concatenate([np.arange(10.0), 100 + np.arange(10.0)])[:, None],
    "five features": np.random.default_rng(0).normal(size=(40, 5)),
    "tiny numbers": GRID.X[:40] * 1e-150,
}


@pytest.mark.parametrize("theta", [None, 0.0])
@pytest.mark.parametrize("name", EDGES)
def test_data_at_the_edges_open_at_every_theta(open_page, name, theta):
    assert not complaints(open_page(PAGE, EDGES[name], shuffles=2, theta=theta))


@pytest.mark.parametrize("algorithm", ["TSG", "TNC"])
def test_other_algorithms_are_drawn_too(open_page, algorithm):
    at = open_page(PAGE, GRID.X, shuffles=3, algorithm=algorithm)
    assert not complaints(at)
    assert drawn_evidence(at)["keep"] is None
