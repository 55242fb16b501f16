"""Where steps are measured: keeps the points at hand, warms methods up, turns whatever goes wrong into a row."""

import numpy as np

from theta_app import datasets
from theta_app.compare.measure import at_repeat, failed, measured
from theta_app.compare.methods import METHODS
from theta_app.engine import tdg


class Bench:
    """Measures steps one after the other in this process."""

    def __init__(self):
        self._handed = {}
        self._last = (None, None)
        self._warm = set()

    def hand_over(self, key, X, truth):
        """Points that no spec describes, to be named by `key` in steps."""
        self._handed = {key: (X, truth)}

    def points(self, data, repeat):
        """(X, truth) of a step."""
        if isinstance(data, str):
            return self._handed[data]
        spec = at_repeat(data, repeat)
        if self._last[0] != spec:
            loaded = datasets.load(spec)
            self._last = spec, (loaded.X, loaded.truth)
        return self._last[1]

    def measure(self, step):
        """(row, Picture or None) of a step; a failure is a row that says so."""
        try:
            X, truth = self.points(step.data, step.repeat)
            self._warm_up(step.entry, X)
            return measured(step, X, truth)
        except MemoryError:
            return failed(step, "It needs more memory than there is."), None
        except (ValueError, LookupError, datasets.FetchError) as error:
            return failed(step, str(error.args[0] if error.args else error)), None
        except Exception as error:  # a library's own trouble is that method's result, not the end of the comparison
            return failed(step, f"{type(error).__name__}: {str(error)[:300]}"), None

    def _warm_up(self, entry, X):
        """Once a method and dimension, on few points, untimed: kernels and libraries are loaded on first use."""
        key = entry.method, X.shape[1]
        if key in self._warm:
            return
        self._warm.add(key)
        few = X[datasets.fair_sample(len(X), 60)]
        small = {"k": 2, "starts": 1, "shuffles": 2, "limit": 2, "smallest": 2}
        parameters = {name: small.get(name, value) for name, value in entry.parameters}
        if entry.method == "birch":
            parameters["k"] = 0
        try:
            METHODS[entry.method].run(np.ascontiguousarray(few), 0, **parameters)
            if METHODS[entry.method].group == "ThetA" and X.shape[1] > 3:
                for way in ("bounded", "plain"):  # which of them runs depends on the number of clusters
                    tdg(few, float(parameters["theta"]), 2, method=way)
        except Exception:
            return  # it will say so itself when it runs
