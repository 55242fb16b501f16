"""Over which θ there are as many clusters as there should be."""

import numpy as np
import pytest

from theta_app import selection
from theta_app.datasets import GridBlobs


def curve(found, true_k=25):
    return selection.SpacingCurve(5.0, true_k, np.arange(len(found), dtype=float), np.array(found))


def test_the_range_of_the_true_k_reaches_half_a_step_beyond_its_thetas():
    assert curve([30, 25, 25, 24, 25, 20]).stretches == [(0.5, 2.5), (3.5, 4.5)]
    assert curve([30, 25, 25, 24, 25, 20]).widest == (0.5, 2.5)
    assert curve([25, 25]).stretches == [(0.0, 1.0)]
    assert curve([30, 24]).widest is None


def test_the_range_shrinks_as_the_clusters_close_in():
    thetas = np.linspace(1, 13, 25)
    curves = []
    for spacing in (11.0, 7.5, 5.0):
        data = GridBlobs(side=5, spacing=spacing, per_cluster=100).dataset()
        curves.append(selection.spacing_curve(data.X, 25, spacing, thetas, shuffles=10))
    table = selection.spacing_table(curves)
    assert table["width"].is_monotonic_decreasing
    assert table["width"].iloc[0] > 3 * table["width"].iloc[-1] > 0


def test_a_curve_stops_where_its_progress_raises():
    def stop(done, total):
        assert total == 4
        if done == 2:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        selection.spacing_curve(np.eye(5), 9, 8.0, [1.0, 2.0, 3.0, 4.0], 2, progress=stop)


def test_a_table_has_one_row_per_curve_also_where_no_theta_is_right():
    assert selection.spacing_table([curve([]), curve([3, 4])])["theta_low"].isna().all()
    assert len(selection.spacing_table([])) == 0
