"""Borrow the workers of a Dask scheduler for an experiment.

In: the address of a scheduler of `distributed`, an optional extra. Out: an executor as `spread` takes it,
and how many cores stand behind it.
"""

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

# A scheduler that is there answers at once; a minute of silence helps nobody.
PATIENCE = 10


class NoCluster(Exception):  # noqa: N818 - not an error of the program, but of an address.
    """Nobody answers there, or the extra is not installed; the message says which."""


@contextmanager
def cluster(address: str) -> Iterator[tuple[Executor, int]]:
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
        yield client.get_executor(), max(1, sum(client.ncores().values()))
