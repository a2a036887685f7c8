"""The interval of a mean misses it in few experiments, though one looks after every pair."""

import math
from collections.abc import Mapping

import pytest

from runtime.experiment.mean_interval import (
    ERROR,
    least_effect,
    log_capital,
    mean_interval,
    pairs_needed,
    share_interval,
)

PAIRS = 60
WON_ALIKE = {1: 0.2, 0: 0.6, -1: 0.2}
WON_MORE = {1: 0.5, 0: 0.4, -1: 0.1}
RARE = {1: 0.02, 0: 0.98, -1: 0.0}
LEVELS = {3: 0.1, 0: 0.6, -1: 0.3}
LEVELS_OF_A_LEADER = {4: 0.3, 1: 0.6, -2: 0.1}


def ever_missed(chances: Mapping[int, float], reach: int, error: float) -> float:
    """Return the probability that an interval misses the mean after any of the pairs; there are three values."""
    (high, of_high), (middle, of_middle), (low, of_low) = sorted(chances.items(), reverse=True)
    mean = sum(value * chance for value, chance in chances.items())
    enough, missed = math.log(2 / error), 0.0
    chances_of_counts = {(0, 0): 1.0}  # By how often the highest and the lowest value occurred.
    for pairs in range(1, PAIRS + 1):
        after: dict[tuple[int, int], float] = {}
        for (highs, lows), chance in chances_of_counts.items():
            for state, step in (((highs + 1, lows), of_high), ((highs, lows), of_middle), ((highs, lows + 1), of_low)):
                after[state] = after.get(state, 0.0) + chance * step
        chances_of_counts = {}
        for (highs, lows), chance in after.items():
            counts = {high: highs, middle: pairs - highs - lows, low: lows}
            opposite = {-value: times for value, times in counts.items()}
            if max(log_capital(mean, counts, reach), log_capital(-mean, opposite, reach)) >= enough:
                missed += chance
            else:
                chances_of_counts[highs, lows] = chance
    return missed


@pytest.mark.parametrize(("chances", "reach"), [(WON_MORE, 1), (RARE, 1), (LEVELS_OF_A_LEADER, 4)])
def test_the_interval_misses_in_less_than_its_error_at_all_looks_together(
    chances: Mapping[int, float], reach: int
) -> None:
    assert 0 < ever_missed(chances, reach, ERROR) < ERROR


def test_an_interval_with_a_larger_error_is_narrower_and_misses_more_often() -> None:
    # An error that is ten times as large is used: the interval is not merely wide.
    assert ERROR < ever_missed(WON_ALIKE, 1, 0.5) < 0.5


def test_what_the_capital_excludes_is_outside_of_the_interval() -> None:
    counts = {2: 7, 0: 20, -1: 3}
    low, high = mean_interval(counts, -4, 4, 0.1)
    assert low < 11 / 30 < high
    enough = math.log(2 / 0.1)
    assert log_capital(high + 1e-4, counts, 4) > enough > log_capital(high - 1e-4, counts, 4)
    opposite = {-value: times for value, times in counts.items()}
    assert log_capital(-low + 1e-4, opposite, 4) > enough > log_capital(-low - 1e-4, opposite, 4)
    assert mean_interval(opposite, -4, 4, 0.1) == pytest.approx((-high, -low), abs=1e-5)


def test_an_interval_is_wider_with_a_smaller_error_and_narrower_with_more_pairs() -> None:
    widths = [
        interval.high - interval.low
        for interval in (
            mean_interval({1: 9, 0: 30, -1: 1}, -1, 1, ERROR / 8),
            mean_interval({1: 9, 0: 30, -1: 1}, -1, 1),
            mean_interval({1: 90, 0: 300, -1: 10}, -1, 1),
        )
    ]
    assert widths == sorted(widths, reverse=True)


def test_few_or_equal_values_leave_much_open() -> None:
    assert mean_interval({}, -1, 1) == share_interval(0, 0)._replace(low=-1) == (-1, 1)
    low, high = mean_interval({0: 20}, -1, 1)
    assert low == -high
    assert 0.1 < high < 0.4
    assert share_interval(40, 40).high == 1
    assert 0.8 < share_interval(40, 40).low < 0.95


def test_an_interval_may_lie_inside_a_margin_or_leave_zero_out() -> None:
    assert mean_interval({0: 200}, -1, 1).is_within(0.05)
    assert not mean_interval({0: 20}, -1, 1).is_within(0.05)
    assert mean_interval({1: 20, 0: 20}, -1, 1).excludes_zero
    assert not mean_interval({1: 20, -1: 20}, -1, 1).excludes_zero


def chance_of_exclusion(pairs: int, effect: float, differing: float, excluded: float) -> float:
    """Sum the probabilities of all numbers of pairs of each kind whose intervals exclude an effect of `excluded`.

    An effect of 0 is excluded from below by a positive mean; of a margin, both the margin and its opposite are.
    """
    up, down = (differing + effect) / 2, (differing - effect) / 2
    total = 0.0
    for more in range(pairs + 1):
        for fewer in range(pairs + 1 - more):
            chance = math.comb(pairs, more) * math.comb(pairs - more, fewer) * up**more * down**fewer
            chance *= (1 - differing) ** (pairs - more - fewer)
            if chance > 1e-6:
                low, high = mean_interval({1: more, 0: pairs - more - fewer, -1: fewer}, -1, 1, ERROR)
                total += chance * (low > 0 if not excluded else -excluded < low and high < excluded)
    return total


@pytest.mark.parametrize(("effect", "differing"), [(0.4, 0.5), (0.4, 0.4), (0.6, 0.8)])
def test_the_wanted_pairs_show_an_effect_in_four_of_five_experiments(effect: float, differing: float) -> None:
    pairs = pairs_needed(-effect, differing, 0.0, ERROR)
    assert 0.74 < chance_of_exclusion(pairs, effect, differing, 0.0) < 0.86
    assert least_effect(pairs, differing, ERROR) <= effect < least_effect(pairs - 1, differing, ERROR)


def test_the_wanted_pairs_show_in_four_of_five_experiments_that_there_is_no_effect() -> None:
    assert 0.74 < chance_of_exclusion(pairs_needed(0.0, 0.3, 0.3, ERROR), 0.0, 0.3, 0.3) < 0.86
    assert mean_interval({1: pairs_needed(-1.0, 1.0, 0.0, ERROR)}, -1, 1, ERROR).low > 0
    assert pairs_needed(0.0, 0.1, 0.0, ERROR) == 0  # No number of pairs shows that there is no effect at all.
    # Where no pair differs, the interval of the first number of pairs that suffices is within the margin.
    pairs = pairs_needed(0.0, 0.0, 0.05, ERROR)
    assert mean_interval({0: pairs}, -1, 1, ERROR).is_within(0.05)
    assert not mean_interval({0: pairs - 1}, -1, 1, ERROR).is_within(0.05)
