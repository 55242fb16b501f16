"""Data to cluster: generated, benchmark, downloaded or uploaded. Nothing here knows about the page.

Every class in the table of generated sets can be imported from here by its own name: GridBlobs, Moons, ...
"""

from theta_app.datasets import choices, generated
from theta_app.datasets.bundled import Bundled
from theta_app.datasets.catalogue import (
    CATALOGUE,
    DEFAULT,
    Upload,
    load,
    preparation_from_query,
    preparation_to_query,
    spec_from_query,
    spec_to_query,
)
from theta_app.datasets.check import Check, Odd, check, recommended
from theta_app.datasets.dataset import Dataset, content_digest, from_arrays
from theta_app.datasets.drawn import Drawn
from theta_app.datasets.export import centroid_table, csv_bytes, labelled_rows
from theta_app.datasets.missing import WAYS
from theta_app.datasets.originals import FetchError, NotFetched, Original, fetch, is_fetched
from theta_app.datasets.overview import ColumnRow
from theta_app.datasets.prepare import NO_TRUTH, Preparation, can_be_places, label_note, prepare, prepare_like
from theta_app.datasets.real import RealData
from theta_app.datasets.rows import RowSet, only_rows
from theta_app.datasets.scaling import CHORD, SCALINGS, angle_of, cosine_of
from theta_app.datasets.served import Served, only_of_a_sample, sample_of_files, served_names
from theta_app.datasets.space import SPACES
from theta_app.datasets.spec import SHAPES, Parameter, Spec
from theta_app.datasets.suspicious import TREATMENTS
from theta_app.datasets.uploads import FORMATS, UploadError, parse_upload
from theta_app.datasets.uploads import place as table_place

__all__ = [
    "SPACES",
    "angle_of",
    "can_be_places",
    "cosine_of",
    "CATALOGUE",
    "CHORD",
    "DEFAULT",
    "FORMATS",
    "NO_TRUTH",
    "SCALINGS",
    "SHAPES",
    "TREATMENTS",
    "WAYS",
    "Bundled",
    "Check",
    "ColumnRow",
    "Dataset",
    "Drawn",
    "FetchError",
    "NotFetched",
    "Odd",
    "Original",
    "Parameter",
    "Preparation",
    "RealData",
    "RowSet",
    "Served",
    "Spec",
    "Upload",
    "UploadError",
    "centroid_table",
    "check",
    "choices",
    "content_digest",
    "csv_bytes",
    "fetch",
    "from_arrays",
    "is_fetched",
    "label_note",
    "labelled_rows",
    "load",
    "only_of_a_sample",
    "only_rows",
    "parse_upload",
    "preparation_from_query",
    "preparation_to_query",
    "prepare",
    "prepare_like",
    "recommended",
    "sample_of_files",
    "served_names",
    "spec_from_query",
    "spec_to_query",
    "table_place",
    *(spec_type.__name__ for spec_type in generated.GENERATED),
]


def __getattr__(name: str) -> type:
    for spec_type in generated.GENERATED:
        if spec_type.__name__ == name:
            return spec_type
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
