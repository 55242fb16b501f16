"""Deep embedded clustering while somebody looks on: trained in a process of its own, epoch by epoch, stopped at will.

`DeepRun` starts the process (`theta_app.compare.deep_worker`) and collects what it says. Whatever has been said when it
ends, whyever it ends, stays.
"""

import threading
import weakref
from dataclasses import dataclass, field, replace

import numpy as np

from theta_app.compare import worker
from theta_app.compare.running import SLOTS, Worker
from theta_app.deep.starts import STARTS

MOST_POINTS = 5_000  # more are sampled: it should take about a minute
TRAIN = "train"
PART, ROW, SPACE, NOTE, ENDED, FAILED = "part", "row", "space", "note", "ended", "failed"
_DIED = "The process that trained it ended; it may have needed more memory than there is. What was done is shown."
_FORGOTTEN = "Nobody looked for a while, so the training was ended. What was done is shown."


@dataclass(frozen=True)
class LivePlan:
    """What to train.

    Attributes
    ----------
    n_clusters, seed : int
    image : (rows, columns) or None
        Where a point is a picture.
    hidden : tuple of int
        Narrower than for the stored runs, so that it takes a minute.
    layer_epochs, pretrain_epochs, epochs : int
        Of each layer alone, of the autoencoder, and of the clustering from each start.
    """

    n_clusters: int = 10
    seed: int = 0
    image: tuple | None = None
    hidden: tuple = (256, 256, 512)
    layer_epochs: int = 10
    pretrain_epochs: int = 60
    epochs: int = 15

    @classmethod
    def of_length(cls, epochs, **chosen):
        """A plan with so many epochs of the autoencoder, and of each layer in proportion."""
        layer_epochs = max(1, round(epochs * cls.layer_epochs / cls.pretrain_epochs))
        return cls(**chosen, layer_epochs=layer_epochs, pretrain_epochs=epochs)

    @property
    def shift(self):
        """Pixels by which pictures are moved: small ones lose too much at their edges."""
        return 2 if self.image is not None and min(self.image) >= 20 else 0

    @property
    def total(self):
        """Epochs in all."""
        return self.layer_epochs * (len(self.hidden) + 1) + self.pretrain_epochs + len(STARTS) * (self.epochs + 1)


@dataclass(frozen=True, eq=False)
class Space:
    """The latent space at one time.

    Attributes
    ----------
    Z : (n, latent) float32 array
    labels : (n,) array of int or None
        None before any clustering.
    most, least : (K, m) array of int or None
        Each cluster's most and least typical members.
    """

    Z: np.ndarray
    labels: np.ndarray | None = None
    most: np.ndarray | None = None
    least: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class LiveResult:
    """What has been done so far.

    Attributes
    ----------
    rows : tuple of dict
        One per start and epoch: `deep_results.COLUMNS`; accuracy and nmi are NaN where there is no truth.
    spaces : dict of str -> Space
        "" before any clustering, and each start's after its last epoch so far.
    done : int
        Epochs done.
    now : str
        What is being done.
    notes : dict of str -> str
        Why a start could not be made, by start.
    trouble : str
        Why the run ended early; empty where it did not.
    """

    rows: tuple = ()
    spaces: dict = field(default_factory=dict)
    done: int = 0
    now: str = "getting ready"
    notes: dict = field(default_factory=dict)
    trouble: str = ""


class DeepRun:
    """A training on its way. Nothing here waits: whoever shows it calls `poll` a few times per second.

    Parameters
    ----------
    plan : LivePlan
    X : (n, d) array
    truth : (n,) array of int, or None
    """

    def __init__(self, plan, X, truth=None):
        self.plan = plan
        self.result = LiveResult()
        self.active = True
        self._task = (plan, np.asarray(X), truth)
        self._worker = None
        self._lock = threading.Lock()  # two script runs of one session may poll at once

    @property
    def waiting(self):
        """True while others hold all the workers this machine has."""
        return self.active and self._worker is None

    def poll(self):
        """The `LiveResult` so far."""
        with self._lock:
            if self.active and self._have_worker():
                self._worker.tell(worker.BEAT)
                ended = self._worker.process.poll()  # before listening: its last words are then among those heard
                for message in self._worker.heard():
                    self._take(*message)
                if self.active and ended is not None:
                    self._end(_FORGOTTEN if ended == worker.UNWANTED else _DIED)
            return self.result

    def stop(self):
        """End at once; what has been done stays."""
        with self._lock:
            if self.active:
                self._end("Stopped. What was done until then is shown.")

    def _have_worker(self):
        if self._worker is None:
            if not SLOTS.acquire(blocking=False):
                return False
            self._worker = Worker(module="theta_app.compare.deep_worker")
            self._release = weakref.finalize(self, SLOTS.release)
            self._worker.tell(TRAIN, None, self._task)
            self._task = None
        return True

    def _take(self, kind, _, *content):
        found = self.result
        if kind == PART:
            done, now = content
            found = replace(found, done=done, now=now)
        elif kind == ROW:
            found = replace(found, rows=(*found.rows, *content))
        elif kind == SPACE:
            name, space = content
            found = replace(found, spaces={**found.spaces, name: space})
        elif kind == NOTE:
            name, sentence = content
            found = replace(found, notes={**found.notes, name: sentence})
        self.result = found
        if kind in (ENDED, FAILED):
            self._end(*content)

    def _end(self, trouble=""):
        self.active = False
        self.result = replace(self.result, trouble=trouble, now="")
        if self._worker is not None:
            self._worker.end()
            self._worker = None
            self._release()
