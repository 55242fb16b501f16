"""Results of full runs, one JSON file an experiment: read by `theta_app.paper.results`."""
