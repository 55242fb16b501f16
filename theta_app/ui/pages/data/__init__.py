"""The parts of the page Data: choosing a data set, bringing one's own, whether it is ready, looking at it."""
