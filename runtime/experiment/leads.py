"""The lead in levels of each side within pairs of games, and what the rules change of it.

In: the outcomes of pairs; out: a `LeadDifference` for each side. The lead of a side is its level less the best level of
the other sides. Of two sides the lead of one is that of the other with the opposite sign, so only that of the counted
side is looked at; of three, all.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from runtime.experiment.game_outcome import Outcome
from runtime.experiment.joint_claims import evidence_of_levels, p_of_levels
from runtime.experiment.level_difference import LevelDifference, level_test, sign_flip_evidence
from runtime.experiment.share_intervals import Estimate, Spread

# In place of a side: the lead in levels of the counted one.
LEAD = "lead in levels"


@dataclass(slots=True)
class LeadTally:
    """The lead of one side: of each stack, its changes within pairs, and how often each change occurs.

    `apart_from_winners`: pairs of games with one winner whose leads differ.
    """

    change: Spread = field(default_factory=Spread)
    of_stacks: tuple[Spread, Spread] = field(default_factory=lambda: (Spread(), Spread()))
    changes: Counter[int | Fraction] = field(default_factory=Counter)
    apart_from_winners: int = 0

    def add(self, first: Outcome, second: Outcome, side: str) -> None:
        """Count a pair of games."""
        leads = signed_level(first, side), signed_level(second, side)
        for spread, lead in zip(self.of_stacks, leads, strict=True):
            spread.add(lead)
        change = leads[1] - leads[0]
        self.change.add(change)
        self.changes[change] += 1
        self.apart_from_winners += first.winner == second.winner and bool(change)

    def evidence(self) -> float | None:
        """Return the evidence that the lead changes, as a logarithm; None if levels tell no more than who wins."""
        return sign_flip_evidence(self.changes) if self.apart_from_winners else None

    def variance_saved(self) -> float | None:
        """Return by which share the variance of levels within pairs is smaller than between unpaired games."""
        unpaired_variance = sum(each.variance() for each in self.of_stacks)
        return 1 - self.change.variance() / unpaired_variance if unpaired_variance else None

    def difference(self, side: str) -> "LeadDifference":
        """Summarize the lead of the side."""
        first, second = self.of_stacks
        test = level_test(self.changes, self.apart_from_winners)
        return LeadDifference(side, (first.mean(), second.mean()), self.change.estimate(), test)


@dataclass(frozen=True, slots=True)
class LeadDifference:
    """The mean lead of a side under either stack, and its change; `test` is None if levels tell no more than wins."""

    side: str
    means: tuple[float, float]
    change: Estimate
    test: LevelDifference | None


def leading_sides(game: Outcome, counted: str) -> tuple[str, ...]:
    """Return the sides whose leads are looked at, the counted one first."""
    others = tuple(side for side, _ in game.levels if side != counted)
    return (counted, *others) if len(others) > 1 else (counted,)


def signed_level(game: Outcome, side: str) -> int | Fraction:
    """Return the level at which the side won, or lost (negative); a draw is 0."""
    levels = dict(game.levels)
    return levels.get(side, 0) - max((level for other, level in game.levels if other != side), default=0)


def adjust_leads(leads: Sequence[LeadDifference], parts: int) -> tuple[LeadDifference, ...]:
    """Adjust the test of each lead of one of so many differences for all claims: each has an equal part."""
    parts *= sum(lead.test is not None for lead in leads)
    return tuple(
        replace(
            lead,
            test=lead.test
            and replace(
                lead.test,
                p_adjusted=min(1.0, p_of_levels(lead.test.p) * parts),
                evidence_adjusted=evidence_of_levels(lead.test.evidence) - math.log(parts),
            ),
        )
        for lead in leads
    )


def least_clear_test(leads: Sequence[LeadDifference]) -> LevelDifference | None:
    """Return the test beside which claims about who wins stand: that of the lead that changes least clearly.

    The hypothesis about who wins may be true together with that about any one lead.
    """
    tests = [lead.test for lead in leads if lead.test]
    if not tests:
        return None
    p = min(1.0, max(test.p for test in tests) * len(tests))
    return LevelDifference(p, least_evidence([test.evidence for test in tests]))


def least_evidence(logs: Sequence[float]) -> float:
    """Return the least evidence of several leads, each of which has an equal part of the error."""
    return min(logs) - math.log(len(logs))
