"""Whether the players tried what is changed: how often each change was reached, offered and used in the games.

In: the changes between two stacks, and what was counted in the games of each (use_tracer.py). Out: a `ChangeUse` for
each change, the games of both stacks together, and what that comes to in a word.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from runtime.experiment.changes import CELL, CHART, COUNTER, DEFAULT, OFFERED, RULE, Changes

NEVER_OFFERED, NEVER_TAKEN, NEVER_ASKED, NEVER_LIVE = "never offered", "never taken", "never asked", "never live"
NEVER_REACHED, NEVER_IN_PLAY, USED = "never reached", "never in play", "used"
# What is asked: how often is counted in games, not in questions.
ASKED = frozenset({RULE, CELL, CHART, DEFAULT})

Used = Mapping[str, tuple[int, int, int]]


@dataclass(frozen=True, slots=True)
class ChangeUse:
    """A change, and what was made of it. `only`: "rules" or "than" if it stands in one of the stacks only, else "".

    `games`: those played under stacks in which it stands. Actions, phases, resolutions and what follows from events
    are counted each time; `preferred` and `no_preference` as in `Change`. Of rules, charts and counters the games in
    which they were asked for and live.
    """

    what: str
    name: str
    only: str
    games: int
    reached: int
    offered: int
    used: int
    preferred: bool = True
    no_preference: str = ""

    @property
    def use_state(self) -> str:
        """Return what that comes to."""
        if self.used:
            return USED
        if self.what in OFFERED:
            return NEVER_TAKEN if self.offered else NEVER_OFFERED
        if self.what in ASKED:
            return NEVER_LIVE if self.reached else NEVER_ASKED
        return NEVER_IN_PLAY if self.what == COUNTER else NEVER_REACHED


def change_uses(changes: Changes, first: Used, second: Used, games: tuple[int, int]) -> tuple[ChangeUse, ...]:
    """Sum up both stacks: `first` and `second` are what was counted in so many games of the one and of the other."""
    found = []
    for change in changes.watched:
        counts = [used.get(key, (0, 0, 0)) for used, key in ((first, change.here), (second, change.there)) if key]
        heard = sum(n for n, key in zip(games, (change.here, change.there), strict=True) if key)
        only = "rules" if not change.here else "than" if not change.there else ""
        reached, offered, used = map(sum, zip(*counts, strict=True))
        preferred = change.preferred, change.no_preference
        found.append(ChangeUse(change.what, change.name, only, heard, reached, offered, used, *preferred))
    return tuple(found)
