"""Levels of three sides, levels as the reason to stop, and levels as budgets grow."""

import math
from collections.abc import Sequence

import pytest

from rulewright.lab.experiment_sentences import agreement_sentences, change_sentences
from runtime.experiment.agreement import SIZE
from runtime.experiment.game_outcome import Outcome
from runtime.experiment.leads import LEAD
from runtime.experiment.multiple_tests import ERROR
from runtime.experiment.report import experiment_report
from runtime.experiment.stopping import DECIDED, StoppingRule, stop_reason
from runtime.experiment.summary import Summary, shares_of_difference, summarize_results
from runtime.experiment.tally import StackPair, Tally
from runtime.experiment.verdict import LEVELS, established_leads, is_established, judge_differences, short_finding
from runtime.play.dice import draw_below
from tests.sample import sampled

# The winner of a game, and the level of each side.
Game = tuple[str, tuple[int, ...]]
TWO, THREE = ("north", "south"), ("north", "south", "west")
PLAYERS = ("search:2", "search:4", "search:8")


def tally_of(rows: Sequence[Sequence[tuple[Game, Game]]], sides: tuple[str, ...]) -> Tally:
    """Return the tally of rows, each of which has a pair of games for every seating."""
    tally = Tally(("old", "new"), (StackPair(0, 1),), "north", len(rows[0]))
    for row in rows:
        tally.add(
            tuple(
                tuple(
                    Outcome("1", winner, None, tuple(zip(sides, levels, strict=True)), 3, 9, (), (), "")
                    for winner, levels in pair
                )
                for pair in row
            )
        )
    return tally


def of_three(pairs: Sequence[tuple[Game, Game]]) -> Summary:
    return summarize_results(tally_of([[pair] for pair in pairs], THREE), ["greedy"], THREE, stopped="", until=None)


def test_leads_of_all_three_sides_are_tested() -> None:
    """South is second, and loses its level: north leads by more, and west lags behind as before."""
    before, after = ("north", (3, 2, 1)), ("north", (3, 0, 1))
    summary = of_three([(before, after)] * 20 + [(before, before)] * 20)
    (gap,), (verdict,) = summary.differences, judge_differences(summary)
    assert [lead.side for lead in established_leads(gap, summary)] == ["north", "south"]
    assert verdict.finding == LEVELS
    assert "the lead of north in levels rises from +1.00 to +1.50 a game (+0.50; " in verdict.lines[0]
    assert "and the lead of south in levels falls from -1.00 to -2.00 a game (-1.00; " in verdict.lines[0]
    data = experiment_report(summary)["difference"]
    assert data["level"]["established"]
    assert {side: each["established"] for side, each in data["levels_of_others"].items()} == {
        "south": True, "west": False,
    }  # fmt: skip
    assert [data["own_levels"][side]["estimate"] for side in THREE] == [0.0, -1.0, 0.0]
    assert any(
        line.startswith("  levels a game: north +0.00 (") and "south -1.00 (" in line
        for line in change_sentences(gap, summary)
    )


def test_each_of_three_leads_has_a_third_of_the_error_for_levels() -> None:
    one_of_six = [(("north", (3, 2, 1)), ("north", (3, 0, 1)))] * 10
    (of_three_sides,) = of_three(one_of_six).differences
    two = [[(("north", (3, 2)), ("north", (3, 0)))]] * 10
    (of_two_sides,) = summarize_results(tally_of(two, TWO), ["greedy"], TWO, stopped="", until=None).differences
    assert len(of_two_sides.leads) == 1
    (alone,) = [lead.test for lead in of_two_sides.leads if lead.test]
    tests = {lead.side: lead.test for lead in of_three_sides.leads}
    # West's lead never changes without the winner, so it has no test.
    assert tests["west"] is None
    for side in TWO:
        found = tests[side]
        assert found
        assert found.p == alone.p
        assert found.p_adjusted == pytest.approx(2 * alone.p_adjusted)


DRAWN: tuple[Game, ...] = (
    ("north", (3, 1, 0)), ("south", (0, 2, 1)), ("west", (1, 0, 3)), ("west", (1, 2, 3)), ("", (1, 1, 0)),
)  # fmt: skip


@sampled(0)
def test_without_an_effect_a_claim_on_three_sides_is_made_in_at_most_five_percent() -> None:
    deceived, experiments = 0, 150
    for experiment in range(experiments):
        games = [DRAWN[draw_below(len(DRAWN), f"three/{experiment}/{number}")] for number in range(120)]
        summary = of_three(list(zip(games[::2], games[1::2], strict=True)))
        (gap,) = summary.differences
        deceived += bool(established_leads(gap, summary)) or any(
            is_established(share, summary) for share in shares_of_difference(gap)
        )
    assert deceived <= experiments * ERROR + 2 * math.sqrt(experiments * ERROR * (1 - ERROR))


LOWER, EQUAL = (("south", (2, 3)), ("south", (1, 3))), (("south", (2, 3)), ("south", (2, 3)))
TURNED = [(("north", (1, 0)), ("south", (0, 1))), (("south", (0, 1)), ("north", (1, 0)))]


@pytest.mark.parametrize(
    ("pairs", "stops"),
    [
        ([LOWER, EQUAL] * 10, False),  # Levels are clear, and who wins is not known.
        ([LOWER, EQUAL] * 60, True),
        ([EQUAL] * 120, False),
        ([LOWER, EQUAL] * 60 + TURNED * 20, False),  # Who wins changes both ways: more games may show which.
    ],
)
def test_decided_stops_at_levels_where_who_wins_is_shown_to_stay(
    pairs: list[tuple[Game, Game]], *, stops: bool
) -> None:
    until = StoppingRule(DECIDED)
    tally = tally_of([[pair] for pair in pairs], TWO)
    stopped = stop_reason(until, tally.differences(TWO), tally.level_evidence())
    assert bool(stopped) == stops
    if stops:
        summary = summarize_results(tally, ["greedy"], TWO, stopped, until)
        (gap,) = summary.differences
        assert judge_differences(summary)[0].finding == LEVELS
        assert short_finding(gap, summary) == (
            "the lead of north in levels falls, no difference that matters in who wins"
        )
        lines = " ".join(judge_differences(summary)[0].lines)
        assert "does not show in wins, but in levels" in lines


def of_budgets(rows: Sequence[Sequence[tuple[Game, Game]]]) -> Summary:
    return summarize_results(tally_of(rows, TWO), PLAYERS, TWO, stopped="", until=None)


def test_players_whose_effects_on_levels_differ_in_size_disagree() -> None:
    summary = of_budgets([[EQUAL, LOWER, LOWER], [EQUAL, EQUAL, LOWER]] * 20)
    assert any(each.verdict == SIZE and each.side == LEAD for each in summary.agreements)
    assert any("the lead in levels of north" in sentence for sentence in agreement_sentences(summary))


def test_players_with_equal_effects_on_levels_agree() -> None:
    summary = of_budgets([[LOWER] * 3, [EQUAL] * 3] * 20)
    assert not any(each.verdict == SIZE for each in summary.agreements)
