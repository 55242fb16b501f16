"""Every data set by key: the page's menu, the URL and `load` read this one table."""

import string
from dataclasses import dataclass

from theta_app.datasets import originals
from theta_app.datasets.bundled import NAMES, Bundled
from theta_app.datasets.generated import GENERATED, GridBlobs, Parameter
from theta_app.datasets.originals import Original
from theta_app.datasets.prepare import Preparation
from theta_app.datasets.real import SETS, RealData

DEFAULT = GridBlobs(side=5, spacing=7.5, per_cluster=100)

LOOK_ALIKES, SHAPES, REAL, ORIGINALS = "Benchmark look-alikes", "Shapes", "Real data", "Originals (download)"
BLOBS = "Generated blobs"


@dataclass(frozen=True)
class Upload:
    """A person's own file, known by the digest of its content: the content itself stays with their session."""

    digest: str

    def __post_init__(self):
        if len(self.digest) != 64 or not set(self.digest) <= set(string.hexdigits):
            raise ValueError("The link names an uploaded file by a code that cannot be right.")

    key = "upload"
    label = "Your file"

    def dataset(self):
        raise LookupError("An uploaded file cannot be opened from a link. Upload it again.")


@dataclass(frozen=True)
class Entry:
    """One line of the menu of data sets.

    Attributes
    ----------
    key : str
        Its name in the URL.
    label, group, help : str
        Shown: what it is called, under which heading, and one sentence.
    spec : a spec
        What it opens with.
    parameters : tuple of Parameter
        The numbers a person may change, with limits; empty for sets that are what they are.
    """

    key: str
    label: str
    group: str
    spec: object
    help: str
    parameters: tuple[Parameter, ...] = ()


def _generated(spec_type):
    chains = spec_type.__name__ in ("Moons", "Circles", "Spirals", "Smile", "Bridges")
    summary = " ".join(spec_type.__doc__.split())
    group = "Generated shapes" if chains else BLOBS
    return Entry(spec_type.key, spec_type.label, group, spec_type(), summary, spec_type.parameters())


def _entries():
    yield from map(_generated, GENERATED)
    for name in NAMES:
        spec = Bundled(name)
        help = f"As hard as {name.upper()}: 15 clusters, 5000 points, drawn from its measured figures; works offline."
        yield Entry(spec.key, spec.label, LOOK_ALIKES, spec, help)
    for name, (label, _, _, origin) in SETS.items():
        yield Entry(name, label, REAL, RealData(name), f"{origin}.")
    for name in originals.FILES:
        spec = Original(name)
        help = f"The published points, downloaded on request from {originals.HOST}. {originals.FILES[name].cite}."
        yield Entry(spec.key, spec.label, ORIGINALS, spec, help)


CATALOGUE = {entry.key: entry for entry in _entries()}


def load(spec):
    """The data set a spec describes.

    An `Original` is read from the cache folder and never downloaded here (see `originals.fetch`). LookupError with a
    sentence when it is not there, and for an `Upload`, whose content only the person's session holds.
    """
    return spec.dataset()


PREFIX = "data_"  # the address bar also carries θ, seeds and the rest


def spec_to_query(spec):
    """The spec as text for a URL: {"data": key, "data_side": "5", ...}."""
    query = {"data": spec.key}
    if isinstance(spec, Upload):
        query[PREFIX + "digest"] = spec.digest
    elif spec.key in CATALOGUE:
        query |= {PREFIX + p.name: f"{getattr(spec, p.name)!r}" for p in CATALOGUE[spec.key].parameters}
    return query


def spec_from_query(query):
    """The spec a URL names. Keys of others are passed over; missing numbers take their defaults.

    Raises ValueError with a sentence for a key or a number that cannot be right.
    """
    key = query.get("data")
    if key is None:
        return DEFAULT
    if key == Upload.key:
        return Upload(str(query.get(PREFIX + "digest", "")).lower())
    if key not in CATALOGUE:
        raise ValueError(f"The link asks for a data set {str(key)[:30]!r} that does not exist.")
    entry = CATALOGUE[key]
    if not entry.parameters:
        return entry.spec
    given = {p.name: p.check(query[PREFIX + p.name]) for p in entry.parameters if PREFIX + p.name in query}
    return type(entry.spec)(**given)


def preparation_to_query(preparation):
    """The person's choices as text for a URL; what was left as it came is left out."""
    query = {}
    if preparation.columns is not None:
        query["columns"] = ",".join(name.replace("\\", "\\\\").replace(",", "\\,") for name in preparation.columns)
    if preparation.scaling != "none":
        query["scaling"] = preparation.scaling
    if preparation.truth is not None:
        query["label"] = preparation.truth
    return query


def preparation_from_query(query):
    """The inverse of `preparation_to_query`; ValueError with a sentence when the link is broken."""
    columns = query.get("columns")
    return Preparation(
        None if columns is None else _split_names(columns), query.get("scaling", "none"), query.get("label")
    )


def _split_names(text):
    """Names between commas; a backslash keeps the character after it."""
    names, name, characters = [], "", iter(text)
    for character in characters:
        if character == ",":
            names.append(name)
            name = ""
        else:
            name += next(characters, "") if character == "\\" else character
    return (*names, name)
