"""A report as a Jupyter notebook that finds the same again, and says so where it does not."""

import json

import numpy as np

from theta_app.report.content import Report

_FORMAT = {"nbformat": 4, "nbformat_minor": 5}
_PYTHON = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def notebook(report: Report) -> str:
    """The notebook as JSON text, of format 4.5."""
    cells = [
        _markdown(*_title(report)),
        _code(*report.snippet.rstrip("\n").split("\n")),
        _markdown("## The same as in the report?"),
        _code(
            f"assert data.digest == {report.data.digest!r}, 'these are other points, or they were prepared otherwise'",
            "import numpy as np",
            "",
            "sizes = sorted(np.unique(labels, return_counts=True)[1].tolist(), reverse=True)",
            f"assert sizes == {sorted(np.unique(report.labels, return_counts=True)[1].tolist(), reverse=True)!r}",
            "sizes[:20]",
        ),
        _markdown("## Picture"),
        _code(
            "from theta_app.report import picture, profile", "", f"names = {report.names!r}", "picture(data, labels)"
        ),
        _markdown("## What is in a cluster", "", "Means in the units of the columns."),
        _code("profile(data, labels, names)"),
        *_verdict(report),
        _markdown("## Every row of the data with its cluster"),
        _code(
            "from theta_app.datasets import labelled_rows",
            "",
            "rows = labelled_rows(data, labels, names=names)",
            "rows",
        ),
    ]
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    return json.dumps({"cells": cells, "metadata": _PYTHON, **_FORMAT}, indent=1, ensure_ascii=False)


def _title(report):
    yield f"# Clusters of {report.data.name}"
    yield ""
    yield f"{report.data.source} Needs `theta-app` (`pip install .` in its folder)."


def _verdict(report):
    """Cells that come to the verdict again; none where there was none yet."""
    if report.verdict is None:
        return
    yield _markdown("## The verdict, which takes a while", "", report.verdict.reason)
    yield _code(
        "from theta_app.selection import sample_of, verdict",
        "",
        f"found = verdict(sample_of(data).X, {report.shuffles}, {report.seed})",
        f"assert (found.algorithm, found.n_clusters) == {(report.verdict.algorithm, report.verdict.n_clusters)!r}",
        "found.candidates",
    )


def _markdown(*lines):
    return {"cell_type": "markdown", "metadata": {}, "source": "\n".join(lines)}


def _code(*lines):
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": "\n".join(lines)}
