"""Numbers and names that preparing, checking and scaling share."""

from collections.abc import Sequence

LARGEST = 1e150  # the square of a larger value, summed over columns, is no longer a finite number
_AT_ONCE = 500_000  # values that are looked at together: what is computed of them takes no more memory than this


def pieces(n: int, width: int) -> list[slice]:
    """Slices that cut ``n`` rows of ``width`` values each into pieces of at most `_AT_ONCE` values."""
    step = max(1, _AT_ONCE // max(width, 1))
    return [slice(start, min(start + step, n)) for start in range(0, n, step)]


def short(name: object) -> str:
    """A name of a column that is not too long for a sentence."""
    name = str(name)
    return name if len(name) <= 60 else name[:57] + "..."


def count(n: int, noun: str) -> str:
    """A number with its noun: 1 row, 1,234 rows."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def listed(names: Sequence[str], most: int = 5) -> str:
    """ "'a', 'b' and 3 more" """
    shown = [f"'{short(name)}'" for name in names[:most]]
    more = len(names) - len(shown)
    if more:
        return f"{', '.join(shown)} and {more:,} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)
