"""The clustering layer equals the plain reading of the DEC paper."""

import numpy as np
import pytest

from tests.deep import naive
from theta_app.deep import layer

RNG = np.random.default_rng(0)
Z = RNG.normal(size=(40, 3)) * 3
CENTRES = RNG.normal(size=(5, 3)) * 3


def test_soft_labels_equal_the_plain_version():
    np.testing.assert_allclose(layer.soft_labels(Z, CENTRES), naive.soft_labels(Z, CENTRES), rtol=1e-4)


def test_a_point_on_a_centre_belongs_to_it_most():
    q = np.asarray(layer.soft_labels(CENTRES, CENTRES))
    np.testing.assert_array_equal(q.argmax(axis=1), np.arange(5))


def test_the_target_equals_the_plain_version():
    q = naive.soft_labels(Z, CENTRES)
    np.testing.assert_allclose(layer.target(q), naive.target(q), rtol=1e-4)


def test_the_target_is_surer_than_the_soft_labels():
    q = naive.soft_labels(Z, CENTRES)
    assert np.asarray(layer.target(q)).max(axis=1).mean() > q.max(axis=1).mean()


def test_the_divergence_equals_the_plain_version_and_is_0_from_itself():
    q = naive.soft_labels(Z, CENTRES)
    p = naive.target(q)
    assert float(layer.divergence(p, q)) == pytest.approx(naive.divergence(p, q), rel=1e-3)
    assert float(layer.divergence(q, q)) == pytest.approx(0.0, abs=1e-6)
