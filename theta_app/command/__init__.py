"""``theta-app``: the one command line.

``theta-app FILE ...`` opens the dashboard on files, ``theta-app cluster FILE`` clusters one without a browser. Nothing
is imported before it is needed: the second must not wait for Streamlit, and both can be interrupted from the start.
"""

import os
import sys

WRONG, INTERRUPTED, PIPE_CLOSED = 1, 130, 141
"""Exit codes beside 0, and beside 2 for options that are wrong: those of a shell for SIGINT and SIGPIPE."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    try:
        if arguments[:1] == ["cluster"]:
            from theta_app.command.clustering import run

            code = run(arguments[1:])
        else:
            from theta_app.command.dashboard import run

            code = run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # whoever read our output has left: nothing more is written there, not even when Python ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    return code
