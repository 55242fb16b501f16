"""Clustering by a distance θ: the paper's TSG, TDG and TNC."""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from theta_app.clustering import cluster
    from theta_app.estimators import TDG, TNC, TSG, NeighbourMap, ThetA
    from theta_app.files import read

_FROM = dict.fromkeys(("TDG", "TNC", "TSG", "NeighbourMap", "ThetA"), "estimators")
_FROM |= {"cluster": "clustering", "read": "files"}
__all__ = ["TDG", "TNC", "TSG", "NeighbourMap", "ThetA", "__version__", "cluster", "read"]
__version__ = "0.2.0"


def __getattr__(name: str) -> object:
    """Imported when they are asked for: importing scikit-learn takes a second that the engine does not need."""
    if name in _FROM:
        return getattr(importlib.import_module(f"theta_app.{_FROM[name]}"), name)
    raise AttributeError(f"module 'theta_app' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_FROM])
