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
from collections.abc import Sequence
from itertools import combinations

from runtime.experiment.leads import LEAD
from runtime.experiment.multiple_tests import ERROR
from runtime.experiment.share_intervals import ConfidenceInterval, Estimate, Spread, newcombe_interval, z_of
from runtime.experiment.side_difference import pairs_of, shares_of
from runtime.experiment.tally import PairedTally, Tally
from runtime.graph.frozen_dataclass import dataclass

AGREE, SIZE, DIRECTION = "no disagreement found", "disagree on the size", "disagree on the direction"


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two seatings on one share of a difference: how much more of it the second sees, and what that means.

    `side` is whose wins they are, NOBODY for drawn games, LEAD for the lead in levels.
    """

    rules: str
    than: str
    first: str
    second: str
    difference: Estimate
    verdict: str
    side: str


def compare_seatings(tally: Tally, players: Sequence[str], sides: Sequence[str]) -> list[Agreement]:
    """Compare every two seatings, for every pairing and share; that of the counted side comes first."""
    shares = [compared_shares(gaps, sides, tally.side) for gaps in tally.gaps]
    couples = list(combinations(range(len(players)), 2))
    error = ERROR / max(1, len(couples) * sum(map(len, shares)))
    found: list[Agreement] = []
    for number, pairing in enumerate(tally.pairings):
        for first, second in couples:
            gaps = tally.gaps[number][first], tally.gaps[number][second]
            for side in shares[number]:
                counts = tally.effect_sums(number, side, {first: -1, second: 1})
                if not counts:
                    continue
                difference = mean_effect(Spread.of(counts), side, 2, error)
                if side == LEAD:
                    effects = [next(iter(gap.leads.values())).change.student_interval(error) for gap in gaps]
                else:
                    effects = [newcombe_interval(pairs_of(gap.winners, side), error) for gap in gaps]
                found.append(
                    Agreement(
                        tally.stacks[pairing.second],
                        tally.stacks[pairing.first],
                        players[first],
                        players[second],
                        difference,
                        agreement_verdict(effects[0], effects[1], difference),
                        side,
                    )
                )
    return found


def mean_effect(spread: Spread, side: str, reach: int, error: float = ERROR) -> Estimate:
    """Return the mean of effects on a share, of which each differs from zero by `reach` at most, or on the LEAD."""
    if side == LEAD:
        return Estimate(spread.mean(), spread.student_interval(error))
    return Estimate(spread.mean(), spread.regularized(reach).normal_interval(z_of(error)))


def compared_shares(gaps: Sequence[PairedTally], sides: Sequence[str], counted: str) -> list[str]:
    """Return the shares on which seatings may disagree, of two complementary ones only the first, and LEAD."""
    winners = sum((Counter(gap.winners) for gap in gaps), Counter[tuple[str, str]]())
    others = [side for side in shares_of(winners, sides) if side != counted]
    is_lead_tested = any(lead.apart_from_winners for gap in gaps for lead in list(gap.leads.values())[:1])
    return [counted, *(others if len(others) > 1 else ()), *([LEAD] if is_lead_tested else ())]


def pooled_differences(tally: Tally) -> list[tuple[str, str, Estimate]]:
    """Return each difference over all seatings, with the games of one seed counted as one."""
    names, seats = tally.stacks, range(tally.seatings)
    sums = [tally.effect_sums(number, tally.side, dict.fromkeys(seats, 1)) for number in range(len(tally.pairings))]
    return [
        (names[second], names[first], mean_effect(Spread.of(counts), tally.side, len(seats)).divided(len(seats)))
        for (first, second), counts in zip(tally.pairings, sums, strict=True)
        if counts  # In one row at least no rules broke.
    ]


def agreement_verdict(first: ConfidenceInterval, second: ConfidenceInterval, difference: Estimate) -> str:
    """Return the verdict on whether two seatings agree; the intervals hold simultaneously for all comparisons."""
    if difference.interval.low <= 0 <= difference.interval.high:
        return AGREE
    if (first.low > 0 and second.high < 0) or (first.high < 0 and second.low > 0):
        return DIRECTION
    return SIZE
