"""Tuning of the garbage collector for long runs of games.

The rules of a game are some hundred thousand immutable objects. Without this the collector traverses them every few
games, which takes a tenth of the time of play. The objects of a game are freed by reference counting when the game
ends, so that frequent young collections find nothing and take a twentieth.
"""

import gc
from functools import cache

# The threshold of allocations over deallocations; Python's default is 700.
MADE = 10_000


@cache
def exempt_objects() -> None:
    """Exempt all current objects from collection; once per process, so that no later game is retained."""
    gc.freeze()
    collect_seldom()


def collect_seldom() -> None:
    """Raise the threshold of young collections."""
    first_threshold, *other_thresholds = gc.get_threshold()
    if first_threshold:  # 0: the collector is switched off.
        gc.set_threshold(max(first_threshold, MADE), *other_thresholds)
