"""The paper read literally, in plain Python: slow, obvious, and what every fast path must equal.

Numbers are Python floats, which are IEEE doubles. A squared distance is summed over the coordinates in their order; a
centroid is the sum of its members, in the order they joined, divided by their number; if all members are one point, it
is that point, which the rounded quotient could miss. In another norm p than 2 the differences are divided by the
largest of them before they are raised to p.

"haversine" (with a radius) and "cosine" stand for a norm as well: rows become unit vectors, a centroid is their sum
divided by its length (the first member where they cancel out), and distances come from the squared straight line.

So does "mdf": rows are curves, x, y, z of each place. Their distance is the mean of the distances of their places, one
by one, the smaller of both directions; a centroid takes a curve in the direction that is nearer, as it is on a tie.
"""

import math

EARTH = 6371.0088
CANCELLED = 1e-12


def directed(norm):
    return norm in ("haversine", "cosine")


def sine_and_cosine(degrees):
    """Of an angle, from the nearest quarter of a turn: exact there."""
    quarter = int((abs(degrees) + 45.0) / 90.0)
    rest = (abs(degrees) - 90.0 * quarter) * (math.pi / 180.0)
    sine, cosine = [
        (math.sin(rest), math.cos(rest)),
        (math.cos(rest), -math.sin(rest)),
        (-math.sin(rest), -math.cos(rest)),
        (-math.cos(rest), math.sin(rest)),
    ][quarter % 4]
    return (-sine if degrees < 0 else sine), cosine


def length(vector):
    total = 0.0
    for v in vector:
        total += v * v
    return math.sqrt(total)


def coordinates(X, norm):
    """Rows as they are compared."""
    X = [[float(v) for v in row] for row in X]
    if norm == "haversine":
        turned = [(sine_and_cosine(latitude), sine_and_cosine(longitude)) for latitude, longitude in X]
        return [[level * cosine + 0.0, level * sine + 0.0, up + 0.0] for (up, level), (sine, cosine) in turned]
    if norm == "cosine":
        X = [[v / max(map(abs, row)) for v in row] for row in X]
        return [[v / length(row) for v in row] for row in X]
    return X


def rows(centroids, norm):
    """Centroids as they are told: places in degrees."""
    if norm != "haversine":
        return centroids
    per = math.pi / 180.0
    return [[math.atan2(z, math.sqrt(x * x + y * y)) / per, math.atan2(y, x) / per] for x, y, z in centroids]


def squared_distance(a, b):
    total = 0.0
    for p, q in zip(a, b):
        total += (p - q) * (p - q)
    return total


def distance(a, b, norm=2.0):
    """Between rows as they are compared."""
    if norm == "haversine":
        return 2.0 * EARTH * math.asin(min(math.sqrt(squared_distance(a, b)) / 2.0, 1.0))
    if norm == "cosine":
        return min(squared_distance(a, b) / 2.0, 2.0)
    if norm == "mdf":
        return min(along(a, b), along(flipped(a), b))
    if norm == 2.0:
        return math.sqrt(squared_distance(a, b))
    gaps = [abs(p - q) for p, q in zip(a, b)]
    largest = max(gaps)
    if norm == 1.0:
        return sum(gaps, 0.0)
    if norm == math.inf or largest == 0.0:
        return largest
    total = 0.0
    for gap in gaps:
        total += (gap / largest) ** norm
    return largest * total ** (1.0 / norm)


def along(a, b):
    """The mean distance of the places of two curves, one by one."""
    total = 0.0
    for at in range(0, len(a), 3):
        total += math.sqrt(squared_distance(a[at : at + 3], b[at : at + 3]))
    return total / (len(a) // 3)


def flipped(curve):
    """From its last place to its first."""
    return [v for at in range(len(curve) - 3, -1, -3) for v in curve[at : at + 3]]


def taken(members):
    """Curves in the directions in which their centroid takes them, one after the other."""
    found = [members[0]]
    for member in members[1:]:
        centroid = mean(found)
        found.append(flipped(member) if along(flipped(member), centroid) < along(member, centroid) else member)
    return found


def comparable(a, b, norm):
    """What decides which is nearer: the distance; its square, which is not rounded by a root, where that is at hand."""
    return squared_distance(a, b) if norm == 2.0 or directed(norm) else distance(a, b, norm)


def mean(members, norm=2.0):
    if norm == "mdf":
        return mean(taken(members))
    if all(member == members[0] for member in members):
        return members[0]
    total = [0.0] * len(members[0])
    for member in members:
        total = [t + v for t, v in zip(total, member)]
    if directed(norm):
        by = length(total)
        return members[0] if by <= CANCELLED * len(members) else [t / by for t in total]
    return [t / len(members) for t in total]


def tsg(X, theta, order=None, norm=2.0):
    """Algorithm 1; returns (labels, centroids, sizes)."""
    labels, centroids, sizes = grouped(coordinates(X, norm), theta, order, norm)
    return labels, rows(centroids, norm), sizes


def grouped(X, theta, order, norm):
    order = range(len(X)) if order is None else [int(i) for i in order]
    labels = [None] * len(X)
    clusters, centroids = [], []
    for i in order:
        nearest, least = None, math.inf
        for k, centroid in enumerate(centroids):
            far = comparable(X[i], centroid, norm)
            if distance(X[i], centroid, norm) <= theta and far < least:  # strict: a tie stays with the older cluster
                nearest, least = k, far
        if nearest is None:
            nearest = len(clusters)
            clusters.append([])
            centroids.append(None)
        clusters[nearest].append(X[i])
        centroids[nearest] = mean(clusters[nearest], norm)
        labels[i] = nearest
    return labels, centroids, [len(members) for members in clusters]


def tdg(X, theta, orders, norm=2.0):
    """Algorithm 2 over the given orders; returns (labels, centroids, sizes, cluster counts of the TSG runs)."""
    X = coordinates(X, norm)
    collected, counts = [], []
    for order in orders:
        _, centroids, _ = grouped(X, theta, order, norm)
        collected.extend(centroids)
        counts.append(len(centroids))
    _, voted, _ = grouped(collected, theta, None, norm)
    nearest = [min(range(len(voted)), key=lambda k: (comparable(x, voted[k], norm), k)) for x in X]
    used = sorted(set(nearest))
    labels = [used.index(k) for k in nearest]
    clusters = [[x for x, label in zip(X, labels) if label == k] for k in range(len(used))]
    centroids = rows([mean(members, norm) for members in clusters], norm)
    return labels, centroids, [len(members) for members in clusters], counts


def chain(centroids, epsilon, norm=2.0):
    """Algorithm 3's chaining list: sets are merged until nothing changes, each named by its smallest index."""
    centroids = coordinates(centroids, norm)
    lists = [{k} for k in range(len(centroids))]
    changed = True
    while changed:
        changed = False
        for a in range(len(centroids)):
            for b in range(len(centroids)):
                if a != b and distance(centroids[a], centroids[b], norm) < epsilon:
                    merged = lists[a] | lists[b]
                    if merged != lists[a] or merged != lists[b]:
                        lists[a] = lists[b] = merged
                        changed = True
    return [min(members) for members in lists]


def density_chain(X, centroids, epsilon, m, norm=2.0):
    """Chains by density: links shortest first, each with its depth; those below ε hold chains together."""
    X, centroids = coordinates(X, norm), coordinates(centroids, norm)
    cores = [sorted(distance(c, x, norm) for x in X)[min(m, len(X)) - 1] for c in centroids]
    K = range(len(centroids))
    pairs = [(a, b) for a in K for b in K if a < b]
    links = sorted((max(distance(centroids[a], centroids[b], norm), cores[a], cores[b]), a, b) for a, b in pairs)
    smallest = min([core for core in cores if core > 0] or [length for length, *_ in links if length > 0] or [1.0])
    cores = [max(core, smallest) for core in cores]
    sides = [{k} for k in K]
    held = []
    for length, a, b in links:
        if sides[a] is sides[b]:
            continue
        less_dense = max(min(cores[k] for k in side) for side in (sides[a], sides[b]))
        if (max(math.log(length / less_dense), 0.0) if length > 0 else 0.0) < epsilon:
            held.append((a, b))
        joined = sides[a] | sides[b]
        for k in joined:
            sides[k] = joined
    chains = [{k} for k in K]
    for a, b in held:
        joined = chains[a] | chains[b]
        for k in joined:
            chains[k] = joined
    return [min(members) for members in chains]


def closest_pair(X, labels, norm=2.0):
    """Smallest distance between points of different clusters; infinity when there is one cluster."""
    X = coordinates(X, norm)
    pairs = ((i, j) for i in range(len(X)) for j in range(i) if labels[i] != labels[j])
    return min((distance(X[i], X[j], norm) for i, j in pairs), default=math.inf)
