"""Intervals for shares and for differences of shares, 95 percent throughout.

A share of wins gets Wilson's score interval (E. B. Wilson, J. Am. Stat. Assoc. 22, 1927, 209-212), which is inside 0..1
and holds for few games and for shares near the ends.

Two stacks play the same seeds, so their results are pairs. The difference of two shares from pairs gets Newcombe's
interval, method 10 (R. G. Newcombe, Statistics in Medicine 17, 1998, 2635-2650): it squares and adds the distances of
the two Wilson intervals, corrected for the correlation of the pairs. What several players together see, and how far
they are apart, gets the normal interval of paired differences as Agresti and Min correct it (`Spread.regularized`).
Levels, losses and lengths get Student's interval, which allows for few pairs; where they hardly vary, it is as wide as
if one pair more had come out one higher and one more one lower than the mean (`Spread.student_interval`), as what has
not been seen yet is not impossible.

These hold for a number of games fixed beforehand. What holds at every moment is in sequential_evidence.py.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import NamedTuple

from runtime.experiment.multiple_tests import ERROR

# The two-sided 95 percent point of the normal distribution.
Z = 1.959963984540054


class ConfidenceInterval(NamedTuple):
    """A lower and an upper end."""

    low: float
    high: float


def bisect_boundary(inside: float, outside: float, is_possible: Callable[[float], bool], halvings: int) -> float:
    """Find by bisection where possible values end between one inside and an end outside."""
    if inside == outside:
        return outside
    for _ in range(halvings):
        middle = (inside + outside) / 2
        if is_possible(middle):
            inside = middle
        else:
            outside = middle
    return inside


def z_of(error: float) -> float:
    """Return the two-sided critical value of the normal distribution for this error."""
    return Z if error == ERROR else NormalDist().inv_cdf(1 - error / 2)


def wilson_interval(wins: int, n: int, error: float = ERROR) -> ConfidenceInterval:
    """Compute the score interval of a share; 0..1 for no games."""
    if not n:
        return ConfidenceInterval(0.0, 1.0)
    z = z_of(error)
    share, square = wins / n, z * z
    middle = (share + square / (2 * n)) / (1 + square / n)
    reach = z * math.sqrt(share * (1 - share) / n + square / (4 * n * n)) / (1 + square / n)
    low = 0.0 if wins == 0 else middle - reach
    high = 1.0 if wins == n else middle + reach
    return ConfidenceInterval(low, high)


class PairedResults(NamedTuple):
    """Paired yes-or-no results: how often both, only the first, only the second, neither."""

    both: int
    first: int
    second: int
    neither: int

    @property
    def n(self) -> int:
        """Return the number of pairs."""
        return sum(self)


def phi_coefficient(pairs: PairedResults) -> float:
    """Compute the phi coefficient, with Newcombe's continuity correction if it is positive."""
    both, first, second, neither = pairs
    margins = (both + first) * (second + neither) * (both + second) * (first + neither)
    if not margins:
        return 0.0
    cross: float = both * neither - first * second
    if cross > 0:
        cross = max(cross - pairs.n / 2, 0)
    return cross / math.sqrt(margins)


def newcombe_interval(pairs: PairedResults, error: float = ERROR) -> ConfidenceInterval:
    """Compute the interval of (share of the second) minus (share of the first)."""
    n = pairs.n
    if not n:
        return ConfidenceInterval(-1.0, 1.0)
    wins, others = pairs.both + pairs.second, pairs.both + pairs.first
    share, other = wins / n, others / n
    interval, other_interval = wilson_interval(wins, n, error), wilson_interval(others, n, error)
    phi = phi_coefficient(pairs)

    def reach(a: float, b: float) -> float:
        return math.sqrt(max(0.0, a * a - 2 * phi * a * b + b * b))

    gap = share - other
    low = gap - reach(share - interval.low, other_interval.high - other)
    high = gap + reach(interval.high - share, other - other_interval.low)
    return ConfidenceInterval(max(-1.0, low), min(1.0, high))


def newcombe_independent(wins: tuple[int, int], others: tuple[int, int], error: float = ERROR) -> ConfidenceInterval:
    """Compute the interval of a difference of shares of unpaired games: (won, played) each.

    R. G. Newcombe, Statistics in Medicine 17, 1998, 873-890, method 10.
    """
    share, other = (won / played if played else 0.0 for won, played in (wins, others))
    interval, other_interval = wilson_interval(*wins, error), wilson_interval(*others, error)
    low = share - other - math.hypot(share - interval.low, other_interval.high - other)
    high = share - other + math.hypot(interval.high - share, other - other_interval.low)
    return ConfidenceInterval(max(-1.0, low), min(1.0, high))


@dataclass(slots=True)
class Spread:
    """The sufficient statistics of a mean: number, sum and sum of squares, exact, so that no game is stored."""

    n: int = 0
    total: int | Fraction = 0
    squares: int | Fraction = 0
    nonzero_count: int = 0  # those that are not zero

    def add(self, value: int | Fraction, times: int = 1) -> None:
        """Count a value, or several equal ones."""
        self.nonzero_count += times if value else 0
        self.n += times
        self.total += value * times
        self.squares += value * value * times

    @classmethod
    def of(cls, counts: Mapping[int | Fraction, int]) -> "Spread":
        """Count each value as often as stated."""
        spread = cls()
        for value, times in counts.items():
            spread.add(value, times)
        return spread

    def mean(self) -> float:
        """Return the mean; 0 for no values."""
        return float(self.total / self.n) if self.n else 0.0

    def regularized(self, reach: int) -> "Spread":
        """Return the statistics with two more values: one of 0, one split equally between `reach` and -`reach`.

        So differences of shares without variation are not taken as certain, nor few games as many (A. Agresti and Y.
        Min, Statistics in Medicine 24, 2005, 729-740: half a pair more of each kind).
        """
        return Spread(self.n + 2, self.total, self.squares + reach * reach)

    def normal_interval(self, z: float) -> ConfidenceInterval:
        """Compute the normal interval of the mean; the interval of a single value is that value."""
        mean, n = self.mean(), self.n
        if n < 2:
            return ConfidenceInterval(mean, mean)
        reach = z * math.sqrt(self.variance() / n)
        return ConfidenceInterval(mean - reach, mean + reach)

    def variance(self) -> float:
        """Return the sample variance; 0 for one value."""
        # Exact until the last step: the order of the games cannot show.
        n = self.n
        return float((n * self.squares - self.total * self.total) / (n * (n - 1))) if n > 1 else 0.0

    def error(self) -> float:
        """Return the standard error of the mean, at least that with two more values, mean + 1 and mean - 1."""
        n = self.n
        # Exact until the last step: the order of the games cannot show.
        scattered = float((n * self.squares - self.total * self.total) / n)
        return math.sqrt(max(scattered / (n - 1) if n > 1 else 0.0, (scattered + 2) / (n + 1)) / n)

    def student_interval(self, error: float = ERROR) -> ConfidenceInterval:
        """Compute Student's interval of the mean; unbounded for no values."""
        if not self.n:
            return ConfidenceInterval(-math.inf, math.inf)
        reach = two_sided(error, max(1, self.n - 1)) * self.error()
        return ConfidenceInterval(self.mean() - reach, self.mean() + reach)

    def p_value(self) -> float:
        """Compute the two-sided p of "the mean is zero" with the same distribution."""
        return tail_probability(self.mean() / self.error(), max(1, self.n - 1)) if self.n else 1.0

    def estimate(self) -> "Estimate":
        """Return the mean with its interval."""
        return Estimate(self.mean(), self.student_interval(), self.nonzero_count, self.p_value())


# McNemar's test is exact for fewer pairs that differ than this.
EXACT = 1000


def mcnemar_p(pairs: PairedResults) -> float:
    """Compute the exact two-sided p of McNemar's test: the probability of such an uneven split of differing pairs."""
    first, second = pairs.first, pairs.second
    differing = first + second
    if not differing:
        return 1.0
    if differing >= EXACT:
        deviate = (abs(first - second) - 1) / math.sqrt(differing)
        return math.erfc(max(0.0, deviate) / math.sqrt(2))
    split_count = sum(math.comb(differing, k) for k in range(min(first, second) + 1))
    p: float = 2 * split_count / 2**differing
    return min(1.0, p)


class Estimate(NamedTuple):
    """A mean and its interval; `differing_pairs` is the number of pairs that differed, None where that does not apply.

    `p` is that of no difference, adjusted for all counters of all differences; None where it is not needed.
    """

    mean: float
    interval: ConfidenceInterval
    differing_pairs: int | None = None
    p: float | None = None

    def divided(self, number: int) -> "Estimate":
        """Return the estimate of a sum as that of the mean of its terms."""
        low, high = self.interval
        return self._replace(mean=self.mean / number, interval=ConfidenceInterval(low / number, high / number))


# ---------------------------------------------------------------- Student's t distribution (W. S. Gosset, 1908)


# Steps of the continued fraction, its tolerance, and halvings of a quantile's bracket.
TERMS, CLOSE, QUANTILE_HALVINGS = 400, 1e-15, 200
TINY = 1e-300


def beta_fraction(a: float, b: float, x: float) -> float:
    """Compute the continued fraction of the incomplete beta function."""
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > TINY else TINY)
    found = d
    for m in range(1, TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        step = 1.0
        for part in (even, odd):
            d = 1 + part * d
            c = 1 + part / c
            d = 1 / (d if abs(d) > TINY else TINY)
            c = c if abs(c) > TINY else TINY
            step = c * d
            found *= step
        if abs(step - 1) < CLOSE:
            break
    return found


def incomplete_beta(a: float, b: float, x: float) -> float:
    """Compute the regularized incomplete beta function, for x in 0..1."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * beta_fraction(a, b, x) / a
    return 1 - front * beta_fraction(b, a, 1 - x) / b


def tail_probability(t: float, freedom: int) -> float:
    """Compute the probability that |T| exceeds t."""
    return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))


def two_sided(error: float, freedom: int) -> float:
    """Compute the two-sided critical value of |T| for this error and so many degrees of freedom."""
    low, high = 0.0, 1.0
    while tail_probability(high, freedom) > error:
        low, high = high, high * 2
    for _ in range(QUANTILE_HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if tail_probability(middle, freedom) > error else (low, middle)
    return high
