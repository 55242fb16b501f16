"""The same labels have the same K, scores and range on every page."""

import io

import numpy as np
import pandas as pd
import pytest

from tests.ui.helpers import complaints, drawn_evidence, findings_of
from theta_app import compare, datasets, selection
from theta_app.compare.steps import PointsAtHand, measured
from theta_app.ui import loading, peers, sweeps
from theta_app.ui.session import Settings
from theta_app.ui.timeline import of_theta

SPEC = datasets.GridBlobs(side=4, spacing=5.0, per_cluster=90)  # overlapping, and more points than a silhouette takes
QUERY = datasets.spec_to_query(SPEC) | {"shuffles": "10"}
SETTINGS = Settings(shuffles=10)


@pytest.fixture(scope="module")
def truth():
    """What the engine and the one table of scores say at the recommended θ."""
    data = datasets.load(SPEC)
    best = selection.recommend(data.X, shuffles=10)
    variant = compare.Variant.of("tdg", theta=best.theta, shuffles=10)
    return best, compare.measure(variant, data.X, 0, data.truth)


def numbers(found):
    return found.n_clusters, *(round(found.scores[name], 3) for name in ("nmi", "ari", "silhouette"))


def frame_with(at, column):
    return next(frame.value for frame in at.dataframe if column in frame.value)


def test_explore_says_what_the_library_finds(open_page, truth):
    best, found = truth
    at = open_page("app.py", query=QUERY)
    assert complaints(at) == []
    said = findings_of(at)
    k, nmi, ari, silhouette = numbers(found)
    outliers, k = k - best.n_clusters, best.n_clusters  # which K does not count
    assert f'data-theta="{best.theta!r}" data-k="{k}"' in said
    assert f"plus {outliers} outlier group" in said
    data = datasets.load(SPEC)
    point = sweeps.theta_point(loading.sample(data), best.theta, SETTINGS)
    shown = of_theta.theta_frame(loading.sample(data), point, SETTINGS, data.unit).frame.readouts
    assert shown["k"][0] == str(k)
    assert (shown["nmi"], shown["silhouette"][0]) == ((f"{nmi:.3f}", f"ARI {ari:.3f}"), f"{silhouette:.3f}")
    assert round(point.row["silhouette"], 3) == silhouette
    assert outliers == 1


def test_evidence_has_the_range_that_explore_shows_and_scores_the_same_labels_alike(open_page, truth):
    best, measured = truth
    at = open_page("pages/Evidence.py", query=QUERY)
    assert complaints(at) == []
    sent = drawn_evidence(at)
    first, scores = sent["ranges"][0], sent["keep"]["scores"]
    assert (first["k"], first["low"], first["high"]) == (best.n_clusters, best.theta_low, best.theta_high)
    row = dict(zip(scores["columns"], scores["rows"][0]))
    assert row["K"] == best.n_clusters  # outliers are not counted here either
    assert tuple(round(row[name], 3) for name in ("NMI", "ARI", "Silhouette")) == numbers(measured)[1:]


def test_compare_measures_the_same_numbers(open_page, truth, offered, monkeypatch):
    def known(steps):  # in this process rather than in another
        points, data = PointsAtHand(), datasets.load(SPEC)
        points.hand_over(loading.sample(data).key, data.X, data.truth)
        return {step: measured(step, points)[0] for step in steps if step.variant.method == "tdg" and step.scores}

    monkeypatch.setattr(peers, "known", known)
    assert complaints(open_page("pages/Compare.py", query=QUERY)) == []
    table = pd.read_csv(io.BytesIO(offered["Table as CSV"]())).set_index("rule")
    for rule in ("yours", "its best θ"):
        row = table.loc[rule]
        assert tuple(round(float(row[name]), 3) for name in ("nmi", "ari", "silhouette")) == numbers(truth[1])[1:]
        assert row["k"] == truth[0].n_clusters  # outliers are not counted here either


def test_an_undefined_silhouette_is_a_dash_everywhere(open_page):
    data = datasets.load(datasets.GridBlobs(side=1, per_cluster=30))
    point = sweeps.theta_point(loading.sample(data), 100.0, SETTINGS)
    shown = of_theta.theta_frame(loading.sample(data), point, SETTINGS, data.unit).frame.readouts
    assert shown["silhouette"][0] == "–"
    assert np.isnan(point.row["silhouette"])
    assert np.isnan(compare.measure(compare.Variant.of("tsg", theta=100.0), data.X).scores["silhouette"])
