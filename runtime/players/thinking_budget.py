"""The budget of a planning player: simulated games or decisions, or seconds."""

import re
from collections.abc import Callable
from typing import NamedTuple

from runtime.players.simulation import Simulation

# Seconds that a budget may have, and how they are written.
LEAST_SECONDS, MOST_SECONDS = 0.01, 600
SECONDS = re.compile(r"(\d{1,3}(?:\.\d{1,3})?)s", re.ASCII)

# A clock: returns seconds. The caller owns it, so that nothing else in the runtime depends on the hour.
ClockFunction = Callable[[], float]


class ThinkingBudget(NamedTuple):
    """What a player may spend on an action: only a budget that is not in seconds makes games repeatable."""

    amount: float
    in_seconds: bool = False

    def meter_reading(self, simulation: Simulation, clock: ClockFunction | None) -> float:
        """Return the reading of the meter: the games of a simulation, or the seconds of a clock."""
        if not self.in_seconds:
            return simulation.games
        assert clock is not None  # `player_named` makes no player on the clock without one.
        return clock()


def parsed_budget(text: str, largest: int, *, admits_seconds: bool) -> ThinkingBudget | None:
    """Parse a budget; None if it is none, or is out of bounds."""
    if text.isdecimal() and text.isascii() and len(text) <= len(str(largest)):
        return ThinkingBudget(int(text)) if 0 < int(text) <= largest else None
    if admits_seconds and (found := SECONDS.fullmatch(text)) and LEAST_SECONDS <= float(found[1]) <= MOST_SECONDS:
        return ThinkingBudget(float(found[1]), in_seconds=True)
    return None
