"""The process in which a network is trained: ``python -m theta_app.compare.deep_worker``, started by `deep_live`."""

import time

import numpy as np

from theta_app import metrics
from theta_app.compare import worker
from theta_app.compare.deep_live import ENDED, FAILED, NOTE, PART, ROW, SPACE, Space
from theta_app.compare.deep_results import COLUMNS, typical
from theta_app.deep.checks import TrainingError, check, scale_of, scaled
from theta_app.deep.starts import STARTS, NoStart, start


def _training():
    from theta_app.deep import network, training  # takes two seconds

    def handle(say, kind, number, content):
        try:
            _train(network, training, say, *content)
        except (TrainingError, MemoryError) as error:
            say(FAILED, number, str(error) or "There is not enough memory for this. Take fewer points.")
        except Exception as error:  # a sentence, not a dead process: what was said before it stays
            say(FAILED, number, f"Training failed ({type(error).__name__}). What was done is shown.")
        else:
            say(ENDED, number)

    return handle


def _train(network, training, say, plan, X, truth):
    """One autoencoder, and the clustering from every start."""
    recipe = training.Recipe(plan.hidden, image=plan.image, shift=plan.shift, batch=64)
    check(X, plan.n_clusters, recipe)
    X = scaled(X, scale_of(X))
    done = 0
    epochs = training.autoencoder(X, recipe, plan.layer_epochs, plan.pretrain_epochs, plan.seed)
    for part, epoch, total, state in epochs:
        parameters = state.learnt
        done += epoch > 0
        say(PART, None, done, f"{_PARTS[part]}, epoch {epoch} of {total}")
    Z = network.embedding(parameters, X)
    say(SPACE, None, "", Space(Z))
    for name, label in STARTS.items():
        clock = time.process_time()
        say(PART, None, done, f"starting from {label}")
        try:
            begun = start(name, Z, plan.n_clusters, plan.seed)
        except NoStart as error:
            say(NOTE, None, name, str(error))
            continue
        for state, q in training.refined(X, parameters, begun.centres, recipe, plan.epochs, plan.seed):
            done += 1
            say(PART, None, done, f"{label}, epoch {state.epoch} of {plan.epochs}")
            say(ROW, None, _row(plan, name, state, q, truth, time.process_time() - clock))
            labels = q.argmax(axis=1)
            members = typical(q, np.arange(len(X)))
            say(SPACE, None, name, Space(network.embedding(state.learnt[0], X), labels, *members))


_PARTS = {"layers": "layers one by one", "autoencoder": "autoencoder"}


def _row(plan, name, state, q, truth, seconds):
    labels = q.argmax(axis=1)
    scores = (np.nan, np.nan) if truth is None else (metrics.accuracy(truth, labels), metrics.nmi(truth, labels))
    return dict(zip(COLUMNS, (plan.seed, name, state.epoch, state.loss, *scores, seconds), strict=True))


if __name__ == "__main__":
    worker.serve(_training)
