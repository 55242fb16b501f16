"""A file as the Data page reads it: its table, the recommended columns and preparation, or those that were chosen."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from theta_app import datasets
from theta_app.datasets.space import usual_components
from theta_app.engine import EUCLIDEAN, Metric, Progress
from theta_app.spaces import in_space


def read(
    source: str | Path | datasets.Spec | datasets.Dataset,
    preparation: datasets.Preparation | None = None,
    *,
    rows: datasets.RowSet | None = None,
    sheet: str | None = None,
    header: bool | None = None,
    progress: Progress | None = None,
    **changes: Any,
) -> datasets.Dataset:
    """A data set, ready to cluster.

    Parameters
    ----------
    source : path, Spec or Dataset
        A file of one of the `datasets.FORMATS`; something to load, such as ``GridBlobs()``; or what was read already.
    preparation : Preparation, optional
        Which columns, and how they are prepared. By default as on the Data page: the recommended preparation of a file.
    rows : RowSet, optional
        The rows to keep, after they were prepared.
    sheet, header : optional
        Of a file, as for `datasets.parse_upload`.
    progress : callable, optional
        ``progress(done, total)`` of a space that takes long.
    changes
        Single choices of the preparation, by name: ``columns=("age", "income")``, ``scaling="standard"``, ...

    Returns
    -------
    Dataset

    UploadError, LookupError or ValueError with a sentence where it cannot be had.
    """
    data = _table(source, sheet, header)
    if preparation is None:
        preparation = (
            datasets.Preparation(metric=source.metric)
            if isinstance(source, datasets.Spec)
            else _recommended(data, changes)
        )
    preparation = replace(preparation, **changes)
    if preparation != datasets.Preparation():
        data = datasets.prepare(data, preparation)
    if "space" in changes and "components" not in changes:
        components = usual_components(preparation.space, len(data.features))
        data = replace(data, preparation=replace(preparation, components=components))
    data = in_space(data, progress=progress)
    return data if rows is None else datasets.only_rows(data, rows)


def _recommended(data: datasets.Dataset, changes: dict) -> datasets.Preparation:
    if not data.raw.kinds:  # made here: there is nothing to guess
        return datasets.Preparation()
    found = datasets.recommended(data, changes.get("columns"))
    own_unit = Metric.of(changes.get("metric", EUCLIDEAN)).unit  # of the columns as they are
    return replace(found, scaling="none") if own_unit else found


def _table(
    source: str | Path | datasets.Spec | datasets.Dataset, sheet: str | None, header: bool | None
) -> datasets.Dataset:
    if isinstance(source, datasets.Dataset):
        return source
    if isinstance(source, datasets.Spec):
        return datasets.load(source)
    path = Path(source)
    return datasets.parse_upload(path.name, path.read_bytes(), sheet=sheet, header=header)
