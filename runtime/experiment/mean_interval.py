"""An interval of a mean that holds at every look, for values within known bounds.

In: how often each value has occurred, the bounds of the values, and the error: the probability with which the interval
may ever miss the mean. Out: a `ConfidenceInterval`. Every claim of an experiment is read off such an interval: that two
stacks differ, if it excludes zero, and that they differ by less than a margin, if it lies inside the margin.

Against "the mean is at least m" a share of a capital of 1 is bet on every value, and wins as far as the value falls
short of m:

    capital = product of 1 + share * (m - value) / (high - m).

Under any mean of at least m the expected gain is not positive, so that the capital ever reaches 2 / error with a
probability of at most error / 2 (Ville 1939; I. Waudby-Smith and A. Ramdas, J. R. Stat. Soc. B 86, 2024, 1-27). Another
capital is bet on the opposite. The means against which neither has won so much are the interval. The share with the
largest gain depends on how much values vary; the capital is divided equally among several shares, so that it need not
be known. The result depends on the counts alone, and holds after any number of values, however often one looks.
"""

import math
from bisect import bisect_left
from collections.abc import Callable, Mapping
from fractions import Fraction
from statistics import NormalDist
from typing import NamedTuple

# The probability with which anything that is claimed of one experiment is false.
ERROR = 0.05
# The bets relative to the largest possible one, from nearly 0 to nearly 1: each twice as near to the end as the last.
SHARES = tuple(sorted({0.5**k for k in range(1, 8)} | {1 - 0.5**k for k in range(2, 6)}))
# Halvings of an interval until its ends are exact to more than the printed digits.
HALVINGS = 20
MOST_PAIRS = 10_000_000
# The share of experiments that are to show an effect.
POWER = 0.8

# How often each value has occurred; expected numbers may be broken.
ValueCounts = Mapping[int, float] | Mapping[int | Fraction, float]


class ConfidenceInterval(NamedTuple):
    """A lower and an upper end."""

    low: float
    high: float

    @property
    def excludes_zero(self) -> bool:
        """Return whether zero lies outside."""
        return self.low > 0 or self.high < 0

    def is_within(self, margin: float) -> bool:
        """Return whether all of it is less than a margin away from zero."""
        return -margin < self.low and self.high < margin


def log_capital(mean: float, counts: ValueCounts, high: float) -> float:
    """Compute the logarithm of the capital won against "the mean is at least `mean`"; no value exceeds `high`."""
    logs = []
    for share in SHARES:
        bet = share / (high - mean)
        logs.append(math.fsum(times * math.log1p(bet * (mean - float(value))) for value, times in counts.items()))
    top = max(logs)
    return top + math.log(math.fsum(math.exp(log - top) for log in logs) / len(logs))


def mean_interval(
    counts: ValueCounts, low: int | Fraction, high: int | Fraction, error: float = ERROR
) -> ConfidenceInterval:
    """Compute the interval of the mean of values from `low` to `high`."""
    number = math.fsum(counts.values())
    if not number:
        return ConfidenceInterval(float(low), float(high))
    mean = math.fsum(float(value) * times for value, times in counts.items()) / number
    enough = math.log(2 / error)
    opposite = {-value: times for value, times in counts.items()}
    return ConfidenceInterval(
        _bisect_boundary(mean, float(low), lambda least: log_capital(-least, opposite, -float(low)) < enough),
        _bisect_boundary(mean, float(high), lambda most: log_capital(most, counts, float(high)) < enough),
    )


def _bisect_boundary(inside: float, outside: float, is_possible: Callable[[float], bool]) -> float:
    """Find by bisection where possible values end between one inside and an end outside."""
    if inside == outside:
        return outside
    for _ in range(HALVINGS):
        middle = (inside + outside) / 2
        if is_possible(middle):
            inside = middle
        else:
            outside = middle
    return outside


def share_interval(times: int, number: int) -> ConfidenceInterval:
    """Compute the interval of the probability of what occurred so many times of a number."""
    return mean_interval({1: times, 0: number - times}, 0, 1)


def pairs_needed(effect: float, differing_share: float, excluded: float, error: float) -> int:
    """Return after about how many pairs the interval of an effect is below `excluded`; 0 if after too many.

    `differing_share` is the share of pairs whose value is 1 or -1, not 0.
    """

    def is_enough(pairs: int) -> bool:
        return excludes(pairs, effect, differing_share, excluded, error)

    return 1 + bisect_left(range(1, MOST_PAIRS), 1, key=is_enough) if is_enough(MOST_PAIRS) else 0


def excludes(pairs: int, effect: float, differing_share: float, excluded: float, error: float) -> bool:
    """Return whether the interval of an effect is below `excluded` in POWER of all experiments of so many pairs.

    Numbers of pairs are taken to be normally distributed.
    """
    differing_share = min(1.0, max(differing_share, abs(effect)))
    up, down = (differing_share + effect) / 2, (differing_share - effect) / 2
    # Nothing differs by a margin if both ends of the interval are within it; each may miss in half of the rest.
    quantile = NormalDist().inv_cdf((1 + POWER) / 2 if excluded else POWER)
    # The likeliest shares of pairs by which the mean is too high by as much as in so many experiments.
    variance = differing_share - effect**2
    weight = quantile / math.sqrt(pairs * variance) if variance else 0.0
    up, down = min(1.0, up + weight * up * (1 - up + down)), max(0.0, down - weight * down * (1 - down + up))
    counts: ValueCounts = {1: up * pairs, 0: max(0.0, 1 - up - down) * pairs, -1: down * pairs}
    return up - down < excluded and log_capital(excluded, counts, 1.0) >= math.log(2 / error)


def least_effect(pairs: int, differing_share: float, error: float) -> float:
    """Return the least effect that is shown by POWER of all experiments of so many pairs; 1 for none."""
    return _bisect_boundary(0.0, 1.0, lambda effect: not excludes(pairs, -effect, differing_share, 0.0, error))
