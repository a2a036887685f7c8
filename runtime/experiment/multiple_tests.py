"""Several questions put to one experiment: what may be said of all of them at once.

Of twenty rules that do nothing, one seems to do something at 5 percent. Holm's step-down adjustment of p-values (S.
Holm, Scand. J. Statist. 6, 1979, 65-70) keeps the chance of any false claim at 5 percent, whatever the questions have
to do with each other. Intervals that are to hold together are Bonferroni's: each misses with a share of the 5
percent.

What is claimed of the shares of one difference is adjusted in joint_claims.py. That procedure cannot serve here, nor
Holm's there. Closed testing as it is done there rests on how the shares hang together, which is known: they sum to one,
what one share gains others lose, a pair of games gives all their tests, and each share is claimed to change or to stay
within the margin. Of losses of counters nothing of the kind is known: they may hang together in any way, and only
differences are claimed. Closed testing of such hypotheses, each set of them by Bonferroni's inequality, is Holm's
adjustment: where nothing is known the two are one. For the shares Holm's would claim less, as it counts sets of
hypotheses that cannot be true together, and would have to allow for the claims of sameness besides. Results that people
report (reported_results.py) lie between: the shares of one stack sum to one, but are no pairs, and there are other
stacks, from one of which to the next Holm steps down. Closed testing within each stack would give every stack an equal
part instead; neither claims more in general, and the simpler one stays.
"""

import math
from collections.abc import Sequence

# The probability of a false claim, in one experiment.
ERROR = 0.05


def adjust_p_values(ps: Sequence[float]) -> list[float]:
    """Adjust p-values for their number; the result is compared with the same 5 percent."""
    adjusted = [0.0] * len(ps)
    least = 0.0
    for rank, number in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        least = max(least, min(1.0, ps[number] * (len(ps) - rank)))
        adjusted[number] = least
    return adjusted


def p_from_log(log: float) -> float:
    """Return the p-value of evidence from its logarithm."""
    return math.exp(-log) if log > 0 else 1.0
