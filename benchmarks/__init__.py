"""Speed against the peers, as ratios measured in one run: ``make bench``."""
