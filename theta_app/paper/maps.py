"""MNIST through neighbour maps: what was measured, one JSON file; `python -m benchmarks.mnist` makes it."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import pandas as pd

from theta_app.paper.fresh import WHOLE
from theta_app.paper.results import STORED, loaded, machine, rounded, today, versions, write

KEY = "mnist-maps"
SCHEMA = 1
SPACES = {
    "pixels": "Pixels → map",
    "autoencoder": "Autoencoder → map",
    "strokes": "Strokes → map",
    "upright": "Upright strokes → map",
}
"""What a map was made of."""
METHODS = {
    "theta": "ThetA",
    "kmeans": "K-Means",
    "mixture": "Gaussian mixture",
    "hdbscan": "HDBSCAN",
    "hdbscan-1": "HDBSCAN 1 %",
    "evoc": "EVoC",
}
"""Who clustered, and its name."""
GIVEN_K = ("kmeans", "mixture")
"""Methods that are given K = 10; the others are given nothing."""
COLUMNS = ("images", "seed", "space", "method", "n_clusters", "accuracy", "nmi", "seconds")
SPACE_COLUMNS = ("images", "seed", "space", "epochs", "network_seconds", "map_seconds")
LITERAL_COLUMNS = ("images", "seed", "pretrain_epochs", "theta", "n_clusters", "held", "epoch", "accuracy", "nmi")


@dataclass(frozen=True, eq=False)
class Maps:
    """What is known."""

    made: str = ""  # date of the last measurement, YYYY-MM-DD
    # versions, machine: as in `theta_app.paper.results.Results`
    versions: dict = field(default_factory=dict)
    machine: dict = field(default_factory=dict)
    rows: tuple = ()  # one per answer: `COLUMNS`. ``seconds`` are CPU seconds of the clustering alone
    # one per map: `SPACE_COLUMNS`. ``epochs`` of the whole autoencoder, 0 where there is none; CPU seconds.
    # ``network_seconds`` of strokes are those of describing images by them, after making these upright or not
    spaces: tuple = ()
    # the paper's setting, the 10 largest clusters of TDG at one θ as a start of DEC: one per network and epoch of
    # refinement, `LITERAL_COLUMNS`. ``held`` is the share of the points in the 10 largest
    literal: tuple = ()
    rests_on: str = ""  # the digest of what it follows from (`fresh.WHOLE`), of when the first answer was measured

    def with_row(self, part: str, row: dict) -> Self:
        """With one more row of a part ("rows", "spaces", "literal"), instead of the same one measured before."""
        keys = _KEYS[part]
        others = (one for one in getattr(self, part) if any(one[name] != row[name] for name in keys))
        order = sorted((*others, row), key=lambda one: tuple(_place(name, one[name]) for name in keys))
        rests_on = self.rests_on if self.rows else WHOLE[KEY].digest
        stamp: dict[str, Any] = {"made": today(), "versions": versions(), "machine": machine(), "rests_on": rests_on}
        return replace(self, **stamp, **{part: tuple(order)})  # type: ignore[arg-type]

    def has(self, part: str, **row: object) -> bool:
        """Whether a part has a row with these values."""
        return any(all(one[name] == value for name, value in row.items()) for one in getattr(self, part))


_TABLES = {"rows": COLUMNS, "spaces": SPACE_COLUMNS, "literal": LITERAL_COLUMNS}
_KEYS = {
    "rows": ("images", "space", "method", "seed"),
    "spaces": ("images", "space", "seed"),
    "literal": ("images", "pretrain_epochs", "seed", "epoch"),
}


def _place(name: str, value: Any) -> Any:
    order = {"space": list(SPACES), "method": list(METHODS)}.get(name)
    return order.index(value) if order else value


def stored(folder: Path | None = None) -> Maps:
    """The stored `Maps`; empty where there are none. ValueError with a sentence where the file is another."""
    return loaded(KEY, folder or STORED, _maps_of) or Maps()


def _maps_of(content: dict, key: str) -> Maps:
    if content["schema"] != SCHEMA or content["experiment"] != key:
        raise ValueError("another schema or experiment")
    tables: dict[str, Any] = {}
    for part, names in _TABLES.items():
        if tuple(content[part]["columns"]) != names:
            raise ValueError(f"other columns in {part}")
        tables[part] = tuple(dict(zip(names, values, strict=True)) for values in content[part]["rows"])
    facts: dict[str, Any] = {name: content[name] for name in ("made", "versions", "machine")}
    return Maps(**facts, **tables, rests_on=content.get("rests_on", ""))


def store(maps: Maps, folder: Path | None = None) -> None:
    """Write them, as `stored` reads them."""
    tables = {
        part: {"columns": names, "rows": rounded([[row[name] for name in names] for row in getattr(maps, part)])}
        for part, names in _TABLES.items()
    }
    facts = {name: getattr(maps, name) for name in ("made", "versions", "machine", "rests_on")}
    write({"schema": SCHEMA, "experiment": KEY, **facts, **tables}, KEY, folder)


def summary(maps: Maps) -> pd.DataFrame:
    """One row per number of images, space and method.

    A DataFrame with images, space, method (names of `SPACES`, `METHODS`), given (10 or 0), runs, accuracy, low, high
    (median, least and largest), nmi (median), n_clusters (of each run, as text), hits (runs that found 10), seconds (of
    the clustering) and space_seconds (of network and map), medians of CPU seconds.
    """
    spaces = {(one["images"], one["space"], one["seed"]): one for one in maps.spaces}
    rows = []
    frame = pd.DataFrame(list(maps.rows), columns=list(COLUMNS))
    for (images, space, method), part in frame.groupby(["images", "space", "method"], sort=False):
        made = [spaces[images, space, seed] for seed in part["seed"] if (images, space, seed) in spaces]
        rows.append(
            {
                "images": images,
                "space": SPACES[space],
                "method": METHODS[method],
                "given": 10 if method in GIVEN_K else 0,
                "runs": len(part),
                "accuracy": part["accuracy"].median(),
                "low": part["accuracy"].min(),
                "high": part["accuracy"].max(),
                "nmi": part["nmi"].median(),
                "n_clusters": ", ".join(f"{k}" for k in part["n_clusters"]),
                "hits": int((part["n_clusters"] == 10).sum()),
                "seconds": part["seconds"].median(),
                "space_seconds": pd.Series([_seconds(one) for one in made], dtype=float).median(),
            }
        )
    names = ["images", "space", "method", "given", "runs", "accuracy", "low", "high", "nmi", "n_clusters", "hits"]
    return pd.DataFrame(rows, columns=[*names, "seconds", "space_seconds"])


def _seconds(space: dict) -> float:
    """Of network and map; NaN where they were made elsewhere."""
    both = (space["network_seconds"], space["map_seconds"])
    return float("nan") if None in both else sum(both)
