"""Anytime-valid evidence, compared with numerical integration, and its error rate where there is no effect."""

import math

import pytest

from runtime.experiment.sequential_evidence import ENOUGH, evidence_against, is_decided, p_any_time, share_any_time
from runtime.experiment.share_intervals import PairedResults
from runtime.experiment.stopping import DECIDED, LEAST, LOOK, WIDTH, StoppingRule, is_interim_look, stop_reason
from runtime.play.dice import draw_below


def pairs(first: int, second: int, same: int = 0) -> PairedResults:
    return PairedResults(same, first, second, same)


@pytest.mark.parametrize(("first", "second"), [(0, 0), (1, 0), (3, 9), (20, 20)])
def test_evidence_is_the_mean_likelihood_ratio_to_one_half(first: int, second: int) -> None:
    n = 20_000
    shares = ((k + 0.5) / n for k in range(n))
    mean = math.fsum((2 * s) ** second * (2 * (1 - s)) ** first for s in shares) / n
    assert math.exp(evidence_against(0.5, first, second)) == pytest.approx(mean, rel=1e-6)


def test_known_values_of_the_evidence() -> None:
    assert p_any_time(pairs(0, 0)) == 1
    assert p_any_time(pairs(0, 8)) == pytest.approx(9 / 256)
    assert [is_decided(pairs(0, wins)) for wins in (7, 8)] == [False, True]
    assert p_any_time(pairs(3, 9, same=50)) == p_any_time(pairs(3, 9))


def test_the_interval_ends_at_the_required_evidence() -> None:
    low, high = share_any_time(pairs(4, 9))
    assert 0 < low < 9 / 13 < high < 1
    assert evidence_against(low, 4, 9) == pytest.approx(math.log(ENOUGH)) == evidence_against(high, 4, 9)
    assert share_any_time(pairs(0, 0)) == (0, 1)
    assert share_any_time(pairs(0, 5)).high == 1
    assert share_any_time(pairs(5, 0)).low == 0
    reversed_share = share_any_time(pairs(9, 4))
    assert (reversed_share.low, reversed_share.high) == pytest.approx((1 - high, 1 - low))


@pytest.mark.parametrize(("first", "second"), [(0, 7), (0, 8), (2, 13), (30, 50), (30, 60)])
def test_the_decision_agrees_with_the_interval(first: int, second: int) -> None:
    low, high = share_any_time(pairs(first, second))
    assert is_decided(pairs(first, second)) == (not low <= 0.5 <= high)


def test_continuous_looks_have_at_most_five_percent_errors() -> None:
    # 400 experiments without an effect, with a look after every differing pair.
    deceived = 0
    for experiment in range(400):
        second = 0
        for pair in range(1, 301):
            second += draw_below(2, f"nothing/{experiment}/{pair}")
            if is_decided(pairs(pair - second, second)):
                deceived += 1
                break
    assert deceived / 400 <= 0.05


def test_stopping_rules() -> None:
    wide, narrow = pairs(2, 3, same=5), pairs(100, 101, same=900)
    assert not any(is_interim_look(StoppingRule(), games) for games in range(500))
    assert [games for games in range(101) if is_interim_look(StoppingRule(WIDTH, 0.1), games)] == [LEAST, 80, 100]
    assert [games for games in range(61) if is_interim_look(StoppingRule(DECIDED), games)] == [LOOK, 40, 60]
    assert stop_reason(StoppingRule(WIDTH, 0.1), [[narrow], [wide]]) == ""
    assert "narrower than 0.1" in stop_reason(StoppingRule(WIDTH, 0.1), [[narrow], [narrow]])
    assert stop_reason(StoppingRule(DECIDED), [[pairs(0, 20)], [pairs(5, 6)]]) == ""
    assert stop_reason(StoppingRule(DECIDED), [[pairs(0, 20)], [pairs(30, 2)]]) == "the evidence is enough"
    assert stop_reason(StoppingRule(DECIDED), []) == ""
