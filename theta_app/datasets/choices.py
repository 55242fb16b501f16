"""What a person changes about a column, as changes of the `Preparation`: everything a page does goes through these."""

from collections.abc import Sequence

from theta_app.datasets.dataset import Dataset, RawTable
from theta_app.datasets.prepare import Preparation
from theta_app.datasets.reading import AMOUNT
from theta_app.datasets.scaling import SHAPES
from theta_app.datasets.suspicious import Suspicion


def use(data: Dataset, column: str, on: bool, way: str | None = None) -> dict:
    """The changes that use a column, or no longer; ``way`` is a key of `ColumnRow.ways`.

    ValueError with a sentence where no column would be left, or the column has no numbers.
    """
    raw = data.raw
    others = [name for name in data.features if raw.source(name) != column]
    return {"columns": _chosen(raw, others + (_names(raw, column, way) if on else []))}


def only(data: Dataset, names: Sequence[str]) -> tuple[str, ...]:
    """The features that columns become which a person names, as they are called in the file or as they are read.

    ValueError with a sentence where there is no such column, or it has no numbers.
    """
    features: dict
    raw, features = data.raw, {}
    made = {name for each in raw.readings.values() for name in each.names}
    for name in names:
        if name not in made and name not in raw.table.columns:
            raise ValueError(f"There is no column '{name}'. The columns are: {', '.join(map(str, raw.table.columns))}.")
        features |= dict.fromkeys([name] if name in made else _names(raw, name, None))
    return tuple(features)


def _names(raw: RawTable, column: str, way: str | None) -> list[str]:
    """The features that a column becomes."""
    if column in raw.numeric:
        return [column]
    found = {key: each for key, each in raw.readings.items() if each.column == column}
    if not found:
        raise ValueError(f"Column '{column}' cannot be read as numbers.")
    return list(found[way if way in found else next(iter(found))].names)


def _chosen(raw: RawTable, names: Sequence[str]) -> tuple[str, ...] | None:
    """Columns in the order of the file; None where they are the recommended ones, which keeps links short."""
    if not names:
        raise ValueError("At least one column is needed to measure distances.")
    place = {name: j for j, name in enumerate(raw.table.columns)}
    ordered = sorted(names, key=lambda name: place.get(raw.source(name), len(place)))
    return None if set(ordered) == set(raw.features) else tuple(ordered)


def way(data: Dataset, column: str, key: str) -> dict:
    """The changes that use a column in another way: its numbers ranked or jittered, another part of a date."""
    preparation = data.preparation or Preparation()
    shapes = [(name, shape) for name, shape in preparation.shapes if name != column]
    if key in SHAPES:
        shapes.append((column, key))
    changes = {"shapes": tuple(shapes)}
    others = [each for each in data.raw.readings.values() if each.column == column and each.kind != AMOUNT]
    if others or column not in {data.raw.source(name) for name in data.features}:
        changes |= use(data, column, True, key)
    return changes


def weigh(data: Dataset, column: str, weight: float) -> dict:
    """The changes that let a column count so often in every distance."""
    preparation = data.preparation or Preparation()
    others = [(name, own) for name, own in preparation.weights if name != column]
    return {"weights": tuple(others + ([(column, float(weight))] if weight != 1.0 else []))}


def treat(data: Dataset, suspicion: Suspicion, how: str | None) -> dict:
    """The changes that treat suspicious values in a way of `TREATMENTS`; None keeps them as they are."""
    preparation = data.preparation or Preparation()
    mine = (suspicion.column, suspicion.what)
    others = [each for each in preparation.treat if each[:2] != mine]
    return {"treat": tuple(others + ([(*mine, how)] if how else []))}


def selections(data: Dataset) -> dict[str, dict]:
    """{label: changes}: whole selections to choose from, those in use left out."""
    raw = data.raw
    place = set(raw.place or ())
    measured = [name for name in raw.plain if name not in place and raw.left_out.get(name) == "map"]
    found = {
        "Suggested columns": raw.features,
        "Every column of numbers": tuple(raw.plain),
        "Without the place": tuple(measured),
    }
    used = set(data.features)
    return {
        label: {"columns": _chosen(raw, list(names))} for label, names in found.items() if names and set(names) != used
    }
