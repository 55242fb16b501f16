"""When it fails: one thing is made worse step by step, until no choice of θ or ε is right any more.

Every frame holds the best that can be had: θ or ε is tried over its whole range and the one with the highest adjusted
Rand index is shown, so what fails is the idea and not the choice.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from theta_app.engine import TdgResult, spanning_tree, tdg
from theta_app.lessons.base import WORLD, clouds, counted, frame_around, in_world, moment, question, say
from theta_app.metrics import ari
from theta_app.selection import major_chains, numbers_like, outlier_clusters

VOTES = 20  # shuffles: many values are tried
RIGHT = 0.97  # adjusted Rand index from which an answer counts as right
SMALL_THETA = 0.7  # of the small clusters that are chained


@lru_cache(maxsize=8)
def failure_data(key: str) -> dict:
    """The frames of a story from the least value to the largest, and what is said about them."""
    return {"kind": "frames", "story": key, **_STORIES[key][1]()}


def _frame(
    value: float,
    X: np.ndarray,
    truth: np.ndarray,
    labels: np.ndarray,
    centroids: np.ndarray,
    words: str,
    score: float,
    links: Iterable[tuple[int, int, int]] | None = None,
    **more: Any,
) -> dict:
    """One picture. A cluster has the number, so the colour, of its true one; ``truth`` is of the first points."""
    labels = np.asarray(labels)
    numbers = numbers_like(np.pad(truth, (0, len(labels) - len(truth)), constant_values=-1), labels)
    if links is not None:
        more["links"] = [[i, j, int(numbers[cluster])] for i, j, cluster in links]
    return {
        "value": float(value),
        "points": np.asarray(X)[:, :2].round(3).tolist(),
        "labels": np.where(labels >= 0, numbers[labels], -1).tolist(),
        "numbers": numbers.tolist(),
        "centroids": np.asarray(centroids)[:, :2].round(3).tolist(),
        "k": len(np.unique(labels[labels >= 0])),
        "ari": float(score),
        "words": words,
        **more,
    }


def _best_theta(X: np.ndarray, truth: np.ndarray, thetas: Iterable[float]) -> tuple[float, float, TdgResult]:
    """(score, θ, result) of the θ with the highest adjusted Rand index; the middle one where several have it."""
    tried = [(float(ari(truth, result.labels)), theta, result) for theta in thetas if (result := tdg(X, theta, VOTES))]
    best = max(score for score, _, _ in tried)
    alike = [one for one in tried if one[0] >= best - 1e-9]
    return alike[len(alike) // 2]


def _first_wrong(frames: Sequence[dict]) -> int:
    return next((i for i, frame in enumerate(frames) if frame["ari"] < RIGHT), len(frames) - 1)


# θ too small, θ too large


def _theta_story() -> dict:
    X, truth = clouds([(3.4, 6.2), (8.2, 2.6), (12.6, 6.0)], 16, 0.75, 7)
    X = in_world(X)
    frames = []
    for theta in np.round(np.geomspace(0.4, 9.0, 45), 2):
        result = tdg(X, float(theta), VOTES)
        k, made = len(result.sizes), 3
        what = "right" if k == made else "too small, clouds fall into pieces" if k > made else "too large, clouds merge"
        words = f"θ = {say(theta)} gives {counted(k, 'cluster')}: {what}."
        score = ari(truth, result.labels)
        frames.append(_frame(theta, X, truth, result.labels, result.centroids, words, score, theta=float(theta)))
    good = [i for i, frame in enumerate(frames) if frame["k"] == 3]
    middle, low, high = good[len(good) // 2], frames[good[0]]["value"], frames[good[-1]]["value"]
    over, under = good[-1] + 1, 0
    asked = question("θ becomes larger than the gaps. What happens?", ["More clusters", "Clouds merge"], 1)
    return {
        "slider": "θ =",
        "discs": True,
        "made": 3,
        "world": frame_around(np.concatenate([X - 2.6, X + 2.6, [WORLD[::2], WORLD[1::2]]]), 0.0),
        "values": [low, high],
        "frames": frames,
        "opens": under,
        "moments": [
            moment(
                under,
                f"θ = {say(frames[0]['value'])} is too small: {frames[0]['k']} clusters, most with only a few points.",
            ),
            moment(
                middle,
                f"From θ = {say(low)} to {say(high)} K stays 3. A wide range with one K is the sign of a good θ.",
                ask=asked,
            ),
            moment(
                over,
                f"θ = {say(frames[over]['value'])} is larger than a gap: two clouds merge, K = {frames[over]['k']}. "
                "Drag θ and find both ends of the range yourself.",
                stop=True,
            ),
            moment(
                len(frames) - 1,
                "Instead of guessing θ, look for a wide range. Explore paints every range on its track and suggests "
                "the one it trusts most.",
            ),
        ],
    }


# Outliers


def _outlier_story() -> dict:
    X, truth = clouds([(3.6, 5.9), (8.0, 2.6), (12.4, 6.0)], 24, 0.5, 8)
    X = in_world(X)
    far = np.array(
        [
            [0.6, 8.4],
            [15.4, 1.0],
            [0.7, 1.0],
            [8.0, 8.5],
            [15.5, 8.4],
            [4.2, 0.7],
            [12.2, 0.6],
            [3.4, 8.6],
            [12.2, 8.7],
            [0.5, 4.4],
        ]
    )
    theta, frames = 2.2, []
    for many in range(len(far) + 1):
        points = np.concatenate([X, far[:many]])
        result = tdg(points, theta, VOTES)
        outlying = outlier_clusters(result.sizes)
        labels = np.where(outlying[result.labels], -1, (np.cumsum(~outlying) - 1)[result.labels])
        groups, k = int(outlying.sum()), int((~outlying).sum())
        said = f"{counted(many, 'point')} far from all clouds: K = {k}"
        words = f"{said} plus {counted(groups, 'outlier group')}." if groups else f"{said}."
        frames.append(
            _frame(
                many,
                points,
                truth,
                labels,
                result.centroids[~outlying],
                words,
                ari(truth, labels[: len(X)]),
                theta=theta,
                outliers=groups,
            )
        )
    six = frames[6]
    asked = question("6 points are added far from all clouds. What will K be?", ["K stays 3", f"K = {3 + 6}"], 0)
    return {
        "slider": "outliers",
        "discs": True,
        "made": 3,
        "world": list(WORLD),
        "values": [6, six["outliers"], 3 + six["outliers"]],
        "frames": frames,
        "moments": [
            moment(
                0,
                f"An outlier is a point, or a small group, too far from all others to be a cluster. θ = {say(theta)}.",
                ask=asked,
            ),
            moment(
                6,
                f"TDG makes {3 + six['outliers']} groups, but {six['outliers']} of them have 1 point. K leaves "
                f"outliers out: K = {six['k']} plus {six['outliers']} outlier groups. Add more yourself.",
            ),
            moment(
                len(frames) - 1,
                "Instead of a θ so large that it takes them in (clouds would merge first), read K and the outlier "
                "groups together, and look at what the outliers are.",
            ),
        ],
    }


# Different widths


def _width_points(wide: float) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    shape = rng.normal(size=(104, 2))
    truth = np.repeat([0, 1, 2], [60, 22, 22])
    centres = np.array([(4.6, 4.5), (12.2, 6.1), (12.2, 2.9)])[truth]
    return centres + shape * np.where(truth == 0, wide, 0.42)[:, None], truth


def _width_story() -> dict:
    frames = []
    for wide in np.round(np.linspace(0.42, 2.1, 15), 2):
        X, truth = _width_points(wide)
        score, theta, result = _best_theta(X, truth, np.geomspace(0.6, 8.0, 40))
        k = len(result.sizes)
        words = (
            f"Width {say(wide)}: the best θ = {say(theta)} gives {counted(k, 'cluster')}, adjusted Rand {score:.2f}."
        )
        frames.append(_frame(wide, X, truth, result.labels, result.centroids, words, score, theta=float(theta)))
    wrong, alone = _first_wrong(frames), frames[-1]["ari"]
    chained = _best_chain(X, truth, SMALL_THETA)
    frames.append(_chain_frame(wide, X, truth, chained, f"TNC with θ = {SMALL_THETA} and the best"))
    asked = question(
        f"The left cloud grows {say(frames[-1]['value'] / 0.42)} times as wide. Does any θ fit all?",
        ["A larger one", "No"],
        1,
    )
    return {
        "slider": "width",
        "discs": True,
        "made": 3,
        "world": frame_around(np.concatenate([X, [WORLD[::2], WORLD[1::2]]]), 0.02),
        "values": [
            frames[-1]["value"] / 0.42,
            chained["ari"],
            SMALL_THETA,
            frames[wrong]["value"],
            frames[wrong]["ari"],
            alone,
        ],
        "frames": frames,
        "moments": [
            moment(
                0,
                f"Three clouds of one width, {say(0.42)}: one θ fits all. Every picture shows the best θ there is. "
                "Adjusted Rand is 1 for the true clusters and near 0 for random labels.",
                ask=asked,
            ),
            moment(
                wrong,
                f"At width {say(frames[wrong]['value'])} no θ is right any more: one that holds the wide cloud "
                "together is larger than the gap between the small ones. Best adjusted Rand "
                f"{frames[wrong]['ari']:.2f}.",
                stop=True,
            ),
            moment(
                len(frames) - 1,
                f"Instead, take a small θ and chain the pieces with ε (TNC): adjusted Rand {chained['ari']:.2f}, where "
                f"the best θ alone had {alone:.2f}.",
            ),
        ],
    }


# A bridge of noise


def _chain_points(noise: int) -> tuple[np.ndarray, np.ndarray]:
    """Two long chains, and the first ``noise`` points that fall between them: (X, truth of the chains)."""
    rng = np.random.default_rng(2)
    along = np.linspace(1.2, 14.8, 90)
    wave = 0.55 * np.sin(along / 1.9)
    upper = np.column_stack([along, 6.4 + wave]) + rng.normal(scale=0.16, size=(90, 2))
    lower = np.column_stack([along, 2.5 + wave]) + rng.normal(scale=0.16, size=(90, 2))
    between = np.column_stack([rng.uniform(1.0, 15.0, 60), rng.uniform(2.6, 6.4, 60)])
    return np.concatenate([upper, lower, between[:noise]]), np.repeat([0, 1], 90)


def _best_chain(X: np.ndarray, truth: np.ndarray, theta: float, least: int = 1) -> dict:
    """The ε with the highest adjusted Rand index on points of known truth; clusters below ``least`` left out."""
    result = tdg(X, theta, VOTES)
    kept = np.flatnonzero(result.sizes >= least)
    centroids, place = result.centroids[kept], np.full(len(result.sizes), -1)
    place[kept] = np.arange(len(kept))
    small = place[result.labels]
    best: dict[str, Any]
    tree, best = spanning_tree(centroids), None  # type: ignore[assignment]
    known = np.flatnonzero(small[: len(truth)] >= 0)
    for epsilon in [*(np.nextafter(tree.lengths, np.inf)), float(tree.lengths[-1]) * 1.1]:
        chain = np.asarray(tree.cut(float(epsilon)))
        score = float(ari(truth[known], chain[small[known]]))
        if best is None or score > best["ari"]:
            best = {"ari": score, "epsilon": float(epsilon), "chain": chain}
    return best | {"small": small, "centroids": centroids, "tree": tree}


def _chain_frame(value: float, X: np.ndarray, truth: np.ndarray, best: dict, words: str) -> dict:
    """The chains of ``best``; short ones and left-out points are outliers. ``words`` go on with "ε = ..."."""
    small, chain = best["small"], best["chain"]
    kept = small >= 0
    names, owner = np.unique(chain[small[kept]], return_inverse=True)
    stands = major_chains(np.bincount(owner))
    numbers, labels = np.where(stands, np.cumsum(stands) - 1, -1), np.full(len(X), -1)
    labels[kept] = numbers[owner]
    shown, tree, groups = dict(zip(names.tolist(), numbers.tolist())), best["tree"], int((~stands).sum())
    links = [(int(i), int(j), shown[chain[i]]) for i, j in tree.edges[: tree.links(best["epsilon"])]]
    told = f" plus {counted(groups, 'outlier group')}" if groups else ""
    return _frame(
        value,
        X,
        truth,
        labels,
        best["centroids"],
        f"{words} ε = {say(best['epsilon'])} gives K' = {int(stands.sum())}{told}, adjusted Rand {best['ari']:.2f}.",
        best["ari"],
        links=[link for link in links if link[2] >= 0],
        epsilon=best["epsilon"],
        outliers=groups,
    )


def _bridge_story() -> dict:
    frames = []
    for noise in range(0, 33, 2):
        X, truth = _chain_points(noise)
        best = _best_chain(X, truth, SMALL_THETA)
        frames.append(_chain_frame(noise, X, truth, best, f"{counted(noise, 'noise point')}: the best"))
    wrong, most = _first_wrong(frames), noise
    cleaned = _best_chain(X, truth, SMALL_THETA, least=3)
    frames.append(_chain_frame(most, X, truth, cleaned, "Without small clusters of fewer than 3 points: the best"))
    asked = question(
        f"{most} points of noise fall between the chains. Can some ε separate them?", ["Yes (Y)", "No (N)"], 1
    )
    return {
        "slider": "noise points",
        "discs": False,
        "made": 2,
        "world": list(WORLD),
        "values": [most, cleaned["ari"], 3, frames[wrong]["value"], frames[wrong]["ari"], SMALL_THETA],
        "frames": frames,
        "moments": [
            moment(
                0,
                f"Two chains, linked by TNC with θ = {SMALL_THETA}. Every picture shows the best ε there is.",
                ask=asked,
            ),
            moment(
                wrong,
                f"{int(frames[wrong]['value'])} noise points are enough: they lie as close to both chains as the "
                f"chains' own links are long, so no ε separates them. Best adjusted Rand {frames[wrong]['ari']:.2f}.",
                stop=True,
            ),
            moment(
                len(frames) - 1,
                f"Instead, leave sparse places out before chaining: without small clusters of fewer than 3 points the "
                f"best ε has adjusted Rand {cleaned['ari']:.2f}, with the same {most} noise points.",
            ),
        ],
    }


# Many columns


def _column_story() -> dict:
    rng = np.random.default_rng(11)
    X, truth = clouds([(4.2, 6.0), (8.2, 3.0), (12.0, 6.2)], 25, 0.55, 11)
    noise, frames = rng.normal(scale=1.3, size=(len(X), 200)), []
    for many in (0, 1, 2, 4, 8, 16, 32, 64, 128, 200):
        wide = np.column_stack([X, noise[:, :many]])
        reach = np.sqrt(((wide - wide.mean(axis=0)) ** 2).sum(axis=1)).mean()
        score, theta, result = _best_theta(wide, truth, np.geomspace(0.3 * reach, 2.2 * reach, 40))
        words = (
            f"{counted(many, 'column')} of noise: the best θ = {say(theta)} gives "
            f"{counted(len(result.sizes), 'cluster')}, "
            f"adjusted Rand {score:.2f}."
        )
        frames.append(_frame(many, X, truth, result.labels, result.centroids, words, score, theta=float(theta)))
    wrong, last = _first_wrong(frames), frames[-1]
    frames.append(frames[0] | {"words": f"The 2 columns alone: {frames[0]['words'].partition(': ')[2]}"})
    asked = question(
        f"{int(last['value'])} columns of noise are added. What becomes of the clusters?",
        ["They stay", "They are lost"],
        1,
    )
    return {
        "slider": "noise columns",
        "discs": False,
        "made": 3,
        "columns": 2,
        "world": list(WORLD),
        "values": [
            last["value"],
            2 + last["value"],
            frames[wrong]["value"],
            frames[wrong]["ari"],
            last["ari"],
            frames[0]["ari"],
        ],
        "frames": frames,
        "moments": [
            moment(
                0,
                "Three clouds in 2 columns. Every picture draws these 2, but clusters with all columns, at the best θ "
                "there is.",
                ask=asked,
            ),
            moment(
                wrong,
                f"With {int(frames[wrong]['value'])} columns of noise no θ is right any more: best adjusted Rand "
                f"{frames[wrong]['ari']:.2f}. Every column adds to every distance, until all points are about equally "
                "far apart.",
                stop=True,
            ),
            moment(
                len(frames) - 1,
                "Instead, choose the columns that matter on the page Data. The 2 columns alone have adjusted Rand "
                f"{frames[0]['ari']:.2f}, all {2 + int(last['value'])} together {last['ari']:.2f}.",
            ),
        ],
    }


_STORIES = {
    "theta": ("θ too large or small", _theta_story),
    "outliers": ("Outliers", _outlier_story),
    "widths": ("Different widths", _width_story),
    "bridge": ("A bridge of noise", _bridge_story),
    "columns": ("Many columns", _column_story),
}
NAMES = {key: name for key, (name, _) in _STORIES.items()}
