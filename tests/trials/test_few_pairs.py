"""Means of few pairs: Student's t compared with published tables, and the exact miss rate of its interval."""

import math
from collections import Counter
from collections.abc import Mapping

import pytest

from runtime.experiment.share_intervals import Spread, Z, incomplete_beta, tail_probability, two_sided
from tests.sample import LONG


@pytest.mark.parametrize(
    ("error", "freedom", "t"),
    # R. A. Fisher and F. Yates, Statistical Tables, table III.
    [(0.05, 1, 12.706), (0.05, 4, 2.776), (0.05, 9, 2.262), (0.05, 19, 2.093), (0.05, 120, 1.980), (0.01, 10, 3.169)],
)
def test_students_t_equals_published_values(error: float, freedom: int, t: float) -> None:
    assert two_sided(error, freedom) == pytest.approx(t, abs=6e-4)
    assert tail_probability(two_sided(error, freedom), freedom) == pytest.approx(error)


def test_the_incomplete_beta_function_equals_closed_forms() -> None:
    assert incomplete_beta(1, 1, 0.3) == pytest.approx(0.3)
    assert incomplete_beta(2, 3, 0.4) == pytest.approx(
        sum(math.comb(4, k) * 0.4**k * 0.6 ** (4 - k) for k in (2, 3, 4))
    )
    assert incomplete_beta(0.5, 0.5, 0.25) == pytest.approx(2 / math.pi * math.asin(0.5))
    assert (incomplete_beta(2, 2, 0), incomplete_beta(2, 2, 1)) == (0, 1)


# Weights of differences between two games: like levels of victory, like losses of a counter, and nearly always zero.
LEVELS = {value: math.exp(-value * value / 6) for value in range(-4, 5)}
LOSSES = {-1: 2.0, 0: 5.0, 1: 2.0, 2: 1.0}
SELDOM = {0: 9.0, 1: 1.0}


def missed(weights: Mapping[int, float], n: int, *, plain: bool = False) -> float:
    """Return the probability that the interval of n pairs misses the mean, by enumeration of all results."""
    whole = sum(weights.values())
    mean = sum(value * weight for value, weight in weights.items()) / whole
    sums: Counter[tuple[int, int]] = Counter({(0, 0): 1.0})
    for _ in range(n):
        after: Counter[tuple[int, int]] = Counter()
        for (total, squares), chance in sums.items():
            for value, weight in weights.items():
                after[total + value, squares + value * value] += chance * weight / whole  # type: ignore[assignment]
        sums = after
    out = 0.0
    for (total, squares), chance in sums.items():
        spread = Spread(n, total, squares)
        low, high = spread.normal_interval(z=Z) if plain else spread.student_interval()
        out += 0.0 if low - 1e-12 <= mean <= high + 1e-12 else chance
    return out


@pytest.mark.parametrize("n", [5, *(pytest.param(n, marks=LONG) for n in (10, 20))])
def test_the_interval_of_few_pairs_misses_in_five_percent(n: int) -> None:
    assert 0.03 < missed(LEVELS, n) < 0.055
    assert missed(LOSSES, n) < 0.055
    assert missed(SELDOM, n) < 0.05
    # The normal interval misses more often, most of all where pairs rarely differ.
    assert missed(LEVELS, n, plain=True) > 0.06
    assert missed(SELDOM, n, plain=True) > 0.12


def test_the_interval_of_equal_pairs_is_not_empty() -> None:
    for n in (1, 2, 10, 200):
        low, high = Spread(n, 0, 0).student_interval()
        assert low == -high < 0
    assert Spread(200, 0, 0).student_interval().high < 0.02
    assert Spread(1, 3, 9).student_interval().low < 0
    assert Spread().student_interval() == (-math.inf, math.inf)


def test_the_p_value_of_a_mean_agrees_with_its_interval() -> None:
    for total in range(-8, 9):
        spread = Spread(10, total, 14)
        low, high = spread.student_interval()
        assert (spread.p_value() < 0.05) == (not low <= 0 <= high)
