"""The claim that two stacks differ by less than a margin: its evidence, its error rate, and the pairs that it needs."""

import math
from collections import defaultdict

import pytest

from runtime.experiment.equivalence import SHARES, log_capital, p_same, pairs_showing_same
from runtime.experiment.multiple_tests import ERROR, adjust_p_values
from runtime.experiment.share_intervals import PairedResults
from runtime.experiment.statistical_power import pairs_needed, share_apart
from runtime.experiment.stopping import DECIDED, SAME, SETTLED, StoppingRule, is_interim_look, stop_reason
from tests.sample import sampled


def pairs(first: int, second: int, equal_count: int) -> PairedResults:
    return PairedResults(equal_count, first, second, 0)


def test_the_capital_is_the_mean_over_all_bets() -> None:
    margin, up, equal_count, down = 0.1, 2, 30, 5
    bets = [share / (1 - margin) for share in SHARES]
    won = [
        (1 + b * (margin - 1)) ** up * (1 + b * margin) ** equal_count * (1 + b * (margin + 1)) ** down for b in bets
    ]
    assert log_capital(margin, up, equal_count, down) == pytest.approx(math.log(sum(won) / len(won)))
    assert log_capital(margin, 0, 0, 0) == pytest.approx(0)
    assert min(1 + b * (margin - 1) for b in bets) > 0  # The capital stays positive.


@pytest.mark.parametrize(("margin", "up", "down"), [(0.05, 0.05, 0.0), (0.1, 0.2, 0.1), (0.3, 0.5, 0.2)])
def test_the_expected_gain_is_zero_at_the_margin(margin: float, up: float, down: float) -> None:
    equal_share = 1 - up - down
    mean = sum(
        chance * math.exp(log_capital(margin, *counts))
        for chance, counts in ((up, (1, 0, 0)), (equal_share, (0, 1, 0)), (down, (0, 0, 1)))
    )
    assert mean == pytest.approx(1)


@sampled(1)
@pytest.mark.parametrize(
    ("margin", "up", "down", "most"), [(0.05, 0.05, 0.0, 300), (0.2, 0.3, 0.1, 60), (0.3, 0.4, 0.1, 60)]
)
def test_a_look_after_every_pair_has_at_most_five_percent_errors(
    margin: float, up: float, down: float, most: int
) -> None:
    """The true difference equals the margin; the probabilities of all courses of an experiment are summed."""
    going, deceived = {(0, 0): 1.0}, 0.0
    for n in range(1, most + 1):
        after: dict[tuple[int, int], float] = defaultdict(float)
        for (first, second), chance in going.items():
            after[first, second + 1] += chance * up
            after[first + 1, second] += chance * down
            after[first, second] += chance * (1 - up - down)
        found = {key: p_same(pairs(*key, n - sum(key)), margin) <= 0.05 for key in after}
        deceived += sum(chance for key, chance in after.items() if found[key])
        going = {key: chance for key, chance in after.items() if not found[key] and chance > 1e-12}
    assert deceived <= 0.05


def test_more_differing_pairs_require_more_pairs() -> None:
    def half(count: int, n: int) -> PairedResults:
        return pairs(count, count, n - 2 * count)

    def least(difference: float) -> int:
        return next(n for n in range(10, 4000, 10) if p_same(half(round(n * difference / 2), n), 0.05) <= 0.05)

    assert 60 < least(0) < 120
    assert least(0) < least(0.1) < least(0.3)
    assert p_same(pairs(10, 10, 180), 0.2) < p_same(pairs(10, 10, 180), 0.05)
    assert p_same(pairs(0, 40, 160), 0.05) == 1
    assert p_same(pairs(0, 40, 160), 0.05) == p_same(pairs(40, 0, 160), 0.05)


def test_experiments_stop_when_equal_or_settled() -> None:
    equal_pairs, different_pairs, unclear = pairs(0, 0, 200), pairs(0, 30, 170), pairs(9, 12, 20)
    assert is_interim_look(StoppingRule(SAME), 20)
    assert "no two differ by 5 points or more" in stop_reason(StoppingRule(SAME), [[equal_pairs], [equal_pairs]])
    assert stop_reason(StoppingRule(SAME), [[equal_pairs], [different_pairs]]) == ""
    assert "settled" not in stop_reason(StoppingRule(SETTLED), [[equal_pairs], [different_pairs]]) != ""
    assert stop_reason(StoppingRule(SETTLED), [[equal_pairs], [different_pairs], [unclear]]) == ""
    assert stop_reason(StoppingRule(SAME, margin=0.01), [[equal_pairs]]) == ""
    assert "1 point" in stop_reason(StoppingRule(SAME, margin=0.01), [[pairs(0, 0, 900)]])


def test_decided_needs_one_share_and_same_needs_all() -> None:
    equal_pairs, different_pairs = pairs(0, 0, 400), pairs(0, 30, 170)
    assert stop_reason(StoppingRule(DECIDED), [[equal_pairs, different_pairs]])
    assert stop_reason(StoppingRule(SETTLED), [[equal_pairs, different_pairs]])
    assert not stop_reason(StoppingRule(SAME), [[equal_pairs, different_pairs]])
    assert not stop_reason(StoppingRule(SAME), [[equal_pairs, pairs(9, 12, 20)]])
    assert stop_reason(StoppingRule(SAME), [[equal_pairs, equal_pairs]])


def test_several_differences_require_more_evidence() -> None:
    one, none = pairs(0, 9, 20), pairs(0, 0, 29)
    assert stop_reason(StoppingRule(DECIDED), [[one]])
    assert not stop_reason(StoppingRule(DECIDED), [[one]] * 4)
    assert stop_reason(StoppingRule(DECIDED), [[pairs(0, 12, 20)]] * 4)
    assert not stop_reason(StoppingRule(DECIDED), [[one, none, none]])


def test_adjusted_p_values_equal_published_ones() -> None:
    # S. P. Wright, Biometrics 48 (1992) 1005-1013: adjusted p-values, step down.
    assert adjust_p_values([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert adjust_p_values([0.5, 0.9]) == pytest.approx([1.0, 1.0])
    assert adjust_p_values([0.2]) == [0.2]
    assert adjust_p_values([]) == []


def test_the_number_of_pairs_for_an_effect() -> None:
    # By hand: (1.95996 sqrt(0.3) + 0.84162 sqrt(0.3 - 0.01))^2 / 0.01 = 233.1.
    assert pairs_needed(0.1, 0.3) == 234 == pairs_needed(-0.1, 0.3)
    assert pairs_needed(0.05, 0.3) > 4 * 0.95 * pairs_needed(0.1, 0.3)
    assert pairs_needed(0.2, 0.1) == pairs_needed(0.2, 0.2)
    assert share_apart(pairs(3, 5, 90)) == pytest.approx(9 / 100)


def test_the_number_of_pairs_that_shows_equality() -> None:
    for margin, differing_share in ((0.05, 0.0), (0.1, 0.2), (0.2, 0.5)):
        count = pairs_showing_same(margin, differing_share, error=ERROR)
        each_way = count * differing_share / 2
        assert log_capital(margin, each_way, count - 2 * each_way, each_way) >= math.log(20)
        fewer = (count - 1) * differing_share / 2
        assert log_capital(margin, fewer, count - 1 - 2 * fewer, fewer) < math.log(20)
    needed = pairs_showing_same(0.05, 0.0, error=ERROR)
    assert p_same(pairs(0, 0, needed - 1), 0.05) > 0.05 >= p_same(pairs(0, 0, needed), 0.05)
    assert pairs_showing_same(0.001, 1.0, error=ERROR) == 0  # No bet is small enough.
