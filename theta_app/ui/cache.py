"""Computed once, kept for everybody: bounded stores keyed by a digest of the content."""

from theta_app import datasets
from theta_app.ui import uploads
from theta_app.ui.store import Bounded

_DATASETS = Bounded(entries=32, megabytes=768)


def dataset(spec, preparation: datasets.Preparation) -> datasets.Dataset:
    """The data set of a spec, prepared. LookupError for an upload this visitor does not have."""
    if isinstance(spec, datasets.Upload):
        plain, owner = uploads.find(spec), uploads.visitor()  # the table is the visitor's own: never shared
    else:
        plain, owner = _DATASETS.get_or_make(spec, lambda: datasets.load(spec), _size), None
    if preparation == datasets.Preparation():
        return plain
    key = (owner, spec, preparation)
    return _DATASETS.get_or_make(key, lambda: datasets.prepare(plain, preparation), _size)


def _size(data: datasets.Dataset) -> int:
    return data.X.nbytes + int(data.table.memory_usage(deep=False).sum())
