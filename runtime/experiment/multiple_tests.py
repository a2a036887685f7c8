"""Several questions put to one experiment: what may be said of all of them at once.

Of twenty rules that do nothing, one seems to do something at 5 percent. Holm's step-down adjustment of p-values (S.
Holm, Scand. J. Statist. 6, 1979, 65-70) keeps the chance of any false claim at 5 percent, whatever the questions have
to do with each other. Intervals that are to hold together are Bonferroni's: each misses with a share of the 5
percent.

What is claimed of the shares of one difference is adjusted in joint_claims.py.
"""

import math
from collections.abc import Sequence

# The chance of a false claim, in one experiment.
ERROR = 0.05


def adjust_p_values(ps: Sequence[float]) -> list[float]:
    """Adjust p-values for how many there are; what comes out is held against the same 5 percent."""
    adjusted = [0.0] * len(ps)
    least = 0.0
    for rank, number in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        least = max(least, min(1.0, ps[number] * (len(ps) - rank)))
        adjusted[number] = least
    return adjusted


def p_of(log: float) -> float:
    """Return the p-value of evidence given as its logarithm."""
    return math.exp(-log) if log > 0 else 1.0
