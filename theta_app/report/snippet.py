"""A few lines of Python that make a clustering again: for a notebook, after ``pip install .``"""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from theta_app import datasets
from theta_app.clustering import Clustering
from theta_app.engine import Metric
from theta_app.marks import Marks


def snippet(clustering: Clustering) -> str:
    """The lines. They end with ``labels``, which are those of the clustering."""
    data = clustering.data
    own = data.spec is None or isinstance(data.spec, datasets.Upload)
    chosen = data.preparation or datasets.Preparation()
    given = [repr(data.file or data.name) if own else repr(data.spec)]
    if _says(chosen, own, data):
        given.append(_code(chosen))
    if own and data.spec is not None:
        given += [f"sheet={data.spec.sheet!r}"] if data.spec.sheet else []  # type: ignore[attr-defined]
        given += [f"header={int(data.spec.header)}"] if data.spec.header else []  # type: ignore[attr-defined]
    given += [f"rows={data.rows!r}"] if data.rows is not None else []  # the part that is looked at
    where = "  # your file, in the folder of the notebook" if own else ""
    lines = ["from theta_app import cluster, read", *_imports(clustering, own, chosen), ""]
    lines += [f"data = read({', '.join(given)}){where}"]
    lines += [f"clustering = cluster(data, {_arguments(clustering)})", "labels = clustering.labels"]
    return "\n".join(lines) + "\n"


def _says(chosen: datasets.Preparation, own: bool, data: datasets.Dataset) -> bool:
    """Whether the preparation is written: of a file, `read` alone would take the recommended one; of curves, theirs."""
    return own or chosen != datasets.Preparation() or chosen.metric != data.spec.metric  # type: ignore[union-attr]


def _imports(clustering: Clustering, own: bool, chosen: datasets.Preparation) -> Iterator[str]:
    """What the lines need beside `cluster` and `read`."""
    data = clustering.data
    names = [] if own else [type(data.spec).__name__]
    names += ["Preparation"] if _says(chosen, own, data) else []
    names += ["RowSet"] if data.rows is not None else []
    if names:
        yield f"from theta_app.datasets import {', '.join(sorted(names))}"
    if len(chosen.metric.arguments) > 1:
        yield "from theta_app.engine import Metric"
    if clustering.marks != Marks():
        yield "from theta_app.marks import Marks"


def _arguments(clustering: Clustering) -> str:
    given = [repr(clustering.algorithm), f"theta={clustering.theta!r}"]
    if clustering.epsilon is not None:
        given += [f"epsilon={clustering.epsilon!r}"]
    if clustering.density is not None:
        given += [f"density={clustering.density}"]
    if clustering.algorithm != "TSG":
        given += [f"shuffles={clustering.shuffles}", f"seed={clustering.seed}"]
    if clustering.keep is not None:
        given += [f"keep={clustering.keep}"]
    if clustering.marks != Marks():
        given += [f"marks={_code(clustering.marks)}"]
    if not clustering.points.whole:
        given += [f"computed_on={len(clustering.points.rows)}"]
    return ", ".join(given)


def _code(value: Any) -> str:
    """A frozen value as Python, without the fields that are as they usually are."""
    usual = type(value)()
    given = {f.name: getattr(value, f.name) for f in fields(value)}
    written = [f"{name}={_literal(v)}" for name, v in given.items() if v != getattr(usual, name)]
    return f"{type(value).__name__}({', '.join(written)})"


def _literal(value: object) -> str:
    """A metric by its name where that says it all."""
    return repr(value.name if isinstance(value, Metric) and len(value.arguments) == 1 else value)
