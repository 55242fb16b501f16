"""The page Nonlinear without a browser: what it says, what its controls choose, and data at the edges."""

import numpy as np
import pytest

from tests.ui.helpers import by_size, complaints
from theta_app import datasets, selection
from theta_app.engine import tdg, tnc
from theta_app.ui import loading, session, timeline
from theta_app.ui.pages import nonlinear
from theta_app.ui.pages.nonlinear import methods
from theta_app.ui.timeline import of_epsilon

PAGE = "pages/Nonlinear.py"
SPEC = datasets.Moons(per_shape=60)
MOONS = datasets.load(SPEC)
QUERY = datasets.spec_to_query(SPEC)  # whose verdict is TNC
LOOKING = {**QUERY, "algorithm": "TDG"}  # somebody with TDG in use who only looks at chains


@pytest.fixture(scope="module")
def suggested():
    return selection.suggest(MOONS.X)


def findings(at):
    """θ, ε and K' as the page states them."""
    text = next(e.proto.body for e in at.main if e.type == "html" and "findings" in e.proto.body)
    values = [text.split(f'data-{name}="')[1].split('"')[0] for name in ("theta", "epsilon", "k")]
    return float(values[0]), float(values[1]), int(values[2])


def words(at):
    return " ".join([m.value for m in at.markdown] + [c.value for c in at.caption] + [w.value for w in at.warning])


def settings(at):
    return at.session_state["theta_app.state"].settings


def test_it_opens_on_the_suggestion_and_says_it(open_page, suggested):
    at = open_page(PAGE, query=QUERY)
    assert not complaints(at)
    assert findings(at) == (suggested.theta, suggested.epsilon, 2)
    assert "### 2 chains, for every ε from" in words(at)
    assert "where two circles overlap" in words(at)
    assert nonlinear.RULE in words(at)
    assert settings(at) == session.Settings()  # looking changes nothing


def test_chains_of_a_few_outliers_are_told_apart():
    X = np.concatenate([MOONS.X, [[50.0, 50.0]]])
    chaining = selection.Chaining.of(0.1, tdg(X, 0.1, 20))
    epsilon = selection.best_epsilon(chaining)
    assert selection.count_outlier_chains(chaining.sizes(epsilon)) == chaining.tree.count(epsilon) - 2 == 1
    assert selection.count_outlier_chains(chaining.sizes(1e-6)) == 0  # nothing is chained yet: small, not outliers


def test_the_picture_is_explained_in_two_sentences_and_the_rule_in_one(open_page):
    at = open_page(PAGE, EDGES["many features"], shuffles=5)
    said = next(c.value for c in at.caption if "Drag ε" in c.value)
    assert said.count(". ") == 1
    assert "circle" not in said  # of more than two features none are drawn
    assert nonlinear.RULE.count(".") == 1


def test_use_puts_tnc_with_both_lengths_in_use(open_page, suggested):
    at = open_page(PAGE, query=LOOKING)
    assert "is in use on every page" not in words(at)
    at.button(key="use-chain").click().run()
    assert (settings(at).algorithm, settings(at).theta, settings(at).epsilon) == (
        "TNC",
        suggested.theta,
        suggested.epsilon,
    )
    assert "is in use on every page" in words(at)
    assert at.query_params["algorithm"] in ("TNC", ["TNC"])
    assert not any(button.key == "use-chain" for button in at.button)


def test_another_theta_takes_the_middle_of_the_widest_range_there(open_page):
    at = open_page(PAGE, query=LOOKING)
    theta = float(selection.theta_grid(MOONS.X)[20])
    at.select_slider(key="widget.chain-theta").set_value(theta).run()
    chaining = selection.Chaining.of(theta, tdg(MOONS.X, theta))
    assert findings(at)[:2] == (theta, selection.best_epsilon(chaining))
    assert settings(at).theta is None  # still the page's own choice


@pytest.mark.parametrize("query", [QUERY, LOOKING])
def test_a_typed_epsilon_is_taken_exactly_and_survives_a_reload(open_page, suggested, query):
    at = open_page(PAGE, query=query)
    at.number_input(key="widget.chain-epsilon-box").set_value(0.123456).run()
    sizes = np.bincount(np.unique(tnc(MOONS.X, suggested.theta, 0.123456).labels, return_inverse=True)[1])
    assert findings(at) == (suggested.theta, 0.123456, len(sizes) - selection.count_outlier_chains(sizes))
    link = {name: value[0] if isinstance(value, list) else value for name, value in at.query_params.items()}
    assert findings(open_page(PAGE, query=link)) == findings(at)


def test_where_the_verdict_is_tnc_a_typed_epsilon_is_everybodys(open_page, suggested):
    at = open_page(PAGE, query=QUERY)
    at.number_input(key="widget.chain-epsilon-box").set_value(0.123456).run()
    chosen = settings(at)
    assert (chosen.algorithm, chosen.theta, chosen.epsilon) == ("TNC", suggested.theta, 0.123456)


def test_a_choice_made_on_other_data_is_forgotten(open_page, suggested):
    link = {**QUERY, "o_chain": "0123abcd 5.0 9.0"}
    assert findings(open_page(PAGE, query=link))[0] == suggested.theta


@pytest.mark.parametrize("text", ["", "x", "a b c", "{} nan 1", "{} 1 -1", "{} inf best", "{} best 1", "{} 1 2 3"])
def test_a_broken_choice_in_a_link_is_passed_over(open_page, suggested, text):
    data = loading.dataset(SPEC, datasets.Preparation())
    at = open_page(PAGE, query={**QUERY, "o_chain": text.format(data.digest[:8])})
    assert not complaints(at)
    assert findings(at)[:2] == (suggested.theta, suggested.epsilon)


def test_with_tnc_in_use_the_page_shows_and_changes_the_shared_lengths(open_page):
    at = open_page(PAGE, query={**QUERY, "algorithm": "TNC", "theta": "0.2", "epsilon": "0.3"})
    assert findings(at)[:2] == (0.2, 0.3)
    at.number_input(key="widget.chain-epsilon-box").set_value(0.4).run()
    assert (settings(at).theta, settings(at).epsilon) == (0.2, 0.4)


def test_go_to_the_suggested_returns_to_it_where_the_verdict_is_another(open_page):
    grid = datasets.GridBlobs(side=3, spacing=8.0, per_cluster=30)
    suggested = selection.suggest(datasets.load(grid).X, 10)
    lengths = {"algorithm": "TNC", "theta": "0.7", "epsilon": "0.8", "shuffles": "10"}
    at = open_page(PAGE, query={**datasets.spec_to_query(grid), **lengths})
    assert "Chaining alone: " in words(at)
    at.button(key="go-suggested").click().run()
    assert findings(at)[:2] == (suggested.theta, suggested.epsilon)


def test_it_warns_where_the_chain_joins_everything_and_where_it_joins_nothing(open_page):
    link = {**QUERY, "algorithm": "TNC", "theta": "0.2"}
    assert "joins everything" in words(open_page(PAGE, query={**link, "epsilon": "9"}))
    assert "Nothing is chained" in words(open_page(PAGE, query={**link, "epsilon": "0"}))


def test_noise_is_said_to_chain_by_chance_and_one_click_leads_to_shapes(open_page):
    at = open_page(PAGE, query=datasets.spec_to_query(datasets.Noise(n=200)))
    assert "No chaining stands out" in words(at)
    assert "Shapes that do chain" in words(at)
    at.button(key="shape-circles").click().run()
    assert at.session_state["theta_app.state"].spec == datasets.Circles()
    assert findings(at)[2] == 2
    assert "No chaining stands out" not in words(at)


def test_other_methods_stand_beside_it_with_scores_time_and_parameters(open_page):
    at = open_page(PAGE, query=QUERY)
    table = next(frame.value for frame in at.dataframe if "Method" in frame.value)
    assert table["Method"].tolist() == ["TNC", "DBSCAN", "HDBSCAN", "Spectral", "Single linkage", "K-Means++"]
    assert {"K", "NMI", "ARI", "Silhouette", "Time (ms)", "Parameters"} <= set(table.columns)
    assert table["NMI"].iloc[0] == 1.0
    assert (table["Time (ms)"] >= 0).all()


def test_without_truth_there_are_no_scores_that_need_it(open_page):
    at = open_page(PAGE, MOONS.X)
    table = next(frame.value for frame in at.dataframe if "Method" in frame.value)
    assert "NMI" not in table.columns
    assert table["Silhouette"].notna().any()


def test_more_values_than_take_a_second_wait_for_a_click(open_page, monkeypatch):
    monkeypatch.setattr(methods, "_UNASKED_VALUES", 10)
    at = open_page(PAGE, query=QUERY)
    assert not any("Method" in frame.value for frame in at.dataframe)
    next(b for b in at.button if b.label.startswith("Run the other methods")).click().run()
    assert any("Method" in frame.value for frame in at.dataframe)


EDGES = {
    "one point": np.zeros((1, 2)),
    "two points": np.array([[0.0, 0.0], [1.0, 1.0]]),
    "equal points": np.ones((20, 3)),
    "one feature": np.random.default_rng(0).normal(size=(60, 1)),
    "many features": np.random.default_rng(1).normal(size=(60, 30)),
    "huge": 1e150 * np.random.default_rng(2).normal(size=(50, 2)),
    "tiny": 1e-200 * np.random.default_rng(3).normal(size=(50, 2)),
    "a lattice": np.stack(np.meshgrid(np.arange(8.0), np.arange(8.0)), axis=-1).reshape(-1, 2),
}


@pytest.mark.parametrize("name", EDGES)
def test_odd_data_are_shown_without_a_complaint(open_page, name):
    at = open_page(PAGE, EDGES[name], shuffles=5)
    assert not complaints(at)
    assert findings(at)[2] >= 1


# --- what is sent to the browser -------------------------------------------------------------------------------------


def test_the_timeline_has_the_chains_of_the_engine_at_each_epsilon(monkeypatch):
    sent, real = {}, timeline.pack

    def pack(picture, *more):
        sent["drawn"] = picture.frames
        return real(picture, *more)

    monkeypatch.setattr(of_epsilon, "pack", pack)
    chaining = selection.Chaining.of(0.2, tdg(MOONS.X, 0.2))
    packed = of_epsilon.epsilon_timeline(MOONS, chaining, 0.3217, session.Settings())
    assert 0.3217 in packed.values
    assert list(packed.values) == [frame.value for frame in sent["drawn"]]
    for frame in sent["drawn"][::20]:
        result = tnc(MOONS.X, 0.2, frame.value)
        assert (frame.labels == by_size(result.labels)).all()
        assert len(frame.segments) == chaining.n_clusters - len(frame.sizes)
        assert frame.readouts["k"][0] == f"{result.n_clusters - selection.count_outlier_chains(frame.sizes):,}"


def test_the_track_shows_the_ranges_with_the_one_that_stands_out_first(suggested):
    chaining = selection.Chaining.of(suggested.theta, tdg(MOONS.X, suggested.theta))
    ranges = of_epsilon.track_ranges(chaining, of_epsilon.epsilon_values(loading.sample(MOONS), chaining))
    assert [r.recommended for r in ranges] == [True] + [False] * (len(ranges) - 1)
    assert ranges[0].k == 2
    assert ranges[0].middle == suggested.epsilon
    assert all(r.low < r.middle < r.high for r in ranges)
