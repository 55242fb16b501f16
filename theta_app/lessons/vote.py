"""TDG's vote: the centroids of every shuffle, the second TSG over them, the points reassigned."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from theta_app.engine import TdgResult, TsgResult, shuffled_order, tdg_prefixes, trace_tsg, tsg
from theta_app.engine.trace import TsgTrace
from theta_app.lessons import code
from theta_app.lessons.base import SHUFFLES, Story, clouds, frame_around, moment, say
from theta_app.metrics import nmi

PICKED, SEEDS_TRIED, SEEDS_BETTER = 14, 60, 49


def close_clouds(spacing: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Twelve clouds of 18 points on a grid: (X, truth)."""
    return clouds([(spacing * i, spacing * j) for i in range(4) for j in range(3)], 18, 1.0, seed)


@lru_cache(maxsize=1)
def vote_stories() -> dict[str, Story]:
    """The point sets of TDG's vote, by key."""
    close, closer = close_clouds(4.5, PICKED), close_clouds(4.0, 2)
    many_columns = clouds([(14.5 * i, 14.5 * j) for i in range(3) for j in range(2)], 22, 1.0, 8, d=100)
    return {
        "close": Story("Close clusters", "12 clouds 4.5 apart, so close that one order is not enough.", *close, 3.6),
        "closer": Story("Closer still", "12 clouds 4 apart, closer and harder: θ = 3.2.", *closer, 3.2),
        "merge": Story(
            "Merges too much",
            "6 clouds in 100 columns, of which the picture shows two. A point lies about 10 from its own centre, "
            "so θ must be 16; but the centres are only 14.5 apart.",
            *many_columns,
            16.0,
        ),
    }


SPACING = {"close": 4.5, "closer": 4.0, "merge": 14.5}


@lru_cache(maxsize=4)
def vote_data(key: str) -> dict:
    """Every run's centroids, the second TSG over them, and TDG's result after 1, 2, ... shuffles."""
    story = vote_stories()[key]
    X, theta, n = story.X, story.theta, len(story.X)
    runs = [tsg(X, theta, shuffled_order(n, 0, i)) for i in range(SHUFFLES)]
    collected = np.concatenate([run.centroids for run in runs])
    # TSG never looks back, so the second stage over fewer shuffles is the beginning of this one.
    second = trace_tsg(collected, theta)
    ends = np.cumsum([len(run.centroids) for run in runs])
    results = tdg_prefixes(X, theta, list(range(1, SHUFFLES + 1)), seed=0)
    data = {
        "kind": "vote",
        "story": key,
        "theta": theta if X.shape[1] == 2 else None,
        "world": frame_around(X),
        "points": X[:, :2].round(3).tolist(),
        "marks": collected[:, :2].round(3).tolist(),
        "groups": [step.cluster for step in second.steps],
        "after": [step.after[:2].round(3).tolist() for step in second.steps],
        "ends": ends.tolist(),
        "labels": [_stage_two_labels(X, second, end, result.labels) for end, result in zip(ends, results)],
        "k": [len(result.sizes) for result in results],
        "nmi": [float(nmi(story.truth, result.labels)) for result in results],
        "run_k": [len(run.centroids) for run in runs],
        "run_nmi": [float(nmi(story.truth, run.labels)) for run in runs],
        "true_k": len(np.unique(story.truth)),
        "code": code.TDG,
        "lit": code.TDG_LIT,
        "given": {"theta": theta, "spacing": SPACING[key], "columns": X.shape[1]},
        "told": _told(X, story.truth, results, runs),
    }
    return data | {"moments": _moments(key, story, data)}


def _told(X: np.ndarray, truth: np.ndarray, results: Sequence[TdgResult], runs: Sequence[TsgResult]) -> list[float]:
    """Numbers of captions that no picture shows: the best run, the sets tried, the smallest group, own distances."""
    own = max(np.sqrt(((X[truth == t] - X[truth == t].mean(axis=0)) ** 2).sum(axis=1)).mean() for t in np.unique(truth))
    best = max(float(nmi(truth, run.labels)) for run in runs)
    shares = [SEEDS_BETTER, SEEDS_TRIED, round(100 * SEEDS_BETTER / SEEDS_TRIED)]
    return [
        1,
        best,
        *shares,
        int(results[-1].sizes.min()),
        round(own),
        len(results[0].sizes),
        float(nmi(truth, results[0].labels)),
    ]


def _moments(key: str, story: Story, data: dict) -> list[dict]:
    """The idea, the first shuffle, all of them, their groups, and what came out."""
    k, true_k, end = data["k"], data["true_k"], SHUFFLES
    first, theta = data["run_k"][0], say(story.theta)
    scores = [f"{value:.3f}" for value in data["nmi"]]
    outcome = {
        "close": f"K = {k[-1]} of {true_k}, NMI {scores[-1]}; the best single run had {max(data['run_nmi']):.3f}. This "
        f"set was picked to show it: {SHUFFLES} shuffles beat one in {SEEDS_BETTER} of {SEEDS_TRIED} such sets "
        f"({SEEDS_BETTER / SEEDS_TRIED:.0%}).",
        "closer": f"NMI {scores[-1]}, but K = {k[-1]} of {true_k}: {data['told'][5]} points stay apart from their "
        "cloud, and more shuffles do not change that.",
        "merge": f"The vote fails here: K = {k[-1]} of {true_k}, though most runs had {first}. If K of TDG is far "
        "below K of its runs, trust the runs.",
    }[key]
    grouped = (
        f"but centroids of neighbouring clouds are closer than that, so the {true_k} crowds become {k[-1]} groups."
        if key == "merge"
        else "and each crowd becomes one group."
    )
    nmi_words = "NMI (normalised mutual information) is 1 for the true clusters and near 0 for random labels."
    nmi_words = f" {nmi_words}" if key == "close" else ""
    idea = (
        "TDG lets many orders vote: TSG runs in one random order after the other, and the centroids of all runs "
        "are kept."
    )
    return [
        moment(0, f"{idea} {story.lesson}" if key == "close" else story.lesson),
        moment(
            1,
            f"The first shuffle finds {first} centroids. With these alone TDG gives K = {k[0]} and NMI "
            f"{scores[0]}.{nmi_words}",
        ),
        moment(end, f"After {SHUFFLES} shuffles the centroids crowd where most orders agree."),
        moment(end + 1, f"A second TSG groups the centroids with the same θ = {theta}, {grouped}"),
        moment(end + 2, f"Every point goes to the closest group. {outcome}"),
    ]


def _stage_two_labels(X: np.ndarray, second: TsgTrace, end: int, labels: np.ndarray) -> list[int]:
    """TDG's ``labels`` by the numbers of the second TSG's clusters, which TDG gives up when it drops empty ones."""
    latest = {step.cluster: step.after for step in second.steps[:end]}
    centroids = np.array([latest[k] for k in range(len(latest))])
    squares = (X**2).sum(axis=1)[:, None] - 2 * X @ centroids.T + (centroids**2).sum(axis=1)
    kept = np.unique(squares.argmin(axis=1))
    return (kept[labels] if len(kept) == labels.max() + 1 else labels).tolist()
