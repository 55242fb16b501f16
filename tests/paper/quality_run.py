"""A small run of ``make quality``, written by hand: what its sums are can be said without a computer."""

from theta_app.paper import quality

METHODS = {"theta": "ThetA", "hdbscan": "HDBSCAN", "kmeans": "K-Means by silhouette"}


def answer(name, group, method, ari, algorithm=None, confidence=None, seconds=1.0):
    row = {"set": name, "group": group, "points": 100, "features": 2, "classes": "3", "method": method, "ari": ari}
    return row | {
        "n_clusters": 3,
        "seconds": seconds,
        "note": "",
        "algorithm": algorithm,
        "stands_out": confidence is not None and confidence > 0.5,
        "confidence": confidence,
    }


def in_noise(name, method, n_clusters, algorithm=None, confidence=None):
    row = {"set": name, "kind": "uniform", "points": 100, "features": 2, "method": method, "n_clusters": n_clusters}
    stands_out = None if method != "theta" else (confidence or 0) > 0.5
    return row | {
        "seconds": 1.0,
        "note": "" if n_clusters is not None else "gave no answer in 60 CPU s",
        "algorithm": algorithm,
        "stands_out": stands_out,
        "confidence": confidence,
    }


TRUTH = [
    answer("a", "Round", "theta", 1.0, "TDG", 0.9, seconds=2.0),
    answer("a", "Round", "hdbscan", 1.0),
    answer("a", "Round", "kmeans", 0.5),
    answer("b", "Round", "theta", 0.4, "TNC", 0.85, seconds=4.0),
    answer("b", "Round", "hdbscan", 0.6),
    answer("b", "Round", "kmeans", 0.2),
    answer("c", "Shapes", "theta", 0.0, None, 0.0, seconds=3.0),
    answer("c", "Shapes", "hdbscan", 0.0),
    answer("c", "Shapes", "kmeans", -0.1),
    answer("d", "Shapes", "theta", 0.9, "TNC", 0.3),  # the others have not been measured on it
]
NOISE = [
    in_noise("n1", "theta", 1, None, 0.0),
    in_noise("n1", "hdbscan", 7),
    in_noise("n2", "theta", 4, "TDG", 0.25),
    in_noise("n2", "hdbscan", 0),
    in_noise("n3", "theta", None),
    in_noise("n3", "hdbscan", 2),
]
ELBOW = [{"set": "S1", "theta": 1e5, "true": 15, "seeds": 20, "hits": 19}]
TABLES = [
    {**answer("t1", "", "theta", 1.0, "TDG", 0.9), "kind": "table with a count"},
    {**answer("t2", "", "theta", 0.5, "TNC", 0.8), "kind": "table with a count"},
    {**answer("t3", "", "theta", 0.5, "TNC", 0.7), "kind": "table with months"},
    {**answer("t4", "", "theta", 0.0, None, 0.9), "kind": "table with months"},
]
CPU = [{"points": 5000, "features": 2, "peer": "HDBSCAN", "ours": 3.0, "theirs": 2.0}]


def run(truth=TRUTH, noise=NOISE, elbow=ELBOW, cpu=CPU, tables=TABLES):
    rows = {"truth": truth, "noise": noise, "elbow": elbow, "cpu": cpu, "tables": tables}
    return quality.Quality(
        "2026-11-16",
        {"python": "3.11"},
        {"processor": "a processor", "cores": 2, "system": "Linux"},
        METHODS,
        dict.fromkeys(METHODS, "does something"),
        **{part: quality.table(part, found) for part, found in rows.items()},
    )
