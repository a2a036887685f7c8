"""Tell the collector of garbage once what stays for good, and how seldom it need look.

The rules of a game are some hundred thousand small things that never change and never go. Without this the collector
looks through all of them every few games, which takes a tenth of the time of play. What a game makes goes by itself
when the game does, and so far it lasts: who looks after every few decisions finds nothing, and takes a twentieth.
"""

import gc
from functools import cache

# So many things more than have gone are made before the collector looks; Python itself looks after 700.
MADE = 10_000


@cache
def stay_for_good() -> None:
    """Leave what is loaded by now out of all later collections; once a process, so that no later game is held on to."""
    gc.freeze()
    collect_seldom()


def collect_seldom() -> None:
    """Have the collector look after more is made than Python lets it."""
    young, *older = gc.get_threshold()
    if young:  # Somebody may have switched it off.
        gc.set_threshold(max(young, MADE), *older)
