"""The methods by name, and one way to run, time and score them."""

from theta_app.compare.entries import FIXED_K, Entry, chosen_counts, entries, largest_count
from theta_app.compare.measure import TIME, Measurement, measure
from theta_app.compare.methods import METHODS, OURS, Method, Outcome, Setting, outcome_of
from theta_app.compare.start import Start, start_values
from theta_app.compare.variants import ELBOW, Variant, plain_numbers
