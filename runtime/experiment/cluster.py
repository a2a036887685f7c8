"""Borrow the workers of a Dask scheduler for an experiment.

In: the address of a scheduler of `distributed`, an optional extra. Out: a crew like any other.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from runtime.experiment.crew import Crew

# A scheduler that is there answers at once; a minute of silence helps nobody.
PATIENCE = 10


class NoCluster(Exception):  # noqa: N818 - not an error of the program, but of an address.
    """Nobody answers there, or the extra is not installed; the message says which."""


@contextmanager
def cluster(address: str) -> Iterator[Crew]:
    """Connect to a scheduler."""
    try:
        from distributed import Client  # noqa: PLC0415 -- an extra that few have
    except ImportError:
        raise NoCluster("this needs the extra `cluster`: pip install 'rulewright[cluster]'") from None
    try:
        client = Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as failure:
        raise NoCluster(f"no scheduler answers at {address}: {failure}") from None
    with client:
        workers = sum(client.ncores().values())
        if not workers:
            raise NoCluster(f"the scheduler at {address} has no workers")
        yield Crew(client.get_executor(), workers)
