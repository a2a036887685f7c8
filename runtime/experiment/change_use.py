"""Summarize whether the players used what is changed: how often each change was reached, offered and used.

The input is the changes between two stacks, and what was counted in the games of each (use_tracer.py); the output is a
`ChangeUse` for each change, for the games of both stacks together, with a classification.
"""

from collections.abc import Iterable, Mapping

from runtime.experiment.reachable_changes import CELL, CHART, COUNTER, DEFAULT, OFFERED, RULE, Changes, GraphChange
from runtime.experiment.use_tracer import side_key
from runtime.graph.frozen_dataclass import frozen_dataclass

NEVER_OFFERED, NEVER_TAKEN, NEVER_ASKED, NEVER_LIVE = "never offered", "never taken", "never asked", "never live"
NEVER_REACHED, NEVER_IN_PLAY, USED = "never reached", "never in play", "used"
# For things that are queried, games are counted, not questions.
ASKED = frozenset({RULE, CELL, CHART, DEFAULT})

UseCounts = Mapping[str, tuple[int, int, int]]


@frozen_dataclass
class ChangeUse:
    """A change with its use. `only`: "rules" or "than" if it is in one of the stacks only, else "".

    `games`: those under stacks that contain it. Actions, phases, resolutions and hooks are counted each time;
    `preferred` and `no_preference` as in `Change`, `used_by` the uses of an action by each side that used it. For
    rules, charts and counters, the games in which they were queried are counted, and those in which they were live (as
    `offered` and `used`).
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
    used_by: tuple[tuple[str, int], ...] = ()

    @property
    def use_state(self) -> str:
        """Return the classification of the use."""
        if self.used:
            return USED
        if self.what in OFFERED:
            return NEVER_TAKEN if self.offered else NEVER_OFFERED
        if self.what in ASKED:
            return NEVER_LIVE if self.reached else NEVER_ASKED
        if self.what == COUNTER:
            return NEVER_IN_PLAY
        return NEVER_REACHED


def change_uses(
    changes: Changes, first: UseCounts, second: UseCounts, games: tuple[int, int], sides: Iterable[str]
) -> tuple[ChangeUse, ...]:
    """Summarize both stacks: `first` and `second` are the counts in the games of each, `games` the numbers of games."""
    found = []
    for change in changes.watched:
        counts = [
            used.get(key, (0, 0, 0)) for used, key in ((first, change.first_key), (second, change.second_key)) if key
        ]
        game_count = sum(n for n, key in zip(games, (change.first_key, change.second_key), strict=True) if key)
        only = "rules" if not change.first_key else "than" if not change.second_key else ""
        reached, offered, used = map(sum, zip(*counts, strict=True))
        used_by = [(side, _times_used(change, first, second, side)) for side in sides]
        found.append(
            ChangeUse(
                change.kind, change.name, only, game_count, reached, offered, used, change.preferred,
                change.no_preference, tuple((side, times) for side, times in used_by if times),
            )
        )  # fmt: skip
    return tuple(found)


def _times_used(change: GraphChange, first: UseCounts, second: UseCounts, side: str) -> int:
    """Return how often a side took a changed action in the games of both stacks."""
    by_stack = (first, change.first_key), (second, change.second_key)
    return sum(counts[side_key(key, side)][2] for counts, key in by_stack if side_key(key, side) in counts)
