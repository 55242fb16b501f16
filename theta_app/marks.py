"""What a person has said about clusters, as small values that travel in a link.

Everything is tied to row numbers (those of the file), never to cluster numbers: a name stays with its rows while θ
moves.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from theta_app.datasets import RowSet

LONGEST_NAME = 60  # characters
_MOST = 500  # names, colours or merges in a link
_COLOUR = re.compile(r"#[0-9a-f]{6}")
LONGEST_LINK = 6_000  # characters that a set of rows may take


@dataclass(frozen=True)
class Marks:
    """Names, colours and merges of clusters.

    names, colours : tuples of (row number, text)
        What the cluster of that row is called, and its colour as ``#rrggbb``.
    merges : tuple of tuples of row numbers
        The clusters of these rows are joined.
    """

    names: tuple[tuple[int, str], ...] = ()
    colours: tuple[tuple[int, str], ...] = ()
    merges: tuple[tuple[int, ...], ...] = ()

    def named(self, rows: Iterable[int], row: int, name: str) -> "Marks":
        """With a name for the cluster of the given rows, tied to one of them; without one where it is empty."""
        return Marks(_put(self.names, rows, row, " ".join(name.split())[:LONGEST_NAME]), self.colours, self.merges)

    def coloured(self, rows: Iterable[int], row: int, colour: str) -> "Marks":
        """The marks with this colour for the cluster that has `row`."""
        return Marks(self.names, _put(self.colours, rows, row, colour.lower()), self.merges)

    def merged(self, first: int, second: int) -> "Marks":
        """The marks with the clusters of these two rows merged."""
        return Marks(self.names, self.colours, (*self.merges, (first, second)))

    def parted(self, rows: Iterable[int]) -> "Marks":
        """Without the merges that hold the cluster of these rows together."""
        rows = set(rows)
        return Marks(self.names, self.colours, tuple(m for m in self.merges if not rows.issuperset(m)))

    def __str__(self) -> str:
        """As in a link: n for names, c for colours, m for merges."""
        parts = [f"n{row}:{_escaped(name)}" for row, name in self.names]
        parts += [f"c{row}:{colour[1:]}" for row, colour in self.colours]
        parts += ["m" + "+".join(map(str, rows)) for rows in self.merges]
        return ";".join(parts)


def _put(pairs: tuple[tuple[int, str], ...], rows: Iterable[int], row: int, text: str) -> tuple[tuple[int, str], ...]:
    """Pairs (row, text) with one for ``row`` instead of those for any of ``rows``."""
    rows = {*rows, row}
    kept = tuple(pair for pair in pairs if pair[0] not in rows)
    return (*kept, (row, text)) if text else kept


def _escaped(name: str) -> str:
    return name.replace("\\", "\\\\").replace(";", "\\;")


def marks_from(text: str) -> Marks:
    """The inverse of ``str(marks)``; ValueError with half a sentence where it cannot be read."""
    names, colours, merges = [], [], []
    parts = re.findall(r"(?:\\.|[^;\\])+", text, flags=re.DOTALL)
    if len(parts) > _MOST:
        raise ValueError(f"it has more than {_MOST} names, colours and merges")
    for part in parts:
        kind, rest = part[0], part[1:]
        row, _, said = rest.partition(":")
        said = re.sub(r"\\(.)", r"\1", said, flags=re.DOTALL)
        if kind == "n" and _number(row) and 0 < len(said) <= LONGEST_NAME:
            names.append((int(row), said))
        elif kind == "c" and _number(row) and _COLOUR.fullmatch(f"#{said}"):
            colours.append((int(row), f"#{said}"))
        elif kind == "m" and len(rows := rest.split("+")) > 1 and all(map(_number, rows)):
            merges.append(tuple(map(int, rows)))
        else:
            raise ValueError("it must be names, colours and merges of clusters as this app writes them")
    return Marks(tuple(names), tuple(colours), tuple(merges))


def _number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 12


def rows_from(text: str) -> RowSet:
    """A set of rows from a link; ValueError with half a sentence where it is none."""
    found = RowSet(text)
    if not len(found.numbers()):
        raise ValueError("it must name at least one row")
    return found
