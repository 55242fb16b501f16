"""Data to cluster: generated, benchmark, downloaded or uploaded. Nothing here knows about the page.

Every class in the table of generated sets can be imported from here by its own name: GridBlobs, Moons, ...
"""

from theta_app.datasets import generated
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
from theta_app.datasets.dataset import Dataset, content_digest
from theta_app.datasets.drawn import Drawn
from theta_app.datasets.export import csv_bytes
from theta_app.datasets.generated import SHAPES
from theta_app.datasets.originals import FetchError, NotFetched, Original, fetch, is_fetched
from theta_app.datasets.prepare import NO_TRUTH, SCALINGS, Preparation, prepare
from theta_app.datasets.real import RealData
from theta_app.datasets.spec import Parameter, Spec
from theta_app.datasets.uploads import UploadError, parse_upload

__all__ = [
    "CATALOGUE",
    "DEFAULT",
    "NO_TRUTH",
    "SCALINGS",
    "SHAPES",
    "Bundled",
    "Dataset",
    "Drawn",
    "FetchError",
    "NotFetched",
    "Original",
    "Parameter",
    "Preparation",
    "RealData",
    "Spec",
    "Upload",
    "UploadError",
    "content_digest",
    "csv_bytes",
    "fetch",
    "is_fetched",
    "load",
    "parse_upload",
    "preparation_from_query",
    "preparation_to_query",
    "prepare",
    "spec_from_query",
    "spec_to_query",
    *(spec_type.__name__ for spec_type in generated.GENERATED),
]


def __getattr__(name):
    for spec_type in generated.GENERATED:
        if spec_type.__name__ == name:
            return spec_type
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *__all__})
