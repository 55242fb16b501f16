"""How good is the answer when nothing is given? ``make quality`` writes QUALITY.md and what Compare shows."""
