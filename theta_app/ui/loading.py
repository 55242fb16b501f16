"""Data sets and samples of them, loaded once and kept for everybody, under a digest of their content."""

from collections.abc import Callable, Hashable
from weakref import WeakKeyDictionary

from theta_app import datasets, selection, spaces
from theta_app.ui import store, visitor


def dataset(
    spec: datasets.Spec, preparation: datasets.Preparation, rows: datasets.RowSet | None = None
) -> datasets.Dataset:
    """The data set of a spec, prepared, and of its rows those given. LookupError for an upload of somebody else.

    `store.NoRoom`, a LookupError as well, where visitors hold too much other data.
    """
    if rows is not None:
        owner = visitor.name() if isinstance(spec, datasets.Upload) else getattr(spec, "version", None)
        whole = dataset(spec, preparation)
        make = lambda: _made(whole.X.nbytes, datasets.only_rows, whole, rows)  # noqa: E731
        key = (owner, spec, preparation, rows, whole.digest)  # it may not be in its space yet
        return store.DATA.get_or_make(key, make)
    if isinstance(spec, datasets.Upload):
        plain, owner = visitor.find(spec), visitor.name()  # the table is the visitor's own: never shared
    else:
        owner = spec.version if isinstance(spec, datasets.Served) else None  # a file that changes is another data set
        make = lambda: _made(spec.expected_bytes, datasets.load, spec)  # noqa: E731
        plain = store.DATA.get_or_make((spec, owner) if owner else spec, make)
    if preparation == datasets.Preparation():
        return plain
    make = lambda: _made(plain.X.nbytes, datasets.prepare, plain, preparation)  # noqa: E731
    columns = store.DATA.get_or_make((owner, spec, preparation), make)
    return _in_space(columns, (owner, spec, preparation, "in space"))


def _made(size: int, make: Callable[..., datasets.Dataset], *arguments: object) -> datasets.Dataset:
    """What is made in so many bytes. `store.NoRoom` where visitors hold too much already."""
    with store.BUDGET.room_for(size):
        return make(*arguments)


def _in_space(columns: datasets.Dataset, key: Hashable) -> datasets.Dataset:
    """The points in the space that the preparation names; in the columns until that is computed (`ui.spaces`)."""
    kind = columns.preparation.space
    if kind == "columns":
        return columns
    found = store.DATA.get(key)
    fitted = None if found is not None else store.DATA.get(spaces.key(columns))
    if found is None and (fitted is not None or kind not in spaces.SLOW):
        found = store.DATA.get_or_make(key, lambda: spaces.in_space(columns, fitted))
    return columns if found is None else found


def second(first: datasets.Dataset, spec: datasets.Upload) -> datasets.Dataset:
    """A second file of this visitor, prepared as the first. LookupError without it, ValueError if it does not fit."""
    own = (visitor.name(), spec, first.digest, first.features, first.preparation, "second")
    plain = visitor.find(spec)
    return store.DATA.get_or_make(own, lambda: datasets.prepare_like(first, plain))


def check(data: datasets.Dataset) -> datasets.Check:
    """Whether a data set is ready. It names columns, so it is kept with the data set, never for another's."""
    found = _checks.get(data)
    if found is None:
        found = _checks[data] = datasets.check(data)
    return found


_checks: WeakKeyDictionary[datasets.Dataset, datasets.Check] = WeakKeyDictionary()


def sample(data: datasets.Dataset, size: int | None = None) -> selection.Sample:
    """At most ``size`` points of a data set; by default as many as are swept at once."""
    size = size or selection.most_points(data.X.shape[1], data.of_curves)
    return store.DATA.get_or_make((data.digest, size), lambda: selection.sample_of(data, size))


def part(points: selection.Sample, size: int) -> selection.Sample:
    """At most ``size`` points of a sample."""
    return store.DATA.get_or_make((points.key, "part", size), lambda: points.part(size))


def all_points(data: datasets.Dataset) -> selection.Sample | None:
    """All points of a data set that is swept in full after its sample; None where it is the sample, or too large."""
    n, d = data.X.shape
    if data.of_curves:
        return None
    return sample(data, n) if selection.most_points(d) < n <= selection.MOST_SWEPT else None


def verdict_sample(points: selection.Sample) -> selection.Sample:
    """The points that the verdict and the θ to sweep are taken from: the same on every page, however many are swept."""
    most = selection.most_points(points.X.shape[1], points.of_curves)
    return points if len(points.X) <= most else part(points, most)
