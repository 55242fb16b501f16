"""The algorithms: arrays in, arrays out."""

from theta_app.engine.algorithms import (
    Cancelled,
    TdgResult,
    TncResult,
    TsgResult,
    chained,
    shuffled_order,
    tdg,
    tdg_prefixes,
    tnc,
    tsg,
)
from theta_app.engine.spanning_tree import ChainingTree, chaining_tree
from theta_app.engine.trace import trace_tsg

__all__ = [
    "Cancelled",
    "ChainingTree",
    "TdgResult",
    "TncResult",
    "TsgResult",
    "chained",
    "chaining_tree",
    "shuffled_order",
    "tdg",
    "tdg_prefixes",
    "tnc",
    "trace_tsg",
    "tsg",
]
