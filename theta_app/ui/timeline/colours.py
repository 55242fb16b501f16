"""Colours that stay with their cluster while the parameter moves."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from theta_app import selection
from theta_app.figures.palette import COLOURS

_ROUNDS = 3  # of mutual best matching; what is left after them has moved too far to be called the same cluster


def colour_frames(
    values: Sequence[float],
    labels: Sequence[np.ndarray],
    counts: Sequence[int],
    known: Mapping[float, np.ndarray] | None = None,
    anchor: tuple[np.ndarray, ...] | None = None,
    majors: Sequence[int] | None = None,
) -> dict[float, np.ndarray]:
    """A palette index (K,) for each cluster at each value, by value.

    Values ascend; labels (n,) are of the drawn points, and clusters without one count too. Colours ``known`` for some
    of the values are kept, so that nothing changes colour when more values arrive; the others are matched to the
    nearest value that has colours. An anchor is the labels of the same points in another clustering and its clusters'
    colours, perhaps with labels of those of the points as a third array: without known colours, the first value to be
    coloured is matched to it. Majors are how many of the clusters, the first ones, are not outliers: no two of them
    have one colour while the palette lasts.
    """
    majors = counts if majors is None else majors
    given = {value: known[value] for value in values if known and value in known}
    order = sorted(range(len(values)), key=lambda i: counts[i] if counts[i] > 1 else np.inf)
    if not given and order:
        # start where there are few clusters: their colours are the ones a person names
        start = next((i for i in order if counts[i] >= min(8, max(counts))), order[-1])
        if anchor is None:
            given[values[start]] = _fresh(np.bincount(labels[start], minlength=counts[start]))
        else:
            chosen: list
            reference, colours, *chosen = anchor
            here = labels[start][chosen[0]] if chosen else labels[start]
            given[values[start]] = _distinct(match_colours(reference, colours, here, counts[start]), majors[start])
    for i, reference in _outward(values, given):
        j = values.index(reference)
        given[values[i]] = _distinct(match_colours(labels[j], given[reference], labels[i], counts[i]), majors[i])
    return given


def _outward(values: Sequence[float], given: Mapping[float, np.ndarray]) -> Iterator[tuple[int, float]]:
    """Indices of values without colours, each after the neighbour it is matched to, and that neighbour's value."""
    coloured = [i for i, value in enumerate(values) if value in given]
    for left, right in zip([None, *coloured], [*coloured, None]):
        first = 0 if left is None else left + 1
        last = len(values) if right is None else right
        if left is None:
            steps = [(i, i + 1) for i in range(last - 1, first - 1, -1)]
        elif right is None:
            steps = [(i, i - 1) for i in range(first, last)]
        else:
            middle = (first + last) // 2
            steps = [(i, i - 1) for i in range(first, middle)] + [(i, i + 1) for i in range(last - 1, middle - 1, -1)]
        for i, neighbour in steps:
            yield i, values[neighbour]


def match_colours(reference: np.ndarray, reference_colours: np.ndarray, labels: np.ndarray, count: int) -> np.ndarray:
    """Colours for ``labels`` such that a cluster keeps the colour of the reference cluster it shares most points with.

    A colour goes to one cluster only as far as the matching can tell; the others get the colours used least.
    """
    partner = selection.match_clusters(reference, labels, len(reference_colours), count, rounds=_ROUNDS)
    colours = np.where(partner >= 0, reference_colours[partner], -1)
    missing = np.flatnonzero(colours < 0)
    if len(missing):
        sizes = np.bincount(labels, minlength=count)
        missing = missing[np.argsort(-sizes[missing], kind="stable")]
        colours[missing] = _least_used(colours[colours >= 0], len(missing))
    return colours


def _distinct(colours: np.ndarray, major: int) -> np.ndarray:
    """The same with no colour twice among the first ``major`` clusters, as far as the palette goes.

    Matching can carry one over twice from a value with more clusters than colours. The first of two keeps it.
    """
    own = colours[:major] % len(COLOURS)
    if major > len(COLOURS) or len(set(own.tolist())) == major:
        return colours
    again = np.setdiff1d(np.arange(major), np.unique(own, return_index=True)[1])
    free = np.setdiff1d(np.arange(len(COLOURS)), own)
    changed = colours.copy()
    changed[again] = free[: len(again)]
    return changed


def _fresh(sizes: np.ndarray) -> np.ndarray:
    """First colours, the largest cluster first."""
    colours = np.empty(len(sizes), dtype=np.int64)
    colours[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes)) % len(COLOURS)
    return colours


def _least_used(used: np.ndarray, count: int) -> np.ndarray:
    """``count`` palette indices, those least used first."""
    uses = np.bincount(used % len(COLOURS), minlength=len(COLOURS))
    order = np.argsort(uses, kind="stable")
    return np.resize(order, count)
