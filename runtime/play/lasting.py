"""Tell the collector of garbage once what stays for good.

The rules of a game are some hundred thousand small things that never change and never go. Without this the collector
looks through all of them every few games, which takes a tenth of the time of play.
"""

import gc
from functools import cache


@cache
def stay_for_good() -> None:
    """Leave what is loaded by now out of all later collections; once a process, so that no later game is held on to."""
    gc.freeze()
