"""A few lines of Python that make a clustering again: for a notebook, after ``pip install .``"""

from dataclasses import fields

from theta_app import datasets
from theta_app.clustering import Clustering
from theta_app.engine import Metric
from theta_app.marks import Marks


def snippet(clustering: Clustering) -> str:
    """The lines. They end with ``labels``, which are those of the clustering."""
    data = clustering.data
    prepared = data.preparation not in (None, datasets.Preparation())
    own = data.spec is None or isinstance(data.spec, datasets.Upload)
    names = ["parse_upload"] if own else [type(data.spec).__name__, "load"]
    names += ["Preparation", "prepare"] if prepared else []
    names += ["RowSet", "only_rows"] if data.rows is not None else []
    marked = clustering.marks != Marks()
    lines = ["from pathlib import Path", ""] if own else []
    lines += ["from theta_app.clustering import cluster", f"from theta_app.datasets import {', '.join(sorted(names))}"]
    metric = (data.preparation or datasets.Preparation()).metric
    lines += ["from theta_app.engine import Metric"] if len(metric.arguments) > 1 else []
    lines += ["from theta_app.marks import Marks"] if marked else []
    lines += ["from theta_app.spaces import in_space", ""] if data.space is not None else [""]
    if own:
        sheet = f", sheet={data.spec.sheet!r}" if data.spec is not None and data.spec.sheet else ""
        lines += [f"file = Path({data.file or data.name!r})  # your file, in the folder of the notebook"]
        header = f", header={int(data.spec.header)}" if data.spec is not None and data.spec.header else ""
        lines += [f"data = parse_upload(file.name, file.read_bytes(){sheet}{header})"]
    else:
        lines += [f"data = load({data.spec!r})"]
    if prepared:
        lines += [f"data = prepare(data, {_code(data.preparation)})"]
    if data.space is not None:
        lines += [f"data = in_space(data)  # {data.space.label}; it may take a minute"]
    if data.rows is not None:
        lines += [f"data = only_rows(data, {data.rows!r})  # the part of the rows that is looked at"]
    lines += [f"clustering = cluster(data, {_arguments(clustering)})", "labels = clustering.labels"]
    return "\n".join(lines) + "\n"


def _arguments(clustering: Clustering) -> str:
    given = [repr(clustering.algorithm), f"theta={clustering.theta!r}"]
    if clustering.epsilon is not None:
        given += [f"epsilon={clustering.epsilon!r}"]
    if clustering.algorithm != "TSG":
        given += [f"shuffles={clustering.shuffles}", f"seed={clustering.seed}"]
    if clustering.keep is not None:
        given += [f"keep={clustering.keep}"]
    if clustering.marks != Marks():
        given += [f"marks={_code(clustering.marks)}"]
    if not clustering.points.whole:
        given += [f"computed_on={len(clustering.points.rows)}"]
    return ", ".join(given)


def _code(value) -> str:
    """A frozen value as Python, without the fields that are as they usually are."""
    usual = type(value)()
    given = {f.name: getattr(value, f.name) for f in fields(value)}
    written = [f"{name}={_literal(v)}" for name, v in given.items() if v != getattr(usual, name)]
    return f"{type(value).__name__}({', '.join(written)})"


def _literal(value) -> str:
    """A metric by its name where that says it all."""
    return repr(value.name if isinstance(value, Metric) and len(value.arguments) == 1 else value)
