"""Compare the effects that a change has under two seatings.

In: a tally and the names of the seatings. Out: an `Agreement` for every two of them, on each share: the wins of the
counted side, and where games are drawn or there are three sides also those of the others, and the draws; and on the
lead in levels of the counted side, where levels tell more than who wins.

Players disagree on the size of an effect where the interval of the difference between their effects, game by game,
excludes zero, and on its direction where, besides, the intervals of both lie on different sides of zero. Of all that is
said of disagreement anything is false in one experiment of 20 at most: each two players on each share of a difference
have an equal part of the 5 percent (Bonferroni). If both effects are one, the first interval misses with that part; if
they are not, but have one direction, one end of the interval of either has to miss, each with half of it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from runtime.experiment.multiple_tests import ERROR
from runtime.experiment.share_intervals import ConfidenceInterval, Estimate, Spread, newcombe_interval, z_of
from runtime.experiment.side_difference import pairs_of, shares_of
from runtime.experiment.tally import PairedTally, Quartet, Tally
from runtime.graph.frozen_dataclass import dataclass

# What an effect may differ by under two seatings.
ANYTHING = ConfidenceInterval(-2.0, 2.0)
# Two players differ most where one wins because of a rule what the other loses.
FARTHEST = 2

# In place of a side: the lead in levels of the counted one.
LEAD = "lead in levels"

AGREE, SIZE, DIRECTION = "no disagreement found", "disagree on the size", "disagree on the direction"


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two seatings on one share of a difference: how much more of it the second sees, and what that means.

    `side` is whose wins they are, NOBODY for drawn games, LEAD for the lead in levels. `by_itself` is the interval of
    the difference as if no other two were compared.
    """

    rules: str
    than: str
    first: str
    second: str
    difference: Estimate
    verdict: str
    side: str
    by_itself: ConfidenceInterval = ANYTHING


def compare_seatings(tally: Tally, players: Sequence[str], sides: Sequence[str]) -> list[Agreement]:
    """Compare every two seatings, for every pairing and share; that of the counted side comes first."""
    shares = [_shares(gaps, sides, tally.side) for gaps in tally.gaps]
    tests = sum(
        len(pairing_shares) * len(difference) for pairing_shares, difference in zip(shares, tally.quartets, strict=True)
    )
    error = ERROR / max(1, tests)
    found: list[Agreement] = []
    for number, pairing in enumerate(tally.pairings):
        for (first, second), quartets in tally.quartets[number].items():
            for side in shares[number] if quartets else ():
                gaps = tally.gaps[number][first], tally.gaps[number][second]
                if side == LEAD:
                    spread = tally.lead_gaps[number][first, second]
                    difference, by_itself = spread.student_interval(error), spread.student_interval()
                    effects = [next(iter(gap.leads.values())).change.student_interval(error) for gap in gaps]
                else:
                    spread = _spread_apart(quartets, side)
                    regularized = spread.regularized(FARTHEST)
                    difference, by_itself = regularized.normal_interval(z_of(error)), regularized.normal_interval()
                    effects = [newcombe_interval(pairs_of(gap.winners, side), error) for gap in gaps]
                estimate = Estimate(spread.mean(), difference)
                found.append(
                    Agreement(
                        tally.stacks[pairing.second],
                        tally.stacks[pairing.first],
                        players[first],
                        players[second],
                        estimate,
                        agreement_verdict(effects[0], effects[1], estimate),
                        side,
                        by_itself,
                    )
                )
    return found


def _shares(gaps: Sequence[PairedTally], sides: Sequence[str], counted: str) -> list[str]:
    """Return the shares on which seatings may disagree, of two complementary ones only the first, and LEAD."""
    winners = sum((Counter(gap.winners) for gap in gaps), Counter[tuple[str, str]]())
    others = [side for side in shares_of(winners, sides) if side != counted]
    is_lead_tested = any(lead.apart_from_winners for gap in gaps for lead in list(gap.leads.values())[:1])
    return [counted, *(others if len(others) > 1 else ()), *([LEAD] if is_lead_tested else ())]


def _spread_apart(quartets: Mapping[Quartet, int], side: str) -> Spread:
    """Collect how much more often a side wins by a change with the second players than with the first."""
    spread = Spread()
    for ((before, after), (earlier, later)), times in quartets.items():
        effects = (after == side) - (before == side), (later == side) - (earlier == side)
        spread.add(effects[1] - effects[0], times)
    return spread


def agreement_verdict(first: ConfidenceInterval, second: ConfidenceInterval, difference: Estimate) -> str:
    """Return the verdict on whether two seatings agree; the intervals hold simultaneously for all comparisons."""
    if difference.interval.low <= 0 <= difference.interval.high:
        return AGREE
    if (first.low > 0 and second.high < 0) or (first.high < 0 and second.low > 0):
        return DIRECTION
    return SIZE
