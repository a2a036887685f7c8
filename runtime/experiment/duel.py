"""Find the players who meet on both sides, and count the results of their duels.

The input is seatings, and pairs of games with one seed and exchanged sides; the output is a `DuelTally` for two players
under one stack. The advantage of a side, and much of the effect of the dice, is the same for both of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from runtime.experiment.plan import Seating
from runtime.experiment.share_intervals import PairedResults, Spread, mcnemar_p


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


@dataclass(slots=True)
class DuelTally:
    """Games of a duel under one stack. `level`: of both games of a pair together; `better`, `worse`: such pairs.

    `sided`: pairs in which one side won both games, whoever played it: the duel's `side`, and the other one.
    """

    wins: int = 0
    losses: int = 0
    draws: int = 0
    better: int = 0
    worse: int = 0
    level: Spread = field(default_factory=Spread)
    sided: tuple[int, int] = (0, 0)

    def add(self, first: int | Fraction, second: int | Fraction) -> None:
        """Count a pair of games by the level at which they were won, or lost (negative)."""
        for level in (first, second):
            self.wins += level > 0
            self.losses += level < 0
            self.draws += level == 0
        self.better += first + second > 0
        self.worse += first + second < 0
        self.level.add(first + second)
        self.sided = self.sided[0] + (first > 0 > second), self.sided[1] + (second > 0 > first)

    def pairs(self) -> PairedResults:
        """Return the numbers of pairs with a better, a worse and an equal result."""
        return PairedResults(0, self.worse, self.better, self.level.n - self.better - self.worse)

    def p_value(self) -> float:
        """Return the exact two-sided p of the sign test over pairs, which is McNemar's."""
        return mcnemar_p(self.pairs())
