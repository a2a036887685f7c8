"""Work that makes much and drops little, without a search for garbage among it every few hundred objects.

Trees, nodes and graphs hold no circles worth finding while they are made; looking for some takes a third of the time
of a compile, and more the more is kept.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Look for no garbage meanwhile."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
