"""Compile every kernel once: ``python -m theta_app.engine``."""

import sys

from theta_app.engine import ahead

if __name__ == "__main__":
    ahead.many_features() if sys.argv[1:] == ["many"] else ahead.compile_kernels()
