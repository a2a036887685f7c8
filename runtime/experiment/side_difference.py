"""How often each side wins under one stack and under another, and what may be said of all sides together.

In: for each pair of games, who won either. Out: a `SideDifference` for a side. Where games are drawn, the wins of one
side do not tell those of another: a change may leave the first as it is and give the second what was drawn before, or
help both alike. So all sides are tested, and all differences of an experiment with them (`adjusted`).

Where each pair of games that came out otherwise was won by two sides in turn, the wins of the one are the losses of the
other, and the two tests are one: McNemar's p of the counted side holds for both and is adjusted once. Whether it is so
does not depend on which game of a pair is of which stack, so it is known before the test, which is about that alone.
Evidence that may be looked at always is adjusted by averages (multiple_tests.py), which cost nothing where two are one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from runtime.experiment.equivalence import evidence_of_same
from runtime.experiment.evidence import evidence_of_difference, share_any_time
from runtime.experiment.intervals import Interval, Pairs, mcnemar, newcombe
from runtime.experiment.multiple_tests import ERROR, averaged, holm, p_of
from runtime.experiment.statistical_power import pairs_needed, share_apart

ANYTHING = Interval(-1.0, 1.0)
# Who won the game of either stack, "" for nobody, and in how many pairs.
Winners = Mapping[tuple[str, str], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class SideDifference:
    """The share of wins of a side, under the later rules minus the earlier.

    `p` is McNemar's, exact. `p_any_time` and `p_same` hold whenever one stops: that there is no difference, and that
    there is one of the margin or more; so does `share`, that which the later rules win of the pairs that differ.
    `evidence` and `evidence_same` are the logarithms of the evidence that these two rest on. Those called `adjusted`
    allow for all sides and differences of the experiment, so do `decided` and `same`. `needed`: pairs to establish an
    effect of the size seen (0 if none was) and of the margin. `opposite`: its wins are the losses of the counted side.
    """

    side: str
    pairs: Pairs
    estimate: float
    interval: Interval
    p: float
    p_any_time: float
    share: Interval
    p_same: float
    evidence: float = 0.0
    evidence_same: float = 0.0
    needed: tuple[int, int] = (0, 0)
    opposite: bool = False
    adjusted: Interval = ANYTHING
    p_adjusted: float = 1.0
    p_any_time_adjusted: float = 1.0
    p_same_adjusted: float = 1.0

    @property
    def is_decided(self) -> bool:
        """Return whether the evidence that the side wins more often, or less, is enough whenever one stops."""
        return self.p_any_time_adjusted <= ERROR

    @property
    def is_equivalent(self) -> bool:
        """Return whether the evidence is enough that its wins differ by less than the margin."""
        return self.p_same_adjusted <= ERROR


SideT = TypeVar("SideT", bound=SideDifference)


def pairs_of(winners: Winners, side: str) -> Pairs:
    """Return how often a side won both games of a pair, only the first, only the second, and neither."""
    counts = [0, 0, 0, 0]
    for (first, second), times in winners.items():
        counts[2 * (first != side) + (second != side)] += times
    return Pairs(*counts)


def are_opposite(winners: Winners, side: str, other: str) -> bool:
    """Return whether the one won what the other lost, in each pair of games that came out otherwise."""
    return all({first, second} == {side, other} for first, second in winners if first != second)


def wins_of(pairs: Pairs, side: str, margin: float, *, opposite: bool = False) -> SideDifference:
    """Compare the wins of a side, as if this were the only difference."""
    estimate, apart = (pairs.second - pairs.first) / pairs.n, share_apart(pairs)
    evidence, same = evidence_of_difference(pairs), evidence_of_same(pairs, margin)
    return SideDifference(
        side=side,
        pairs=pairs,
        estimate=estimate,
        interval=newcombe(pairs),
        p=mcnemar(pairs),
        p_any_time=p_of(evidence),
        share=share_any_time(pairs),
        p_same=p_of(same),
        evidence=evidence,
        evidence_same=same,
        needed=(pairs_needed(estimate, apart) if estimate else 0, pairs_needed(margin, apart)),
        opposite=opposite,
    )


def wins_of_sides(winners: Winners, sides: Sequence[str], counted: str, margin: float) -> tuple[SideDifference, ...]:
    """Compare the wins of all sides, of the counted one first, as if this were the only difference."""
    others = (side for side in sides if side != counted)
    return (
        wins_of(pairs_of(winners, counted), counted, margin),
        *(
            wins_of(pairs_of(winners, side), side, margin, opposite=are_opposite(winners, counted, side))
            for side in others
        ),
    )


def adjusted(differences: Sequence[Sequence[SideT]]) -> list[list[SideT]]:
    """Adjust what is said of each side of each difference for all of them; the counted side comes first."""
    every = [one for sides in differences for one in sides]
    tests = [one for one in every if not one.opposite]
    p_adjusted = iter(holm([one.p for one in tests]))
    p_any_time = map(p_of, averaged([one.evidence for one in every]))
    p_same = map(p_of, averaged([one.evidence_same for one in every]))
    found: list[list[SideT]] = []
    for sides in differences:
        made: list[SideT] = []
        for one in sides:
            made.append(
                replace(
                    one,
                    adjusted=newcombe(one.pairs, ERROR / len(tests)),
                    p_adjusted=made[0].p_adjusted if one.opposite else next(p_adjusted),
                    p_any_time_adjusted=next(p_any_time),
                    p_same_adjusted=next(p_same),
                )
            )
        found.append(made)
    return found
