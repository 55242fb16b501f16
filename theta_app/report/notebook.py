"""A report as a Jupyter notebook that reproduces the result, and says so where it does not."""

import json
import re
from collections.abc import Iterator

from theta_app.datasets import Dataset
from theta_app.engine import EUCLIDEAN
from theta_app.report.content import Report
from theta_app.report.snippet import snippet

_FORMAT = {"nbformat": 4, "nbformat_minor": 5}
_PYTHON = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def notebook(report: Report) -> str:
    """The notebook as JSON text, of format 4.5."""
    cells = [
        _markdown(*_title(report)),
        _code(*snippet(report.clustering).rstrip("\n").split("\n")),
        _markdown("## The same as in the report?"),
        _code(
            f"assert data.digest == {report.data.digest!r}, 'these are different points, or they were prepared "
            "differently'",
            f"assert clustering.sizes.tolist() == {report.clustering.sizes.tolist()!r}",
            f"assert clustering.outliers == {report.clustering.outliers}",
            f"assert clustering.names == {report.clustering.names!r}",
            "clustering.n_clusters",
        ),
        _markdown("## Picture"),
        _code("clustering.plot()"),
        _markdown("## What's in each cluster?", "", "Means in the units of the columns. Outliers are cluster -1."),
        _code("from theta_app.report import profile", "", "profile(clustering)"),
        *_verdict(report),
        _markdown("## Every row of the data with its cluster"),
        _code("rows = clustering.table()", "rows"),
    ]
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    return json.dumps({"cells": cells, "metadata": _PYTHON, **_FORMAT}, indent=1, ensure_ascii=False)


def _title(report: Report) -> Iterator[str]:
    yield f"# Clusters of {_plain(report.data.name)}"
    yield ""
    yield f"{_plain(report.data.source)} Needs `theta-app` (`pip install '.[notebook]'` in its folder)."


def _verdict(report: Report) -> Iterator[dict]:
    """Cells that come to the verdict again; none where there was none yet."""
    if report.verdict is None:
        return
    found = report.clustering
    yield _markdown("## The verdict, which takes a while", "", _plain(report.verdict.reason))
    yield _code(
        "from theta_app.selection import sample_of, verdict",
        "",
        f'found = verdict(sample_of(data).X, {found.shuffles}, {found.seed}{_metric(report.data)}, space="features")',
        f"assert (found.algorithm, found.n_clusters) == {(report.verdict.algorithm, report.verdict.n_clusters)!r}",
        "found.plot(data.unit)",
    )


def _metric(data: Dataset) -> str:
    given = {} if data.metric == EUCLIDEAN else data.metric.arguments
    return "".join(f", {name}={value!r}" for name, value in given.items())


def _plain(text: str) -> str:
    """Text that Markdown shows as it is: names of files and columns are not ours."""
    return re.sub(r"([\\`*_{}\[\]<>#|$~])", r"\\\1", " ".join(str(text).split()))


def _markdown(*lines: str) -> dict:
    return {"cell_type": "markdown", "metadata": {}, "source": "\n".join(lines)}


def _code(*lines: str) -> dict:
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": "\n".join(lines)}
