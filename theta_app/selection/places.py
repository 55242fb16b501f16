"""Where a sweep is computed: in threads of this process, or by an executor of any kind."""

import hashlib
from concurrent.futures import Future, ThreadPoolExecutor, wait

import numpy as np

from theta_app.engine import Cancelled, validation
from theta_app.selection.theta import ALL, LOOK_INTERVAL, evaluate, evaluate_many


class Threads:
    """Where a sweep is computed: in threads of this process. Another place has the same two methods."""

    def __init__(self, n_jobs=None):
        self.n_jobs = n_jobs

    def points(self, plan, thetas, progress=None, cancel=None, effort=ALL):
        """The `ThetaPoint` at each of `thetas`, in their order, as they come; as `evaluate_many`."""
        options = {**plan.references, "n_jobs": self.n_jobs, "progress": progress, "cancel": cancel}
        return evaluate_many(plan.X, thetas, plan.shuffles, plan.seed, effort=effort, runs=plan.runs, **options)

    def edges(self, plan, edges, cancel=None):
        """The refined θ of each of `edges` (`Edge`), in their order."""
        with ThreadPoolExecutor(validation.jobs(self.n_jobs)) as pool:
            return list(pool.map(lambda edge: edge.refined(plan, cancel), edges))


class Elsewhere:
    """Where a sweep is computed: by a `concurrent.futures` executor, a task per θ. Its tasks can be pickled.

    Points are sent with each task; what clusterings are measured with is made there, once per process.
    """

    def __init__(self, executor):
        self.executor = executor

    def points(self, plan, thetas, progress=None, cancel=None, effort=ALL):
        """As `Threads.points`; progress counts θ that are done."""
        total = plan.shuffles * len(thetas)
        tasks = [(evaluate_alone, plan.alone, theta, effort, plan.runs(theta)) for theta in thetas]
        tell = progress and (lambda done: progress(plan.shuffles * done, total))
        return self._results(tasks, tell, cancel)

    def edges(self, plan, edges, cancel=None):
        """As `Threads.edges`."""
        return list(self._results([(edge.refined, plan.alone) for edge in edges], None, cancel))

    def _results(self, tasks, tell, cancel):
        futures = [self.executor.submit(*task) for task in tasks]
        try:
            for future in futures:
                while not wait([future], LOOK_INTERVAL).done:
                    if cancel is not None and cancel.is_set():
                        raise Cancelled("stopped before the end")
                    if tell:
                        tell(sum(map(Future.done, futures)))
                yield future.result()
        finally:
            for future in futures:
                future.cancel()


def evaluate_alone(plan, theta, effort=ALL, runs=None):
    """`evaluate` at a θ of a plan that came from another process, where that has what it measures with."""
    key = hashlib.sha256(np.ascontiguousarray(plan.X)).hexdigest(), plan.X.shape, plan.norm
    if key not in _measured_with:
        _measured_with.clear()  # one data set at a time
        _measured_with[key] = plan.references
    references = _measured_with.get(key) or plan.references
    return evaluate(plan.X, theta, plan.shuffles, plan.seed, effort=effort, runs=runs, **references)


_measured_with = {}
