"""Find the players who meet on both sides, and count the results of their duels.

The input is seatings, and pairs of games with one seed and exchanged sides; the output is a `DuelTally` for two players
under one stack. The advantage of a side, and much of the effect of the dice, is the same for both of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from runtime.experiment.intervals import Pairs, Spread, mcnemar_p
from runtime.experiment.plan import Seating


class Duel(NamedTuple):
    """A duel: `who` plays `side` in seating number `first`, and `turned` in number `second`; `whom` is the opponent."""

    who: str
    whom: str
    first: int
    side: str
    second: int
    turned: str


def list_duels(seatings: Sequence[Seating]) -> tuple[Duel, ...]:
    """Return the players of two-player games who exchange sides."""
    found: list[Duel] = []
    for (first, one), (second, other) in combinations(enumerate(seatings), 2):
        if len(one) != 2:
            continue
        (side, who), (turned, whom) = one
        if who != whom and other == ((side, whom), (turned, who)):
            found.append(Duel(who, whom, first, side, second, turned))
    return tuple(found)


@dataclass(slots=True)
class DuelTally:
    """Games of a duel under one stack. `level`: of both games of a pair together; `better`, `worse`: such pairs.

    `sided`: pairs in which one side won both games, whoever played it: the duel's `side`, and the other one.
    """

    won: int = 0
    lost: int = 0
    drawn: int = 0
    better: int = 0
    worse: int = 0
    level: Spread = field(default_factory=Spread)
    sided: tuple[int, int] = (0, 0)

    def add(self, here: int | Fraction, there: int | Fraction) -> None:
        """Count a pair of games by the level at which they were won, or lost (negative)."""
        for level in (here, there):
            self.won += level > 0
            self.lost += level < 0
            self.drawn += level == 0
        self.better += here + there > 0
        self.worse += here + there < 0
        self.level.add(here + there)
        self.sided = self.sided[0] + (here > 0 > there), self.sided[1] + (there > 0 > here)

    def pairs(self) -> Pairs:
        """Return the numbers of pairs with a better, a worse and an equal result."""
        return Pairs(0, self.worse, self.better, self.level.n - self.better - self.worse)

    def p_value(self) -> float:
        """Return the exact two-sided p of the sign test over pairs, which is McNemar's."""
        return mcnemar_p(self.pairs())
