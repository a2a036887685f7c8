"""Suspend garbage collection during work that allocates many objects and releases few.

Trees, nodes and graphs contain no cycles worth collecting while they are built; the search for cycles takes a third of
the time of a compilation, and more the more objects are alive. Afterwards the new objects are moved to the oldest
generation without being traversed.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Disable garbage collection within the context."""
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


# True once objects have been frozen. Counting them traverses all of them; code that freezes objects never thaws them.
_SEEN: list[bool] = []


def _frozen() -> bool:
    if not _SEEN and gc.get_freeze_count():
        _SEEN.append(True)
    return bool(_SEEN)
