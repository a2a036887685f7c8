"""Borrow the workers of a Dask scheduler for an experiment.

In: the address of a scheduler of `distributed`, an optional extra. Out: a crew like any other.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from runtime.experiment.processes import LOOK_AGAIN, WorkerPool, WorkersLost

# A scheduler that is there answers at once; a minute of silence helps nobody.
PATIENCE = 10


class NoCluster(Exception):  # noqa: N818 - not an error of the program, but of an address.
    """Nobody answers there; the message says who."""


class ClusterNotInstalled(NoCluster):
    """The package `distributed` is not installed."""


def no_listener(_: str) -> None:
    """Tell nobody."""


@contextmanager
def connect_cluster(address: str, tell: Callable[[str], None] = no_listener) -> Iterator[WorkerPool]:
    """Connect to a scheduler; `tell` is told of workers that are gone while others are left."""
    try:
        from distributed import Client, KilledWorker  # noqa: PLC0415 -- an extra that few have
        from distributed.comm import CommClosedError  # noqa: PLC0415
    except ImportError:
        raise ClusterNotInstalled("distributed is not installed") from None
    try:
        client = Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as failure:
        raise NoCluster(f"no scheduler answers at {address}: {failure}") from None
    # What it has to say of a scheduler that is gone is a page of calls; `ClusterMonitor` says it in a line.
    for name in [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    with client:
        hands = sum(client.ncores().values())
        if not hands:
            raise NoCluster(f"the scheduler at {address} has no workers")
        watch = ClusterMonitor(client, address, tell)
        yield WorkerPool(client.get_executor(), hands, watch.check_workers, (KilledWorker, CommClosedError))


class ClusterMonitor:
    """Sees whether a scheduler and its workers are still there."""

    def __init__(self, client: Any, address: str, tell: Callable[[str], None]) -> None:
        """Count the workers that there are."""
        self.client = client
        self.address = address
        self.tell = tell
        self.workers = self.count()
        self.missed = 0  # how often in a row nobody was there

    def count(self) -> int:
        """Count the workers the scheduler knew of when it was last heard, which is every other second."""
        identity = self.client._scheduler_identity
        # Later versions count the workers and list few of them, or none.
        return int(identity.get("n_workers", len(identity.get("workers", ()))))

    def check_workers(self) -> None:
        """Report workers that are gone; raise `WorkersLost` if the scheduler is, or no worker comes back."""
        if self.client.status != "running":
            raise WorkersLost(f"the scheduler at {self.address} is gone")
        before, self.workers = self.workers, self.count()
        if not self.workers:
            self.missed += 1
            if self.missed == 1:
                self.tell(f"no worker of the scheduler at {self.address} is left; waiting whether one comes back")
            if self.missed * LOOK_AGAIN >= PATIENCE:
                raise WorkersLost(f"no worker of the scheduler at {self.address} is left")
            return
        self.missed = 0
        if self.workers < before:
            gone = f"{before - self.workers} of {before} workers are gone"
            self.tell(f"{gone}; their games are played anew by the others")
