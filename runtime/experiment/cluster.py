"""Run an experiment on the workers of a Dask scheduler.

The input is the address of a scheduler of `distributed`, an optional extra; the output is a worker pool like any other.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from runtime.experiment.processes import LOOK_AGAIN, WorkerPool, WorkersLost

# A running scheduler answers at once; waiting for a minute would not help.
TIMEOUT = 10
# The packages that log a lost connection.
REPORTING = ("distributed", "tornado", "asyncio")


class NoCluster(Exception):  # noqa: N818 - not an error of the program, but of an address.
    """No scheduler answers; the message contains its address."""


class ClusterNotInstalled(NoCluster):
    """The package `distributed` is not installed."""


def no_listener(_: str) -> None:
    """Ignore messages."""


@contextmanager
def connect_cluster(address: str, tell: Callable[[str], None]) -> Iterator[WorkerPool]:
    """Connect to a scheduler; `tell` is called when workers are lost while others are left."""
    try:
        from distributed import Client, KilledWorker  # noqa: PLC0415 -- an extra that few have
        from distributed.comm import CommClosedError  # noqa: PLC0415
    except ImportError:
        raise ClusterNotInstalled("distributed is not installed") from None
    try:
        client = Client(address, timeout=TIMEOUT)
    except (OSError, ValueError) as failure:
        raise NoCluster(f"no scheduler answers at {address}: {failure}") from None
    # Their own reports of a lost scheduler are pages of calls; that of `ClusterMonitor` is one line.
    for name in [name for name in logging.root.manager.loggerDict if name.startswith(REPORTING)]:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    with client:
        workers = sum(client.ncores().values())
        if not workers:
            raise NoCluster(f"the scheduler at {address} has no workers")
        watch = ClusterMonitor(client, address, tell)
        yield WorkerPool(client.get_executor(), workers, watch.check_workers, (KilledWorker, CommClosedError))


class ClusterMonitor:
    """A monitor of a scheduler and its workers."""

    def __init__(self, client: Any, address: str, tell: Callable[[str], None]) -> None:
        """Count the available workers."""
        self.client = client
        self.address = address
        self.report = tell
        self.workers = self.worker_count()
        self.missed_checks = 0  # the number of consecutive checks without a worker

    def worker_count(self) -> int:
        """Return the number of workers that the scheduler last reported, which it does every other second."""
        identity = self.client._scheduler_identity
        # Later versions count the workers and list few of them, or none.
        return int(identity.get("n_workers", len(identity.get("workers", ()))))

    def check_workers(self) -> None:
        """Report lost workers; raise `WorkersLost` if the scheduler is lost, or no worker comes back."""
        if self.client.status != "running":
            raise WorkersLost(f"the scheduler at {self.address} is gone")
        before, self.workers = self.workers, self.worker_count()
        if not self.workers:
            self.missed_checks += 1
            if self.missed_checks == 1:
                self.report(f"no worker of the scheduler at {self.address} is left; waiting whether one comes back")
            if self.missed_checks * LOOK_AGAIN >= TIMEOUT:
                raise WorkersLost(f"no worker of the scheduler at {self.address} is left")
            return
        self.missed_checks = 0
        if self.workers < before:
            loss_text = f"{before - self.workers} of {before} workers are gone"
            self.report(f"{loss_text}; their games are played anew by the others")
