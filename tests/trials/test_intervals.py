"""The statistics of experiments, compared with published tables and simulation."""

import math

import pytest

from runtime.experiment.share_intervals import (
    ConfidenceInterval,
    PairedResults,
    Spread,
    Z,
    mcnemar_p,
    newcombe_interval,
    phi_coefficient,
    wilson_interval,
)
from runtime.play.dice import draw_below


@pytest.mark.parametrize(
    ("wins", "n", "low", "high"),
    # Newcombe, Statistics in Medicine 17 (1998) 857-872, table I, method 3.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson(wins: int, n: int, low: float, high: float) -> None:
    assert wilson_interval(wins, n) == pytest.approx((low, high), abs=5e-5)


def test_wilson_at_the_ends() -> None:
    assert wilson_interval(0, 0) == (0, 1)
    assert wilson_interval(20, 20) == pytest.approx((1 - 0.1611, 1.0), abs=5e-5)


@pytest.mark.parametrize(
    ("pairs", "low", "high"),
    # Newcombe, Statistics in Medicine 17 (1998) 2635-2650, table II, method 10; his f and g are exchanged.
    [((36, 2, 12, 0), 0.0569, 0.3404), ((0, 0, 0, 30), -0.1135, 0.1135), ((30, 0, 0, 0), -0.1135, 0.1135)],
)
def test_newcombe(pairs: tuple[int, int, int, int], low: float, high: float) -> None:
    assert newcombe_interval(PairedResults(*pairs)) == pytest.approx((low, high), abs=5e-5)


def test_the_interval_is_antisymmetric_in_the_arms() -> None:
    low, high = newcombe_interval(PairedResults(5, 9, 2, 4))
    assert newcombe_interval(PairedResults(5, 2, 9, 4)) == pytest.approx((-high, -low))


def test_pairs_that_agree_narrow_the_interval() -> None:
    def width(interval: ConfidenceInterval) -> float:
        return interval.high - interval.low

    assert width(newcombe_interval(PairedResults(48, 2, 12, 38))) < width(
        newcombe_interval(PairedResults(30, 20, 30, 20))
    )
    assert phi_coefficient(PairedResults(50, 0, 0, 50)) == pytest.approx(0.98)
    assert phi_coefficient(PairedResults(10, 0, 0, 0)) == 0


def test_mcnemar() -> None:
    assert mcnemar_p(PairedResults(3, 0, 0, 9)) == 1
    assert mcnemar_p(PairedResults(0, 1, 5, 0)) == pytest.approx(2 * (1 + 6) / 64)
    assert mcnemar_p(PairedResults(0, 4, 4, 0)) == 1
    exact, normal = mcnemar_p(PairedResults(0, 460, 539, 0)), mcnemar_p(PairedResults(0, 460, 540, 0))
    assert math.isclose(exact, normal, rel_tol=0.1)


def spread(*values: int) -> Spread:
    spread = Spread()
    for value in values:
        spread.add(value)
    return spread


def test_the_mean_of_differences() -> None:
    found = spread(1, 2, 3, 4)
    assert found.mean() == 2.5
    assert found.normal_interval(z=Z) == pytest.approx((2.5 - 1.96 * 1.29099 / 2, 2.5 + 1.96 * 1.29099 / 2), abs=1e-3)
    assert (spread().mean(), spread().normal_interval(z=Z)) == (0, (0, 0))
    assert (spread(2).mean(), spread(2).normal_interval(z=Z)) == (2, (2, 2))
    assert spread(*[10**9] * 50).normal_interval(z=Z) == (10**9, 10**9)
    assert spread(3, 1, 2).normal_interval(z=Z) == spread(1, 2, 3).normal_interval(z=Z)


def test_constant_differences_have_a_nonempty_interval() -> None:
    # Agresti and Min for 30 pairs that all agree: 0 plus or minus z * sqrt(1 / (31 * 32)), approximately.
    low, high = spread(*[0] * 30).regularized(1).normal_interval(z=Z)
    assert (low, high) == pytest.approx((-1.96 / math.sqrt(31 * 32), 1.96 / math.sqrt(31 * 32)), abs=1e-3)


def test_the_interval_of_pairs_has_its_nominal_coverage() -> None:
    # 1,000 experiments of 60 pairs with a true difference of 0.15.
    shares = (("both", 0.2), ("first", 0.1), ("second", 0.25), ("neither", 0.45))
    covered = 0
    experiments = 1000
    for experiment in range(experiments):
        counts = dict.fromkeys(dict(shares), 0)
        for pair in range(60):
            drawn = draw_below(10_000, f"coverage/{experiment}/{pair}") / 10_000
            for name, share in shares:
                if drawn < share:
                    counts[name] += 1
                    break
                drawn -= share
        low, high = newcombe_interval(PairedResults(**counts))
        covered += low <= 0.15 <= high
    assert 0.93 <= covered / experiments <= 0.98
