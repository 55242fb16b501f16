"""The weights of the verdict, fitted: ``make quality FIT=1``.

Every set of `corpus`, and the published and generated ones of `sets` with three seeds, is looked at as the verdict does
(`selection.gather`), and each candidate is compared with the classes. Weights make the expected score, the adjusted
Rand index squared, as high as they can; nothing to find scores 1 on noise and 0 elsewhere. They are judged out of
fold: each family, battery or group is answered by weights that were fitted without it. The confidence is fitted to
those answers alone. All of it goes to theta_app/selection/weights.json, with what it was fitted on.
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
from theta_app.selection.candidates import FEATURES, NOTHING_FEATURES, gather
from theta_app.selection.verdict import SAME, SURE, Weights, first

HERE = Path(__file__).resolve().parent
KEPT = HERE.parent / ".quality" / "fit"
TARGET = Path(selection.__file__).parent / "weights.json"
PER_FAMILY, SEEDS = 24, (0, 1, 2)
RIDGE, RIDGE_OF_NOTHING = 0.005, 0.003
PUBLISHED_WEIGHT = 2.0  # of a published set against one drawn here
MOST_ALARMS = 0.01  # of noise sets that may be answered with clusters


# ---- what the verdict looks at --------------------------------------------------------------------------------------


def items(share=(1, 1), say=print):
    """(fold, name, seed, evidence, scores) of every set: looked at once, and again when the code has changed."""
    which, shares = share
    wanted = [(d.family, d.name, 0, d.points) for d in corpus.drawn(PER_FAMILY)]
    wanted += [(_fold(case), case.name, seed, case.points) for seed in SEEDS for case in sets.cases(say=say)]
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
    scores = [max((_score(found.labels, truth) for truth in truths), default=0.0) for found in evidence.candidates]
    light = {name: getattr(evidence, name) for name in ("alike", "features", "nothing", "few_values")}
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
    """(score or None on noise, mass, probability of nothing, share of few values) of each row, whatever is nothing."""
    found = []
    for *_, evidence, scores in rows:
        p = weights.probabilities(SimpleNamespace(**evidence))
        at, mass = first(evidence["alike"], p[:-1])
        noise = scores[-1] == 1.0
        score = None if noise else 0.0 if at is None else scores[at]
        found.append((score, mass, p[-1], evidence["few_values"]))
    return found


def _as_weights(w, mean, sd, confidence=(1.0, 0.0, 0.0), nothing_from=0.5):
    k = len(FEATURES)
    return Weights(mean, sd, w[:k], w[k:], *confidence, nothing_from)


def fit(rows, say=print):
    """Fit, judge out of fold, and write weights.json."""
    features = np.vstack([row[3]["features"] for row in rows])
    mean, sd = features.mean(axis=0), features.std(axis=0)
    all_of_them = fitted(rows, mean, sd)
    out = [None] * len(rows)
    for fold in dict.fromkeys(row[0] for row in rows):
        inside = [i for i, row in enumerate(rows) if row[0] == fold]
        rest = [row for row in rows if row[0] != fold]
        w = fitted(rest, mean, sd, all_of_them)
        for i, found in zip(inside, answers([rows[i] for i in inside], _as_weights(w, mean, sd))):
            out[i] = found
    nothing_from = _nothing_from(answers(rows, _as_weights(all_of_them, mean, sd)))
    confidence = _calibrated([found for found in out if found[2] <= nothing_from])
    say(f"nothing from {nothing_from:.2f}; confidence {', '.join(f'{value:.2f}' for value in confidence)}")
    judged = _judged(rows, out, nothing_from, _as_weights(all_of_them, mean, sd, confidence, nothing_from))
    for line in judged:
        say("{fold:28s} {sets:4d}  {mean}  alarms {alarms}  wrong and sure {wrong_and_sure}".format(**line))
    k = len(FEATURES)
    content = {
        "about": "Made by `make quality FIT=1` (benchmarks/quality/fit.py).",
        "made": time.strftime("%Y-%m-%d"),
        "from": {"sets": len(rows), "folds": sorted({row[0] for row in rows}), "version": _version()},
        "candidates": {
            name: {"mean": round(m, 5), "sd": round(s, 5), "weight": round(w, 4)}
            for name, m, s, w in zip(FEATURES, mean.tolist(), sd.tolist(), all_of_them[:k].tolist())
        },
        "nothing": {name: round(w, 4) for name, w in zip(NOTHING_FEATURES, all_of_them[k:].tolist())},
        "confidence": {name: round(value, 4) for name, value in zip(("slope", "few_values", "offset"), confidence)},
        "nothing_from": round(nothing_from, 3),
        "out_of_fold": judged,
    }
    TARGET.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _nothing_from(out):
    """The largest probability of nothing, at most a half, at which few enough noise sets are answered.

    With the weights of all sets: without a family of noise its kind is unknown, and the cut would be too careful.
    """
    of_noise = np.sort([nothing for score, _, nothing, _ in out if score is None])
    return float(min(0.5, of_noise[int(MOST_ALARMS * len(of_noise))] - 1e-3))


def _calibrated(out):
    """(slope, few values, offset) of the logistic curve from the mass of an answer to whether it is right."""
    mass = np.clip([found[1] for found in out], SURE, 1 - SURE)
    right = np.array([found[0] is not None and found[0] >= SAME for found in out])
    x = np.column_stack([np.log(mass / (1 - mass)), [found[3] for found in out], np.ones(len(out))])

    def loss(w):
        return np.mean(np.logaddexp(0.0, x @ w) - right * (x @ w))

    return tuple(minimize(loss, [0.5, 0.0, 0.0]).x.tolist())


def _judged(rows, out, nothing_from, weights):
    """One dict per fold: sets, mean score, false alarms on noise, answers above 75 % that are wrong."""
    lines = []
    for fold in dict.fromkeys(row[0] for row in rows):
        found = [out[i] for i, row in enumerate(rows) if row[0] == fold]
        scores = [0.0 if nothing > nothing_from else score for score, _, nothing, _ in found if score is not None]
        said = [
            (score, weights.confidence(mass, few)) for score, mass, nothing, few in found if nothing <= nothing_from
        ]
        lines.append(
            {
                "fold": fold,
                "sets": len(found),
                "mean": round(float(np.mean(scores)), 3) if scores else None,
                "alarms": sum(score is None for score, _ in said),
                "wrong_and_sure": sum(bool(sure > 0.75 and (score or 0.0) < SAME) for score, sure in said),
            }
        )
    return lines


if __name__ == "__main__":
    if len(sys.argv) > 1:  # a share, such as 1/2: only look at these sets, and keep what was seen
        for _ in items(tuple(map(int, sys.argv[1].split("/")))):
            pass
    else:
        fit(list(items()))
