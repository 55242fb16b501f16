"""Deep embedded clustering: an autoencoder, a clustering layer, and what starts it. JAX is imported when it is used."""

from theta_app.deep.estimator import DeepClustering
from theta_app.deep.starts import STARTS, NoStart, Start, Tried, start

__all__ = ["STARTS", "DeepClustering", "NoStart", "Start", "Tried", "start"]
