"""How often the automatic answer is right: what ``make quality`` measured, read and summed up.

The report and the Compare page take their numbers from here.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from theta_app.engine.files import write_whole
from theta_app.paper.results import STORED

SCHEMA = 1
OURS = "theta"
OWN = (OURS, "tdg", "tnc")  # all of this project's
ALL = "All sets"
RIGHT = 0.8  # adjusted Rand index from which an answer counts as right
SURE = 0.75  # confidence above which a wrong answer is wrong and sure
_ANSWER = ("method", "n_clusters", "seconds", "note", "algorithm", "stands_out", "confidence")
PARTS = {  # the tables of a run, with their columns
    "truth": ("set", "group", "points", "features", "classes", "ari", *_ANSWER),
    "noise": ("set", "kind", "points", "features", *_ANSWER),
    "elbow": ("set", "theta", "true", "seeds", "hits"),
    "cpu": ("points", "features", "peer", "ours", "theirs"),
    "tables": ("set", "kind", "points", "features", "ari", *_ANSWER),
    "many": ("set", "points", "features", "classes", "ari", *_ANSWER, "space"),
    "wide": ("set", "kind", "points", "features", *_ANSWER, "space"),
}
_BINS = np.array([0.0, 0.2, 0.4, 0.6, 0.8, 1.0])


@dataclass(frozen=True, eq=False)
class Quality:
    """What has been measured with nothing given."""

    made: str  # YYYY-MM-DD
    # versions, machine: as of `results.Results`
    versions: dict
    machine: dict
    methods: dict  # key -> label: in the order they are shown
    about: dict  # key -> str: what each method does, in a sentence
    # one row per data set with known classes and method: set, group, points, features, classes, method, ari,
    # n_clusters, seconds, note, and for `OURS` algorithm, stands_out, confidence
    truth: pd.DataFrame
    noise: pd.DataFrame  # the same per noise set; kind is Gaussian or uniform
    # set, theta, true (clusters), seeds, hits (seeds at which the size elbow is at the true number)
    elbow: pd.DataFrame
    cpu: pd.DataFrame  # points, features, peer, ours, theirs: seconds of the verdict and of the peer
    # one row per everyday table, drawn for this alone, with the answer of `OURS`; kind is its family
    tables: pd.DataFrame = field(default_factory=lambda: table("tables", ()))
    # tables of many columns, as `truth`, by other methods (`many_methods`), and space: where `OURS` found it
    many: pd.DataFrame = field(default_factory=lambda: table("many", ()))
    # what `OURS` finds in noise of many columns, as `noise`, and space
    wide: pd.DataFrame = field(default_factory=lambda: table("wide", ()))
    many_methods: dict = field(default_factory=dict)  # key -> label: of `many`
    rests_on: str = ""  # the digest of what it follows from (`fresh.WHOLE`)

    @property
    def complete(self) -> pd.DataFrame:
        """The rows of `truth` whose set was answered by every method: only these are compared."""
        counts = self.truth.groupby(["group", "set"])["method"].transform("nunique")
        return self.truth[counts == len(self.methods)]


def table(part: str, rows: Iterable[dict]) -> pd.DataFrame:
    """Rows (dicts) of a part ("truth", "noise", ...) as the DataFrame that `Quality` holds."""
    frame = pd.DataFrame(list(rows), columns=list(PARTS[part]))
    return frame.astype(object).where(frame.notna(), None)


# ---- summed up ------------------------------------------------------------------------------------------------------


def group_means(quality: Quality) -> pd.DataFrame:
    """Mean adjusted Rand index: one row per group and `ALL`, columns group, sets and one per method's label."""
    rows = quality.complete
    parts = [*rows.groupby("group", sort=False), *([(ALL, rows)] if len(rows) else [])]
    return pd.DataFrame(
        [{"group": name, "sets": count_sets(part), **_by_method(quality, part, _mean_ari)} for name, part in parts],
        columns=["group", "sets", *quality.methods.values()],
    )


def count_sets(rows: pd.DataFrame) -> int:
    """How many different data sets the rows are about."""
    return len(rows[["group", "set"]].drop_duplicates())


def _by_method(quality: Quality, rows: pd.DataFrame, function: Callable[[pd.DataFrame], float]) -> dict[str, float]:
    return {label: function(rows[rows["method"] == key]) for key, label in quality.methods.items()}


def _mean_ari(rows: pd.DataFrame) -> float:
    return float(rows["ari"].astype(float).mean())


def per_set(quality: Quality) -> pd.DataFrame:
    """One row per set: set, group, points, features, classes, one column per method's label with its adjusted Rand."""
    facts = ["set", "group", "points", "features", "classes"]
    rows = [
        {**dict(zip(facts, of_set)), **_by_method(quality, part, _mean_ari)}
        for of_set, part in quality.truth.groupby(facts, sort=False)
    ]
    return pd.DataFrame(rows, columns=[*facts, *quality.methods.values()])


def totals(quality: Quality) -> pd.DataFrame:
    """One row per method: method (its label), mean (adjusted Rand), best (sets on which it is, ties shared), right
    (share of sets with at least `RIGHT`), seconds (median)."""
    rows = quality.complete
    best = _shares_of_best(rows)
    return pd.DataFrame(
        [
            {
                "method": label,
                "mean": _mean_ari(part),
                "best": float(best[part.index].sum()),
                "right": float((part["ari"].astype(float) >= RIGHT).mean()),
                "seconds": float(part["seconds"].astype(float).median()),
            }
            for key, label in quality.methods.items()
            for part in [rows[rows["method"] == key]]
        ],
        columns=["method", "mean", "best", "right", "seconds"],
    )


def _shares_of_best(rows: pd.DataFrame) -> pd.Series:
    """Of each row: 1 shared by the best of its set, to three digits. A score of 0 is nobody's best."""
    ari = rows["ari"].astype(float).round(3)
    of_set = ari.groupby([rows["group"], rows["set"]])
    best = (ari == of_set.transform("max")) & (ari > 0)
    return best / best.groupby([rows["group"], rows["set"]]).transform("sum").clip(lower=1)


def false_alarms(quality: Quality) -> pd.DataFrame:
    """What is found in noise: one row per method with label, sets, alarms (answers of two or more clusters), share.

    `OURS` comes first and has a second row for answers that are called clear. Sets without an answer in time do
    not count.
    """
    rows = []
    for key, label in quality.methods.items():
        part = quality.noise[quality.noise["method"] == key]
        part = part[part["n_clusters"].notna()]
        if key == OURS:
            rows.append((label, part["algorithm"].notna()))
            rows.append((f"{label}, called clear", part["stands_out"] == True))  # noqa: E712  None is not True
        elif len(part):
            rows.append((label, part["n_clusters"].astype(float) >= 2))
    return pd.DataFrame(
        [
            {"label": name, "sets": len(found), "alarms": int(found.sum()), "share": found.mean()}
            for name, found in rows
        ],
        columns=["label", "sets", "alarms", "share"],
    )


def many_columns(quality: Quality) -> list[pd.DataFrame]:
    """One row per set of `many`, then their mean: set, points, features, classes, a column per method's label.

    And the same with seconds (medians in the last row): two DataFrames.
    """
    facts = ["set", "points", "features", "classes"]
    found = []
    for score in ("ari", "seconds"):
        rows = []
        for of_set, part in quality.many.groupby(facts, sort=False):
            values: dict[str, Any]
            values = {label: part.loc[part["method"] == key, score] for key, label in quality.many_methods.items()}
            values = {label: float(each.iloc[0]) if len(each) else np.nan for label, each in values.items()}
            rows.append({**dict(zip(facts, of_set)), **values})
        frame = pd.DataFrame(rows, columns=[*facts, *quality.many_methods.values()])
        labels = list(quality.many_methods.values())
        whole = frame[frame[labels].notna().all(axis=1)]
        last = whole[labels].mean() if score == "ari" else whole[labels].median()
        total = {"set": f"{len(whole)} sets", "points": "", "features": "", "classes": "", **last}
        found.append(pd.concat([frame, pd.DataFrame([total])], ignore_index=True) if len(whole) else frame)
    return found


def wide_alarms(quality: Quality) -> pd.DataFrame:
    """What `OURS` finds in noise of many columns: one row per kind, in their order.

    Columns kind, sets, alarms (answers of two or more clusters), clear (those said to be clear), maps (of the alarms,
    those in a neighbour map). Sets without an answer in time do not count.
    """
    rows = quality.wide[quality.wide["n_clusters"].notna()]
    return pd.DataFrame(
        [
            {
                "kind": kind,
                "sets": len(part),
                "alarms": int(part["algorithm"].notna().sum()),
                "clear": int(((part["stands_out"] == True) & part["algorithm"].notna()).sum()),  # noqa: E712
                "maps": int(((part["space"] == "map") & part["algorithm"].notna()).sum()),
            }
            for kind, part in rows.groupby("kind", sort=False)
        ],
        columns=["kind", "sets", "alarms", "clear", "maps"],
    )


def reliability(quality: Quality) -> pd.DataFrame:
    """Whether the verdict's confidence is what it says: one row per bin of it that has answers.

    Columns low, high, answers, confidence (their mean), right (share with an adjusted Rand of at least `RIGHT`; an
    answer on noise is wrong). Sets on which nothing is said to be found are not answers.
    """
    known, noise = map(_answers, (quality.truth, quality.noise))
    confidence = np.concatenate([known["confidence"], noise["confidence"]]).astype(float)
    right = np.concatenate([known["ari"].astype(float) >= RIGHT, np.zeros(len(noise), bool)])
    bins = np.clip(np.digitize(confidence, _BINS) - 1, 0, len(_BINS) - 2)
    return pd.DataFrame(
        [
            {
                "low": _BINS[b],
                "high": _BINS[b + 1],
                "answers": int((bins == b).sum()),
                "confidence": confidence[bins == b].mean(),
                "right": right[bins == b].mean(),
            }
            for b in np.unique(bins)
        ],
        columns=["low", "high", "answers", "confidence", "right"],
    )


def wrong_and_sure(quality: Quality) -> pd.DataFrame:
    """Everyday tables: one row per kind and `ALL`: kind, sets, right, sure (answers), wrong_and_sure."""
    rows = quality.tables
    parts = [*rows.groupby("kind", sort=False), *([(ALL, rows)] if len(rows) else [])]
    return pd.DataFrame(
        [{"kind": kind, "sets": len(part), **_how_sure(part)} for kind, part in parts],
        columns=["kind", "sets", "right", "sure", "wrong_and_sure"],
    )


def _how_sure(rows: pd.DataFrame) -> dict[str, int]:
    right = rows["ari"].astype(float) >= RIGHT
    sure = rows["algorithm"].notna() & (rows["confidence"].astype(float) > SURE)
    return {"right": int(right.sum()), "sure": int(sure.sum()), "wrong_and_sure": int((sure & ~right).sum())}


def _answers(rows: pd.DataFrame) -> pd.DataFrame:
    return rows[(rows["method"] == OURS) & rows["algorithm"].notna()]


# ---- on disk --------------------------------------------------------------------------------------------------------


def stored(folder: Path | None = None) -> Quality | None:
    """The stored `Quality`, or None where there is none; ValueError with a sentence where it cannot be read."""
    path = Path(folder or STORED) / "quality.json"
    return _read(path, path.stat().st_mtime_ns) if path.exists() else None


@lru_cache(maxsize=4)
def _read(path: Path, changed: int) -> Quality:
    """The file as it was when it last changed."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["schema"] != SCHEMA:
            raise ValueError("another schema")
        named = {name: content[name] for name in ("made", "versions", "machine", "methods", "about")}
        content = {"many_methods": {}, "many": [], "wide": [], "tables": []} | content  # older runs have none of these
        named["many_methods"] = content["many_methods"]
        named["rests_on"] = content.get("rests_on", "")
        parts = {part: _table_of(part, content[part]) for part in PARTS}
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"The stored results {path.name} cannot be read ({error}).") from error
    return Quality(**named, **parts)


def _table_of(part: str, rows: Sequence[Sequence]) -> pd.DataFrame:
    names = list(PARTS[part])
    if any(len(values) != len(names) for values in rows):
        raise ValueError(f"a row of another length in {part}")
    return table(part, [dict(zip(names, values)) for values in rows])


def store(quality: Quality, folder: Path | None = None) -> None:
    """Write it so that a reader never sees half a file; one measurement per line, so that a change shows as few."""
    content = {"schema": SCHEMA}
    names = ("made", "versions", "machine", "methods", "about", "many_methods", "rests_on")
    content |= {name: getattr(quality, name) for name in names}
    head = json.dumps(content, ensure_ascii=False, indent=1)[:-2]
    parts = ",\n".join(f' "{part}": {_lines(getattr(quality, part))}' for part in PARTS)
    write_whole(Path(folder or STORED) / "quality.json", f"{head},\n{parts}\n}}\n".encode())


def _lines(frame: pd.DataFrame) -> str:
    rows = [[_short(value) for value in row] for row in frame.itertuples(index=False)]
    return "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False, allow_nan=False) for row in rows) + "]"


def _short(value: object) -> object:
    return float(f"{value:.5g}") if isinstance(value, float) else value
