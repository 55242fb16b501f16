"""The weights of the verdict, fitted: ``make quality FIT=1``.

Every set of `corpus`, and the published and generated ones of `sets` with three seeds, is looked at as the verdict does
(`selection.gather`), and each candidate is compared with the classes. Weights make the expected score, the adjusted
Rand index squared, as high as they can; nothing to find scores 1 on noise and 0 elsewhere. They are judged out of
fold: each family, battery or group is answered by weights that were fitted without it; everyday tables of nine more
kinds (`corpus.JUDGED_ONLY`) by weights that have seen none of these. The confidence is fitted to the answers out of
fold alone, and judged out of fold as well. All of it goes to theta_app/selection/weights.json, with what it was fitted
on.
"""

import hashlib
import json
import pickle
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from scipy.optimize import minimize

from benchmarks.quality import corpus, sets
from theta_app import selection
from theta_app.engine import fair_sample
from theta_app.metrics import ari
from theta_app.paper.quality import SURE
from theta_app.selection.candidates import DOUBTS, FEATURES, NOTHING_FEATURES, SAME, gather
from theta_app.selection.verdict import Weights, doubt_row, first

HERE = Path(__file__).resolve().parent
KEPT = HERE.parent / ".quality" / "fit"
TARGET = Path(selection.__file__).parent / "weights.json"
PER_FAMILY, SEEDS = 24, (0, 1, 2)
MORE_SEEDS = (3, 4, 5)  # of WUT and FCPS, to see how far answers depend on the seed
RIDGE, RIDGE_OF_NOTHING, RIDGE_OF_DOUBTS = 0.005, 0.003, 0.002
PUBLISHED_WEIGHT = 2.0  # of a published set against one drawn here
MOST_ALARMS = 0.01  # of noise sets that may be answered with clusters


# ---- what the verdict looks at --------------------------------------------------------------------------------------


def items(share=(1, 1), say=print):
    """(fold, name, seed, evidence, scores) of every set: looked at once, and again when the code has changed."""
    which, shares = share
    wanted = [(d.family, d.name, 0, d.points) for d in corpus.drawn(PER_FAMILY)]
    wanted += [(_fold(case), case.name, seed, case.points) for seed in SEEDS for case in sets.cases(say=say)]
    wanted += [
        (_fold(case), case.name, seed, case.points)
        for seed in MORE_SEEDS
        for case in sets.cases(say=say)
        if case.group == sets.SUITE
    ]
    version = _version()
    for at, (fold, name, seed, points) in enumerate(wanted[which - 1 :: shares]):
        path = KEPT / version / f"{hashlib.sha256(f'{fold}/{name}/{seed}'.encode()).hexdigest()[:20]}.pkl"
        if not path.exists():
            began = time.process_time()
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(pickle.dumps((fold, name, seed, *_looked_at(*points(), seed))))
            say(f"{at + 1} of {len(wanted[which - 1 :: shares])}: {name}, {time.process_time() - began:.1f} s")
        yield pickle.loads(path.read_bytes())


def _looked_at(X, truths, seed):
    chosen = fair_sample(len(X), selection.most_points(X.shape[1]))
    X, truths = np.ascontiguousarray(X[chosen], dtype=float), [np.asarray(truth)[chosen] for truth in truths]
    plan = selection.sweep_plan(X, None, 50, seed)
    plan = replace(plan, small=tuple(selection.small_thetas(plan.grid).tolist()))
    state = selection.driven(plan, selection.computing(1), lambda state: state.complete)
    evidence = gather(state, selection.small_chainings(state))
    evidence.nothing[NOTHING_FEATURES.index("columns")] = np.log(X.shape[1])  # see docs/verdict.md, the fourth look
    scores = [max((_score(found.labels, truth) for truth in truths), default=0.0) for found in evidence.candidates]
    light = {name: getattr(evidence, name) for name in ("alike", "features", "nothing", "doubts")}
    return light, np.array([*scores, 0.0 if truths else 1.0])


def _score(labels, truth):
    known = truth >= 0
    return max(ari(truth[known], labels[known]), 0.0)


def _fold(case):
    if case.group != sets.SUITE:
        return case.group
    return "FCPS" if (sets.PUBLISHED / "suite" / "fcps" / f"{case.name}.npz").exists() else "WUT"


def _version():
    parts = sorted(Path(selection.__file__).parent.glob("*.py"))
    content = b"".join(path.read_bytes() for path in parts if path.name not in ("verdict.py", "__init__.py"))
    return hashlib.sha256(content + Path(corpus.__file__).read_bytes()).hexdigest()[:12]


# ---- the fit --------------------------------------------------------------------------------------------------------


def fitted(rows, mean, sd, start=None):
    """(weights of candidates, weights of nothing) for rows of `items`."""
    most, k = max(len(row[3]["features"]) for row in rows), len(FEATURES)
    X, there = np.zeros((len(rows), most, k)), np.zeros((len(rows), most), dtype=bool)
    gain, nothing = np.zeros((len(rows), most + 1)), np.array([row[3]["nothing"] for row in rows])
    for at, (*_, evidence, scores) in enumerate(rows):
        count = len(evidence["features"])
        X[at, :count], there[at, :count] = (evidence["features"] - mean) / sd, True
        gain[at, :count], gain[at, -1] = scores[:-1] ** 2, scores[-1]
    weight = _weights_of(rows)
    ridge = np.array([RIDGE] * k + [0.0] + [RIDGE_OF_NOTHING] * (len(NOTHING_FEATURES) - 1))

    def loss(w):
        score = np.concatenate([np.where(there, X @ w[:k], -1e9), (nothing @ w[k:])[:, None]], axis=1)
        p = np.exp(score - score.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        expected = (p * gain).sum(axis=1) + 1e-3
        slope = -(weight / expected)[:, None] * p * (gain - expected[:, None])
        gradient = np.concatenate([np.einsum("ik,ikf->f", slope[:, :-1], X), nothing.T @ slope[:, -1]])
        return -(weight * np.log(expected)).sum() + (ridge * w**2).sum() / 2, gradient + ridge * w

    start = np.zeros(k + len(NOTHING_FEATURES)) if start is None else start
    return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x


def _weights_of(rows):
    """A set counts less the more of its fold there are; published ones count double."""
    folds = [row[0] for row in rows]
    weight = np.array([1.0 / np.sqrt(folds.count(fold)) for fold in folds])
    weight *= [1.0 if fold in corpus.FAMILIES else PUBLISHED_WEIGHT for fold in folds]
    return weight / weight.sum()


def answers(rows, weights):
    """(score or None on noise, `doubt_row`, probability of nothing) of each row, whatever is nothing."""
    found = []
    for *_, evidence, scores in rows:
        p = weights.probabilities(SimpleNamespace(**evidence))
        at, mass = first(evidence["alike"], p[:-1])
        doubts = np.zeros(len(DOUBTS)) if at is None else evidence["doubts"][at]
        score = None if scores[-1] == 1.0 else 0.0 if at is None else scores[at]
        found.append((score, doubt_row(mass, doubts, weights.looks), p[-1]))
    return found


def _as_weights(w, mean, sd, looks):
    k = len(FEATURES)
    return Weights(mean, sd, w[:k], w[k:], *np.ones((3, 1 + len(DOUBTS))), 0.0, 0.5, looks)


def out_of_fold(rows, more=()):
    """(weights of all rows with their mean and sd, answers of rows and of `more` by weights without their fold)."""
    chosen = [row for row in rows if row[0] not in corpus.JUDGED_ONLY]
    features = np.vstack([row[3]["features"] for row in chosen])
    mean, sd = features.mean(axis=0), features.std(axis=0)
    all_of_them = fitted(chosen, mean, sd)
    asked = [*rows, *more]
    found = [None] * len(asked)
    for fold in dict.fromkeys(row[0] for row in asked):
        rest = [row for row in chosen if row[0] != fold]
        w = all_of_them if len(rest) == len(chosen) else fitted(rest, mean, sd, all_of_them)
        inside = [i for i, row in enumerate(asked) if row[0] == fold]
        for i, answer in zip(inside, answers([asked[i] for i in inside], _as_weights(w, mean, sd, len(rows)))):
            found[i] = answer
    return (all_of_them, mean, sd), found[: len(rows)], found[len(rows) :]


def fit(rows, more=(), say=print):
    """Fit, judge out of fold, and write weights.json. `more` are looks with other seeds, for judging alone."""
    (w, mean, sd), out, again = out_of_fold(rows, more)
    nothing_from = _nothing_from(
        answers([row for row in rows if row[0] not in corpus.JUDGED_ONLY], _as_weights(w, mean, sd, len(rows)))
    )
    doubts = _calibrated([found for found in out if found[2] <= nothing_from])
    say(f"nothing from {nothing_from:.2f}; confidence {doubts}")
    judged = _judged(rows, out, nothing_from)
    for line in judged:
        say("{fold:28s} {sets:4d}  {mean}  alarms {alarms}  wrong and sure {wrong_and_sure}".format(**line))
    steady = _steady([*rows, *more], [*out, *again], nothing_from)
    say(json.dumps(steady))
    k = len(FEATURES)
    content = {
        "about": "Made by `make quality FIT=1` (benchmarks/quality/fit.py).",
        "made": time.strftime("%Y-%m-%d"),
        "from": {"sets": len(rows), "folds": sorted({row[0] for row in rows}), "version": _version()},
        "candidates": _named(FEATURES, mean, sd, w[:k]),
        "nothing": {name: round(value, 4) for name, value in zip(NOTHING_FEATURES, w[k:].tolist())},
        "confidence": _named(("probability", *DOUBTS), *doubts[:3]),
        "offset": round(float(doubts[3]), 4),
        "nothing_from": round(nothing_from, 3),
        "six_seeds_of_WUT_and_FCPS": steady,
        "tables_wrong_and_sure": _of_tables(judged),
        "out_of_fold": judged,
    }
    TARGET.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _named(names, means, sds, weights):
    return {
        name: {"mean": round(float(mean), 5), "sd": round(float(sd), 5), "weight": round(float(weight), 4)}
        for name, mean, sd, weight in zip(names, means, sds, weights)
    }


def _nothing_from(out):
    """The largest probability of nothing, at most a half, at which few enough noise sets are answered.

    With the weights of all sets: without a family of noise its kind is unknown, and the cut would be too careful.
    """
    of_noise = np.sort([nothing for score, _, nothing in out if score is None])
    return float(min(0.5, of_noise[int(MOST_ALARMS * len(of_noise))] - 1e-3))


def _calibrated(out):
    """(means, sds, weights, offset) of the logistic curve from `doubt_row`s to whether answers are right."""
    x = np.array([row for _, row, _ in out])
    mean, sd = x.mean(axis=0), np.maximum(x.std(axis=0), 1e-9)
    x, right = np.column_stack([(x - mean) / sd, np.ones(len(x))]), np.array([_right(score) for score, *_ in out])
    ridge = np.append(np.full(len(mean), RIDGE_OF_DOUBTS), 0.0)

    def loss(w):
        z = x @ w
        chance = 1.0 / (1.0 + np.exp(-z))
        return np.mean(np.logaddexp(0.0, z) - right * z) + ridge @ w**2, x.T @ (chance - right) / len(x) + 2 * ridge * w

    w = minimize(loss, np.zeros(x.shape[1]), jac=True).x
    return mean, sd, w[:-1], float(w[-1])


def _right(score):
    return score is not None and score >= SAME


def _judged(rows, out, nothing_from):
    """One dict per fold: sets, mean score, false alarms on noise, answers above 75 % that are wrong.

    Each fold's confidence is that of the answers in all others.
    """
    lines = []
    for fold in dict.fromkeys(row[0] for row in rows):
        found = [out[i] for i, row in enumerate(rows) if row[0] == fold]
        others = [out[i] for i, row in enumerate(rows) if row[0] != fold and out[i][2] <= nothing_from]
        mean, sd, w, offset = _calibrated(others)
        scores = [0.0 if nothing > nothing_from else score for score, _, nothing in found if score is not None]
        said = [(score, (row - mean) / sd @ w + offset) for score, row, nothing in found if nothing <= nothing_from]
        limit = np.log(SURE / (1.0 - SURE))
        lines.append(
            {
                "fold": fold,
                "sets": len(found),
                "mean": round(float(np.mean(scores)), 3) if scores else None,
                "alarms": sum(score is None for score, _ in said),
                "wrong_and_sure": sum(bool(sure > limit and not _right(score)) for score, sure in said),
                "right_and_sure": sum(bool(sure > limit and _right(score)) for score, sure in said),
            }
        )
    return lines


def _of_tables(judged):
    """{sets, wrong_and_sure} of all families of everyday tables."""
    lines = [line for line in judged if corpus.is_everyday(line["fold"])]
    return {name: sum(line[name] for line in lines) for name in ("sets", "wrong_and_sure", "right_and_sure")}


def _steady(rows, out, nothing_from):
    """Of WUT and FCPS, out of fold: seeds, the mean score, and the mean difference between two seeds on a set."""
    scores = {}
    for row, (score, _, nothing) in zip(rows, out):
        if row[0] in ("WUT", "FCPS"):
            scores.setdefault(row[1], []).append(0.0 if nothing > nothing_from else score)
    apart = [np.mean([abs(a - b) for i, a in enumerate(found) for b in found[:i]]) for found in scores.values()]
    return {
        "seeds": max(map(len, scores.values()), default=0),
        "mean": round(float(np.mean([np.mean(found) for found in scores.values()])), 3) if scores else None,
        "difference": round(float(np.mean(apart)), 3) if scores else None,
    }


if __name__ == "__main__":
    if len(sys.argv) > 1:  # a share, such as 1/2: only look at these sets, and keep what was seen
        for _ in items(tuple(map(int, sys.argv[1].split("/")))):
            pass
    else:
        looks = list(items())
        fit([look for look in looks if look[2] in SEEDS], [look for look in looks if look[2] in MORE_SEEDS])
