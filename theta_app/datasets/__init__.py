"""Data to cluster: generated, benchmark, downloaded or uploaded. Nothing here knows about the page."""

from theta_app.datasets.bundled import Bundled
from theta_app.datasets.catalogue import (
    CATALOGUE,
    DEFAULT,
    Entry,
    Upload,
    load,
    preparation_from_query,
    preparation_to_query,
    spec_from_query,
    spec_to_query,
)
from theta_app.datasets.dataset import Dataset, content_digest
from theta_app.datasets.export import csv_bytes
from theta_app.datasets.generated import (
    Bridges,
    Circles,
    DensePair,
    GridBlobs,
    Imbalanced,
    LineClusters,
    Moons,
    Noise,
    Parameter,
    RandomBlobs,
    Smile,
    SparsePair,
    Spirals,
)
from theta_app.datasets.originals import FetchError, NotFetched, Original, fetch, is_fetched
from theta_app.datasets.prepare import NO_TRUTH, SCALINGS, Preparation, prepare
from theta_app.datasets.real import RealData
from theta_app.datasets.uploads import UploadError, parse_upload

__all__ = [
    "CATALOGUE",
    "DEFAULT",
    "NO_TRUTH",
    "SCALINGS",
    "Bridges",
    "Bundled",
    "Circles",
    "Dataset",
    "DensePair",
    "Entry",
    "FetchError",
    "GridBlobs",
    "Imbalanced",
    "LineClusters",
    "Moons",
    "Noise",
    "NotFetched",
    "Original",
    "Parameter",
    "Preparation",
    "RandomBlobs",
    "RealData",
    "Smile",
    "SparsePair",
    "Spirals",
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
]
