"""Hold the effects that a change has for two seatings against each other.

In: a tally and the names of the seatings. Out: an `Agreement` for every two of them.

Players disagree on the size of an effect where the interval of the difference between their effects, game by game,
excludes zero, and on its direction where, besides, the intervals of both lie on different sides of zero. Of all that is
said of disagreement anything is false in one experiment of 20 at most: each two players on each difference have an
equal part of the 5 percent (Bonferroni). If both effects are one, the first interval misses with that part; if they are
not, but have one direction, one end of the interval of either has to miss, each with half of it.
"""

from collections.abc import Sequence

from runtime.experiment.intervals import Estimate, Interval, newcombe_interval, z_of
from runtime.experiment.multiple_tests import ERROR
from runtime.experiment.side_difference import pairs_of
from runtime.experiment.tally import StackPair, Tally
from runtime.graph.frozen_dataclass import dataclass

# Two players are farthest apart where one wins by a rule what the other loses.
FARTHEST = 2

AGREE, SIZE, DIRECTION = "no disagreement found", "disagree on the size", "disagree on the direction"


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two seatings on one difference: how much more of it the second sees, and what that means."""

    rules: str
    than: str
    first: str
    second: str
    apart: Estimate
    verdict: str


def compare_seatings(tally: Tally, players: Sequence[str]) -> list[Agreement]:
    """Hold every two seatings against each other, for every pairing."""
    tests = sum(map(len, tally.apart))
    error = ERROR / max(1, tests)
    found: list[Agreement] = []
    for number, pairing in enumerate(tally.pairings):
        for (one, other), spread in tally.apart[number].items():
            if spread.n:
                apart = Estimate(spread.mean(), spread.regularized(FARTHEST).interval(z_of(error)))
                here, there = (
                    newcombe_interval(pairs_of(tally.gaps[number][seat].winners, tally.side), error)
                    for seat in (one, other)
                )
                found.append(
                    _agreement(
                        tally, pairing, (players[one], players[other]), apart, agreement_verdict(here, there, apart)
                    )
                )
    return found


def _agreement(tally: Tally, pairing: StackPair, who: tuple[str, str], apart: Estimate, said: str) -> Agreement:
    return Agreement(tally.stacks[pairing.second], tally.stacks[pairing.first], *who, apart, said)


def agreement_verdict(here: Interval, there: Interval, apart: Estimate) -> str:
    """Return whether two seatings agree; the intervals are those that hold for all that are compared."""
    if apart.interval.low <= 0 <= apart.interval.high:
        return AGREE
    if (here.low > 0 and there.high < 0) or (here.high < 0 and there.low > 0):
        return DIRECTION
    return SIZE
