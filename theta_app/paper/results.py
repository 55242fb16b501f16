"""Results of an experiment: kept as one JSON file, started from, added to, and shown.

The files in ``stored/`` are of full runs and part of the project; `python -m theta_app.paper` makes them.
"""

import base64
import json
import os
import platform
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from theta_app import metrics
from theta_app.compare.measure import OK
from theta_app.compare.steps import FIXED_COLUMNS, Picture, columns
from theta_app.engine.files import write_whole

STORED = Path(__file__).with_name("stored")
SCHEMA = 1


@dataclass(frozen=True, eq=False)
class Results:
    """What is known of an experiment."""

    experiment: str
    made: str = ""  # date of the last measurement, YYYY-MM-DD
    versions: dict = field(default_factory=dict)  # library -> version
    machine: dict = field(default_factory=dict)  # processor, cores, system
    # case -> dict: about the points of repeat 0: points, features, clusters, centre_distance (the smallest);
    # and gap, the smallest distance between points of different true clusters in any repeat (None where it is costly)
    facts: dict = field(default_factory=dict)
    # one per measurement: `FIXED_COLUMNS`, the scores it was given, which need not be those of today's `SCORES`, and
    # rests_on, the digest of what it follows from (`fresh.step_digest`)
    rows: tuple = ()
    pictures: dict = field(default_factory=dict)  # (case, label) -> Picture: of repeat 0

    def frame(self) -> pd.DataFrame:
        """The rows as `rows_frame` has them."""
        return rows_frame(self.rows)

    def places(self) -> set[tuple[str, int, str]]:
        """Which measurements there are: a set of (case, repeat, label)."""
        return {(row["case"], row["repeat"], row["label"]) for row in self.rows}


def rows_frame(rows: Iterable[dict]) -> pd.DataFrame:
    """Rows as a DataFrame with today's `columns`, numbers as numbers, NaN for a score they were not given."""
    frame = pd.DataFrame(list(rows), columns=list(columns()))
    for name in ("seconds", "n_clusters", "true_clusters", "elbow", "outliers", *metrics.SCORES):
        frame[name] = pd.to_numeric(frame[name])
    frame["note"] = ["" if note is None or note != note else note for note in frame["note"]]
    return frame


def summary(frame: pd.DataFrame, scores: Sequence[str]) -> pd.DataFrame:
    """One row per case and method: medians over the repeats.

    Columns: case, label, parameters, runs (finished), failed (not finished), n_clusters, the `scores`, seconds, slower
    (times the fastest of the case), note (why something failed, or how it ran).
    """
    rows = []
    for (case, label), part in frame.groupby(["case", "label"], sort=False):
        good = part[part["status"] == OK]
        notes = list(
            dict.fromkeys(filter(None, part.loc[part["status"] != OK, "note"].tolist() + good["note"].tolist()))
        )
        rows.append(
            {
                "case": case,
                "label": label,
                "parameters": part["parameters"].iloc[0],
                "runs": len(good),
                "failed": len(part) - len(good),
                "n_clusters": good["n_clusters"].median(),
                **{name: good[name].median() for name in scores},
                "seconds": good["seconds"].median(),
                "note": notes[0] if notes else "",
            }
        )
    names = ["case", "label", "parameters", "runs", "failed", "n_clusters", *scores, "seconds", "note"]
    table = pd.DataFrame(rows, columns=names)
    fastest = table.groupby("case")["seconds"].transform("min")
    table.insert(names.index("seconds") + 1, "slower", table["seconds"] / fastest.clip(lower=1e-9))
    return table


def case_medians(frame: pd.DataFrame, column: str | list[str]) -> pd.DataFrame:
    """The median of a column (or several) over the repeats: a DataFrame with label, method, case and the column."""
    return frame.groupby(["label", "method", "case"], sort=False)[column].median().reset_index()


def means_over_cases(found: Mapping[str, Results], scores: Sequence[str]) -> pd.DataFrame:
    """Means over cases of the medians over repeats: a row per label, a column per (score, name of ``found``)."""
    frames = {name: results.frame() for name, results in found.items()}
    columns = {
        (score, name): case_medians(frame, score).groupby("label", sort=False)[score].mean()
        for score in scores
        for name, frame in frames.items()
    }
    return pd.DataFrame(columns)


def best_values(table: pd.DataFrame, scores: Sequence[str]) -> pd.DataFrame:
    """Which cells of a `summary` are the best of their case: a DataFrame of bool with the columns `scores`, seconds."""
    best = pd.DataFrame(False, index=table.index, columns=[*scores, "seconds"])
    for _, part in table.groupby("case"):
        for name in best.columns:
            values = part[name].astype(float).round(3 if name != "seconds" else 6)
            higher = name != "seconds" and metrics.SCORES[name].higher_is_better
            target = values.max() if higher else values.min()
            # a score that is 0 for everybody is nobody's best
            if len(part) > 1 and not (higher and target <= 0):
                best.loc[part.index, name] = values == target
    return best


# ---- on disk --------------------------------------------------------------------------------------------------------


def stored(experiment: str, folder: Path | None = None) -> Results:
    """The stored results of an experiment by key; empty `Results` when there are none.

    ValueError with a sentence when the file is not what it should be.
    """
    return loaded(experiment, folder or STORED, _results_of) or Results(experiment)


def loaded(key: str, folder: str | Path, read: Callable[[dict, str], Any]) -> Any:
    """``read(content, key)`` of the JSON file of a key in a folder; None where there is none.

    ValueError with a sentence when the file is not what it should be. A file is read once until it changes.
    """
    path = Path(folder) / f"{key}.json"
    return _read(path, path.stat().st_mtime_ns, key, read) if path.exists() else None


@lru_cache(maxsize=64)
def _read(path: Path, changed: int, key: str, read: Callable[[dict, str], Any]) -> Any:
    """The file as it was when it last changed."""
    try:
        return read(json.loads(path.read_text(encoding="utf-8")), key)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"The stored results {path.name} cannot be read ({error}).") from error


def _results_of(content: dict, experiment: str) -> Results:
    if content["schema"] != SCHEMA or content["experiment"] != experiment:
        raise ValueError("another schema or experiment")
    rows = _rows_of(content["columns"], content["rows"])
    pictures = {(p["case"], p["label"]): _unpacked(p) for p in content["pictures"]}
    named = {name: content[name] for name in ("made", "versions", "machine", "facts")}
    return Results(experiment, **named, rows=rows, pictures=pictures)


def _rows_of(names: Sequence[str], rows: Sequence[Sequence]) -> tuple[dict, ...]:
    """Rows as dicts. Scores may be others than today's: one more in the table must not cost what was measured."""
    missing = [name for name in FIXED_COLUMNS if name not in names]
    if missing:
        raise ValueError(f"no column {missing[0]}")
    if any(len(values) != len(names) for values in rows):
        raise ValueError("a row of another length")
    return tuple(dict(zip(names, values)) for values in rows)


def store(results: Results, folder: Path | None = None) -> None:
    """Write results, as `stored` reads them."""
    names = list(dict.fromkeys(name for row in results.rows for name in row)) or list(columns())
    content = {
        "schema": SCHEMA,
        "experiment": results.experiment,
        "made": results.made,
        "versions": results.versions,
        "machine": results.machine,
        "facts": results.facts,
        "columns": names,
        "rows": rounded([[row.get(name) for name in names] for row in results.rows]),
        "pictures": [_packed(*place, picture) for place, picture in results.pictures.items()],  # type: ignore[call-arg]
    }
    write(content, results.experiment, folder)


def write(content: dict, key: str, folder: Path | None = None) -> None:
    """Write a JSON-like value as the file of a key, so that a reader never sees half of it."""
    folder = Path(folder or STORED)
    folder.mkdir(parents=True, exist_ok=True)
    lines = json.dumps(content, ensure_ascii=False, allow_nan=False)
    lines = lines.replace('"rows": [[', '"rows": [\n[').replace("], [", "],\n[") + "\n"  # a change shows as few lines
    write_whole(folder / f"{key}.json", lines.encode())


def rounded(value: Any) -> Any:
    """A JSON-like value with six digits for a number, and None where it is not finite."""
    if isinstance(value, dict):
        return {name: rounded(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(inner) for inner in value]
    if isinstance(value, (float, np.floating)):
        return float(f"{value:.6g}") if np.isfinite(value) else None
    return int(value) if isinstance(value, np.integer) else value


def _packed(case: str, label: str, picture: Picture) -> dict:
    """Labels as compressed 16-bit numbers (neighbouring rows mostly share a cluster), centroids as short text."""
    labels = base64.b64encode(zlib.compress(picture.labels.astype("<i2").tobytes(), 9)).decode()
    centroids = " ".join(f"{v:.5g}" for v in picture.centroids.ravel())
    return {
        "case": case,
        "label": label,
        "labels": labels,
        "features": picture.centroids.shape[1],
        "centroids": centroids,
    }


def _unpacked(content: dict) -> Picture:
    labels = np.frombuffer(zlib.decompress(base64.b64decode(content["labels"])), "<i2").astype(np.int32)
    centroids = np.array(content["centroids"].split(), dtype=float).reshape(-1, content["features"])
    return Picture(labels, centroids)


# ---- where and when -------------------------------------------------------------------------------------------------


def today() -> str:
    """The date in UTC, such as 2026-01-31."""
    return datetime.now(UTC).date().isoformat()


def versions() -> dict[str, str]:
    """Of everything whose speed or result is measured."""
    import numba
    import scipy
    import sklearn

    import theta_app

    return {
        "theta-app": theta_app.__version__,
        "scikit-learn": sklearn.__version__,
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "numba": numba.__version__,
        "python": platform.python_version(),
    }


def machine() -> dict[str, Any]:
    """What was measured on; nothing that names the machine or its owner."""
    return {"processor": _processor(), "cores": os.cpu_count(), "system": platform.system()}


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
