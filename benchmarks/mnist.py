"""Can the digits be found without labels, and without saying that there are ten? ``python -m benchmarks.mnist``.

    --images FILE     MNIST as an .npz file; by default the downloaded one
    --only 10000      only so many images (10000, 70000)
    --seeds 2         only so many seeds of each
    --part pixels     only this part (upright, autoencoder, pixels, paper)
    --method theta    only this method
    --again theta     measure this method again, in the maps that are there
    --made FILE       latent space, map and labels of all 70,000 images that were made before (an .npz file with arrays
                      latent, map and labels), as seed 0: nothing is trained for it

Images become a neighbour map, by their strokes, by the strokes of upright images, through the autoencoder or by their
pixels, and each method clusters the map: the steps of ``make_pipeline(Strokes((28, 28)), NeighbourMap(),
ThetA(space="features"))``, with `Upright((28, 28))` before, with ``Autoencoder(image_shape=(28, 28), shift=2)`` in the
strokes' place, or nothing. EVoC makes a neighbour embedding of its own, so it gets what the map was made of. Then the
paper's own setting: the 10 largest clusters of TDG at θ = 4.724 start deep embedded clustering.

Networks in training, maps and answers are kept piece by piece (benchmarks/.mnist), so a run that was ended goes on.
The table is stored with the other results that the pages show (`theta_app.paper.maps`).
"""

import argparse
import os
import time
from dataclasses import dataclass
from pathlib import Path

KEPT = Path(__file__).resolve().parent / ".mnist"
PARTS = ("strokes", "upright", "autoencoder", "pixels", "paper")
PAPER_THETA = 4.724
_SAVE_EVERY = 60.0  # seconds between two checkpoints


@dataclass(frozen=True)
class Trial:
    """One size: how many of the 70,000 images, drawn anew for each seed, and how its networks are trained."""

    images: int
    seeds: int
    batch: int
    layer_epochs: int
    epochs: int
    refining: int

    @property
    def recipe(self):
        from theta_app.datasets import mnist
        from theta_app.deep.training import Recipe

        return Recipe(batch=self.batch, image=mnist.SHAPE, shift=2)


TRIALS = (Trial(10_000, 5, 64, 8, 40, 10), Trial(70_000, 3, 128, 3, 15, 5))


def main(arguments=None):
    for library in ("OMP", "OPENBLAS", "MKL", "NUMBA"):  # one thread for everybody; JAX takes what there is
        os.environ[f"{library}_NUM_THREADS"] = "1"
    from theta_app.datasets import mnist, originals
    from theta_app.paper import maps

    parser = argparse.ArgumentParser("python -m benchmarks.mnist", description=__doc__.split("\n\n")[0])
    parser.add_argument("--images", metavar="FILE", help="MNIST as an .npz file; by default the downloaded one")
    parser.add_argument("--only", type=int, choices=[trial.images for trial in TRIALS])
    parser.add_argument("--seeds", type=int, default=max(trial.seeds for trial in TRIALS))
    parser.add_argument("--part", action="append", choices=PARTS)
    parser.add_argument("--method", action="append", choices=list(maps.METHODS))
    parser.add_argument("--made", metavar="FILE", help="latent space and map of 70,000 images that were made before")
    parser.add_argument("--again", action="append", default=[], choices=list(maps.METHODS))
    chosen = parser.parse_args(arguments)
    images, digits = mnist.read(chosen.images) if chosen.images else originals.all_images()
    wanted = [trial for trial in TRIALS if chosen.only in (None, trial.images)]
    planned = [(trial, seed) for seed in range(chosen.seeds) for trial in wanted if seed < trial.seeds]
    for part in chosen.part or PARTS:
        for trial, seed in planned:
            made = chosen.made if (trial.images, seed) == (len(images), 0) else None
            _Run(trial, seed, images, digits, chosen.again, made).complete(part, chosen.method or maps.METHODS)
    print_table(maps.summary(maps.stored()))


def print_table(table):
    print(table.to_string(index=False, float_format="{:.3f}".format), flush=True)


class _Run:
    """Everything of one seed, piece by piece."""

    def __init__(self, trial, seed, images, digits, again=(), made=None):
        import numpy as np

        self.trial, self.seed, self.again, self.made = trial, seed, again, None
        if made is not None:
            with np.load(made) as content:
                self.made = {name: content[name] for name in ("latent", "map", "labels")}
        rows = np.random.default_rng([2016, seed]).permutation(len(images))[: trial.images]
        if self.made is not None:
            rows = np.arange(len(images))
            if not np.array_equal(self.made["labels"], digits):
                raise ValueError("The latent space that was made before is of other images, or in another order.")
        self.X, self.truth = images[rows].astype(np.float32) / 255, digits[rows].astype(int)
        self.folder = KEPT / f"{trial.images}-{seed}"

    def complete(self, part, methods):
        """Measure what is missing of a part of `PARTS`, by some methods."""
        from theta_app.paper import maps

        if part == "paper":
            self._literal()
            return
        for method in methods:
            place = {**self._facts, "space": part, "method": method}
            if method in self.again or not maps.stored().has("rows", **place):
                self._answer(part, method)

    @property
    def _facts(self):
        return {"images": self.trial.images, "seed": self.seed}

    def _say(self, words):
        print(f"{self.trial.images:,} images, seed {self.seed}: {words}", flush=True)

    def _keep(self, part, row):
        from theta_app.paper import maps

        maps.store(maps.stored().with_row(part, self._facts | row))
        self._say(
            " ".join(f"{name} {value:.4g}" if isinstance(value, float) else str(value) for name, value in row.items())
        )

    # ---- spaces ------------------------------------------------------------------------------------------------------

    def _map(self, space):
        """The neighbour map of the images or of what the autoencoder makes of them, (n, 5)."""
        import numpy as np

        from theta_app import NeighbourMap
        from theta_app.paper import maps

        path = self.folder / f"{space}.npz"
        if path.exists() and maps.stored().has("spaces", **self._facts, space=space):
            with np.load(path) as content:
                return content["map"]
        points, seconds = self._points(space)
        began = time.process_time()
        if space == "autoencoder" and self.made is not None:
            found, spent = self.made["map"].astype(np.float64), None
        else:
            found = NeighbourMap(random_state=self.seed).fit_transform(points)
            spent = time.process_time() - began
        _write(path, map=found)
        epochs = self.trial.epochs if space == "autoencoder" else 0
        self._keep("spaces", {"space": space, "epochs": epochs, "network_seconds": seconds, "map_seconds": spent})
        return found

    def _points(self, space):
        """(what a map is made of, CPU seconds that took)."""
        import numpy as np

        if space == "pixels":
            return self.X.astype(np.float64), 0.0
        if space in ("strokes", "upright"):
            from theta_app.datasets import mnist
            from theta_app.deep import Strokes, Upright

            began = time.process_time()
            images = self.X if space == "strokes" else Upright(mnist.SHAPE).fit_transform(self.X)
            return Strokes(mnist.SHAPE).fit_transform(images), time.process_time() - began
        if self.made is not None:
            return self.made["latent"].astype(np.float64), None
        from theta_app.deep import network

        parameters, seconds = self._network()
        return network.embedding(parameters, self.X).astype(np.float64), seconds

    def _network(self):
        """(parameters of the autoencoder, CPU seconds)."""
        from theta_app.deep import checkpoints, training

        trial, path = self.trial, self.folder / "network.npz"
        fresh = training.fresh_parameters(self.X, trial.recipe, self.seed)
        saved = checkpoints.load(path, training.first_state(self.X, fresh, trial.recipe, trial.epochs))
        before = 0.0 if saved is None else saved.seconds
        began, written = time.process_time(), time.monotonic()
        steps = training.autoencoder(self.X, trial.recipe, trial.layer_epochs, trial.epochs, self.seed, saved)
        for part, epoch, total, state in steps:
            seconds = before + time.process_time() - began
            fresh_step = saved is None or state.epoch > saved.epoch
            if (
                state.optimiser is not None
                and fresh_step
                and (time.monotonic() - written > _SAVE_EVERY or epoch in (0, total))
            ):
                checkpoints.save(path, training.State(state.epoch, state.learnt, state.optimiser, state.loss, seconds))
                written = time.monotonic()
            if fresh_step:
                self._say(f"{part} {epoch}/{total}, loss {state.loss:.5f}, {seconds:.0f} CPU s")
        return state.learnt, seconds

    # ---- answers -----------------------------------------------------------------------------------------------------

    def _answer(self, space, method):
        from theta_app import metrics

        points = self._points(space)[0] if method == "evoc" else self._map(space)
        run = _clusterers(self.seed)[method]
        if run is None:
            self._say(f"{method} is not installed: left out")
            return
        run(points[:500])  # what is compiled on first use is not counted
        began = time.process_time()
        labels = run(points)
        seconds = time.process_time() - began
        found = {
            "n_clusters": len(set(labels[labels >= 0].tolist())),
            "accuracy": metrics.accuracy(self.truth, labels),
            "nmi": metrics.nmi(self.truth, labels),
            "seconds": seconds,
        }
        self._keep("rows", {"space": space, "method": method, **found})

    # ---- the paper's setting -----------------------------------------------------------------------------------------

    def _literal(self):
        """The 10 largest clusters of TDG at the paper's θ, then deep embedded clustering from there."""
        import numpy as np

        from theta_app import metrics
        from theta_app.deep import checkpoints, training
        from theta_app.engine import nearest, tdg
        from theta_app.paper import maps

        place = {**self._facts, "pretrain_epochs": self.trial.epochs}
        last = self.trial.refining if self.made is None else 0
        if maps.stored().has("literal", **place, epoch=last):
            return
        parameters = None if self.made is not None else self._network()[0]
        Z = self._points("autoencoder")[0]
        found = tdg(Z, PAPER_THETA, 50, self.seed)
        largest = np.argsort(-found.sizes, kind="stable")[:10]
        facts = {
            "pretrain_epochs": self.trial.epochs,
            "theta": PAPER_THETA,
            "n_clusters": len(found.sizes),
            "held": float(found.sizes[largest].sum() / len(Z)),
        }
        if len(largest) < 10 or parameters is None:  # the start is all there is to say
            labels = nearest(Z, found.centroids[largest])
            scores = {"accuracy": metrics.accuracy(self.truth, labels), "nmi": metrics.nmi(self.truth, labels)}
            self._keep("literal", {**facts, "epoch": 0, **scores})
            return
        path, centres = self.folder / "literal.npz", found.centroids[largest]
        like = next(training.refined(self.X, parameters, centres, self.trial.recipe, 0))[0]
        saved = checkpoints.load(path, like)
        steps = training.refined(self.X, parameters, centres, self.trial.recipe, self.trial.refining, self.seed, saved)
        for state, q in steps:
            labels = q.argmax(axis=1)
            scores = {"accuracy": metrics.accuracy(self.truth, labels), "nmi": metrics.nmi(self.truth, labels)}
            self._keep("literal", {**facts, "epoch": state.epoch, **scores})
            checkpoints.save(path, state)


def _clusterers(seed):
    """name -> labels of points, -1 for noise; None where it is not installed."""
    import importlib.util

    from sklearn.cluster import KMeans
    from sklearn.mixture import GaussianMixture

    from benchmarks.quality import methods
    from theta_app import ThetA

    def of(name):
        return lambda points: methods.METHODS[name].run(points).labels

    def evoc(points):
        from evoc import EVoC

        return EVoC(random_state=seed).fit_predict(points.astype("float32"))

    return {
        "theta": lambda points: ThetA(space="features", random_state=seed).fit_predict(points),
        "kmeans": lambda points: KMeans(10, n_init=20, random_state=seed).fit_predict(points),
        "mixture": lambda points: GaussianMixture(10, n_init=5, random_state=seed).fit_predict(points),
        "hdbscan": of("hdbscan"),
        "hdbscan-1": of("hdbscan-1"),
        "evoc": evoc if importlib.util.find_spec("evoc") else None,
    }


def _write(path, **arrays):
    import io

    import numpy as np

    from theta_app.engine.files import write_whole

    content = io.BytesIO()
    np.savez(content, **arrays)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, content.getvalue())


if __name__ == "__main__":
    main()
