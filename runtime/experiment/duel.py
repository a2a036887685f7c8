"""Find the players who meet on both sides, and count the results of their duels.

The input is seatings, and pairs of games with one seed and exchanged sides; the output is a `DuelTally` for two players
under one stack. The advantage of a side, and much of the effect of the dice, is the same for both of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from runtime.experiment.mean_interval import ERROR, ConfidenceInterval, mean_interval
from runtime.experiment.plan import Seating


class Duel(NamedTuple):
    """A duel: `player` plays `side` in seating `first` and `exchanged_side` in seating `second`, against `opponent`."""

    player: str
    opponent: str
    first: int
    side: str
    second: int
    exchanged_side: str


def list_duels(seatings: Sequence[Seating]) -> tuple[Duel, ...]:
    """Return the players of two-player games who exchange sides."""
    found: list[Duel] = []
    for (first, first_seating), (second, second_seating) in combinations(enumerate(seatings), 2):
        if len(first_seating) != 2:
            continue
        (side, player), (exchanged_side, opponent) = first_seating
        if player != opponent and second_seating == ((side, opponent), (exchanged_side, player)):
            found.append(Duel(player, opponent, first, side, second, exchanged_side))
    return tuple(found)


class DuelResults(NamedTuple):
    """The pairs of games of a duel: how many came out better for the player, worse, and equal."""

    better: int = 0
    worse: int = 0
    equal: int = 0

    @property
    def n(self) -> int:
        """Return the number of pairs."""
        return sum(self)

    @property
    def gain(self) -> float:
        """Return the share of better pairs less that of worse ones."""
        return (self.better - self.worse) / max(1, self.n)

    def with_pair(self, lead: int | float | Fraction) -> "DuelResults":
        """Count a pair, of which the player came out ahead by so much."""
        return DuelResults(self.better + (lead > 0), self.worse + (lead < 0), self.equal + (lead == 0))

    def gain_interval(self, error: float = ERROR) -> ConfidenceInterval:
        """Return the interval of the gain."""
        return mean_interval({1: self.better, 0: self.equal, -1: self.worse}, -1, 1, error)


@dataclass(slots=True)
class DuelTally:
    """Games of a duel under one stack, and the sum of the leads in levels of `player`.

    `sided`: pairs in which one side won both games, whoever played it: the duel's `side`, and the other one.
    """

    wins: int = 0
    losses: int = 0
    draws: int = 0
    pairs: DuelResults = field(default_factory=DuelResults)
    level_sum: int | Fraction = 0
    sided: tuple[int, int] = (0, 0)

    def add(self, first: int | Fraction, second: int | Fraction) -> None:
        """Count a pair of games by the level at which they were won, or lost (negative)."""
        for level in (first, second):
            self.wins += level > 0
            self.losses += level < 0
            self.draws += level == 0
        self.pairs = self.pairs.with_pair(first + second)
        self.level_sum += first + second
        self.sided = self.sided[0] + (first > 0 > second), self.sided[1] + (second > 0 > first)
