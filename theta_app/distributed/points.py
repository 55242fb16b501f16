"""What can be clustered on a cluster, as a Dask array whose chunks are parts of the rows."""

import os
from collections.abc import Sequence
from typing import Any

import dask.array as da
import dask.dataframe as dd
import numpy as np


def as_points(X: Any, columns: Sequence[str] | None = None) -> da.Array:
    """A Dask array (n, d) of float64 with chunks of whole rows and known sizes.

    From a Dask array or DataFrame, the path of Parquet files, or an array in memory. `columns` are those of a table;
    by default all that are numbers.
    """
    if isinstance(X, (str, os.PathLike)):
        from theta_app.distributed.parquet import Source

        X = Source.open(X, columns).frame()  # type: ignore[arg-type]
    elif isinstance(X, dd.DataFrame) and columns is None:
        X = X.select_dtypes("number")
    if isinstance(X, dd.DataFrame):
        X = (X if columns is None else X[list(columns)]).to_dask_array(lengths=True)
    elif not isinstance(X, da.Array):
        X = da.from_array(np.asarray(X), chunks=-1)
    if X.ndim != 2 or 0 in X.shape:
        raise ValueError(f"X must have two dimensions (points, features) and at least one of each, got shape {X.shape}")
    if np.isnan(X.shape[0]):
        X = X.compute_chunk_sizes()
    return X.rechunk({1: -1}).astype(np.float64)
