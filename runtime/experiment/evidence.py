"""Evidence that may be looked at after every game, and an experiment stopped as soon as it is enough.

Whoever looks at an ordinary test again and again, and stops when it first says yes, is told yes far too
often. Here the share of pairs won by the second stack, among the pairs that differ, is held against
one half by betting on it (H. Robbins, Ann. Math. Stat. 41, 1970, 1397-1409): the likelihood of the
pairs so far under every share alike, over their likelihood under one half,

    evidence = 2**m * B(first + 1, second + 1),    m = first + second.

While nothing is to be found this is a fair game, which by Ville's inequality (1939) ever comes to
20 with a chance of at most 1 in 20, however often and long one looks. So one over the evidence is a
p-value at every moment, and the shares that the evidence against them has not brought to 20 are an
interval that holds at all moments together. Both are exact for any number of pairs.
"""

import math

from runtime.experiment.intervals import Interval, Pairs
from runtime.experiment.multiple_tests import p_of

# Evidence of 20 decides: 95 percent, as everywhere in this package.
ENOUGH = 20.0
# Halvings of an interval until its ends are exact beyond what is printed.
HALVINGS = 50


def evidence_against(share: float, first: int, second: int) -> float:
    """Return the logarithm of the evidence against this share of the second among pairs that differ."""
    likely = _times(second, share) + _times(first, 1 - share)
    return math.lgamma(first + 1) + math.lgamma(second + 1) - math.lgamma(first + second + 2) - likely


def _times(count: int, share: float) -> float:
    """Give count * log(share), which is nothing where nothing was counted."""
    return count * math.log(share) if count else 0.0


def evidence_of_difference(pairs: Pairs) -> float:
    """Return the logarithm of the evidence against "the stacks win as often"."""
    return evidence_against(0.5, pairs.first, pairs.second)


def p_any_time(pairs: Pairs) -> float:
    """Return a p-value of "the stacks win as often" that holds whenever one looks."""
    return p_of(evidence_of_difference(pairs))


def is_decided(pairs: Pairs) -> bool:
    """Return whether the evidence is enough."""
    return evidence_against(0.5, pairs.first, pairs.second) >= math.log(ENOUGH)


def share_any_time(pairs: Pairs) -> Interval:
    """Return the shares of the second among pairs that differ which are still possible, whenever one looks."""
    first, second = pairs.first, pairs.second
    if not first + second:
        return Interval(0.0, 1.0)
    middle = second / (first + second)
    low = 0.0 if not second else _edge(middle, 0.0, first, second)
    high = 1.0 if not first else _edge(middle, 1.0, first, second)
    return Interval(low, high)


def _edge(inside: float, outside: float, first: int, second: int) -> float:
    """Find where the evidence becomes enough on the way from a possible share to an impossible one."""
    for _ in range(HALVINGS):
        middle = (inside + outside) / 2
        if evidence_against(middle, first, second) < math.log(ENOUGH):
            inside = middle
        else:
            outside = middle
    return inside
