"""Clustering by a distance θ: the paper's TSG, TDG and TNC."""

from theta_app.estimators import TDG, TNC, TSG

__all__ = ["TDG", "TNC", "TSG", "__version__"]
__version__ = "0.1.0"
