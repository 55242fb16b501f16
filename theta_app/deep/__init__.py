"""Deep embedded clustering: an autoencoder, a clustering layer, and what starts it.

JAX is imported when it is used, and scikit-learn when `DeepClustering` is: who only names the starts waits for neither.
"""

from theta_app.deep.starts import STARTS, NoStart, Start, Tried, start

__all__ = ["STARTS", "DeepClustering", "NoStart", "Start", "Tried", "start"]


def __getattr__(name):
    if name == "DeepClustering":
        from theta_app.deep.estimator import DeepClustering

        return DeepClustering
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
