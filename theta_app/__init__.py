"""Clustering by a distance θ: the paper's TSG, TDG and TNC."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from theta_app.estimators import TDG, TNC, TSG, NeighbourMap, ThetA

_ESTIMATORS = ("TDG", "TNC", "TSG", "NeighbourMap", "ThetA")
__all__ = ["TDG", "TNC", "TSG", "NeighbourMap", "ThetA", "__version__"]
__version__ = "0.2.0"


def __getattr__(name):
    """Estimators are imported when asked for: importing scikit-learn takes a second that the engine does not need."""
    if name in _ESTIMATORS:
        from theta_app import estimators

        return getattr(estimators, name)
    raise AttributeError(f"module 'theta_app' has no attribute {name!r}")


def __dir__():
    return sorted([*globals(), *_ESTIMATORS])
