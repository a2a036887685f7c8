"""Verdicts on an effect at several budgets: settled, settled in its direction, dependent on the player, or open."""

import math
from dataclasses import replace

import pytest

from rulewright.errors import UsageError
from rulewright.lab.experiment_setup import player_budgets
from runtime.experiment.agreement import AGREE, DIRECTION, SIZE, Agreement
from runtime.experiment.budget_trends import (
    DEPENDS,
    GROWS,
    NOT_SETTLED,
    SETTLED,
    SHRINKS,
    WAY_SETTLED,
    budgeted_players,
    judge_balances,
    judge_trends,
    times_longer,
)
from runtime.experiment.change_use import ChangeUse
from runtime.experiment.game_outcome import Outcome
from runtime.experiment.introduction import first_words
from runtime.experiment.leads import LeadDifference
from runtime.experiment.multiple_tests import ERROR
from runtime.experiment.report import experiment_report
from runtime.experiment.share_intervals import ConfidenceInterval, Estimate, PairedResults, newcombe_independent
from runtime.experiment.side_difference import SideDifference
from runtime.experiment.summary import Arm, ArmDifference, Summary, summarize_results
from runtime.experiment.tally import StackPair, Tally
from runtime.play.dice import draw_below
from tests.lab.bench import evidence_of, race, run
from tests.sample import LONG, sampled

NONE = Estimate(0.0, ConfidenceInterval(0.0, 0.0))
NO_LEADS = (LeadDifference("red", (0.0, 0.0), NONE, None),)
PLAYERS = ("search:2", "search:4", "search:8")


def gap(players: str, estimate: float, *, is_sure: bool, is_same: bool = False) -> ArmDifference:
    """Return a difference of 100 pairs."""
    interval, evidence = ConfidenceInterval(estimate - 0.04, estimate + 0.04), 0.001 if is_sure else 0.6
    return ArmDifference(
        side="red", pairs=PairedResults(40, 5, 5, 50), estimate=estimate, interval=interval,
        share=ConfidenceInterval(0.0, 1.0), p_adjusted=evidence, needed=(100, 400),
        **evidence_of(together=evidence, same_together=0.001 if is_same else 1.0),
        rules="new", than="old", players=players, leads=NO_LEADS, turns=NONE, choices=NONE, losses=(),
    )  # fmt: skip


def arm(rules: str, players: str, wins: int) -> Arm:
    """Return an arm of 100 games."""
    return Arm(rules, players, 100, wins, 0, ConfidenceInterval(0.0, 1.0), (), (), 1.0, 1.0, (), ())


def summary(
    effects: tuple[tuple[float, bool], ...],
    change: tuple[float, float],
    verdict: str = AGREE,
    *,
    wins: tuple[int, ...] = (50, 50, 50),
    is_same: bool = False,
) -> Summary:
    """Return a summary of effects with three budgets.

    `change` is the interval of the difference between the last effect and the first.
    """
    gaps = tuple(
        gap(name, estimate, is_sure=is_sure, is_same=is_same)
        for name, (estimate, is_sure) in zip(PLAYERS, effects, strict=True)
    )
    arms = tuple(arm(rules, name, won) for name, won in zip(PLAYERS, wins, strict=True) for rules in ("old", "new"))
    difference = Estimate(sum(change) / 2, ConfidenceInterval(*change))
    agreement = Agreement(
        "new", "old", PLAYERS[0], PLAYERS[-1], difference, verdict, "red", ConfidenceInterval(*change)
    )
    return Summary(
        "red", ("red", "blue"), ("old", "new"), 100, "", arms, gaps, (), (agreement,), (), (), (), 0
    )  # fmt: skip


SURE = ((-0.1, True), (-0.1, True), (-0.1, True))
CASES = {
    "all alike": (summary(SURE, (-0.03, 0.03)), SETTLED, "SETTLED, red wins -10.0%"),
    "it may fade": (summary(SURE, (-0.03, 0.2)), WAY_SETTLED, "how much less is not settled"),
    "none anywhere": (summary(((0.0, False),) * 3, (-0.01, 0.01), is_same=True), SETTLED, "SETTLED, the two differ by"),
    "other ways": (
        summary(((-0.1, True), (0.0, False), (0.1, True)), (0.1, 0.3), DIRECTION), DEPENDS, "DEPENDS ON THE PLAYER",
    ),
    "other sizes": (
        summary(((0.0, False), (0.1, False), (0.2, True)), (-0.1, 0.5), SIZE), DEPENDS,
        "search:2 it stays open (+0.0%)",
    ),
    "it grows": (
        summary(((0.0, False), (0.06, False), (0.14, False)), (0.02, 0.26)), GROWS,
        "THE EFFECT GROWS WITH THE BUDGET, and it is no accident: red wins +0.0%, +6.0%, +14.0%",
    ),
    "it shrinks": (
        summary(((-0.14, True), (-0.06, True), (-0.01, False)), (0.02, 0.26)), SHRINKS,
        "THE EFFECT SHRINKS WITH THE BUDGET, and it is no accident: red wins -14.0%, -6.0%, -1.0%",
    ),
    "open": (summary(((-0.1, True), (-0.1, False), (-0.1, False)), (-0.1, 0.1)), NOT_SETTLED, "NOT SETTLED"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_the_finding_on_a_trend(case: str) -> None:
    found, wanted, words = CASES[case]
    (trend,) = judge_trends(found)
    assert trend.finding == wanted
    assert words in trend.lines[0]
    assert trend.players == PLAYERS
    assert experiment_report(found)["by_thinking"][0]["finding"] == wanted
    texts = [line for lines in first_words(found) for line in lines]
    assert set(trend.lines) <= set(texts)
    assert not any("TURNS WITH THE PLAYER" in line for line in texts)


SIDES = ("blue", "red")
# The levels of both sides where blue wins, and where red does.
LEVELS = ((("red", 0), ("blue", 1)), (("red", 1), ("blue", 0)))


def played(effects: tuple[float, ...], pairs: int, seed: str) -> Summary:
    """Return the summary of random games with three budgets, each with the probability that the rules let red win."""
    tally = Tally(("old", "new"), (StackPair(0, 1),), "red", len(PLAYERS))
    for number in range(pairs):
        row = []
        for player, effect in enumerate(effects):
            first, helps = (draw_below(1000, f"{seed}/{number}/{player}/{what}") / 1000 for what in ("won", "helps"))
            won = (first < 0.4, first < 0.4 or helps < effect / 0.6)
            row.append(tuple(Outcome("1", SIDES[red], None, LEVELS[red], 3, 9, (), (), "") for red in won))
        tally.add(tuple(row))
    return summarize_results(tally, PLAYERS, ("red", "blue"))


def test_an_effect_that_grows_with_the_budget_is_stated_as_such() -> None:
    (trend,) = judge_trends(played((0.0, 0.12, 0.3), 80, "grows"))
    assert trend.finding == GROWS
    (shift,) = trend.shifts
    assert shift.interval.low > 0
    assert "THE EFFECT GROWS WITH THE BUDGET, and it is no accident: red wins +0.0%, +" in trend.lines[0]
    assert trend.lines[-1] == "  a larger budget beside these says whether it goes on like that"
    data = experiment_report(played((0.0, 0.12, 0.3), 80, "grows"))["by_thinking"][0]
    assert (data["finding"], data["shifts"][0]["established"]) == (GROWS, True)


@sampled(1)
@pytest.mark.parametrize("effect", [0.0, 0.2])
def test_an_equal_effect_grows_or_shrinks_in_at_most_five_percent(effect: float) -> None:
    experiments = 60
    deceived = sum(
        judge_trends(played((effect,) * 3, 60, f"null/{number}"))[0].finding in (GROWS, SHRINKS)
        for number in range(experiments)
    )
    assert deceived <= experiments * ERROR + 2 * math.sqrt(experiments * ERROR * (1 - ERROR))


def test_take_up_is_stated_for_each_budget() -> None:
    found = CASES["open"][0]
    uses = ((0, 480), (120, 480), (389, 480))
    gaps = tuple(
        replace(each, tried=(ChangeUse("action", "feint", "rules", 100, 480, offered, used),))
        for each, (used, offered) in zip(found.differences, uses, strict=True)
    )
    (trend,) = judge_trends(replace(found, differences=gaps))
    wanted = "  taken of offered with search:2, search:4, search:8: action feint 0 of 480, 120 of 480, 389 of 480"
    assert wanted in trend.lines


def blue(p: float, p_same: float = 1.0) -> SideDifference:
    """Return the finding that blue wins more often."""
    return SideDifference(
        side="blue", pairs=PairedResults(20, 0, 30, 50), estimate=0.3, interval=ConfidenceInterval(0.2, 0.4),
        share=ConfidenceInterval(0.0, 1.0), p_adjusted=p, needed=(20, 900),
        **evidence_of(p, p_same, same_together=p_same),
    )  # fmt: skip


def with_blue(found: Summary, *of_blue: SideDifference) -> Summary:
    """Add the findings on blue with each player."""
    gaps = zip(found.differences, of_blue, strict=True)
    return replace(found, differences=tuple(replace(each, others=(one,)) for each, one in gaps))


def drawn(p: float) -> SideDifference:
    """Return the finding that more games are drawn."""
    return replace(blue(p), side="")


def test_more_draws_with_each_budget_are_settled_in_their_direction() -> None:
    calm = summary(((0.0, False),) * 3, (-0.01, 0.01))
    gaps = tuple(replace(each, draws=drawn(0.001)) for each in calm.differences)
    (trend,) = judge_trends(replace(calm, differences=gaps))
    assert trend.finding == WAY_SETTLED
    assert (
        "more games are drawn with each of search:2, search:4, search:8, but how many is not compared" in trend.lines[0]
    )
    one_way = (gaps[0], *(replace(each, draws=replace(drawn(0.001), estimate=-0.3)) for each in gaps[1:]))
    (trend,) = judge_trends(replace(calm, differences=one_way))
    assert trend.finding == DEPENDS


def test_an_effect_on_another_side_is_part_of_the_trend() -> None:
    """Red's wins do not change with any budget; with the last one blue wins the games that were drawn."""
    same = CASES["none anywhere"][0]
    (trend,) = judge_trends(with_blue(same, blue(1.0, 0.001), blue(1.0, 0.001), blue(0.001)))
    assert trend.finding == NOT_SETTLED
    assert "with search:4 no difference that matters (+0.0%); with search:8 blue wins more often" in trend.lines[0]
    (trend,) = judge_trends(with_blue(same, *[blue(0.001)] * 3))
    assert trend.finding == WAY_SETTLED
    assert "blue wins more often with each of search:2, search:4, search:8" in trend.lines[0]
    assert "`--side blue` does" in trend.lines[0]
    (trend,) = judge_trends(with_blue(same, *[blue(1.0, 0.001)] * 3))
    assert trend.finding == SETTLED
    assert "less than 5 points in the wins of red and blue" in trend.lines[0]


def test_an_open_effect_on_another_side_is_not_settled() -> None:
    (trend,) = judge_trends(with_blue(CASES["none anywhere"][0], *[blue(0.6)] * 3))
    assert trend.finding == NOT_SETTLED
    assert "about 900 pairs" in trend.lines[-1]


def test_an_open_trend_states_the_pairs_that_it_needs() -> None:
    """More pairs are recommended unless no player used the changes."""
    opened = CASES["open"][0]
    assert "400 pairs" in judge_trends(opened)[0].lines[-1]
    unused = replace(
        opened,
        differences=tuple(replace(each, equal_pairs=100, estimate=0.0, p_adjusted=1.0) for each in opened.differences),
    )
    (trend,) = judge_trends(unused)
    assert trend.finding == NOT_SETTLED
    assert trend.lines[-1].startswith("  nobody used what is changed")


def test_a_player_that_used_no_change_is_named() -> None:
    opened = CASES["open"][0]
    first, *others = opened.differences
    (trend,) = judge_trends(
        replace(opened, differences=(replace(first, equal_pairs=100, estimate=0.0, p_adjusted=1.0), *others))
    )
    assert trend.lines[-1].startswith("  with search:2 nobody used what is changed")


@pytest.mark.parametrize(
    ("wins", "moves", "words"),
    [
        ((10, 40, 70), True, "THE BALANCE ITSELF MOVES"),
        ((50, 50, 50), False, "stays open"),
    ],
)
def test_the_balance_over_budgets(wins: tuple[int, ...], moves: bool, words: str) -> None:
    (found,) = judge_balances(summary(SURE, (-0.03, 0.03), wins=wins))
    assert found.moves is moves
    assert words in found.line


def test_players_of_several_budgets() -> None:
    names = ["greedy", "search:8", "lookahead:9", "search:2", "lookahead", "random,greedy"]
    assert budgeted_players(names) == (("lookahead:9", "lookahead"), ("search:2", "search:8"))
    assert budgeted_players(["search:8", "greedy"]) == ()
    assert times_longer("search:2", "search:8") == 4


def test_the_budgets_of_a_player_option() -> None:
    assert player_budgets("search:3") == ["search:3", "search:6", "search:12"]
    assert player_budgets(None) == []
    for wrong in ("greedy", "search:x", "search:0", "nobody", "human"):
        with pytest.raises(UsageError, match="search:4"):
            player_budgets(wrong)


def test_the_interval_of_unpaired_shares() -> None:
    """Newcombe's own example: 56 of 70 against 48 of 80 (method 10, without continuity correction)."""
    found = newcombe_independent((56, 70), (48, 80))
    assert (round(found.low, 4), round(found.high, 4)) == (0.0524, 0.3339)
    assert newcombe_independent((0, 0), (1, 2)).low < 0 < newcombe_independent((0, 0), (1, 2)).high


@LONG
def test_an_experiment_with_three_budgets_has_one_trend() -> None:
    """The rule that bars bogs is played under three budgets, and one line reports all of them."""
    found = run(race(["lookahead:2", "lookahead:4", "lookahead:8"]), 3)
    (trend,) = judge_trends(found)
    assert trend.players == ("lookahead:2", "lookahead:4", "lookahead:8")
    assert trend.lines[0].startswith("hares+bog instead of hares, as players think longer: ")
    assert len(judge_balances(found)) == 1


def test_balance_is_corrected_for_the_number_of_comparisons() -> None:
    """The whole change alone would be significant; it is one of three comparisons."""
    assert newcombe_independent((54, 100), (40, 100)).low > 0
    (found,) = judge_balances(summary(SURE, (-0.03, 0.03), wins=(40, 47, 54)))
    assert not found.moves


def test_opposite_effects_on_another_side_depend_on_the_player() -> None:
    less = replace(blue(0.001), estimate=-0.3, interval=ConfidenceInterval(-0.4, -0.2))
    (trend,) = judge_trends(with_blue(summary(SURE, (-0.03, 0.03)), blue(0.001), blue(0.6), less))
    assert trend.finding == DEPENDS
