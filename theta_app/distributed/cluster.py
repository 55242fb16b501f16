"""The cluster: reaching one, what its workers can hold, and sentences for what goes wrong with it."""

import asyncio
import contextlib
import socket
from collections.abc import Iterator

import dask
from distributed import Client, KilledWorker, LocalCluster
from distributed.client import FutureCancelledError
from distributed.comm import CommClosedError, get_address_host_port

PATIENCE = "10s"  # until a scheduler has to answer
_QUIET = {  # Dask looks at itself a hundred times a second, on the cores that compute
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "500ms",
    "distributed.admin.system-monitor.interval": "2s",
}
GONE = (OSError, TimeoutError, asyncio.TimeoutError, CommClosedError, FutureCancelledError)
"""What is raised when a scheduler cannot be reached, or no longer."""


class DistributedError(RuntimeError):
    """Work on a cluster that cannot go on; the message is a sentence for the person who started it."""


def connect(address: str) -> Client:
    """A client of the scheduler at an address such as tcp://127.0.0.1:8786. DistributedError if nobody answers."""
    try:
        _knock(address)
        return Client(address, timeout=PATIENCE, set_as_default=False)
    except (*GONE, ValueError) as error:
        raise DistributedError(
            f"No Dask scheduler answers at {address}. Start one with `dask scheduler`, and workers with "
            f"`dask worker {address}`, or leave the address out to use this machine alone."
        ) from error


def _knock(address: str) -> None:
    """Fail at once where nobody listens: a client would go on asking until its patience ends."""
    with contextlib.suppress(ValueError):  # no address of a network, such as inproc://
        socket.create_connection(get_address_host_port(address), timeout=3).close()


def on_this_machine(
    workers: int | None = None, threads: int = 1, memory_limit: str | int = "auto", processes: bool = True
) -> contextlib.AbstractContextManager[Client]:
    """A cluster of processes on this machine, as a context manager: ``with on_this_machine() as client``."""

    @contextlib.contextmanager
    def opened() -> Iterator[Client]:
        options = {"threads_per_worker": threads, "memory_limit": memory_limit, "dashboard_address": "127.0.0.1:0"}
        with (
            dask.config.set(_QUIET),
            LocalCluster(workers, processes=processes, **options) as cluster,
            _client(cluster) as client,
        ):
            yield client

    return opened()


def _client(cluster: LocalCluster) -> Client:
    return Client(cluster, set_as_default=False)


@contextlib.contextmanager
def in_use(client: Client | None) -> Iterator[Client]:
    """The client given, else the current one of Dask, else threads of this process while it lasts."""
    client = client or current_client()
    if client is not None:
        yield client
        return
    with on_this_machine(workers=1, threads=_cores(), memory_limit=0, processes=False) as own:
        yield own


def current_client() -> Client | None:
    """The client that Dask would use, or None."""
    try:
        return Client.current()
    except ValueError:
        return None


def _cores() -> int:
    from os import cpu_count

    return cpu_count() or 1


_WORKERS_START = 5.0  # seconds that workers get to register with the scheduler


def worker_memory(client: Client) -> int:
    """Bytes that the smallest worker may use."""
    import psutil

    try:
        client.wait_for_workers(1, timeout=_WORKERS_START)
    except TimeoutError:
        raise DistributedError("The scheduler has no workers. Start some with `dask worker` and its address.") from None
    workers = client.scheduler_info(n_workers=-1)["workers"].values()
    return min(worker["memory_limit"] or psutil.virtual_memory().total for worker in workers)


def threads(client: Client) -> int:
    """Tasks that run at once."""
    return max(1, sum(client.nthreads().values()))


@contextlib.contextmanager
def in_words() -> Iterator[None]:
    """What a cluster raises, as a DistributedError with a sentence."""
    try:
        yield
    except KilledWorker as error:
        raise DistributedError(
            "Several workers died with the same piece of work, most likely because it needs more memory than they "
            "have. Use smaller parts, or workers with more memory."
        ) from error
    except GONE as error:
        raise DistributedError(
            "The Dask scheduler stopped before the work was done. Start it again and repeat; finished work is kept."
        ) from error
