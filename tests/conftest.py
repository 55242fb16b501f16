"""What holds for every test."""

import os
import tempfile

# Sweeps of built-in sets are kept on disk: tests have a folder of their own, so that nothing is left from another run.
os.environ["THETA_CACHE"] = tempfile.mkdtemp(prefix="theta-tests-")
