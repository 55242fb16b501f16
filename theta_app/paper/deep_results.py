"""Results of deep embedded clustering: every epoch of every start, one JSON file per trial."""

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self

import numpy as np
import pandas as pd

from theta_app.deep.starts import STARTS
from theta_app.paper.results import STORED, loaded, machine, rounded, today, versions, write

SCHEMA = 1
COLUMNS = ("seed", "start", "epoch", "loss", "accuracy", "nmi", "seconds")
_STEPS = 2**15 - 1  # a picture's places, in steps of its width


@dataclass(frozen=True, eq=False)
class Picture:
    """Points of seed 0 in two dimensions."""

    start: str  # a name of `STARTS`, after its last epoch; "" for the autoencoder before any clustering
    places: np.ndarray  # (n, 2): by t-SNE
    truth: np.ndarray  # (n,) of int
    labels: np.ndarray | None = None  # (n,) of int: clusters; None before any clustering
    # most, least: (K, m) of int: rows of MNIST that are each cluster's most and least typical members
    most: np.ndarray | None = None
    least: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class DeepResults:
    """What is known of a trial."""

    # trial, made: its key; the date of the last epoch, YYYY-MM-DD
    trial: str
    made: str = ""
    plan: dict = field(default_factory=dict)  # what is to be run: the trial's numbers and its recipe
    # versions, machine: as in `theta_app.paper.results.Results`
    versions: dict = field(default_factory=dict)
    machine: dict = field(default_factory=dict)
    rests_on: str = ""  # the digest of what it follows from (`fresh.WHOLE`), of when the run began
    networks: tuple = ()  # one per seed: seed, loss, seconds (CPU)
    # one per seed, for the start by TDG: seed, theta, tried (a list of dicts, one `Tried` per θ that voted)
    votes: tuple = ()
    # one per seed, start and epoch: `COLUMNS`. ``seconds`` are CPU seconds since the start, without pre-training
    rows: tuple = ()
    pictures: tuple = ()

    def frame(self) -> pd.DataFrame:
        """The rows as a DataFrame."""
        return pd.DataFrame(list(self.rows), columns=list(COLUMNS))

    def network(self, seed: int) -> dict | None:
        """What is known of a seed's autoencoder, or None."""
        return next((one for one in self.networks if one["seed"] == seed), None)

    def rows_of(self, seed: int, start: str) -> list[dict]:
        """The rows of one seed and one start, an epoch each."""
        return [row for row in self.rows if (row["seed"], row["start"]) == (seed, start)]

    def has(self, seed: int, start: str, epoch: int) -> bool:
        """Whether this epoch of this seed and start is stored."""
        return any(row["epoch"] == epoch for row in self.rows_of(seed, start))

    def finished(self, seed: int, start: str) -> bool:
        """Whether a start has had all its epochs."""
        return self.has(seed, start, self.plan.get("epochs"))

    def whole_seeds(self) -> list[int]:
        """Seeds of which every start has had all its epochs."""
        seeds = sorted({row["seed"] for row in self.rows})
        return [seed for seed in seeds if all(self.finished(seed, name) for name in STARTS)]

    @property
    def share(self) -> float:
        """How much of the plan is there, from 0 to 1: 1 for a whole run."""
        planned = self.plan.get("seeds", 0) * len(STARTS) * (self.plan.get("epochs", 0) + 1)
        return len(self.rows) / planned if planned else 0.0

    # ---- growing -----------------------------------------------------------------------------------------------------

    def up_to(self, seed: int, start: str, epoch: int) -> Self:
        """Without the epochs of a start after `epoch`: they are trained again."""
        kept = (row for row in self.rows if (row["seed"], row["start"]) != (seed, start) or row["epoch"] <= epoch)
        return replace(self, rows=tuple(kept))

    def with_row(self, row: dict) -> Self:
        """The results with one more row."""
        return self._now(rows=(*self.rows, row))

    def with_network(self, facts: dict) -> Self:
        """The results with the facts of one more network."""
        return self._now(networks=(*self.networks, facts))

    def with_vote(self, facts: dict) -> Self:
        """The results with this vote in place of an earlier one of its seed."""
        others = (one for one in self.votes if one["seed"] != facts["seed"])
        return self._now(votes=(*others, facts))

    def with_picture(self, picture: Picture) -> Self:
        """The results with this picture in place of an earlier one of its start."""
        others = (one for one in self.pictures if one.start != picture.start)
        return self._now(pictures=(*others, picture))

    def _now(self, **changes: Any) -> Self:
        return replace(self, made=today(), versions=versions_used(), machine=machine(), **changes)


def versions_used() -> dict[str, str]:
    """Of the libraries, and of those that train."""
    return versions() | {name: version(name) for name in ("jax", "optax")}


def typical(q: np.ndarray, rows: np.ndarray, members: int = 8) -> tuple[np.ndarray, np.ndarray]:
    """Each cluster's most and least typical members: (K, members) twice, from soft labels (n, K) of images `rows`.

    A member's own soft label says how typical it is. Clusters with fewer members repeat their last.
    """
    labels = q.argmax(axis=1)
    most, least = [], []
    for k in range(q.shape[1]):
        inside = np.flatnonzero(labels == k)
        inside = inside if len(inside) else np.array([q[:, k].argmax()])
        ordered = rows[inside[np.argsort(-q[inside, k], kind="stable")]]
        places = np.minimum(np.arange(members), len(ordered) - 1)
        most.append(ordered[places])
        least.append(ordered[::-1][places])
    return np.array(most), np.array(least)


# ---- on disk --------------------------------------------------------------------------------------------------------


def as_stored(value: object) -> Any:
    """A JSON-like value as it comes back from a file."""
    return json.loads(json.dumps(value))


def stored(trial: str, folder: Path | None = None) -> DeepResults:
    """The stored results of a trial by key; empty `DeepResults` when there are none.

    ValueError with a sentence when the file is not what it should be.
    """
    return loaded(trial, folder or STORED, _results_of) or DeepResults(trial)


def _results_of(content: dict, trial: str) -> DeepResults:
    if content["schema"] != SCHEMA or content["trial"] != trial or tuple(content["columns"]) != COLUMNS:
        raise ValueError("another schema or trial")
    rows = tuple(dict(zip(COLUMNS, values, strict=True)) for values in content["rows"])
    pictures = tuple(map(unpacked, content["pictures"]))
    named: dict[str, Any] = {name: content[name] for name in ("made", "plan", "versions", "machine")}
    named["rests_on"] = content.get("rests_on", "")
    lists: dict[str, Any] = {name: tuple(content[name]) for name in ("networks", "votes")}
    return DeepResults(trial, **named, **lists, rows=rows, pictures=pictures)


def store(results: DeepResults, folder: Path | None = None) -> None:
    """Write results, as `stored` reads them."""
    content = {
        "schema": SCHEMA,
        "trial": results.trial,
        "made": results.made,
        "plan": results.plan,
        "versions": results.versions,
        "machine": results.machine,
        "rests_on": results.rests_on,
        "networks": rounded(results.networks),
        "votes": rounded(results.votes),
        "columns": COLUMNS,
        "rows": rounded([[row[name] for name in COLUMNS] for row in results.rows]),
        "pictures": list(map(packed, results.pictures)),
    }
    write(content, results.trial, folder)


def packed(picture: Picture) -> dict:
    """A `Picture` as a JSON-like value."""
    low, high = picture.places.min(axis=0), picture.places.max(axis=0)
    steps = np.round((picture.places - low) / (high - low).max() * _STEPS)
    return {
        "start": picture.start,
        "points": len(steps),
        **{name: _text(getattr(picture, name)) for name in ("truth", "labels")},
        "places": _text(steps, "<i2"),
        **{name: None if (rows := getattr(picture, name)) is None else rows.tolist() for name in ("most", "least")},
    }


def _text(values: np.ndarray | None, kind: str = "<u1") -> str | None:
    return None if values is None else base64.b64encode(np.asarray(values).astype(kind).tobytes()).decode()


def unpacked(content: dict) -> Picture:
    """The `Picture` of :func:`packed`."""

    def array(name: str, kind: str = "<u1") -> np.ndarray | None:
        return None if content[name] is None else np.frombuffer(base64.b64decode(content[name]), kind).astype(int)

    lists = {name: None if content[name] is None else np.array(content[name]) for name in ("most", "least")}
    places = array("places", "<i2").reshape(content["points"], 2) / _STEPS
    return Picture(content["start"], places, array("truth"), array("labels"), **lists)


# ---- in short -------------------------------------------------------------------------------------------------------


def curves(frame: pd.DataFrame, score: str) -> pd.DataFrame:
    """A score over the epochs, over the seeds: a DataFrame with start, epoch, middle (median), low, high, seeds.

    Of each start the runs that have come as far as any of its runs: medians over other seeds at every epoch would jump.
    """
    grouped = frame[_furthest(frame, ["start"])].groupby(["start", "epoch"], sort=False)[score]
    table = grouped.agg(middle="median", low="min", high="max", seeds="count").reset_index()
    return table[table["seeds"] > 0]


def _furthest(frame: pd.DataFrame, among: Sequence[str]) -> pd.Series:
    """Which rows are of runs with the most epochs that a run has, of those that share the columns `among`."""
    last = frame.groupby(["seed", "start"])["epoch"].transform("max")
    return last == (last.groupby([frame[name] for name in among]).transform("max") if among else last.max())


def summary(frame: pd.DataFrame) -> pd.DataFrame:
    """One row per start: start, runs, accuracy and NMI at the start and at the end (medians), CPU seconds.

    Only runs that have the most epochs that any has: a run cut short is not an end.
    """
    whole, end = frame[_furthest(frame, [])], frame["epoch"].max()
    rows = []
    for name, part in whole.groupby("start", sort=False):
        first, last = part[part["epoch"] == 0], part[part["epoch"] == end]
        rows.append(
            {
                "start": name,
                "runs": len(last),
                "accuracy_start": first["accuracy"].median(),
                "accuracy_end": last["accuracy"].median(),
                "nmi_start": first["nmi"].median(),
                "nmi_end": last["nmi"].median(),
                "seconds": last["seconds"].median(),
            }
        )
    names = ["start", "runs", "accuracy_start", "accuracy_end", "nmi_start", "nmi_end", "seconds"]
    return pd.DataFrame(rows, columns=names)
