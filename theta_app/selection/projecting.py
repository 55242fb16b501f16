"""t-SNE and UMAP in a process of their own, ``python -m theta_app.selection.projecting``: neither can be interrupted
where it runs, a process can be ended. It says how far it is.
"""

import contextlib
import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]


class Projecting:
    """A projection on its way: `done` of `total` steps, until `run` returns its places."""

    def __init__(self, X, method):
        self.X, self.method = X, method
        self.done, self.total = 0, 0
        self.stopped = threading.Event()
        self._process = None

    def run(self):
        """The places (n, 2), as ``project``; None where it was stopped. ValueError with a sentence where it failed."""
        paths = [str(_ROOT), os.environ.get("PYTHONPATH", "")]
        command = [sys.executable, "-m", "theta_app.selection.projecting"]
        env = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        with subprocess.Popen(command, env=env, **pipes) as process:
            self._process = process
            try:
                if self.stopped.is_set():
                    return None
                return self._talk(process)
            except (EOFError, OSError, pickle.UnpicklingError) as error:
                if self.stopped.is_set():
                    return None
                raise ValueError("The process that drew the points ended; it may need more memory.") from error
            finally:
                process.kill()

    def stop(self):
        self.stopped.set()
        if self._process is not None:
            with contextlib.suppress(OSError):
                self._process.kill()

    def _talk(self, process):
        pickle.dump((self.X, self.method), process.stdin, protocol=pickle.HIGHEST_PROTOCOL)
        process.stdin.flush()
        while True:
            kind, content = pickle.load(process.stdout)
            if kind == "done":
                content.flags.writeable = False
                return content
            if kind == "failed":
                raise ValueError(content)
            self.done, self.total = content


def main():
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not run into the answers
    if hasattr(os, "nice"):
        os.nice(5)  # the page comes first

    def say(kind, content):
        pickle.dump((kind, content), answers, protocol=pickle.HIGHEST_PROTOCOL)
        answers.flush()

    X, method = pickle.load(sys.stdin.buffer)
    threading.Thread(target=_end_with_input, daemon=True).start()
    from theta_app.selection.projection import project

    try:
        say("done", project(X, method, progress=lambda *steps: say("steps", steps)))
    except Exception as error:  # said on the page
        say("failed", str(error) or type(error).__name__)


def _end_with_input():
    sys.stdin.buffer.read()
    os._exit(0)  # whoever asked is gone


if __name__ == "__main__":
    main()
