"""The methods by name, one way to run, time and score them, and the paper's experiments."""

from theta_app.compare.measure import TIME, Measurement, measure
from theta_app.compare.methods import METHODS, OURS, Method, Outcome, Setting, outcome_of
from theta_app.compare.start import Start, start_values
from theta_app.compare.told_k import TOLD_K, chosen_counts, largest_count, variants_told
from theta_app.compare.variants import ELBOW, Variant, shape_variants, variants_at

__all__ = [
    "ELBOW",
    "METHODS",
    "OURS",
    "TIME",
    "TOLD_K",
    "Measurement",
    "Method",
    "Outcome",
    "Setting",
    "Start",
    "Variant",
    "chosen_counts",
    "largest_count",
    "measure",
    "outcome_of",
    "shape_variants",
    "start_values",
    "variants_at",
    "variants_told",
]
