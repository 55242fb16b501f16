"""The paper read literally, in plain Python: slow, obvious, and what every fast path must equal.

Numbers are Python floats, which are IEEE doubles. A squared distance is summed over the coordinates in their order; a
centroid is the sum of its members, in the order they joined, divided by their number; if all members are one point, it
is that point, which the rounded quotient could miss.
"""

import math


def squared_distance(a, b):
    total = 0.0
    for p, q in zip(a, b):
        total += (p - q) * (p - q)
    return total


def distance(a, b):
    return math.sqrt(squared_distance(a, b))


def mean(members):
    if all(member == members[0] for member in members):
        return members[0]
    total = [0.0] * len(members[0])
    for member in members:
        total = [t + v for t, v in zip(total, member)]
    return [t / len(members) for t in total]


def tsg(X, theta, order=None):
    """Algorithm 1; returns (labels, centroids, sizes)."""
    X = [[float(v) for v in row] for row in X]
    order = range(len(X)) if order is None else [int(i) for i in order]
    labels = [None] * len(X)
    clusters, centroids = [], []
    for i in order:
        nearest, nearest_square = None, math.inf
        for k, centroid in enumerate(centroids):
            square = squared_distance(X[i], centroid)
            if math.sqrt(square) <= theta and square < nearest_square:  # strict: a tie stays with the older cluster
                nearest, nearest_square = k, square
        if nearest is None:
            nearest = len(clusters)
            clusters.append([])
            centroids.append(None)
        clusters[nearest].append(X[i])
        centroids[nearest] = mean(clusters[nearest])
        labels[i] = nearest
    return labels, centroids, [len(members) for members in clusters]


def tdg(X, theta, orders):
    """Algorithm 2 over the given orders; returns (labels, centroids, sizes, cluster counts of the TSG runs)."""
    X = [[float(v) for v in row] for row in X]
    collected, counts = [], []
    for order in orders:
        _, centroids, _ = tsg(X, theta, order)
        collected.extend(centroids)
        counts.append(len(centroids))
    _, voted, _ = tsg(collected, theta)
    nearest = [min(range(len(voted)), key=lambda k: (squared_distance(x, voted[k]), k)) for x in X]
    used = sorted(set(nearest))
    labels = [used.index(k) for k in nearest]
    clusters = [[x for x, label in zip(X, labels) if label == k] for k in range(len(used))]
    return labels, [mean(members) for members in clusters], [len(members) for members in clusters], counts


def chain(centroids, epsilon):
    """Algorithm 3's chaining list: sets are merged until nothing changes, each named by its smallest index."""
    lists = [{k} for k in range(len(centroids))]
    changed = True
    while changed:
        changed = False
        for a in range(len(centroids)):
            for b in range(len(centroids)):
                if a != b and distance(centroids[a], centroids[b]) < epsilon:
                    merged = lists[a] | lists[b]
                    if merged != lists[a] or merged != lists[b]:
                        lists[a] = lists[b] = merged
                        changed = True
    return [min(members) for members in lists]


def closest_pair(X, labels):
    """Smallest distance between points of different clusters; infinity when there is one cluster."""
    return min(
        (distance(X[i], X[j]) for i in range(len(X)) for j in range(i) if labels[i] != labels[j]), default=math.inf
    )
