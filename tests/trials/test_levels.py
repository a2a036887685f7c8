"""The verdict on levels: its test, its place beside the claims about who wins, and its rate of errors."""

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product

import pytest

from rulewright.lab.experiment_sentences import change_sentences
from runtime.experiment.game_outcome import Outcome
from runtime.experiment.joint_claims import OF_LEVELS, evidence_beside_levels, p_beside_levels
from runtime.experiment.level_difference import BETS, Changes, level_test, sign_flip_evidence, sign_flip_p
from runtime.experiment.multiple_tests import ERROR
from runtime.experiment.report import experiment_report
from runtime.experiment.stopping import DECIDED, SAME, StoppingRule, stop_reason
from runtime.experiment.summary import Summary, shares_of_difference, summarize_results
from runtime.experiment.tally import StackPair, Tally
from runtime.experiment.verdict import (
    LEVELS,
    MORE,
    OPEN,
    established_leads,
    is_established,
    judge_differences,
    winner_finding,
)
from runtime.play.dice import draw_below
from tests.sample import LONG, sampled

# The winner of a game and its levels, north and south.
Game = tuple[str, int, int]
NORTH, SOUTH = ("north", 1, 0), ("south", 0, 1)


def tally_of(pairs: Iterable[tuple[Game, Game]]) -> Tally:
    """Return the tally of an experiment of two stacks."""
    tally = Tally(("old", "new"), (StackPair(0, 1),), "north", 1)
    for pair in pairs:
        games = tuple(
            Outcome("1", winner, None, (("north", north), ("south", south)), 3, 9, (), (), "")
            for winner, north, south in pair
        )
        tally.add((games,))
    return tally


def summary_of(pairs: Iterable[tuple[Game, Game]], until: StoppingRule | None = None) -> Summary:
    return summarize_results(tally_of(pairs), ["greedy"], ("north", "south"), until=until, stopped="")


@pytest.mark.parametrize("changes", [{1: 6}, {1: 5, -1: 2}, {3: 2, -1: 4, 2: 1, 0: 9}, {Fraction(1, 2): 3, -2: 3}, {}])
def test_the_p_of_all_signs_equals_enumeration(changes: Changes) -> None:
    sizes = [Fraction(change) for change, pairs in changes.items() if change for _ in range(pairs)]
    seen = abs(sum(sizes, Fraction()))
    signed = [abs(sum((sign * size for sign, size in zip(signs, sizes, strict=True)), Fraction()))
              for signs in product((1, -1), repeat=len(sizes))]  # fmt: skip
    assert sign_flip_p(changes) == pytest.approx(sum(each >= seen for each in signed) / len(signed))


def test_a_long_sum_has_the_normal_approximation() -> None:
    """Millions of points have too long a distribution; hundreds of levels have not."""
    exact: dict[int | Fraction, int] = {1: 260, -2: 110, 3: 20}
    found = sign_flip_p({change * 10**7 + (change == 1): pairs for change, pairs in exact.items()})
    assert found == pytest.approx(sign_flip_p(exact), rel=0.1)


def test_evidence_of_signs_has_mean_one_if_each_sign_is_as_likely() -> None:
    sizes = (1, 1, 2, Fraction(1, 2))
    every = [sign_flip_evidence(_counted(signs, sizes)) for signs in product((1, -1), repeat=len(sizes))]
    assert sum(map(math.exp, every)) / len(every) == pytest.approx(1)
    assert len(set(map(abs, BETS))) * 2 == len(BETS)


def _counted(signs: tuple[int, ...], sizes: tuple[int | Fraction, ...]) -> dict[int | Fraction, int]:
    found: dict[int | Fraction, int] = {}
    for sign, size in zip(signs, sizes, strict=True):
        found[sign * size] = found.get(sign * size, 0) + 1
    return found


NEVER_WINS = [(("south", 0, 3), ("south", 1, 2))] * 12 + [(("south", 0, 3), ("south", 0, 3))] * 28


def test_levels_change_though_a_side_never_wins() -> None:
    summary = summary_of(NEVER_WINS)
    (gap,), (verdict,) = summary.differences, judge_differences(summary)
    assert winner_finding(gap, summary) == LEVELS
    assert gap.leads[0].means == pytest.approx((-3.0, -2.4))
    assert verdict.lines[0].startswith(
        "new instead of old: the lead of north in levels rises from -3.00 to -2.40 a game (+0.60; "
    )
    assert verdict.lines[0].endswith(", and it is no accident; it stays open whether it changes who wins")
    report = experiment_report(summary)
    assert report["verdicts"][0]["finding"] == "levels"
    level = report["difference"]["level"]
    assert (level["established"], level["leads"]) == (True, [-3.0, -2.4])
    assert level["together_p"] == pytest.approx(2 / 2**12 / OF_LEVELS, abs=1e-4)
    assert any(", allowing for all claims p 0.002; turns" in line for line in change_sentences(gap, summary))


def test_the_verdict_on_levels_stands_beside_equal_wins() -> None:
    summary = summary_of(NEVER_WINS * 10)
    assert (
        judge_differences(summary)[0]
        .lines[0]
        .endswith("; the two differ by less than 5 points in the wins of north and south")
    )


def test_levels_stand_beside_a_change_of_wins() -> None:
    summary = summary_of([(SOUTH, ("north", 3, 0))] * 20 + [(NORTH, ("north", 2, 0))] * 20)
    assert winner_finding(summary.differences[0], summary) == MORE
    assert "  the lead of north in levels rises from " in "\n".join(judge_differences(summary)[0].lines)


def test_levels_that_tell_no_more_than_wins_are_not_tested() -> None:
    summary = summary_of([(SOUTH, NORTH)] * 20 + [(NORTH, NORTH)] * 20)
    (gap,) = summary.differences
    assert gap.level_test is None
    assert gap.p_adjusted == gap.p_value
    assert not any("in levels" in line for line in judge_differences(summary)[0].lines)
    assert level_test({1: 20}, 0) is None


def test_few_pairs_and_opposite_changes_leave_levels_open() -> None:
    for pairs in (NEVER_WINS[:5], [*NEVER_WINS[:12], *((two, one) for one, two in NEVER_WINS[:12])]):
        summary = summary_of(pairs)
        assert winner_finding(summary.differences[0], summary) == OPEN


def test_a_claim_on_wins_loses_a_fifth_of_its_error_unless_levels_are_clear() -> None:
    assert p_beside_levels(0.03, None) == 0.03
    assert p_beside_levels(0.03, 0.7) == pytest.approx(0.0375)
    assert p_beside_levels(0.03, 0.001) == 0.03
    assert evidence_beside_levels(3.0, None) == 3.0
    assert evidence_beside_levels(3.0, -50.0) == pytest.approx(3.0 + math.log(0.8))
    assert evidence_beside_levels(3.0, 9.0) == 3.0


@sampled(1)
@pytest.mark.parametrize("rule", [DECIDED, SAME])
def test_stopping_rules_allow_for_levels_as_the_report_does(rule: str) -> None:
    """The number of pairs at which the experiment stops is that at which the report makes the claim."""
    for count in range(6, 20, 3):
        for rest in range(80, 140, 12):
            pairs = [(SOUTH, NORTH)] * (count if rule == DECIDED else 0) + [
                (NORTH, ("north", 2, 0)),
                (NORTH, NORTH),
            ] * (rest // 2)
            tally, until = tally_of(pairs), StoppingRule(rule)
            stopped = stop_reason(until, tally.differences(("north", "south")), tally.level_evidence())
            (gap,) = summary_of(pairs, until).differences
            assert bool(stopped) == (gap.is_decided if rule == DECIDED else gap.is_equivalent)


RESULTS: tuple[Game, ...] = (
    ("north", 3, 0), ("north", 1, 0), ("", 1, 1), ("south", 0, 1), ("south", 1, 3),
)  # fmt: skip


def even(number: int) -> int:
    """Draw one of all results, each as likely."""
    return number % len(RESULTS)


def losing(number: int) -> int:
    """Draw one of the last two results: north never wins."""
    return 3 + number % 2


def mostly_equal(number: int) -> int:
    """Draw one result in most games, as of pairs with the same dice."""
    return 2 if number % 8 else number // 8 % len(RESULTS)


@sampled(0)
@pytest.mark.parametrize("drawn", [even, losing, mostly_equal])
@pytest.mark.parametrize("looks", [False, pytest.param(True, marks=LONG)])
def test_without_an_effect_a_claim_on_wins_or_levels_is_made_in_at_most_five_percent(
    drawn: Callable[[int], int], *, looks: bool
) -> None:
    """Many experiments of 80 pairs without an effect, with claims at the end or after every 20 pairs."""
    deceived, experiments = 0, 50 if looks else 150
    for experiment in range(experiments):
        results = [
            RESULTS[drawn(draw_below(10**6, f"{drawn.__name__}/{experiment}/{number}"))] for number in range(160)
        ]
        pairs = list(zip(results[::2], results[1::2], strict=True))
        until = StoppingRule(DECIDED) if looks else None
        false = False
        for number in range(20, 81, 20) if looks else (80,):
            summary = summary_of(pairs[:number], until)
            (gap,) = summary.differences
            false |= bool(established_leads(gap, summary)) or any(
                is_established(share, summary) for share in shares_of_difference(gap)
            )
        deceived += false
    assert deceived <= experiments * ERROR + 2 * math.sqrt(experiments * ERROR * (1 - ERROR))
