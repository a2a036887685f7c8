"""Anytime-valid evidence of a difference, with which an experiment stops as soon as it suffices.

Repeating an ordinary test, and stopping when it first rejects, rejects far too often. Here the share of pairs won by
the second stack, among the pairs that differ, is tested against one half by betting (H. Robbins, Ann. Math. Stat. 41,
1970, 1397-1409): the likelihood of the pairs so far under a uniform mixture of shares, over their likelihood under one
half,

    evidence = 2**m * B(first + 1, second + 1),    m = first + second.

Under the null hypothesis this is a martingale, which by Ville's inequality (1939) ever reaches 20 with a probability of
at most 1 in 20, at any stopping time. So the reciprocal of the evidence is a p-value at every moment, and the shares
against which the evidence has not reached 20 are an interval that holds at all moments simultaneously. Both are exact
for any number of pairs.
"""

import math

from runtime.experiment.multiple_tests import p_from_log
from runtime.experiment.share_intervals import ConfidenceInterval, PairedResults, bisect_boundary

# Evidence of 20 decides: 95 percent, as everywhere in this package.
ENOUGH = 20.0
# Halvings of an interval until its ends are exact to more than the printed digits.
HALVINGS = 50


def evidence_against(share: float, first: int, second: int) -> float:
    """Compute the logarithm of the evidence against this share of the second among pairs that differ."""
    likely = _scaled_log(second, share) + _scaled_log(first, 1 - share)
    return math.lgamma(first + 1) + math.lgamma(second + 1) - math.lgamma(first + second + 2) - likely


def _scaled_log(count: int, share: float) -> float:
    """Compute count * log(share), which is 0 for a count of 0."""
    return count * math.log(share) if count else 0.0


def evidence_of_difference(pairs: PairedResults) -> float:
    """Compute the logarithm of the evidence against "the stacks win as often"."""
    return evidence_against(0.5, pairs.first, pairs.second)


def p_any_time(pairs: PairedResults) -> float:
    """Compute an anytime-valid p-value of "the stacks win as often"."""
    return p_from_log(evidence_of_difference(pairs))


def is_decided(pairs: PairedResults) -> bool:
    """Return whether the evidence suffices."""
    return evidence_against(0.5, pairs.first, pairs.second) >= math.log(ENOUGH)


def share_any_time(pairs: PairedResults) -> ConfidenceInterval:
    """Compute an anytime-valid interval of the share of the second among pairs that differ."""
    first, second = pairs.first, pairs.second
    if not first + second:
        return ConfidenceInterval(0.0, 1.0)

    def is_possible(share: float) -> bool:
        return evidence_against(share, first, second) < math.log(ENOUGH)

    middle = second / (first + second)
    return ConfidenceInterval(*(bisect_boundary(middle, end, is_possible, HALVINGS) for end in (0.0, 1.0)))
