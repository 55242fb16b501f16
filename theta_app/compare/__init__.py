"""The peers, by name, running them side by side, and the paper's experiments."""

from theta_app.compare.methods import METHODS, Method, Outcome, Setting, Start, start_values

__all__ = ["METHODS", "Method", "Outcome", "Setting", "Start", "start_values"]
