"""Every data set by key: the page's menu, the URL and `load` read this one table."""

import dataclasses
import string
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from theta_app.datasets import bundled, generated, originals, real
from theta_app.datasets.dataset import Dataset
from theta_app.datasets.drawn import Drawn
from theta_app.datasets.prepare import Preparation
from theta_app.datasets.served import Served
from theta_app.datasets.spec import HEADINGS, Spec
from theta_app.engine import EUCLIDEAN, Metric

DEFAULT = generated.GridBlobs(side=5, spacing=7.5, per_cluster=100)


@dataclass(frozen=True)
class Upload(Spec):
    """A person's own file, known by the digest of its content: the content itself stays with their session."""

    digest: str
    sheet: str = ""  # of a spreadsheet that has several
    header: str = ""  # the number of the row of names, "0" for none; empty where it is looked for

    def __post_init__(self) -> None:
        if self.header and not (self.header.isascii() and self.header.isdigit() and len(self.header) < 7):
            raise ValueError("The link names the header of an uploaded file by a row that cannot be right.")
        object.__setattr__(self, "sheet", self.sheet[:60])
        if len(self.digest) != 64 or not set(self.digest) <= set(string.hexdigits):
            raise ValueError("The link names an uploaded file by a code that cannot be right.")

    key = "upload"
    label = "Your file"

    def dataset(self) -> Dataset:
        """Never returns: raises LookupError, as a link carries a digest of the file and no content."""
        raise LookupError("An uploaded file cannot be opened from a link. Upload it again.")


class Catalogue(Mapping):
    """Key -> the spec that a data set opens with, in the order of the menu.

    The tables of the four kinds are read at every look: an entry added to one of them is in the menu at once.
    """

    def _by_key(self) -> dict[str, Spec]:
        return _opened_with(tuple(generated.GENERATED), tuple(bundled.NAMES), tuple(real.SETS), tuple(originals.FILES))

    def __getitem__(self, key: str) -> Spec:
        return self._by_key()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_key())

    def __len__(self) -> int:
        return len(self._by_key())

    def under(self, group: str) -> list[Spec]:
        """The specs under a heading that are here without a download, in the order of the gallery."""
        return [spec for spec in self.values() if spec.group == group and not isinstance(spec, originals.Original)]

    def headings(self) -> dict[str, list[Spec]]:
        """Heading -> all specs under it; those of generators that name another heading come last."""
        found: dict[str, list[Spec]] = {heading: [] for heading in HEADINGS}
        for spec in self.values():
            found.setdefault(spec.group, []).append(spec)
        return {heading: specs for heading, specs in found.items() if specs}


@lru_cache(maxsize=8)  # a menu asks for each of its lines
def _opened_with(
    generated_types: tuple[type[Spec], ...],
    look_alikes: tuple[str, ...],
    real_sets: tuple[str, ...],
    published: tuple[str, ...],
) -> dict[str, Spec]:
    specs = (
        *(spec_type() for spec_type in generated_types),
        *map(bundled.Bundled, look_alikes),
        *map(real.RealData, real_sets),
        *map(originals.Original, published),
    )
    return {spec.key: spec for spec in specs}


CATALOGUE = Catalogue()


def load(spec: Spec) -> Dataset:
    """The data set a spec describes.

    An `Original` is read from the cache folder and never downloaded here (see `originals.fetch`). LookupError with a
    sentence when it is not there or broken, and for an `Upload`, whose content only the person's session holds.
    """
    return dataclasses.replace(spec.dataset(), spec=spec)


PREFIX = "data_"  # the address bar also carries θ, seeds and the rest


def spec_to_query(spec: Spec) -> dict[str, str]:
    """The spec as text for a URL: {"data": key, "data_side": "5", ...}."""
    query = {"data": spec.key}
    if isinstance(spec, Upload):
        query[PREFIX + "digest"] = spec.digest
        query |= {PREFIX + name: text for name in ("sheet", "header") if (text := getattr(spec, name))}
    if isinstance(spec, Drawn):
        query[PREFIX + "points"] = spec.points
    if isinstance(spec, Served):
        query[PREFIX + "name"] = spec.name
    return query | {PREFIX + p.name: f"{getattr(spec, p.name)!r}" for p in spec.parameters()}


def spec_from_query(query: Mapping[str, str]) -> Spec:
    """The spec a URL names. Keys of others are passed over; missing numbers take their defaults.

    Raises ValueError with a sentence for a key or a number that cannot be right.
    """
    key = query.get("data")
    if key is None:
        return DEFAULT
    if key == Upload.key:
        given = (str(query.get(PREFIX + name, "")) for name in ("digest", "sheet", "header"))
        return Upload(next(given).lower(), *given)
    if key == Drawn.key:
        return Drawn(str(query.get(PREFIX + "points", "")))
    if key == Served.key:
        return Served(str(query.get(PREFIX + "name", "")))
    if key not in CATALOGUE:
        raise ValueError(f"The link asks for a data set {str(key)[:30]!r} that does not exist.")
    spec = CATALOGUE[key]
    given = {p.name: p.check(query[PREFIX + p.name]) for p in spec.parameters() if PREFIX + p.name in query}
    return dataclasses.replace(spec, **given)  # type: ignore[type-var]


def preparation_to_query(preparation: Preparation) -> dict[str, str]:
    """The person's choices as text for a URL; what was left as it came is left out."""
    query = {}
    if preparation.columns is not None:
        query["columns"] = _joined_names(preparation.columns)
    if preparation.scaling != "none":
        query["scaling"] = preparation.scaling
    if preparation.truth is not None:
        query["label"] = preparation.truth
    if preparation.missing != "rows":
        query["missing"] = preparation.missing
    if preparation.read:
        query["read"] = _joined_names(preparation.read)
    if preparation.metric != EUCLIDEAN:
        query["norm"] = preparation.metric.text
    if preparation.start != "recommended":
        query["start"] = preparation.start
    if preparation.space != "columns":
        query |= {"space": preparation.space, "components": str(preparation.components)}
    for name in ("treat", "shapes", "weights"):
        if values := getattr(preparation, name):
            query[name] = _joined_names([str(part) for each in values for part in each])
    return query


def preparation_from_query(query: Mapping[str, str]) -> Preparation:
    """The inverse of `preparation_to_query`; ValueError with a sentence when the link is broken."""
    columns, read = query.get("columns"), query.get("read")
    return Preparation(
        None if columns is None else _split_names(columns),
        query.get("scaling", "none"),
        query.get("label"),
        query.get("missing", "rows"),
        () if read is None else _split_names(read),
        Metric.from_text(query.get("norm", "2")),
        query.get("start", "recommended"),
        _grouped(query.get("treat"), 3),
        _grouped(query.get("shapes"), 2),
        tuple((column, _weight(text)) for column, text in _grouped(query.get("weights"), 2)),
        query.get("space", "columns"),
        _components(query.get("components", "5")),
    )


def _grouped(text: str | None, size: int) -> tuple:
    """Names between commas, so many together."""
    names = () if not text else _split_names(text)
    if len(names) % size:
        raise ValueError("The link's choices about columns are cut short.")
    return tuple(names[start : start + size] for start in range(0, len(names), size))


def _components(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise ValueError(f"The number of coordinates must be a whole number, not {text[:30]!r}.")
    return int(text)


def _weight(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"The weight of a column must be a number, not {text[:30]!r}.") from None


def _joined_names(names: Iterable[str]) -> str:
    return ",".join(name.replace("\\", "\\\\").replace(",", "\\,") for name in names)


def _split_names(text: str) -> tuple[str, ...]:
    """Names between commas; a backslash keeps the character after it."""
    names, name, characters = [], "", iter(text)
    for character in characters:
        if character == ",":
            names.append(name)
            name = ""
        else:
            name += next(characters, "") if character == "\\" else character
    return (*names, name)
