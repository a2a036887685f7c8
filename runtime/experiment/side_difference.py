"""Compute how often each side wins under two stacks, how often games are drawn, and what may be claimed of all that.

The input is for each pair of games the winner of either; the output is a `SideDifference` for each share: the wins of a
side, and the drawn games where any are drawn. The wins of one side do not determine those of another then: a change may
leave the first unchanged and turn draws into wins of the second, help both alike, or only increase draws at the cost of
both, of neither of which a loss need be shown. So all shares are tested, together with all differences of an experiment
(`adjust_differences`): each difference has an equal part of the 5 percent, and within it the claims are tested
together, that a share changes, that it changes by less than the margin, and that the lead in levels changes
(joint_claims.py).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from runtime.experiment.equivalence import evidence_of_less, evidence_of_more, pairs_showing_same
from runtime.experiment.joint_claims import (
    OF_LEVELS,
    change_adjusted,
    evidence_adjusted,
    evidence_beside_levels,
    evidence_of_all,
    p_beside_levels,
    p_of_least,
    same_adjusted,
)
from runtime.experiment.level_difference import LevelDifference
from runtime.experiment.multiple_tests import ERROR, p_from_log
from runtime.experiment.sequential_evidence import evidence_of_difference, share_any_time
from runtime.experiment.share_intervals import ConfidenceInterval, PairedResults, mcnemar_p, newcombe_interval
from runtime.experiment.statistical_power import pairs_needed, share_apart

ANYTHING = ConfidenceInterval(-1.0, 1.0)
# The winners of the games of both stacks, NOBODY for a draw, and the number of such pairs.
WinCounts = Mapping[tuple[str, str], int]
NOBODY = ""


class NeededPairs(NamedTuple):
    """The pairs that establish an effect of the observed size (0 if none was) and one of the margin, among all claims.

    `for_same`: those that show that there is no effect of the margin; 0 if an effect was observed.
    """

    for_seen: int
    for_margin: int
    for_same: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SideDifference:
    """The share of wins of a side (of drawn games: NOBODY), under the later rules minus the earlier.

    `evidence` is the logarithm of that against "there is no difference", `evidence_not_more` and `evidence_not_less` of
    that against one of the margin or more, upward and downward; they are anytime-valid, and so is `share`, that which
    the later rules win of the pairs that differ. `opposite`: its wins are the losses of the counted side. `adjusted`
    fields allow for all claims about the shares and differences of the experiment.
    """

    side: str
    pairs: PairedResults
    estimate: float
    interval: ConfidenceInterval
    share: ConfidenceInterval
    evidence: float
    evidence_not_more: float
    evidence_not_less: float
    margin: float
    needed: NeededPairs
    opposite: bool
    adjusted: ConfidenceInterval = ANYTHING
    p_adjusted: float = 1.0
    evidence_adjusted: float = -math.inf
    not_more_adjusted: float = -math.inf
    not_less_adjusted: float = -math.inf

    @property
    def p_value(self) -> float:
        """Return McNemar's exact p of "there is no difference"."""
        return mcnemar_p(self.pairs)

    @property
    def p_any_time(self) -> float:
        """Return an anytime-valid p of "there is no difference"."""
        return p_from_log(self.evidence)

    @property
    def evidence_same(self) -> float:
        """Return the logarithm of the evidence against "there is a difference of the margin or more"."""
        return min(self.evidence_not_more, self.evidence_not_less)

    @property
    def p_same(self) -> float:
        """Return an anytime-valid p of "there is a difference of the margin or more"."""
        return p_from_log(self.evidence_same)

    @property
    def p_any_time_adjusted(self) -> float:
        """Return the anytime-valid p of "there is no difference", adjusted for all claims."""
        return p_from_log(self.evidence_adjusted)

    @property
    def p_same_adjusted(self) -> float:
        """Return the p of "there is a difference of the margin or more", adjusted for all claims."""
        return p_from_log(min(self.not_more_adjusted, self.not_less_adjusted))

    @property
    def is_decided(self) -> bool:
        """Return whether the anytime-valid evidence suffices that the share is larger, or smaller."""
        return self.p_any_time_adjusted <= ERROR

    @property
    def is_equivalent(self) -> bool:
        """Return whether the evidence suffices that the share differs by less than the margin."""
        return self.p_same_adjusted <= ERROR

    @property
    def gains_little(self) -> bool:
        """Return whether the evidence suffices that the share is not larger by the margin or more."""
        return p_from_log(self.not_more_adjusted) <= ERROR

    @property
    def loses_little(self) -> bool:
        """Return whether the evidence suffices that the share is not smaller by the margin or more."""
        return p_from_log(self.not_less_adjusted) <= ERROR


SideT = TypeVar("SideT", bound=SideDifference)


def pairs_of(winners: WinCounts, side: str) -> PairedResults:
    """Return how often a side won both games of a pair, only the first, only the second, and neither."""
    counts = [0, 0, 0, 0]
    for (first, second), times in winners.items():
        counts[2 * (first != side) + (second != side)] += times
    return PairedResults(*counts)


def are_drawn(winners: WinCounts, sides: Sequence[str]) -> bool:
    """Return whether any games are drawn; a side that plays alone wins or loses."""
    return len(sides) > 1 and any(NOBODY in pair for pair, times in winners.items() if times)


def shares_of(winners: WinCounts, sides: Sequence[str]) -> tuple[str, ...]:
    """Return the shares that sum to one: the sides, and draws where games are drawn."""
    return (*sides, NOBODY) if are_drawn(winners, sides) else tuple(sides)


def are_opposite(winners: WinCounts, side: str, other: str) -> bool:
    """Return whether one side won what the other lost, in each pair of games with different results."""
    return all({first, second} == {side, other} for first, second in winners if first != second)


def wins_of(pairs: PairedResults, side: str, margin: float, *, opposite: bool = False) -> SideDifference:
    """Compare the wins of a side, as if this were the only difference."""
    estimate = (pairs.second - pairs.first) / pairs.n
    return SideDifference(
        side=side,
        pairs=pairs,
        estimate=estimate,
        interval=newcombe_interval(pairs),
        share=share_any_time(pairs),
        evidence=evidence_of_difference(pairs),
        evidence_not_more=evidence_of_less(pairs, margin),
        evidence_not_less=evidence_of_more(pairs, margin),
        margin=margin,
        needed=_needed(pairs, margin),
        opposite=opposite,
    )


def _needed(pairs: PairedResults, margin: float, error: float = ERROR) -> NeededPairs:
    estimate, differing_share = (pairs.second - pairs.first) / pairs.n, share_apart(pairs)
    return NeededPairs(
        for_seen=pairs_needed(estimate, differing_share, error) if estimate else 0,
        for_margin=pairs_needed(margin, differing_share, error),
        for_same=0 if estimate else pairs_showing_same(margin, (pairs.first + pairs.second) / pairs.n, error),
    )


def wins_of_shares(winners: WinCounts, sides: Sequence[str], counted: str, margin: float) -> tuple[SideDifference, ...]:
    """Compare the wins of all sides, and draws, as if this were the only difference.

    The counted side comes first, and draws last, if there are any.
    """
    others = (side for side in shares_of(winners, sides) if side != counted)
    return (
        wins_of(pairs_of(winners, counted), counted, margin),
        *(
            wins_of(pairs_of(winners, side), side, margin, opposite=are_opposite(winners, counted, side))
            for side in others
        ),
    )


def adjust_differences(
    differences: Sequence[Sequence[SideT]], levels: Sequence[LevelDifference | None]
) -> list[list[SideT]]:
    """Adjust each share of each difference for all of them, and for the test of levels of the difference."""
    parts = len(differences)
    tests = sum(question_count(shares) for shares in differences)
    return [_adjust_shares(shares, level, parts, tests) for shares, level in zip(differences, levels, strict=True)]


def p_of_any_change(shares: Sequence[SideDifference], level: LevelDifference | None, *, by_evidence: bool) -> float:
    """Return the p of "no share changes", allowing for the test of levels; by evidence it holds whenever one stops."""
    if by_evidence:
        log = evidence_of_all([share.evidence for share in shares])
        return p_from_log(evidence_beside_levels(log, level.evidence if level else None))
    p = p_of_least([share.p_value for share in shares], [share.pairs.first + share.pairs.second for share in shares])
    return p_beside_levels(p, level.p if level else None)


def question_count(shares: Sequence[SideDifference]) -> int:
    """Count the independent questions about the shares of a difference: of two, one determines the other."""
    return 1 if len(shares) == 2 else len(shares)


def _adjust_shares(shares: Sequence[SideT], level: LevelDifference | None, parts: int, tests: int) -> list[SideT]:
    same = [share.evidence_same for share in shares]
    change = change_adjusted(
        [share.p_value for share in shares], [share.pairs.first + share.pairs.second for share in shares], same
    )
    evidence = evidence_adjusted([share.evidence for share in shares], same)
    # The strictest level for a share while another is established: of three, each is tested with a half.
    all_parts, error = math.log(parts), ERROR / (parts * max(1, len(shares) - 1)) * (1 - OF_LEVELS if level else 1)

    def beside(log: float) -> float:
        return evidence_beside_levels(log, level.evidence if level else None) - all_parts

    found: list[SideT] = []
    for index, share in enumerate(shares):
        others = [*same[:index], *same[index + 1 :]]
        found.append(
            replace(
                share,
                needed=_needed(share.pairs, share.margin, error),
                adjusted=newcombe_interval(share.pairs, ERROR / tests),
                p_adjusted=min(1.0, p_beside_levels(change[index], level.p if level else None) * parts),
                evidence_adjusted=beside(evidence[index]),
                not_more_adjusted=beside(same_adjusted(share.evidence_not_more, others)),
                not_less_adjusted=beside(same_adjusted(share.evidence_not_less, others)),
            )
        )
    return found
