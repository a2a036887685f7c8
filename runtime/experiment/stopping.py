"""When an experiment may end before its last game.

In: what has been counted, after so many games. Out: why to stop, or "" to go on. One looks after every
LOOK games, whoever plays them, so the number of games played is part of the result.

`width`: once every interval of a difference is narrower than that. Stopping by the width of an interval
and not by where it lies keeps it honest: fixed-width sequential intervals cover as often as they say as
the width goes to nothing (Y. S. Chow and H. Robbins, Ann. Math. Stat. 36, 1965, 457-462); LEAST keeps
small samples from stopping by luck.
`decided`: once the evidence about every difference is enough (evidence.py), which may be looked at always.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from runtime.experiment.evidence import decided
from runtime.experiment.intervals import Pairs, newcombe

LOOK = 20
LEAST = 60

NEVER, WIDTH, DECIDED = "", "width", "decided"


@dataclass(frozen=True, slots=True)
class Until:
    """A rule to stop by: `rule` is NEVER, WIDTH or DECIDED."""

    rule: str = NEVER
    width: float = 0.0


def looks(until: Until, games: int) -> bool:
    """Tell whether one looks after this many games."""
    least = LEAST if until.rule == WIDTH else LOOK
    return until.rule != NEVER and games >= least and games % LOOK == 0


def reason(until: Until, differences: Sequence[Pairs]) -> str:
    """Say why to stop."""
    if not differences:
        return ""
    if until.rule == WIDTH:
        widest = max(high - low for low, high in map(newcombe, differences))
        return f"every interval is narrower than {until.width:g}" if widest <= until.width else ""
    if until.rule == DECIDED and all(map(decided, differences)):
        return "the evidence is enough"
    return ""
