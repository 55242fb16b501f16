"""All analysis: which θ, which ε, how many clusters stand."""

from theta_app.selection.epsilon import *  # noqa: F403
from theta_app.selection.theta import *  # noqa: F403
