"""The statistics of experiments, against published tables and brute force."""

import math

import pytest

from runtime.experiment.intervals import Interval, Pairs, correlation, mcnemar, mean_interval, newcombe, pair_up, wilson


@pytest.mark.parametrize(
    ("wins", "n", "low", "high"),
    # Newcombe, Statistics in Medicine 17 (1998) 857-872, table I, method 3.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson(wins: int, n: int, low: float, high: float) -> None:
    assert wilson(wins, n) == pytest.approx((low, high), abs=5e-5)


def test_wilson_at_the_ends() -> None:
    assert wilson(0, 0) == (0, 1)
    assert wilson(20, 20) == pytest.approx((1 - 0.1611, 1.0), abs=5e-5)


@pytest.mark.parametrize(
    ("pairs", "low", "high"),
    # Newcombe, Statistics in Medicine 17 (1998) 2635-2650, table II, method 10; his f and g change places.
    [((36, 2, 12, 0), 0.0569, 0.3404), ((0, 0, 0, 30), -0.1135, 0.1135), ((30, 0, 0, 0), -0.1135, 0.1135)],
)
def test_newcombe(pairs: tuple[int, int, int, int], low: float, high: float) -> None:
    assert newcombe(Pairs(*pairs)) == pytest.approx((low, high), abs=5e-5)


def test_the_difference_turns_round_with_the_arms() -> None:
    low, high = newcombe(Pairs(5, 9, 2, 4))
    assert newcombe(Pairs(5, 2, 9, 4)) == pytest.approx((-high, -low))


def test_pairs_that_agree_narrow_the_interval() -> None:
    def width(interval: Interval) -> float:
        return interval.high - interval.low

    assert width(newcombe(Pairs(48, 2, 12, 38))) < width(newcombe(Pairs(30, 20, 30, 20)))
    assert correlation(Pairs(50, 0, 0, 50)) == pytest.approx(0.98)
    assert correlation(Pairs(10, 0, 0, 0)) == 0


def test_pairing() -> None:
    assert pair_up([True, True, False, False], [True, False, True, True]) == Pairs(1, 1, 2, 0)


def test_mcnemar() -> None:
    assert mcnemar(Pairs(3, 0, 0, 9)) == 1
    assert mcnemar(Pairs(0, 1, 5, 0)) == pytest.approx(2 * (1 + 6) / 64)
    assert mcnemar(Pairs(0, 4, 4, 0)) == 1
    exact, normal = mcnemar(Pairs(0, 460, 539, 0)), mcnemar(Pairs(0, 460, 540, 0))
    assert math.isclose(exact, normal, rel_tol=0.1)


def test_the_mean_of_differences() -> None:
    mean, interval = mean_interval([1.0, 2.0, 3.0, 4.0])
    assert mean == 2.5
    assert interval == pytest.approx((2.5 - 1.96 * 1.29099 / 2, 2.5 + 1.96 * 1.29099 / 2), abs=1e-3)
    assert mean_interval([]) == (0, (0, 0))
    assert mean_interval([2.0]) == (2, (2, 2))
