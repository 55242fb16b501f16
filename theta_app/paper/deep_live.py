"""Deep embedded clustering while somebody looks on: trained in a process of its own, epoch by epoch, stopped at will.

Whatever has been said when it ends, whyever it ends, stays.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from theta_app import metrics, workers
from theta_app.deep.checks import TrainingError, check, scale_of, scaled
from theta_app.deep.starts import STARTS, NoStart, start
from theta_app.paper.deep_results import COLUMNS, typical

MOST_POINTS = 5_000  # more are sampled: it should take about a minute
_DIED = "The training process ended; it may have run out of memory. Results so far are shown."


@dataclass(frozen=True)
class LivePlan:
    """What to train."""

    n_clusters: int = 10
    seed: int = 0
    image: tuple | None = None  # (rows, columns): where a point is a picture
    hidden: tuple = (256, 256, 512)  # narrower than for the stored runs, so that it takes a minute
    # layer_epochs, pretrain_epochs, epochs: of each layer alone, of the autoencoder, and of the clustering from each
    # start
    layer_epochs: int = 10
    pretrain_epochs: int = 60
    epochs: int = 15

    @classmethod
    def of_length(cls, epochs: int, **chosen: Any) -> Self:
        """A plan with so many epochs of the autoencoder, and of each layer in proportion."""
        layer_epochs = max(1, round(epochs * cls.layer_epochs / cls.pretrain_epochs))
        return cls(**chosen, layer_epochs=layer_epochs, pretrain_epochs=epochs)

    @property
    def shift(self) -> int:
        """Pixels by which pictures are moved: small ones lose too much at their edges."""
        return 2 if self.image is not None and min(self.image) >= 20 else 0

    @property
    def total(self) -> int:
        """Epochs in all."""
        return self.layer_epochs * (len(self.hidden) + 1) + self.pretrain_epochs + len(STARTS) * (self.epochs + 1)


@dataclass(frozen=True, eq=False)
class Space:
    """The latent space at one time."""

    Z: np.ndarray  # (n, latent) of float32
    labels: np.ndarray | None = None  # (n,) of int: None before any clustering
    # most, least: (K, m) of int: each cluster's most and least typical members
    most: np.ndarray | None = None
    least: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class LiveResult:
    """What has been done so far."""

    # one per start and epoch: `deep_results.COLUMNS`; accuracy and nmi are NaN where there is no truth
    rows: tuple = ()
    # Space: "" before any clustering, and each start's after its last epoch so far
    spaces: dict = field(default_factory=dict)
    done: int = 0  # epochs done
    now: str = "getting ready"  # what is being done
    notes: dict = field(default_factory=dict)  # str: why a start could not be made, by start
    trouble: str = ""  # why the run ended early; empty where it did not

    def ended(self, trouble: str = "") -> Self:
        """The same result with nothing running, and what went wrong, if anything did."""
        return replace(self, trouble=trouble, now="")


def train_apart(
    plan: LivePlan, X: np.ndarray, truth: np.ndarray | None = None, look: Callable[[LiveResult], None] | None = None
) -> LiveResult:
    """Train on points (n, d) in a process of its own; returns the `LiveResult`, also where that ends early.

    ``look(result)`` is called several times per second. What it raises ends the training and passes through.
    """
    result = LiveResult()

    def heard(said: list[dict]) -> None:
        nonlocal result
        for news in said:
            result = _with(result, **news)
        if look is not None:
            look(result)

    try:
        workers.run(_train, plan, np.asarray(X), truth, look=heard)
    except (TrainingError, MemoryError) as error:
        return result.ended(str(error) or "There is not enough memory for this. Take fewer points.")
    except workers.Died:
        return result.ended(_DIED)
    return result.ended()


def _with(
    result: LiveResult,
    *,
    row: dict | None = None,
    space: tuple[str, Space] | None = None,
    note: tuple[str, str] | None = None,
    **changed: Any,
) -> LiveResult:
    """A `LiveResult` with what the process has said."""
    if row is not None:
        changed["rows"] = (*result.rows, row)
    if space is not None:
        changed["spaces"] = {**result.spaces, space[0]: space[1]}
    if note is not None:
        changed["notes"] = {**result.notes, note[0]: note[1]}
    return replace(result, **changed)


# ---- in the process --------------------------------------------------------------------------------------------------


def _train(say: Callable[[object], None], plan: LivePlan, X: np.ndarray, truth: np.ndarray | None) -> None:
    try:
        for news in training_steps(plan, X, truth):
            say(news)
    except (TrainingError, MemoryError):
        raise
    except Exception as error:
        raise TrainingError(f"Training failed ({type(error).__name__}). Results so far are shown.") from None


def training_steps(plan: LivePlan, X: np.ndarray, truth: np.ndarray | None = None) -> Iterator[dict]:
    """One autoencoder, and the clustering from every start: what `_with` takes, as it comes."""
    from theta_app.deep import network, training  # takes two seconds

    recipe = training.Recipe(plan.hidden, image=plan.image, shift=plan.shift, batch=64)
    check(X, plan.n_clusters, recipe)
    X = scaled(X, scale_of(X))
    done = 0
    epochs = training.autoencoder(X, recipe, plan.layer_epochs, plan.pretrain_epochs, plan.seed)
    for part, epoch, total, state in epochs:
        parameters = state.learnt
        done += epoch > 0
        yield {"done": done, "now": f"{_PARTS[part]}, epoch {epoch} of {total}"}
    Z = network.embedding(parameters, X)
    yield {"space": ("", Space(Z))}
    for name, label in STARTS.items():
        clock = time.process_time()
        yield {"now": f"starting from {label}"}
        try:
            begun = start(name, Z, plan.n_clusters, plan.seed)
        except NoStart as error:
            yield {"note": (name, str(error))}
            continue
        for state, q in training.refined(X, parameters, begun.centres, recipe, plan.epochs, plan.seed):
            done += 1
            labels, members = q.argmax(axis=1), typical(q, np.arange(len(X)))
            yield {
                "done": done,
                "now": f"{label}, epoch {state.epoch} of {plan.epochs}",
                "row": _row(plan, name, state, labels, truth, time.process_time() - clock),
                "space": (name, Space(network.embedding(state.learnt[0], X), labels, *members)),
            }


_PARTS = {"layers": "layers one by one", "autoencoder": "autoencoder"}


def _row(plan: LivePlan, name: str, state: Any, labels: np.ndarray, truth: np.ndarray | None, seconds: float) -> dict:
    scores = (np.nan, np.nan) if truth is None else (metrics.accuracy(truth, labels), metrics.nmi(truth, labels))
    return dict(zip(COLUMNS, (plan.seed, name, state.epoch, state.loss, *scores, seconds), strict=True))
