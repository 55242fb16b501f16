"""From a parsed table to a data set: what its columns hold, which to cluster by, which one is the label."""

import dataclasses
import re
from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from theta_app.datasets import kinds, reading, suspicious, units
from theta_app.datasets.dataset import Dataset, RawTable
from theta_app.datasets.prepare import count, matrix, names_rows, prepare
from theta_app.datasets.reading import Reading
from theta_app.datasets.suspicious import Suspicion
from theta_app.datasets.uploads.cells import MISSING
from theta_app.datasets.uploads.limits import Parsed, UploadError, check_features

TRUTH_NAMES = (
    "label", "labels", "class", "classes", "target", "truth", "ground truth", "true label", "cluster", "clusters",
    "category", "species", "variety", "group",
)  # fmt: skip
SUMMARIES = {  # what is computed of the rows above -> what people call it
    "sum": {"total", "totals", "sum", "grand total", "summe", "gesamt", "somme", "suma", "totale", "somma"},
    "mean": {"mean", "average", "avg", "mittelwert", "durchschnitt", "moyenne", "promedio", "media"},
    "median": {"median"},
    "std": {"std", "stdev", "std dev", "sd"},
    "min": {"min", "minimum"},
    "max": {"max", "maximum"},
}
SUMMARY_ROWS = 6  # at the end of a file, that may be sums or means of the others
_DEGREES = re.compile(
    r"^(?P<sign>[+\-−]?)(?P<degrees>\d{1,3}(?:[.,]\d+)?)\s*(?:°|deg)?\s*(?:(?P<minutes>\d{1,2}(?:[.,]\d+)?)\s*['’′]\s*)?"
    r"(?:(?P<seconds>\d{1,2}(?:[.,]\d+)?)\s*(?:\"|”|″|'')\s*)?(?P<side>[NSEWO]?)$"
)
MOST_LABELS = 6  # columns proposed as labels
MOST_CLASSES = 20  # whole numbers in a column that is proposed
MOST_NAMES = 100  # different words in one
MOST_LOOKED_AT = 200  # columns of numbers in which classes are looked for: a picture has none


def dataset_from(name: str, parsed: Parsed) -> Dataset:
    """The data set, or UploadError when the table holds nothing to cluster."""
    table, summaries = without_summaries(parsed.table)
    table, numeric, stray = with_numbers(table)
    readings, numbers = _readings(table, numeric)
    columns = kinds.kinds_of(table, numeric, readings)
    usable = [c for c, kind in columns.items() if c in readings and (readings[c].sure or kind == "yes/no")]
    if not numeric and not usable:
        raise UploadError(_nothing_numeric(stray))
    truth = parsed.truth if parsed.truth and not names_rows(table[parsed.truth].nunique(), len(table)) else None
    measured = {found.column for found in readings.values() if found.kind != reading.CATEGORIES}
    truth = truth or guess_truth(table, numeric, parsed.named, measured)
    if parsed.curves:
        features, truth = list(table.columns), None
        left_out: dict[str, str] = {}
    else:
        features, truth, left_out = choose_features(table, numeric, readings, numbers, columns, truth, stray)
    check_features(len(features))
    plain = _plain(columns, numeric, truth) or features
    raw = RawTable(
        table,
        tuple(features),
        tuple(numeric),
        truth,
        notes=(*parsed.notes, *summaries, *_column_notes(stray, readings, left_out)),
        left_out=left_out,
        readings=readings,
        labels=likely_labels(table, numeric, truth, measured),
        kinds=columns,
        plain=tuple(plain),
        units=_units(table, readings, parsed.units),
        head=parsed.head,
        header=parsed.header,
    )
    if not parsed.curves:
        raw = dataclasses.replace(raw, suspicious=tuple(_suspicious(raw, numbers)))
    del numbers
    source = f"Uploaded file {name} ({parsed.kind}): {count(len(table), 'row')}, {count(len(table.columns), 'column')}."
    unprepared = Dataset(name, source, np.empty((0, 0)), (), table, raw=raw)
    try:
        dataset = prepare(unprepared)
    except ValueError as error:
        raise UploadError(str(error)) from error
    if len(dataset.X) < 2:
        raise UploadError(
            "Only one row has a number in every column: there is nothing to cluster. Upload at least two rows."
        )
    return dataset


def without_summaries(table: pd.DataFrame) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """(the table without the sums and means of all rows that stand below it, sentences about them)."""
    found = {}
    for number, row in table.tail(SUMMARY_ROWS).iterrows():
        words = {str(cell).strip(" :").casefold() for cell in row if isinstance(cell, str)}
        what = next((what for what, names in SUMMARIES.items() if words & names), None)
        if what is not None:
            found[number] = what
    above = table.drop(index=list(found)) if found else table
    sure = [number for number, what in found.items() if len(above) and _sums_up(table.loc[number], above, what)]
    if not sure:
        return table, ()
    rows = f"{'Row' if len(sure) == 1 else 'Rows'} {', '.join(map(str, sure))}"
    said = "sums up the others and is" if len(sure) == 1 else "sum up the others and are"
    return table.drop(index=sure), (f"{rows} {said} not read.",)


def _sums_up(row: pd.Series, above: pd.DataFrame, what: str) -> bool:
    """Whether a row has what is computed of the columns above it, or nothing where all of them have something.

    Its word alone does not say so: Max is a name, too.
    """
    full = above.columns[above.notna().mean() > 0.9]
    if len(full) > 2 and 2 * row[full].isna().sum() >= len(full):
        return True
    numeric = [c for c in above.columns if as_numbers(above[c])[1] is None and pd.notna(row[c])]
    own = pd.to_numeric(row[numeric], errors="coerce").to_numpy(dtype=np.float64)
    expected = matrix(above, numeric)
    expected = pd.DataFrame(expected).agg(what).to_numpy()
    return len(own) > 0 and 2 * np.isclose(own, expected, rtol=0.01).sum() > len(own)


def _readings(table: pd.DataFrame, numeric: Sequence[str]) -> tuple[dict[str, Reading], dict[str, np.ndarray]]:
    """(how columns that are not numbers can be read as such, by the key of each reading; the numbers of amounts)."""
    found, numbers, taken = {}, {}, set(table.columns)
    for column in table.columns:
        if column in numeric:
            continue
        reading_of = reading.find(table[column], taken, MISSING)
        if reading_of is None:
            continue
        if reading_of.kind != reading.CATEGORIES:  # it was found in a part of the values: now in all of them
            values = reading_of.read(table[column])[0]
            unread = int(np.isnan(values).sum() - table[column].isna().sum())
            reading_of = dataclasses.replace(reading_of, unread=unread, total=int(table[column].notna().sum()))
            if reading_of.sure:
                numbers[column] = values
        taken |= set(reading_of.names)
        for each in (reading_of, *reading.parts(reading_of, table[column], taken)):
            found[each.key] = each
            taken |= set(each.names)
    return found, numbers


def _units(table: pd.DataFrame, readings: Mapping[str, Reading], given: Mapping[str, str]) -> dict[str, str]:
    """{column or feature: its unit}, as the file says it: in a row of units, in a name, beside the values."""
    found = {column: given.get(column) or units.in_name(column) for column in table.columns}
    found |= {name: each.unit for each in readings.values() if each.kind == reading.AMOUNT for name in each.names}
    return {name: unit for name, unit in found.items() if unit}


def _suspicious(raw: RawTable, numbers: Mapping[str, np.ndarray]) -> Iterator[Suspicion]:
    """What is hardly meant in the columns that could be clustered by; ``numbers`` are those of amounts."""
    sure = {each.column: each for each in raw.readings.values() if each.sure}
    if len(raw.numeric) > kinds.WIDE:
        return
    for column, kind in raw.kinds.items():
        if kind in ("identifier", "constant", "yes/no", "empty") or column == raw.truth:
            continue
        if column in raw.numeric:
            yield from suspicious.find(column, matrix(raw.table, [column])[:, 0], kinds.BOUNDS.get(kind))
        elif column in sure:
            found, values = sure[column], numbers[column]
            yield from suspicious.find(found.names[0], values)
            for unit, rows in found.mixed:
                low, high = float(np.nanmin(values)), float(np.nanmax(values))
                yield Suspicion(found.names[0], f"unit {unit}", low, high, None, rows)


def with_numbers(table: pd.DataFrame) -> tuple[pd.DataFrame, list[str], dict[str, Sequence[int]]]:
    """The table with its columns as numbers where they can be; which of them are; and what keeps others from it.

    The last is a mapping from a column of mostly numbers to the rows (as the person sees them) that are none.
    """
    numbers, numeric, stray = {}, [], {}
    for name in table.columns:
        column, wrong = as_numbers(table[name])
        if wrong is not None and kinds.place_in_name(name) and (read := degrees(table[name])) is not None:
            column, wrong = read, None
        if wrong is None:
            numeric.append(name)
            if not pd.api.types.is_numeric_dtype(table[name]):
                numbers[name] = column
        elif len(wrong):
            stray[name] = wrong
    if numbers:  # the other columns stay where they are
        columns = {name: numbers.get(name, table[name]) for name in table.columns}
        table = pd.DataFrame(columns, index=table.index, copy=False)
    return table, numeric, stray


def as_numbers(column: pd.Series) -> tuple[pd.Series, Sequence[int] | None]:
    """The column, as numbers where it can be; and None, or the rows of what keeps it from being numbers.

    A column of which half or more is no number has no such rows (it was never meant to be one).
    """
    if pd.api.types.is_bool_dtype(column):
        return column, ()
    if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_complex_dtype(column):
        return column, None if column.notna().any() else ()
    if not (column.dtype == object or isinstance(column.dtype, pd.StringDtype)):
        return column, ()
    text = column.astype("str").str.strip()
    text = text.where(column.notna() & ~text.isin(MISSING))
    numbers = _to_numeric(text)
    wrong = text.notna() & numbers.isna()
    if wrong.any() and text[wrong].str.fullmatch(r"[+-]?\d+,\d+").any():
        # in threes they set off thousands
        mark = "" if text[wrong].str.fullmatch(r"[+-]?\d{1,3}(,\d{3})+").all() else "."
        with_comma = _to_numeric(text.str.replace(",", mark, regex=False))
        numbers, wrong = with_comma, text.notna() & with_comma.isna()
    present, bad = int(text.notna().sum()), int(wrong.sum())
    if present and not bad:
        return numbers, None
    mostly_numbers = bad < present / 2
    return column, column.index[wrong.to_numpy(dtype=bool)] if mostly_numbers else ()


def degrees(column: pd.Series) -> pd.Series | None:
    """A column of texts such as 52.52° N or 13°24'18"W as degrees, south and west negative; None where it is none."""
    found = column.astype("str").str.strip().str.extract(_DEGREES)
    there = column.notna() & ~column.astype("str").str.strip().isin(MISSING)
    if not there.any() or found.loc[there, "degrees"].isna().any():
        return None
    parts = found[["degrees", "minutes", "seconds"]].fillna("0").apply(lambda part: part.str.replace(",", "."))
    size = parts.astype("float64") @ [1.0, 1 / 60, 1 / 3600]
    negative = found["sign"].isin(["-", "−"]) ^ found["side"].isin(["S", "W"])
    return size.where(~negative, -size).where(there)


def _to_numeric(text: pd.Series) -> pd.Series:
    return pd.to_numeric(text, errors="coerce").astype("float64")


def guess_truth(table: pd.DataFrame, numeric: Sequence[str], named: bool, measured: Collection[str] = ()) -> str | None:
    """The column that looks like known classes, or None; never an amount or a date. The person may correct it."""
    by_name = _named_like_classes(table)
    if by_name is not None:
        return by_name
    last = table.columns[-1]
    if last in measured:
        return None
    numbers = {*numeric, *measured}
    if [c for c in table.columns if c not in numbers and looks_like_classes(table[c])] == [last]:
        return last  # it holds classes as words, and no other does
    return last if not named and _codes_after_measurements(table, numeric, last) else None


def _named_like_classes(table: pd.DataFrame) -> str | None:
    """The column whose name says that it holds classes, and which looks like it; or None."""
    for wanted in TRUTH_NAMES:
        for column in reversed(table.columns):
            if re.sub(r"[\W_]+", " ", column.lower()).strip() == wanted and looks_like_classes(table[column]):
                return column
    return None


def _codes_after_measurements(table: pd.DataFrame, numeric: Sequence[str], last: str) -> bool:
    """Whether the last of three or more columns of numbers looks like codes; among whole numbers no column does."""
    if len(numeric) < 3 or last != numeric[-1] or not looks_like_classes(table[last], most=50):
        return False
    return not all(_whole(table[c]) for c in numeric[:-1])


def looks_like_classes(column: pd.Series, most: int = 1000) -> bool:
    """Few values, each more than once on average, and no fractions."""
    if pd.api.types.is_numeric_dtype(column) and not _whole(column):
        return False
    distinct = column.nunique()
    return 2 <= distinct <= min(most, max(2, column.count() // 2))


def _whole(column: pd.Series) -> bool:
    return kinds.is_whole(column.dropna().to_numpy(dtype=np.float64))


def _plain(columns: Mapping[str, str], numeric: Sequence[str], truth: str | None) -> list[str]:
    """The columns of plain numbers, whatever they hold, without those that tell nothing."""
    others = [c for c in numeric if c != truth]
    return [c for c in others if columns[c] not in ("identifier", "constant", "empty")] or others


def choose_features(
    table: pd.DataFrame,
    numeric: Sequence[str],
    readings: Mapping[str, Reading],
    numbers: Mapping[str, np.ndarray],
    columns: Mapping[str, str],
    truth: str | None,
    stray: Mapping[str, Sequence[int]],
) -> tuple[list[str], str | None, dict[str, str]]:
    """(features, label column, why others are not): what to cluster by unless the person says otherwise.

    Columns of measurements, and text that is one without doubt. What has few different values is left to the person,
    unless there is nothing else; beside a place on the map all else is. If nothing is left, numbers that tell little,
    then answers of yes or no, and then the label column itself, are clustered.
    """
    left_out = {c: why for c, why in kinds.why_left_out(table, columns, readings, stray).items() if c != truth}
    sure = {each.column: each for each in readings.values() if each.sure}
    open_to_use = [c for c in table.columns if c not in left_out and c != truth and (c in numeric or c in sure)]
    answers = [c for c in table.columns if columns[c] == "yes/no" and c in readings and c != truth]
    place = [c for c in open_to_use if columns[c] in kinds.BOUNDS]
    if place:
        left_out |= dict.fromkeys([c for c in open_to_use if c not in place], "map")
        return place, truth, left_out

    def values_of(column: str) -> np.ndarray:
        return numbers[column] if column in sure else matrix(table, [column])[:, 0]

    few = kinds.few_valued(values_of, open_to_use, columns)
    left_out |= {c: "yes/no" if columns[c] == "yes/no" else "few" for c in few}
    used = [c for c in open_to_use if c not in few]
    used = used or [c for c in numeric if c != truth] or answers
    if not used and truth is not None:
        used, truth = list(numeric), None
    left_out = {c: why for c, why in left_out.items() if c not in used}
    features = [name for c in used for name in (readings[c].names if c in readings else (c,))]
    return features, truth, left_out


def likely_labels(
    table: pd.DataFrame, numeric: Sequence[str], truth: str | None, measured: Collection[str]
) -> dict[str, int]:
    """Columns that may hold classes and how many, the one in use first, then words, then few whole numbers."""
    found = {}
    few = len(numeric) <= MOST_LOOKED_AT
    for column in table.columns:
        numbers = column in numeric
        if column in measured:
            continue
        if numbers and (not few or not _whole(table[column].head(1000))):
            continue
        most = min(MOST_CLASSES if numbers else MOST_NAMES, len(table) // 2)
        if most > 1 and looks_like_classes(table[column], most):
            found[column] = int(table[column].nunique())
    by_name = _named_like_classes(table)
    order = sorted(found, key=lambda c: (c != truth, c != by_name, c in numeric, found[c]))
    return {column: found[column] for column in order[:MOST_LABELS]}


def _nothing_numeric(stray: Mapping[str, Sequence[int]]) -> str:
    if not stray:
        return (
            "The file has no column of numbers, so there are no distances to cluster by. Upload a table with numbers."
        )
    column, rows = next(iter(stray.items()))
    return f"No column holds only numbers. {_stray_sentence(column, rows)} Fix the file and upload it again."


def _stray_sentence(column: str, rows: Sequence[int]) -> str:
    shown = ", ".join(str(row) for row in rows[:5]) + (", ..." if len(rows) > 5 else "")
    if len(rows) == 1:
        return f"Column '{column}' has a value that is not a number (row {shown})."
    return f"Column '{column}' has {len(rows):,} values that are not numbers (rows {shown})."


def _column_notes(
    stray: Mapping[str, Sequence[int]], readings: Mapping[str, Reading], left_out: Mapping[str, str]
) -> Iterator[str]:
    for column, rows in stray.items():
        found = readings.get(column)
        if found is not None and found.sure:
            kept = f"{count(found.unread, 'value')} of column '{column}' cannot be read as a number"
            if found.unread:
                yield f"{kept} and {'counts' if found.unread == 1 else 'count'} as missing."
        elif left_out.get(column) == "stray":
            yield _stray_sentence(column, rows)
