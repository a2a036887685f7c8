"""Evidence about several hypotheses: against closed testing by the book, and how often any of it deceives."""

import math
from itertools import combinations, product

import pytest

from runtime.experiment.evidence import evidence_of_difference
from runtime.experiment.intervals import Pairs
from runtime.experiment.multiple_tests import ERROR, averaged, holm, p_of
from runtime.experiment.side_difference import adjusted, pairs_of, wins_of_sides
from runtime.play.dice import draw_below

SIDES = ("north", "south")
OUTCOMES = [(first, second) for first in (*SIDES, "") for second in (*SIDES, "")]
VALUES = (0.0, 0.5, 1.0, 3.0, 24.0, 100.0)


def closed(evidence: tuple[float, ...]) -> list[float]:
    """Adjust each by the least average of all sets that it belongs to."""
    places = range(len(evidence))
    sets = [each for size in range(1, len(evidence) + 1) for each in combinations(places, size)]
    means = {each: sum(evidence[place] for place in each) / len(each) for each in sets}
    return [min(mean for each, mean in means.items() if place in each) for place in places]


@pytest.mark.parametrize("evidence", [*product(VALUES, repeat=2), *product(VALUES, repeat=3)][::3])
def test_it_is_closed_testing_by_averages(evidence: tuple[float, ...]) -> None:
    logs = [math.log(each) if each else -math.inf for each in evidence]
    assert [math.exp(each) for each in averaged(logs)] == pytest.approx(closed(evidence))


@pytest.mark.parametrize("evidence", [*product(VALUES[1:], repeat=3)][::4])
def test_it_never_says_less_than_holm(evidence: tuple[float, ...]) -> None:
    by_average = [p_of(each) for each in averaged([math.log(each) for each in evidence])]
    by_holm = holm([min(1.0, 1 / each) for each in evidence])
    assert all(one <= other + 1e-9 for one, other in zip(by_average, by_holm, strict=True))


def test_two_that_are_one_cost_each_other_nothing() -> None:
    assert averaged([5.0, 5.0, 5.0]) == pytest.approx([5.0] * 3)
    assert averaged([5.0]) == [5.0]
    assert averaged([]) == []
    assert averaged([1e6, 0.0])[0] == pytest.approx(1e6 - math.log(2))


def test_looking_always_at_both_sides_deceives_seldom() -> None:
    """400 experiments of a rule that does nothing, in which games are drawn; claims of either side are counted."""
    deceived = 0
    for experiment in range(400):
        winners: dict[tuple[str, str], int] = {}
        for pair in range(150):
            outcome = OUTCOMES[draw_below(len(OUTCOMES), f"both/{experiment}/{pair}")]
            winners[outcome] = winners.get(outcome, 0) + 1
            logs = [evidence_of_difference(pairs_of(winners, side)) for side in SIDES]
            if any(p_of(each) <= ERROR for each in averaged(logs)):
                deceived += 1
                break
    assert deceived / 400 <= ERROR


@pytest.mark.parametrize("drawn", [0, 1, 3])
def test_claims_about_either_side_are_false_in_five_percent_at_most(drawn: int) -> None:
    """Ten pairs under a rule that does nothing: all ways in which they may come out otherwise are gone through."""
    kinds = [("north", "south"), ("south", "north")]
    drawn_kinds = [("north", ""), ("", "north"), ("south", ""), ("", "south")]
    sure = ten = 0.0
    for counts in _counts(10 - drawn, len(kinds)):
        for others in _counts(drawn, len(drawn_kinds)):
            winners = {k: n for k, n in zip((*kinds, *drawn_kinds), (*counts, *others), strict=True) if n}
            ways = _ways(counts) / 2 ** sum(counts) * _ways(others) / 4 ** sum(others)
            [sides] = adjusted([wins_of_sides(winners, SIDES, "north", 0.05)])
            sure += ways * any(one.p_adjusted <= ERROR for one in sides)
            ten += ways
    assert ten == pytest.approx(1)
    assert sure <= ERROR


def _counts(total: int, kinds: int) -> list[tuple[int, ...]]:
    return [each for each in product(range(total + 1), repeat=kinds) if sum(each) == total]


def _ways(counts: tuple[int, ...]) -> int:
    return math.factorial(sum(counts)) // math.prod(map(math.factorial, counts))


def test_pairs_are_counted_for_each_side() -> None:
    assert pairs_of({("north", ""): 2, ("", "south"): 3, ("south", "south"): 4}, "south") == Pairs(4, 0, 3, 2)
