"""Rows that arrive: every moment is TSG on the rows so far."""

import numpy as np
import pytest

from theta_app import datasets, metrics
from theta_app.compare.arriving import arrivals
from theta_app.engine import Metric, tsg

DATA = datasets.load(datasets.Drifting(n=1200))
X, TRUTH = DATA.X, DATA.truth


def test_every_moment_is_one_pass_over_the_rows_so_far():
    found = arrivals(X, 2.0, truth=TRUTH, steps=12)
    assert [moment.rows for moment in found.moments] == list(range(100, 1300, 100))
    before = 0
    for moment in found.moments:
        result = tsg(X[: moment.rows], 2.0)
        np.testing.assert_array_equal(moment.centroids, result.centroids)
        np.testing.assert_array_equal(moment.sizes, result.sizes)
        np.testing.assert_array_equal(found.labels[: moment.rows], result.labels)
        assert moment.founded == len(result.sizes) - before
        assert moment.nmi == metrics.nmi(TRUTH[: moment.rows], result.labels)
        assert 0.0 <= moment.batch_nmi <= 1.0
        before = len(result.sizes)
    assert 0.0 <= found.whole_nmi <= 1.0


def test_the_example_drifts_and_splits_so_clusters_appear_late():
    found = arrivals(X, 2.0, steps=20)
    counts = [len(moment.sizes) for moment in found.moments]
    assert counts[4] < counts[-1]
    assert any(moment.founded for moment in found.moments[10:])
    assert found.moments[-1].nmi is found.whole_nmi is None


def test_rows_come_in_any_order_and_metric():
    order = np.random.default_rng(0).permutation(len(X))
    for metric, theta in ((Metric.of("manhattan"), 2.5), (Metric.of("cosine"), 0.05)):
        found = arrivals(X, theta, order, metric=metric, steps=7)
        result = tsg(X[order], theta, metric=metric)
        np.testing.assert_array_equal(found.labels[order], result.labels)
        assert found.n_clusters == len(result.sizes)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_few_rows_have_few_moments(n):
    found = arrivals(X[:n], 1e-9, truth=TRUTH[:n])
    assert len(found.moments) == n == found.n_clusters
