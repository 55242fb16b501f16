"""The same algorithms over Dask, for points that one machine does not hold: ``pip install 'theta-app[distributed]'``.

Imported only when it is used; without Dask the import says what to install.
"""

try:
    import dask.array
    import dask.dataframe
    import distributed
except ImportError as error:
    raise ImportError(
        "theta_app.distributed needs Dask, which is not installed here: pip install 'theta-app[distributed]'"
    ) from error

from theta_app.distributed.algorithms import BY_PART, BY_SHUFFLE, DistributedResult, nearest, tdg, tsg_parts
from theta_app.distributed.cluster import DistributedError, connect, on_this_machine
from theta_app.distributed.parts import Found
from theta_app.distributed.sweeping import sweep
