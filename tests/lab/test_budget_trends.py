"""Verdicts on an effect at several budgets: settled, settled in its direction, dependent on the player, or open."""

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest

from rulewright.errors import UsageError
from rulewright.lab.experiment_sentences import agreement_sentences
from rulewright.lab.experiment_setup import player_budgets
from runtime.experiment.budget_effects import budgeted_players
from runtime.experiment.budget_trends import (
    DEPENDS,
    NOT_SETTLED,
    SETTLED,
    WAY_SETTLED,
    Trend,
    is_direction_established,
    judge_balances,
    judge_trends,
    times_text,
)
from runtime.experiment.change_use import ChangeUse
from runtime.experiment.game_outcome import Outcome
from runtime.experiment.introduction import first_words
from runtime.experiment.leads import LEAD
from runtime.experiment.multiple_tests import ERROR
from runtime.experiment.report import experiment_report
from runtime.experiment.share_intervals import ConfidenceInterval, newcombe_independent
from runtime.experiment.side_difference import NOBODY
from runtime.experiment.summary import Arm, Summary, summarize_results
from runtime.experiment.tally import StackPair, Tally
from runtime.experiment.verdict import is_established
from runtime.play.dice import draw_below
from tests.lab.bench import race, run
from tests.sample import LONG, sampled

PLAYERS, SIDES = ("search:2", "search:4", "search:8"), ("red", "blue")
# The winner of a game, by a letter, with the levels of red and of blue.
GAMES = {"r": ("red", (1, 0)), "R": ("red", (2, 0)), "b": ("blue", (0, 1)), "d": ("", (0, 0))}
EQUAL = "rr bb"


def of_pairs(*budgets: str, watched: bool = False) -> Summary:
    """Return the summary of pairs of games: for each budget, "rb bb" is one that red loses and one without a change."""
    tally = Tally(("old", "new"), (StackPair(0, 1),), "red", len(PLAYERS))
    for row in zip(*(pairs.split() for pairs in budgets), strict=True):
        tally.add(tuple(tuple(outcome(game) for game in pair) for pair in row))
    return summarize_results(tally, PLAYERS, SIDES, watched=watched, stopped="", until=None)


def outcome(game: str) -> Outcome:
    winner, levels = GAMES[game]
    return Outcome("1", winner, None, tuple(zip(SIDES, levels, strict=True)), 3, 9, (), (), "")


def repeated(*parts: tuple[str, int]) -> str:
    """Return pairs, each so many times."""
    return " ".join(pair for pair, times in parts for _ in range(times))


def trend_of(*budgets: str) -> Trend:
    (trend,) = judge_trends(of_pairs(*budgets))
    return trend


def test_budgets_that_agree_settle_a_direction_together() -> None:
    """With the largest budget the effect is not established by itself; with all together it is."""
    rows = [repeated(("rb", lost), ("br", 2), ("rr", 22), ("bb", 24)) for lost in (14, 14, 11)]
    rows[2] += " rr rr rr"
    summary = of_pairs(*rows)
    (trend,) = judge_trends(summary)
    assert [is_established(gap, summary) for gap in summary.differences] == [True, True, False]
    assert trend.finding == WAY_SETTLED
    assert "THE DIRECTION IS SETTLED, red wins less often, -17.7% (-2" in trend.lines[0]
    assert "over search:2, search:4 and search:8 taken together" in trend.lines[0]
    assert trend.lines[0].endswith("whether half of it is left at four times the thinking stays open")
    assert trend.lines[1] == "  with search:2, search:4 and search:8: red wins -19.4%, -19.4%, -14.5%"
    assert trend.lines[2].startswith(
        "  the budgets do not differ by more than chance explains; from search:2 to search"
    )
    assert "show that more than half is left, if all of it is; 62 were played" in trend.lines[-1]
    assert list(next(iter(first_words(summary)))) == list(trend.lines)
    assert not list(agreement_sentences(summary))
    data = experiment_report(summary)["by_thinking"][0]
    assert (data["finding"], data["shares"][0]["budgets_differ"]) == (WAY_SETTLED, False)
    assert data["shares"][0]["over_all"]["together_p"] < ERROR


def test_an_effect_that_stays_the_same_is_settled() -> None:
    trend = trend_of(*[repeated(("rb", 60), ("rr", 70), ("bb", 70))] * 3)
    assert trend.finding == SETTLED
    assert "SETTLED, red wins less often, -30.0% (" in trend.lines[0]
    assert trend.lines[0].endswith(
        "with each of search:2, search:4 and search:8; more than half of it is left at four times the thinking"
    )


def test_that_half_of_an_effect_is_left_has_to_be_shown() -> None:
    """The effect may be the same; more than half is shown only where many pairs lose by it with both budgets."""
    found = [
        trend_of(*(repeated(("rb", lost), ("rr", 60 - lost), ("bb", 40)) for lost in (24, 24, last))).finding
        for last in (24, 17)
    ]
    assert found == [SETTLED, WAY_SETTLED]


def test_no_effect_with_any_budget_is_settled() -> None:
    trend = trend_of(*[repeated(("rr", 300), ("bb", 300), ("rb", 1), ("br", 1))] * 3)
    assert trend.finding == SETTLED
    assert "SETTLED, the two differ by less than 5 points in the wins of red and blue with each" in trend.lines[0]


@pytest.mark.parametrize(
    ("reversals", "words"),
    [
        ((0, 12, 30), "red wins +0.0%, +15.0%, +37.5% (the effect GROWS)"),
        ((30, 12, 0), "red wins +37.5%, +15.0%, +0.0% (the effect SHRINKS)"),
        ((0, 30, 0), "red wins +0.0%, +37.5%, +0.0% (not alike with all)"),
        ((-16, 0, 20), "red wins -20.0%, +0.0%, +25.0% (it TURNS)"),
    ],
)
def test_an_effect_that_differs_between_budgets_depends_on_the_player(reversals: tuple[int, ...], words: str) -> None:
    rows = [
        repeated(("br", max(0, times)), ("rb", max(0, -times)), ("bb", 40 - max(0, times)), ("rr", 40 - max(0, -times)))
        for times in reversals
    ]
    trend = trend_of(*rows)
    assert trend.finding == DEPENDS
    assert f"IT DEPENDS ON HOW LONG PLAYERS THINK, and that is no accident: {words}" in trend.lines[0]
    assert trend.lines[-1] == "  a larger budget beside these says whether it goes on like that"


def test_an_open_direction_states_the_pairs_that_it_needs() -> None:
    trend = trend_of(*[repeated(("rb", 6), ("br", 4), ("rr", 25), ("bb", 25))] * 3)
    assert trend.finding == NOT_SETTLED
    assert "NOT SETTLED, open is the direction of the effect; over search:2, search:4 and search:8" in trend.lines[0]
    assert "taken together: red wins -3.3% (" in trend.lines[0]
    (share,) = trend.shares
    assert share.needed.for_seen > share.needed.for_margin > 60
    assert trend.lines[-1] == (
        f"  an effect of 5 points on the wins of red takes about {share.needed.for_margin:,} pairs with each, "
        f"one like that seen here about {share.needed.for_seen:,}; 60 were played"
    )


def test_a_budget_with_another_sign_leaves_the_direction_open() -> None:
    rows = [
        repeated(("rb", lost), ("br", won), ("rr", 40), ("bb", 40 - lost - won))
        for lost, won in ((8, 0), (9, 0), (4, 5))
    ]
    summary = of_pairs(*rows)
    (trend,) = judge_trends(summary)
    assert is_direction_established(trend.shares[0], summary)
    assert trend.finding == NOT_SETTLED
    assert "red wins less often over all, but not with search:8" in trend.lines[0]


def test_draws_and_other_sides_are_part_of_the_trend() -> None:
    """Blue wins drawn games with each budget; the wins of red do not change."""
    trend = trend_of(*[repeated(("db", 20), ("dd", 30), ("rr", 20), ("bb", 10))] * 3)
    assert [share.side for share in trend.shares] == ["red", "blue", NOBODY]
    assert "blue wins more often, +25.0% (" in trend.lines[0]
    assert "fewer games are drawn, -25.0% (" in trend.lines[0]
    assert "red wins +0.0%, +0.0%, +0.0%" in trend.lines[1]


def test_only_anytime_valid_evidence_counts_where_results_are_watched() -> None:
    pairs = [repeated(("rb", 8), ("rr", 20), ("bb", 20))] * 3
    found = {}
    for watched in (False, True):
        summary = of_pairs(*pairs, watched=watched)
        (trend,) = judge_trends(summary)
        assert trend.shares[0].p_any_time > trend.shares[0].p_adjusted
        found[watched] = trend.finding
    assert found == {False: WAY_SETTLED, True: NOT_SETTLED}


def played(effects: Sequence[float], pairs: int, seed: str) -> Summary:
    """Return random games with draws and levels; with each budget, red wins other games with this probability."""
    rows: list[list[str]] = [[] for _ in effects]
    for number in range(pairs):
        for budget, (row, effect) in enumerate(zip(rows, effects, strict=True)):
            common, drawn, helps = (draw_below(1000, f"{seed}/{number}/{what}") for what in ("won", "again", "helps"))
            before, after = (
                "rRbdd"[(common + each) * 7 // 3 % 5] for each in (budget // 2, drawn if drawn < 300 else 0)
            )
            row.append(before + ("r" if helps < 1000 * effect else after))
    return of_pairs(*(" ".join(row) for row in rows))


@sampled(0)
@pytest.mark.parametrize(("effect", "false"), [(0.0, {DEPENDS, SETTLED, WAY_SETTLED}), (0.3, {DEPENDS})])
def test_verdicts_are_false_in_at_most_five_percent(effect: float, false: set[str]) -> None:
    experiments = 60
    found = [judge_trends(played((effect,) * 3, 60, f"{effect}/{number}"))[0].finding for number in range(experiments)]
    deceived = sum(finding in false for finding in found)
    assert deceived <= experiments * ERROR + 2 * math.sqrt(experiments * ERROR * (1 - ERROR))
    if effect:
        assert found.count(WAY_SETTLED) + found.count(SETTLED) > experiments / 2


def test_levels_that_differ_are_a_share_of_the_trend() -> None:
    trend = trend_of(*[repeated(("rR", 30), ("bb", 30))] * 3)
    assert [share.side for share in trend.shares] == ["red", LEAD]
    assert trend.finding == SETTLED
    assert "the lead of red in levels rises, +0.50 (" in trend.lines[0]
    assert "over search:2, search:4 and search:8 taken together" in trend.lines[0]


def test_take_up_is_stated_for_each_budget() -> None:
    found = of_pairs(*[EQUAL] * 3)
    uses = ((0, 480), (120, 480), (389, 480))
    gaps = tuple(
        replace(
            each,
            tried=(
                ChangeUse("rule", "mud", "rules", 60, 60, used // 10, used // 10),
                ChangeUse("phase", "dusk", "rules", 60, 480, 480, 480),
                ChangeUse("action", "feint", "rules", 60, 480, offered, used),
            ),
        )
        for each, (used, offered) in zip(found.differences, uses, strict=True)
    )
    (trend,) = judge_trends(replace(found, differences=gaps))
    wanted = (
        "  in use with search:2, search:4 and search:8: action feint taken 0 of 480, 120 of 480, 389 of 480 times; "
        "rule mud in 0 of 60, 12 of 60, 38 of 60 games; phase dusk 480, 480, 480 times"
    )
    assert wanted in trend.lines


def test_a_player_that_used_no_change_is_named() -> None:
    found = of_pairs(EQUAL, EQUAL, "rb bb")
    (trend,) = judge_trends(found)
    assert trend.finding == NOT_SETTLED
    assert trend.lines[-1].startswith("  with search:2 and search:4 nobody used what is changed")


def of_balance(wins: tuple[int, ...]) -> Summary:
    """Return a summary in which red wins so many of 100 games with each budget."""
    interval = ConfidenceInterval(0.0, 1.0)
    arms = tuple(
        Arm("old", name, 100, won, 0, interval, (), (), 1.0, 1.0, (), ())
        for name, won in zip(PLAYERS, wins, strict=True)
    )
    return replace(of_pairs(*[EQUAL] * 3), arms=arms)


@pytest.mark.parametrize(
    ("wins", "moves", "words"),
    [
        ((10, 40, 70), True, "THE BALANCE ITSELF MOVES"),
        ((50, 50, 50), False, "stays open"),
    ],
)
def test_the_balance_over_budgets(wins: tuple[int, ...], moves: bool, words: str) -> None:
    (found,) = judge_balances(of_balance(wins))
    assert found.moves is moves
    assert words in found.line


def test_players_of_several_budgets() -> None:
    names = ["greedy", "search:8", "lookahead:9", "search:2", "lookahead", "random,greedy"]
    assert budgeted_players(names) == (("lookahead:9", "lookahead"), ("search:2", "search:8"))
    assert budgeted_players(["search:8", "greedy"]) == ()
    assert times_text(["search:2", "search:8"]) == "four times"


def test_the_budgets_of_a_player_option() -> None:
    assert player_budgets("search:3") == ["search:3", "search:6", "search:12"]
    assert player_budgets(None) == []
    for wrong in ("greedy", "search:x", "search:0", "nobody", "human"):
        with pytest.raises(UsageError, match="search:4"):
            player_budgets(wrong)
    with pytest.raises(UsageError, match="`--by-strength search:3000` also plays `search:12000`, and `search` takes a"):
        player_budgets("search:3000")


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
    assert trend.shares[0].players == ("lookahead:2", "lookahead:4", "lookahead:8")
    assert trend.lines[0].startswith("hares+bog instead of hares, as players think longer: ")
    assert len(judge_balances(found)) == 1


def test_balance_is_corrected_for_the_number_of_comparisons() -> None:
    """The whole change alone would be significant; it is one of three comparisons."""
    assert newcombe_independent((54, 100), (40, 100)).low > 0
    (found,) = judge_balances(of_balance((40, 47, 54)))
    assert not found.moves
