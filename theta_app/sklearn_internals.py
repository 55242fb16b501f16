"""Every name of scikit-learn that is not public, in this one place.

Its own estimators check their parameters with them, and ours should say the same of a wrong one. scikit-learn may
change them in any version; `tests/test_sklearn_internals.py` tries each and says what broke.
"""

from sklearn.base import _fit_context as fit_context
from sklearn.utils._param_validation import Interval, StrOptions

__all__ = ["Interval", "StrOptions", "fit_context"]
