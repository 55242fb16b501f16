"""The algorithms: arrays in, arrays out."""

from theta_app.engine.agreement import adjusted_rand
from theta_app.engine.algorithms import (
    Cancelled,
    IncrementalTDG,
    IncrementalTSG,
    Runs,
    TdgResult,
    TncResult,
    TsgResult,
    chained,
    nearest,
    passes,
    shuffled_order,
    tdg,
    tdg_prefixes,
    tnc,
    tsg,
)
from theta_app.engine.boundaries import at_boundaries
from theta_app.engine.density_chains import core_distances, spanning_tree_by_density
from theta_app.engine.density_tree import DensityTree, density_trees, peaks
from theta_app.engine.directions import EARTH
from theta_app.engine.members import members
from theta_app.engine.metric import EUCLIDEAN, METRICS, Metric
from theta_app.engine.neighbour_map import FittedMap, has_umap, neighbour_map
from theta_app.engine.neighbours import affordable, nearest_others
from theta_app.engine.pairs import ClosestPair, PairSearch, closest_pair
from theta_app.engine.silhouette import SilhouetteSample, fair_sample, silhouette_sample
from theta_app.engine.spanning_tree import SpanningTree, spanning_tree
from theta_app.engine.stopping import Cancel, Progress
from theta_app.engine.trace import (
    count_lloyd_distances,
    count_tsg_distances,
    lloyd_rounds,
    trace_chaining,
    trace_tsg,
)
from theta_app.engine.weighted import weighted_tsg
