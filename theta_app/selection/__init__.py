"""All analysis: which θ, which ε, how many clusters there are, what a clustering has in common with another."""

from theta_app.engine import (
    Cancel,
    Cancelled,
    ClosestPair,
    PairSearch,
    Progress,
    Runs,
    SilhouetteSample,
    closest_pair,
    fair_sample,
    has_umap,
    silhouette_sample,
)
from theta_app.selection.chain_map import ChainMap, chain_map
from theta_app.selection.density import Views, density_views, rise
from theta_app.selection.epsilon import (
    CHAIN_RANGE_COLUMNS,
    CORE_POINTS,
    Chaining,
    Suggestion,
    best_epsilon,
    chain_nmi,
    chain_profile,
    chain_ranges,
    chain_warnings,
    count_outlier_chains,
    default_epsilon,
    epsilon_limits,
    epsilon_values,
    small_thetas,
    strongest_per_count,
    suggest,
    suggest_from,
    truth_table,
    until_too_fine,
)
from theta_app.selection.executors import in_executor, in_threads
from theta_app.selection.keys import ChainingKey, ResultKey, RunsKey, SuggestionKey, VerdictKey
from theta_app.selection.matching import by_size, match_clusters, numbers_like, renumbered
from theta_app.selection.plotting import RangesTable, SweepTable, figures
from theta_app.selection.projection import (
    PICTURES,
    PROJECTIONS,
    SLOW,
    TSNE_POINTS,
    Axes,
    curve_places,
    curve_positions,
    map_aspect,
    map_positions,
    project,
    project_apart,
    seen,
)
from theta_app.selection.ranges import RANGE_COLUMNS, Recommendation, recommend_from, theta_ranges
from theta_app.selection.runs import Run, log_middle, log_width, runs
from theta_app.selection.sampling import (
    MOST_CURVES,
    MOST_DRAWN,
    MOST_POINTS,
    MOST_SWEPT,
    Sample,
    most_points,
    sample_of,
)
from theta_app.selection.shuffles import (
    ShuffleMap,
    prefix_counts,
    prefix_points,
    shuffle_column,
    shuffle_counts,
    shuffle_map,
)
from theta_app.selection.sizes import (
    DropSupport,
    Kept,
    SizeDrop,
    count_outlier_clusters,
    drop_support,
    drops_over_theta,
    entropy,
    keep_largest,
    major_chains,
    major_clusters,
    outlier_clusters,
    size_drop,
    size_elbow,
    steady_ranges,
    typical_size,
)
from theta_app.selection.space import (
    FEW_COLUMNS,
    SPACES,
    NeighbourEvidence,
    better_in_map,
    neighbour_evidence,
    verdict,
    verdict_clusters,
    verdict_in_space,
)
from theta_app.selection.spacing import SpacingCurve, spacing_curve, spacing_table
from theta_app.selection.sweeping import (
    Sweep,
    SweepPlan,
    computing,
    driven,
    recommend,
    states,
    sweep,
    sweep_plan,
    sweep_steps,
)
from theta_app.selection.theta import (
    SWEEP_COLUMNS,
    ThetaPoint,
    Want,
    described,
    evaluate,
    sweep_frame,
    theta_grid,
    widened,
)
from theta_app.selection.valleys import Neighbourhoods, Valley, neighbourhoods
from theta_app.selection.verdict import (
    CANDIDATE_COLUMNS,
    WORTH_SAYING,
    Verdict,
    decided,
    ranges_by,
    small_chainings,
    start_theta,
    sweep_and_verdict,
    theta_of_tdg,
)
from theta_app.selection.warnings import merges_too_much, warnings_for
