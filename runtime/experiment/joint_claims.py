"""What may be claimed of all shares of one difference together: which change, and which change by less than a margin.

In: for each share (the wins of each side, and draws where games are drawn) its test and its evidence. Out: p-values and
evidence for each claim, adjusted so that the chance of any false claim about the difference is 5 percent. Several
differences have an equal part of the 5 percent each (side_difference.py).

This is closed testing (R. Marcus, E. Peritz, K. R. Gabriel, Biometrika 63, 1976, 655-660): a claim is made where every
set of hypotheses that could be true together, its own among them, is rejected. Of each share there are two hypotheses,
C: "it does not change", and M: "it changes by the margin or more". Which sets can be true together is limited:

- C and M of one share exclude each other, so the claims "it changes" and "it is the same" need no two errors;
- shares sum to one, so their changes to nothing: a share cannot be the only one that changes, and if two do, the one
  gains what the other loses (logically related hypotheses: J. P. Shaffer, J. Am. Stat. Assoc. 81, 1986, 826-831). Of
  three shares all C hold, or at most one.

A set of s hypotheses C and some M is tested with one part of the error for each C and one for all M together, of s + 1
parts; one without M with one part for each C. All M of a set are tested by the average of their evidence, which is
evidence against all of them, whatever they have to do with each other (V. Vovk and R. Wang, Ann. Statist. 49, 2021,
1736-1754).

Where nothing is known of how hypotheses hang together, the same closed testing is Holm's adjustment
(multiple_tests.py), which losses of counters and reported results have.

The set of all C is tested by the least p: what is added up is the chance of each test to give so small a p (P. H.
Westfall and R. D. Wolfinger, Am. Statist. 51, 1997, 3-8; R. E. Tarone, Biometrics 46, 1990, 515-522). A test of few
pairs that differ cannot give it, and costs nothing. That is exact: if the change does nothing to who wins, both games
of a pair may change places, so that given how many pairs came out as which two results, whoever the first of them was,
each split of them is as likely as a split of as many throws of a coin. Where only two shares have pairs that differ,
each such pair is lost by the one and won by the other, their tests are one, and it is counted once.

Where levels tell more than who wins, "the lead in levels does not change" is one hypothesis more (level_difference.py).
A set with it and some of the others is rejected if these are at four fifths of the error, or it is at one fifth. So a
claim about who wins loses a fifth of its error at most, and nothing where the change of levels is clear.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import accumulate, combinations

from runtime.experiment.multiple_tests import p_from_log
from runtime.experiment.share_intervals import EXACT

# Two p-values this close are equal: they were summed in another order.
ROUNDING = 1 + 1e-9
# The part of the error that is spent on levels.
OF_LEVELS = 0.2


def change_adjusted(ps: Sequence[float], differing: Sequence[int], same: Sequence[float]) -> list[float]:
    """Adjust the p-values of "it does not change" of all shares.

    `differing` are the numbers of pairs of each test, `same` the logarithms of the evidence against M of each share.
    """
    found = [p_of_least(ps, differing)] * len(ps) if ps else []
    for unchanged, log in _partial_sets(same):
        least, size = min(ps[index] for index in unchanged), len(unchanged)
        p = max(size * least, (size + 1) * min(least, p_from_log(log)))
        for index in unchanged:
            found[index] = max(found[index], min(1.0, p))
    return found


def _partial_sets(same: Sequence[float]) -> Iterator[tuple[tuple[int, ...], float]]:
    """Return the possible sets of unchanged shares, each with the least evidence against M of the others."""
    every = range(len(same))
    for size in range(1, len(same) - 1):
        for unchanged in combinations(every, size):
            others = [same[index] for index in every if index not in unchanged]
            # Of two shares, one changes as much as the other.
            yield unchanged, _mean(others) if len(others) == 2 else min(others)


def p_of_least(ps: Sequence[float], differing: Sequence[int]) -> float:
    """Compute the p of "no share changes": the probability that one of the tests yields a p as small as the least."""
    least, able = min(ps), [count for count in differing if count]
    if len(able) <= 2:
        return least
    return min(1.0, math.fsum(chance_of_as_small(count, least) for count in able))


def chance_of_as_small(differing: int, p: float) -> float:
    """Compute the probability that McNemar's test of so many pairs yields such a small p, if nothing changes."""
    if differing >= EXACT:
        return p
    chance, cumulative_splits, splits = 0.0, 0, 1
    for fewer in range(differing // 2 + 1):
        cumulative_splits += splits
        splits = splits * (differing - fewer) // (fewer + 1)
        reached = min(1.0, 2 * cumulative_splits / 2**differing)
        if reached > p * ROUNDING:
            break
        chance = reached
    return chance


def evidence_of_all(logs: Sequence[float]) -> float:
    """Compute the evidence against "no share changes"."""
    return _mean(logs)


def evidence_adjusted(logs: Sequence[float], same: Sequence[float]) -> list[float]:
    """Adjust the evidence against "it does not change" of all shares, as logarithms."""
    found = [evidence_of_all(logs)] * len(logs) if logs else []
    for unchanged, log in _partial_sets(same):
        total, size = _sum([logs[index] for index in unchanged]), len(unchanged)
        of_set = min(total - math.log(size), _sum([total, log]) - math.log(size + 1))
        for index in unchanged:
            found[index] = min(found[index], of_set)
    return found


def same_adjusted(log: float, others: Sequence[float]) -> float:
    """Adjust the evidence against "it changes by the margin or more" of one share, with that of all others."""
    shares, found = len(others) + 1, math.inf
    sums = [-math.inf, *accumulate(sorted(others), _log_add)]
    for many in range(1, shares + 1):
        # This many M are true together, and as many of the other shares as possible do not change.
        unchanged = shares - many if many > 1 else max(0, shares - 3)
        found = min(found, _log_add(log, sums[many - 1]) - math.log(many * (unchanged + 1)))
    return found


def p_beside_levels(p: float, of_levels: float | None) -> float:
    """Adjust the p-value of a hypothesis about who wins for that about levels; None if levels are not tested."""
    return p if of_levels is None else max(p, min(p / (1 - OF_LEVELS), of_levels / OF_LEVELS))


def p_of_levels(p: float) -> float:
    """Adjust the p-value of "the lead in levels does not change" for all hypotheses about who wins."""
    return min(1.0, p / OF_LEVELS)


def evidence_beside_levels(log: float, of_levels: float | None) -> float:
    """Adjust evidence against a hypothesis about who wins for that about levels; None if levels are not tested."""
    if of_levels is None:
        return log
    return min(log, _log_add(log + math.log(1 - OF_LEVELS), of_levels + math.log(OF_LEVELS)))


def evidence_of_levels(log: float) -> float:
    """Adjust evidence against "the lead in levels does not change" for all hypotheses about who wins."""
    return log + math.log(OF_LEVELS)


def _sum(logs: Sequence[float]) -> float:
    """Compute the logarithm of a sum from those of its terms."""
    return [-math.inf, *accumulate(logs, _log_add)][-1]


def _mean(logs: Sequence[float]) -> float:
    return _sum(logs) - math.log(len(logs))


def _log_add(first: float, second: float) -> float:
    high, low = max(first, second), min(first, second)
    return high if low == -math.inf else high + math.log1p(math.exp(low - high))
