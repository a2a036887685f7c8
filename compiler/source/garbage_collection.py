"""Work that makes much and drops little, without a search for garbage among it every few hundred objects.

Trees, nodes and graphs hold no circles worth finding while they are made; looking for some takes a third of the time
of a compile, and more the more is kept. What was made is then taken for old at once, unlooked at.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Look for no garbage meanwhile."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            if not _frozen():  # Else objects that other code froze would thaw.
                gc.freeze()
                gc.unfreeze()
            gc.enable()


# True, once objects have been frozen. To count them is to go through them all; code that freezes some never thaws them.
_SEEN: list[bool] = []


def _frozen() -> bool:
    if not _SEEN and gc.get_freeze_count():
        _SEEN.append(True)
    return bool(_SEEN)
