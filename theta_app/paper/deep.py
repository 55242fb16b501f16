"""The paper's section 5.5: what starts deep embedded clustering of MNIST best?

Per seed one autoencoder is trained, and from it the clustering layer three times: started by K-Means, K-Means++ and
TDG. Every epoch is stored as it is done; with a folder of checkpoints an interrupted run goes on where it was.
"""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from theta_app import metrics
from theta_app.datasets import mnist, originals
from theta_app.deep.starts import STARTS, start
from theta_app.paper import deep_results as store
from theta_app.paper.fresh import TRAINED, digest
from theta_app.selection import project

if TYPE_CHECKING:
    from theta_app.deep.training import Recipe


_SAVE_EVERY = 60.0  # seconds between two checkpoints of pre-training
PICTURED = 1500  # points of a t-SNE picture

PUBLISHED = {"DEC": 0.843, "IDEC": 0.881, "the paper": 0.94}
"""Accuracies on MNIST as papers report them: DEC and IDEC of their own, from K-Means; the paper's from TDG."""


@dataclass(frozen=True)
class Trial:
    """One size of the experiment.

    Attributes
    ----------
    key, title : str
    images : int
        How many of the 70,000, drawn anew for each seed.
    seeds : int
    batch : int
        Images per step: smaller where there are fewer, for as many steps.
    layer_epochs, pretrain_epochs, epochs : int
        Of each layer alone, of the autoencoder, and of the clustering from each start.
    hidden : tuple of int
        Widths of the encoder's layers before the latent one: the DEC paper's.
    listed : bool
        False for the one that is there to be run again in a test.
    """

    key: str
    title: str
    images: int
    seeds: int
    batch: int
    layer_epochs: int
    pretrain_epochs: int
    epochs: int
    hidden: tuple = (500, 500, 2000)
    listed: bool = True

    @property
    def recipe(self) -> Recipe:
        """How its networks are made and trained."""
        from theta_app.deep.training import Recipe

        return Recipe(self.hidden, batch=self.batch, image=mnist.SHAPE, shift=2)

    @property
    def training_key(self) -> str:
        """Equal for trials that train a seed in the same way: networks of another way are not gone on from."""
        way = (self.images, self.layer_epochs, self.pretrain_epochs, self.epochs, asdict(self.recipe))
        return hashlib.sha256(repr(way).encode()).hexdigest()[:12]


TRIALS = {
    trial.key: trial
    for trial in (
        Trial("deep-10k", "MNIST, 10,000 images", 10_000, 5, 64, 8, 40, 10),
        Trial("deep-short", "MNIST, 1,000 images", 1_000, 1, 64, 2, 10, 2, (100,), listed=False),
        Trial("deep-70k", "MNIST, all 70,000 images", 70_000, 1, 128, 6, 80, 15),
    )
}


def chosen(trial: Trial, seed: int) -> np.ndarray:
    """Rows of the images of a seed."""
    return np.random.default_rng([2016, seed]).permutation(70_000)[: trial.images]


def complete_from_file(
    trial: Trial,
    file: str | Path | None = None,
    fresh: bool = False,
    folder: Path | None = None,
    checkpoints: str | Path | None = None,
    say: Callable[[str], object] = print,
) -> store.DeepResults:
    """`complete` with the images of a file, by default the one that was downloaded.

    By default the checkpoints are in the account's cache folder.
    """
    images, digits = mnist.read(file) if file else originals.all_images()
    checkpoints = checkpoints or originals.cache_folder() / "deep"
    return complete(trial, images, digits, fresh, folder, checkpoints, say)


def complete(
    trial: Trial,
    images: np.ndarray,
    digits: np.ndarray,
    fresh: bool = False,
    folder: Path | None = None,
    checkpoints: str | Path | None = None,
    say: Callable[[str], object] = print,
) -> store.DeepResults:
    """Train what the stored results lack, storing as it goes; returns all `DeepResults`.

    `images` and `digits` are those of `theta_app.datasets.mnist.read`. `checkpoints` is a folder, or None; `fresh`
    passes over what it holds as over what is stored.
    """
    known = store.DeepResults(trial.key) if fresh else store.stored(trial.key, folder)
    if fresh and checkpoints is not None:
        shutil.rmtree(Path(checkpoints) / trial.key, ignore_errors=True)
    plan = store.as_stored({**asdict(trial), "recipe": asdict(trial.recipe)})
    if known.plan and known.plan != plan:
        raise ValueError(f"The stored results of {trial.key} are of another plan. Run it with --fresh.")
    known = replace(known, plan=plan, rests_on=known.rests_on if known.rows else digest(TRAINED))
    for seed in range(trial.seeds):
        if all(known.finished(seed, name) for name in STARTS):
            continue
        rows = chosen(trial, seed)
        work = _Seed(trial, seed, images[rows].astype(np.float32) / 255, digits[rows].astype(int), checkpoints, say)
        for more in work.complete(known):
            store.store(more, folder)
            known = more
    return known


class _Seed:
    """The three starts of one seed."""

    def __init__(
        self,
        trial: Trial,
        seed: int,
        X: np.ndarray,
        truth: np.ndarray,
        checkpoints: str | Path | None,
        say: Callable[[str], object],
    ) -> None:
        self.trial, self.seed, self.X, self.truth, self.say = trial, seed, X, truth, say
        self.recipe = trial.recipe
        self.folder = None if checkpoints is None else Path(checkpoints) / trial.key / trial.training_key / str(seed)

    def complete(self, known: store.DeepResults) -> Iterator[store.DeepResults]:
        """Yields the `DeepResults` with more and more in them."""
        from theta_app.deep import network

        parameters, facts = self._autoencoder()
        Z = network.embedding(parameters, self.X).astype(np.float64)
        if known.network(self.seed) is None:
            known = self._pictured(known.with_network({"seed": self.seed, **facts}), "", Z, None)
            yield known
        for name in STARTS:
            if not known.finished(self.seed, name):
                for more in self._refine(known, name, parameters, Z):
                    known = more
                    yield known

    # ---- the autoencoder ---------------------------------------------------------------------------------------------

    def _autoencoder(self) -> tuple[Any, dict[str, float]]:
        """Its parameters, and {"loss", "seconds"}."""
        from theta_app.deep import training

        trial, clock, written = self.trial, _Clock(), time.monotonic()
        fresh = training.fresh_parameters(self.X, self.recipe, self.seed)
        saved = self._load("autoencoder", training.first_state(self.X, fresh, self.recipe, trial.pretrain_epochs))
        epochs = training.autoencoder(self.X, self.recipe, trial.layer_epochs, trial.pretrain_epochs, self.seed, saved)
        before = 0.0 if saved is None else saved.seconds
        for part, epoch, total, state in epochs:
            seconds = before + clock.total
            self.say(f"seed {self.seed}: {part} {epoch}/{total}, loss {state.loss:.5f}, {seconds:.0f} CPU s")
            due = time.monotonic() - written > _SAVE_EVERY or epoch in (0, total)
            if state.optimiser is not None and due:
                self._save("autoencoder", replace(state, seconds=seconds))
                written = time.monotonic()
        return state.learnt, {"loss": state.loss, "seconds": seconds}

    # ---- the clustering ----------------------------------------------------------------------------------------------

    def _refine(
        self, known: store.DeepResults, name: str, parameters: Any, Z: np.ndarray
    ) -> Iterator[store.DeepResults]:
        from theta_app.deep import network, training

        clock = _Clock()
        begun = start(name, Z, 10, self.seed)
        seconds = clock.lap()
        if begun.tried:
            known = known.with_vote({"seed": self.seed, "theta": begun.theta, "tried": list(map(asdict, begun.tried))})
        like = next(training.refined(self.X, parameters, begun.centres, self.recipe, 0))[0]
        saved = self._load(name, like)
        if saved is not None and not known.has(self.seed, name, saved.epoch):  # of a run whose results are elsewhere
            saved = None
        known = known.up_to(self.seed, name, -1 if saved is None else saved.epoch)
        if saved is not None:
            seconds = known.rows_of(self.seed, name)[-1]["seconds"]
        clock.lap()
        epochs = training.refined(self.X, parameters, begun.centres, self.recipe, self.trial.epochs, self.seed, saved)
        for state, q in epochs:
            seconds += clock.lap()
            if not known.has(self.seed, name, state.epoch):
                known = known.with_row(self._row(name, state, q, seconds))
                if state.epoch == self.trial.epochs:
                    known = self._pictured(known, name, network.embedding(state.learnt[0], self.X), q)
                yield known
            self._save(name, state)
            clock.lap()

    def _row(self, name: str, state: Any, q: np.ndarray, seconds: float) -> dict:
        labels = q.argmax(axis=1)
        accuracy, nmi = metrics.accuracy(self.truth, labels), metrics.nmi(self.truth, labels)
        self.say(f"seed {self.seed}: {STARTS[name]} epoch {state.epoch}/{self.trial.epochs}, {accuracy:.4f}, {nmi:.4f}")
        return {
            "seed": self.seed,
            "start": name,
            "epoch": state.epoch,
            "loss": state.loss,
            "accuracy": accuracy,
            "nmi": nmi,
            "seconds": seconds,
        }

    def _pictured(self, known: store.DeepResults, name: str, Z: np.ndarray, q: np.ndarray | None) -> store.DeepResults:
        """Seed 0 is drawn: the same points before ("") and after each start."""
        if self.seed != 0 or not self.trial.listed:
            return known
        places = project(Z[:PICTURED].astype(np.float64), "tsne")
        labels = None if q is None else q.argmax(axis=1)[:PICTURED]
        members = () if q is None else store.typical(q, chosen(self.trial, 0))
        return known.with_picture(store.Picture(name, places, self.truth[:PICTURED], labels, *members))

    # ---- checkpoints -------------------------------------------------------------------------------------------------

    def _load(self, name: str, like: Any) -> Any:
        from theta_app.deep import checkpoints

        return None if self.folder is None else checkpoints.load(self.folder / f"{name}.npz", like)

    def _save(self, name: str, state: Any) -> None:
        from theta_app.deep import checkpoints

        if self.folder is not None:
            checkpoints.save(self.folder / f"{name}.npz", state)


class _Clock:
    """CPU seconds of this process."""

    def __init__(self) -> None:
        self._began = self._lap = time.process_time()

    @property
    def total(self) -> float:
        return time.process_time() - self._began

    def lap(self) -> float:
        """Since the last lap."""
        before, self._lap = self._lap, time.process_time()
        return self._lap - before
