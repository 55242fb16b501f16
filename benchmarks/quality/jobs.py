"""What is measured, piece by piece, each kept on disk until what it depends on changes."""

import hashlib
import inspect
import json
import re
import signal
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import sklearn

import theta_app
from benchmarks.quality import corpus, sets
from benchmarks.quality.methods import MANY_COLUMNS, METHODS, run_quietly, told_k
from benchmarks.timing import cpu, once
from theta_app import metrics
from theta_app.datasets import GridBlobs, RandomBlobs, content_digest, load
from theta_app.engine import tdg
from theta_app.engine.files import write_whole
from theta_app.selection import size_elbow, verdict

KEPT = Path(__file__).resolve().parents[1] / ".quality"
LIMIT = 60.0  # CPU seconds for one answer
_LOOK = 0.2  # seconds between looks at them
TRUTH, NOISE, ELBOW, CPU, TABLES, MANY, WIDE = "truth", "noise", "elbow", "cpu", "tables", "many", "wide"
TOLD = "told"  # K-Means that is given K, in MANY


@dataclass(frozen=True)
class Job:
    """One measurement.

    Attributes
    ----------
    part, name : str
        Together they say what it is.
    needs : str
        Digest of what the value depends on: a kept value with another is measured again.
    make : callable
        Measures it: a dict that JSON can hold.
    facts : dict
        What the value is of.
    """

    part: str
    name: str
    needs: str
    make: Callable
    facts: dict

    def known(self):
        """The kept value, or None where there is none or it is of older code."""
        try:
            kept = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return kept["value"] if kept["needs"] == self.needs else None

    def measure(self):
        value = self.make()
        KEPT.mkdir(exist_ok=True)
        write_whole(self._file, json.dumps({"needs": self.needs, "value": value}).encode())
        return value

    @property
    def _file(self):
        return KEPT / (re.sub(r"\W+", "-", f"{self.part} {self.name}") + ".json")


def jobs(noise=sets.NOISE_SETS, say=print):
    """Every `Job`, what matters most first: the verdict, its strongest peer, then the slower ones."""
    known_classes, clouds = sets.cases(say), [sets.Noise(number) for number in range(noise)]
    for keys in (("theta",), ("plscan", "hdbscan", "hdbscan-1")):
        yield from (_truth(case, key) for case in known_classes for key in keys)
    yield from (_noise(cloud, key) for cloud in clouds[:60] for key in ("theta", "plscan", "hdbscan", "hdbscan-1"))
    yield from (_many(case, key) for case in sets.many_columns(say) for key in (*MANY_COLUMNS, TOLD))
    yield from (_wide(cloud) for cloud in (*sets.wide(noise), *sets.curved()))
    yield from _elbows()
    yield from map(_table, corpus.everyday())
    yield from (_truth(case, key) for case in known_classes for key in ("tnc", "kmeans", "mixture", "tdg"))
    yield from _speeds()
    yield from (_noise(cloud, key) for cloud in clouds[60:] for key in ("theta", "plscan", "hdbscan", "hdbscan-1"))


# ---- what a value depends on ----------------------------------------------------------------------------------------


@lru_cache
def rules():
    """Digest of the code that makes our answers."""
    root = Path(theta_app.__file__).parent
    files = sorted([*root.glob("engine/*.py"), *root.glob("selection/*.*"), root / "estimators.py"])
    return _digest(*(file.read_bytes() for file in files))


def _digest(*parts):
    total = hashlib.sha256()
    for part in parts:
        total.update(part if isinstance(part, bytes) else str(part).encode())
        total.update(b"\0")
    return total.hexdigest()[:16]


def _needs(method, points):
    code = rules() if method.ours else sklearn.__version__
    return _digest(code, inspect.getsource(method.run), points)


# ---- answers --------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=128)
def _loaded(case):
    X, truths = case.points()
    return X, truths, content_digest(X)


def _truth(case, key):
    X, truths, digest = _loaded(case)
    facts = {"set": case.name, "group": case.group, "points": len(X), "features": X.shape[1], "method": key}
    counts = dict.fromkeys(len(np.unique(truth[truth >= 0])) for truth in truths)
    facts["classes"] = " or ".join(map(str, counts))

    def make():
        answer, value = _answered(METHODS[key], X)
        return value | {"ari": 0.0 if answer is None else max(_agreement(truth, answer.labels) for truth in truths)}

    return Job(TRUTH, f"{case.group} {case.name} {key}", _needs(METHODS[key], digest), make, facts)


def _agreement(truth, labels):
    """Adjusted Rand index of the points whose class is known."""
    counted = truth >= 0
    return metrics.ari(truth[counted], labels[counted])


def _noise(cloud, key):
    kind, points, features = cloud.facts
    facts = {"set": cloud.name, "kind": kind, "points": points, "features": features, "method": key}
    needs = _needs(METHODS[key], f"{cloud.number} {kind} {points} {features}")
    return Job(NOISE, f"{cloud.name} {key}", needs, lambda: _answered(METHODS[key], cloud.points())[1], facts)


def _table(drawn):
    X, truths = drawn.points()
    facts = {"set": drawn.name, "kind": drawn.family, "points": len(X), "features": X.shape[1], "method": "theta"}

    def make():
        answer, value = _answered(METHODS["theta"], X)
        return value | {"ari": 0.0 if answer is None else max(_agreement(truth, answer.labels) for truth in truths)}

    return Job(TABLES, drawn.name, _needs(METHODS["theta"], content_digest(X)), make, facts)


def _many(case, key):
    X, truths, digest = _loaded(case)
    classes = len(np.unique(truths[0]))
    method = told_k(classes) if key == TOLD else MANY_COLUMNS[key]
    facts = {"set": case.name, "points": len(X), "features": X.shape[1], "classes": classes, "method": key}

    def make():
        answer, value = _answered(method, X)
        return value | {"ari": 0.0 if answer is None else _agreement(truths[0], answer.labels)}

    return Job(MANY, f"{case.name} {key}", _needs(method, digest), make, facts)


def _wide(cloud):
    kind, points, features = cloud.facts
    facts = {"set": cloud.name, "kind": kind, "points": points, "features": features, "method": "theta"}
    needs = _needs(METHODS["theta"], f"{cloud.number} {kind} {points} {features}")
    return Job(WIDE, cloud.name, needs, lambda: _answered(METHODS["theta"], cloud.points())[1], facts)


def _answered(method, X):
    """(Answer or None, what is kept of it). An answer that takes too long is none, which scores 0."""
    began = time.process_time()
    try:
        with _limited(LIMIT):
            answer = run_quietly(method, X)
    except _OverTime:
        note = f"gave no answer in {LIMIT:g} CPU s"
        return None, {"n_clusters": None, "seconds": time.process_time() - began, "note": note}
    seconds = time.process_time() - began
    return answer, {"n_clusters": answer.n_clusters, "seconds": seconds, "note": "", **answer.said}


class _OverTime(Exception):
    pass


@contextmanager
def _limited(seconds):
    """Raises `_OverTime` once the process has used so much CPU time, as soon as Python has its turn.

    Looked at from a thread: with a timer of the system's, Linux counts the time of a process in whole ticks.
    """
    done, caller, end = threading.Event(), threading.get_ident(), time.process_time() + seconds

    def over(*_):
        if not done.is_set():
            raise _OverTime

    def watch():
        while not done.wait(_LOOK):
            if time.process_time() > end:
                signal.pthread_kill(caller, signal.SIGUSR1)
                return

    before = signal.signal(signal.SIGUSR1, over)
    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
        signal.signal(signal.SIGUSR1, before)


# ---- the size elbow -------------------------------------------------------------------------------------------------


def _elbows():
    originals = [(f"S{i} (original)", f"s-sets/s{i}", 1e5, 15, 20) for i in (1, 2, 3, 4)]
    originals += [("R15", "shapes/r15", 1.0, 15, 10), ("D31", "shapes/d31", 2.4, 31, 10)]
    found = [(name, sets.published(file), *rest) for name, file, *rest in originals]
    found.append(("grid, 5 apart", load(GridBlobs(5, 5.0, 100)).X, 2.6, 25, 10))
    for name, X, theta, true, seeds in found:
        if X is not None:
            facts = {"set": name, "theta": theta, "true": true, "seeds": seeds}
            needs = _digest(rules(), content_digest(X), theta, true, seeds)
            yield Job(ELBOW, name, needs, lambda X=X, facts=facts: {"hits": _hits(X, **facts)}, facts)


def _hits(X, set, theta, true, seeds):
    """How often the elbow of TDG's sizes is the true number, over seeds."""
    return sum(size_elbow(tdg(X, theta, seed=seed).sizes) == true for seed in range(seeds))


# ---- CPU time -------------------------------------------------------------------------------------------------------


def _speeds():
    """The verdict against HDBSCAN on many points and against K-Means by silhouette in many features."""
    for features, per_cluster, peer, repeats in ((2, 500, "hdbscan", 3), *((d, 200, "kmeans", 1) for d in (8, 20, 64))):
        X = load(RandomBlobs(clusters=10, dimensions=features, per_cluster=per_cluster)).X
        facts = {"points": len(X), "features": features, "peer": METHODS[peer].label}

        def make(X=X, peer=peer, repeats=repeats):
            times = [
                cpu(run, repeats) if repeats > 1 else once(run)
                for run in (lambda: verdict(X), lambda: run_quietly(METHODS[peer], X))
            ]
            return dict(zip(("ours", "theirs"), times))

        yield Job(CPU, f"{len(X)} x {features}", _digest(rules(), sklearn.__version__, len(X), features), make, facts)
