"""Deep embedded clustering: an autoencoder, a clustering layer, and what starts it.

JAX is imported when it is used, and scikit-learn when an estimator is: who only names the starts waits for neither.
"""

from theta_app.deep.starts import STARTS, NoStart, Start, Tried, start

__all__ = ["STARTS", "Autoencoder", "DeepClustering", "NoStart", "Start", "Strokes", "Tried", "Upright", "start"]


def __getattr__(name: str) -> type:
    if name in ("Autoencoder", "DeepClustering"):
        from theta_app.deep import estimator

        return getattr(estimator, name)
    if name in ("Strokes", "Upright"):
        from theta_app.deep import images

        return getattr(images, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
