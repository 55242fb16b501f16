"""The process in which methods run: ``python -m theta_app.compare.worker``, started by `theta_app.compare.running`.

A scikit-learn fit cannot be interrupted, a process can be ended. Requests and answers are pickles over standard input
and output. The process ends when its input does, and when nobody has asked for `PATIENCE` seconds whether it is still
wanted: a closed browser tab must not leave a core busy.
"""

import os
import pickle
import queue
import sys
import threading
import time

PATIENCE = 20.0  # seconds without a sign of interest
UNWANTED = 75  # the exit code that says so

BEAT, POINTS, STEP = "beat", "points", "step"
READY, STARTED, DONE = "ready", "started", "done"


def main():
    serve(_measuring)


def _measuring():
    from theta_app.compare.steps import PointsAtHand, measured

    points = PointsAtHand()

    def handle(say, kind, number, content):
        if kind == POINTS:
            points.hand_over(*content)
            return
        say(STARTED, number)
        say(DONE, number, *measured(content, points))

    return handle


def serve(load):
    """Answer requests until nobody is there any more.

    ``load()`` imports what is needed, which takes a second, and gives ``handle(say, kind, number, content)``.
    """
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not run into the answers
    requests, seen = queue.SimpleQueue(), [time.monotonic()]
    threading.Thread(target=_listen, args=(sys.stdin.buffer, requests, seen), daemon=True).start()
    patience = float(sys.argv[1]) if len(sys.argv) > 1 else PATIENCE
    threading.Thread(target=_watch, args=(seen, patience), daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(2)  # the page comes first

    def say(*message):
        _say(answers, *message)

    handle = load()  # from here on somebody listens
    say(READY, None)
    while True:
        handle(say, *requests.get())


def _say(answers, *message):
    pickle.dump(message, answers, protocol=pickle.HIGHEST_PROTOCOL)
    answers.flush()


def _listen(stream, requests, seen):
    while True:
        try:
            message = pickle.load(stream)
        except (EOFError, pickle.UnpicklingError, OSError):
            os._exit(0)  # whoever asked is gone
        seen[0] = time.monotonic()
        if message[0] != BEAT:
            requests.put(message)


def _watch(seen, patience):
    while time.monotonic() - seen[0] < patience:
        time.sleep(min(1.0, patience / 2))
    os._exit(UNWANTED)


if __name__ == "__main__":
    main()
