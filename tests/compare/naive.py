"""The threshold methods read literally, in plain Python: slow, obvious, and separate from the project's own."""

import math


def _distance(a, b):
    total = 0.0
    for p, q in zip(a, b):
        total += (p - q) * (p - q)
    return math.sqrt(total)


def _nearest(point, places):
    """Index of and distance to the nearest place; the first on a tie."""
    distances = [_distance(point, place) for place in places]
    at = min(range(len(places)), key=lambda k: (distances[k], k))
    return at, distances[at]


def leader(X, theta):
    labels, leaders = [], []
    for x in X:
        at, distance = _nearest(x, leaders) if leaders else (0, math.inf)
        if distance > theta:
            at = len(leaders)
            leaders.append(x)
        labels.append(at)
    return labels, leaders


def bsas(X, theta, q, joins=lambda distance, theta: distance <= theta):
    """Theodoridis and Koutroumbas' scheme with the mean as representative."""
    labels, members = [], []
    for x in X:
        means = [[sum(column) / len(m) for column in zip(*m)] for m in members]
        at, distance = _nearest(x, means) if means else (0, math.inf)
        if not joins(distance, theta) and len(members) < q:
            at = len(members)
            members.append([])
        members[at].append(x)
        labels.append(at)
    return labels


def quickbundles(X, theta):
    return bsas(X, theta, len(X), joins=lambda distance, theta: distance < theta)


def sl(X, theta, distance):
    """Leaders, then groups of leaders that can be reached from each other in steps of at most `distance`."""
    labels, leaders = leader(X, theta)
    group = [None] * len(leaders)
    found = 0
    for start in range(len(leaders)):
        if group[start] is not None:
            continue
        reached = [start]
        while reached:
            at = reached.pop()
            if group[at] is None:
                group[at] = found
                reached += [k for k in range(len(leaders)) if _distance(leaders[at], leaders[k]) <= distance]
        found += 1
    return [group[label] for label in labels]
