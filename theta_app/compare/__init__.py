"""The methods by name, one way to run, time and score them, and the paper's experiments."""

from theta_app.compare.fixed_k import FIXED_K, chosen_counts, fixed_k_variants, largest_count
from theta_app.compare.measure import TIME, Measurement, measure
from theta_app.compare.methods import METHODS, OURS, Method, Outcome, Setting, outcome_of
from theta_app.compare.start import Start, start_values
from theta_app.compare.variants import ELBOW, Variant, plain_numbers, shape_variants, variants_at
