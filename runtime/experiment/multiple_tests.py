"""Several questions put to one experiment: what may be said of all of them at once.

Of twenty rules that do nothing, one seems to do something at 5 percent. Holm's step-down adjustment of p-values (S.
Holm, Scand. J. Statist. 6, 1979, 65-70) keeps the chance of any false claim at 5 percent, whatever the questions have
to do with each other. Intervals that are to hold together are Bonferroni's: each misses with a share of the 5
percent.

Evidence, of which no hypothesis that is true gives more than 1 on the average, is adjusted by averages: the average of
such evidence is evidence against all of the hypotheses together, whatever they have to do with each other, and a
hypothesis is given up where every set it belongs to is (closed testing: V. Vovk and R. Wang, Ann. Statist. 49, 2021,
1736-1754, section 6). So of two hypotheses that are one, neither costs the other anything.
"""

import math
from collections.abc import Sequence
from itertools import accumulate

# The chance of a false claim, in one experiment.
ERROR = 0.05


def holm(ps: Sequence[float]) -> list[float]:
    """Adjust p-values for how many there are; what comes out is held against the same 5 percent."""
    adjusted = [0.0] * len(ps)
    least = 0.0
    for rank, number in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        least = max(least, min(1.0, ps[number] * (len(ps) - rank)))
        adjusted[number] = least
    return adjusted


def averaged(logs: Sequence[float]) -> list[float]:
    """Adjust evidence, given and returned as its logarithm, for how many there are.

    Of the sets that a piece of evidence belongs to, those with the smallest others have the smallest average.
    """
    least = sorted(logs)
    sums = [-math.inf, *accumulate(least, _log_add)]
    return [min(_log_add(log, sums[many]) - math.log(many + 1) for many in range(least.index(log) + 1)) for log in logs]


def _log_add(first: float, second: float) -> float:
    """Return the logarithm of a sum from those of its parts."""
    high, low = max(first, second), min(first, second)
    return high if low == -math.inf else high + math.log1p(math.exp(low - high))


def p_of(log: float) -> float:
    """Return the p-value of evidence given as its logarithm."""
    return min(1.0, math.exp(-log))
