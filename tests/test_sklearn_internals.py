"""What the estimators need of scikit-learn that it does not promise: after an upgrade, this says what broke."""

from numbers import Real

import pytest
import sklearn
from sklearn.base import BaseEstimator

from theta_app.sklearn_internals import Interval, StrOptions, fit_context

SAYS = f"scikit-learn {sklearn.__version__} no longer {{}}. Mend theta_app/sklearn_internals.py."


class Tiny(BaseEstimator):
    _parameter_constraints = {"size": [Interval(Real, 0, None, closed="left")], "kind": [StrOptions({"a", "b"})]}  # noqa: RUF012

    def __init__(self, size=1.0, kind="a"):
        self.size, self.kind = size, kind

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y=None):
        return self


def test_right_parameters_pass():
    assert isinstance(Tiny(0, "b").fit([[0.0]]), Tiny), SAYS.format("lets a checked `fit` return")


@pytest.mark.parametrize("wrong", [{"size": -1.0}, {"size": "large"}, {"kind": "c"}])
def test_a_wrong_parameter_is_refused_with_its_name(wrong):
    (name,) = wrong
    try:
        Tiny(**wrong).fit([[0.0]])
        said = ""
    except ValueError as error:
        said = str(error)
    assert f"'{name}'" in said, SAYS.format("reads `_parameter_constraints` when `fit` is called")
