"""Verdicts: what is stated of pairs of games, in words, each read off the interval of a mean."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from runtime.experiment.differences import ArmDifference, interval_error
from runtime.experiment.game_outcome import Outcome
from runtime.experiment.mean_interval import ERROR, mean_interval, pairs_needed
from runtime.experiment.report import experiment_report
from runtime.experiment.stopping import DECIDED, SAME, SETTLED, WIDTH, StoppingRule, is_interim_look, stop_reason
from runtime.experiment.summary import Summary, summarize_results
from runtime.experiment.tally import StackPair, Tally
from runtime.experiment.verdict import judge_differences
from runtime.graph.words import PluralPhrase
from tests.lab.verdict_lines import verdict_paragraphs

TWO = {"red": "red", "blue": PluralPhrase("the Blues")}
THREE = {**TWO, "green": PluralPhrase("the Greens")}
# The winner of each of two games and the levels at which red leads, and how many such pairs there are.
Pairs = Sequence[tuple[str, str, tuple[int, int], int]]
TIMES = (0, 0)
SURE = "At most one experiment of 20 has a wrong interval"


def game(winner: str, lead: int) -> Outcome:
    levels = (("red", max(0, lead)), ("blue", max(0, -lead)))
    return Outcome("s", 3, 7, winner, levels)


def summed(
    *seatings: Pairs,
    sides: Mapping[str, str] = TWO,
    side: str = "red",
    largest_lead: int | None = 3,
    margin: float = 0.05,
) -> Summary:
    tally = Tally(("old", "new"), (StackPair(0, 1, largest_lead),), side, len(seatings))
    columns = [
        [(game(before, leads[0]), game(after, leads[1])) for before, after, leads, times in pairs for _ in range(times)]
        for pairs in seatings
    ]
    for row in zip(*columns, strict=True):
        tally.add(row)
    players = ["a", "b", "c"][: len(seatings)]
    return summarize_results(tally, players, sides, stopped="", until=StoppingRule(margin=margin))


def finding(pairs: Pairs, sides: Mapping[str, str] = TWO, side: str = "red") -> tuple[str, str]:
    """Return the finding and its sentence, without the names of the stacks."""
    (verdict,) = judge_differences(summed(pairs, sides=sides, side=side))
    return verdict["finding"], verdict["says"][0].partition(": ")[2]


BLUE_TO_RED = ("blue", "red", TIMES)
RED_TO_BLUE = ("red", "blue", TIMES)
EQUAL = ("red", "red", TIMES)
DRAW_TO_BLUE = ("", "blue", TIMES)


def test_who_wins_more_often_by_how_much_is_stated_first() -> None:
    kind, text = finding([(*BLUE_TO_RED, 30), (*RED_TO_BLUE, 2), (*EQUAL, 28)])
    assert kind == "more"
    assert text.startswith("red wins more often, 58 of 60 games instead of 30 (+46.7 percentage points, 95% interval +")
    kind, text = finding([(*RED_TO_BLUE, 30), (*EQUAL, 30)])
    assert kind == "less"
    assert text.startswith("red wins less often, 30 of 60 games instead of 60 (-50.0 percentage points, 95% interval -")


def test_the_stated_size_is_the_interval_with_its_part_of_the_error() -> None:
    summary = summed([(*BLUE_TO_RED, 30), (*EQUAL, 30)])
    (gap,) = summary.differences
    # Of two sides, draws and levels each has a quarter.
    assert gap.wins.interval == mean_interval({1: 30, 0: 30}, -1, 1, ERROR / 4)
    low, high = gap.wins.interval
    assert f"95% interval {100 * low:+.1f} to {100 * high:+.1f})" in judge_differences(summary)[0]["says"][0]


def test_draws_that_another_side_wins_are_stated_of_that_side() -> None:
    kind, text = finding([(*DRAW_TO_BLUE, 40), (*EQUAL, 60)])
    assert kind == "other side"
    assert text.startswith("the Blues win more often, 40 of 100 games instead of none (+40.0 ")
    assert text.endswith("); fewer games are drawn")
    (verdict,) = judge_differences(summed([(*DRAW_TO_BLUE, 40), (*EQUAL, 60)]))
    assert any(line.startswith("red wins 60 of 100 games under both (+0.0 ") for line in verdict["details"])
    assert any(
        line.startswith("fewer games are drawn, none of 100 games instead of 40 (-40.0 ") for line in verdict["details"]
    )


def test_more_draws_are_stated_if_no_side_is_shown_to_lose() -> None:
    drawn: Pairs = [("red", "", TIMES, 14), ("blue", "", TIMES, 14)]
    decided: Pairs = [("", "red", TIMES, 2), ("", "blue", TIMES, 2)]
    kind, text = finding([*drawn, *decided, (*EQUAL, 18)])
    assert kind == "draws"
    assert text.startswith("more games are drawn, 28 of 50 games instead of 4 (+48.0 ")


def test_of_three_sides_each_is_stated() -> None:
    kind, text = finding([("red", "green", TIMES, 20), ("blue", "green", TIMES, 30), (*EQUAL, 30)], THREE)
    assert kind == "less"
    assert "red wins less often" in text
    assert text.endswith("; the Blues win less often and the Greens win more often")
    other, text = finding([("red", "green", TIMES, 20), (*EQUAL, 60)], THREE, "blue")
    assert other == "other side"
    assert "red wins less often, 60 of 80 games instead of 80 (-25.0 " in text


def test_levels_are_stated_where_games_with_one_winner_differ_in_them() -> None:
    kind, text = finding([("red", "red", (1, 3), 40), ("red", "red", (1, 1), 40)])
    assert kind == "levels"
    assert text.startswith("the lead of red in levels rises from +1.00 to +2.00 a game (95% interval of the change +")
    # Without bounds of levels nothing is claimed of them.
    unbounded = summed([("red", "red", (1, 3), 40), ("red", "red", (1, 1), 40)], largest_lead=None)
    assert unbounded.differences[0].lead.interval is None
    assert unbounded.differences[0].lead.change == 1.0
    assert judge_differences(unbounded)[0]["finding"] == "open"
    # Levels that tell no more than who wins have no interval of their own.
    assert summed([("blue", "red", (-1, 1), 30)]).differences[0].lead.interval is None


def test_levels_are_stated_beside_who_wins() -> None:
    (verdict,) = judge_differences(summed([("blue", "red", (-1, 3), 40), ("red", "red", (1, 3), 40)]))
    assert verdict["finding"] == "more"
    assert any(line.startswith("the lead of red in levels rises from ") for line in verdict["details"])


def test_little_difference_is_the_same_up_to_the_margin() -> None:
    pairs: Pairs = [(*BLUE_TO_RED, 3), (*RED_TO_BLUE, 3), ("blue", "blue", TIMES, 94), (*EQUAL, 900)]
    kind, text = finding(pairs)
    assert kind == "same"
    assert text.startswith(
        "no difference of 5 percentage points or more in wins or draws; red wins 903 of 1000 games under both ("
    )
    (narrow,) = judge_differences(summed(pairs, margin=0.005))
    assert narrow["finding"] == "open"


def test_where_one_side_wins_nearly_all_there_is_no_room_to_differ() -> None:
    kind, text = finding([(*BLUE_TO_RED, 3), (*RED_TO_BLUE, 3), (*EQUAL, 994)])
    assert (kind, text) == ("same", "no room to differ: red wins at least 997 of 1000 games under both rules")
    (verdict,) = judge_differences(summed([("", "", TIMES, 20), (*DRAW_TO_BLUE, 1)]))
    assert "no room to differ: at least 20 of 21 games are drawn under both rules" in verdict["says"][0]
    assert verdict["says"][1].startswith("not known: ")
    assert verdict["says"][2].startswith("next: another situation or other players ")


def test_few_pairs_leave_open_with_the_range_and_more_games_than_were_played() -> None:
    (verdict,) = judge_differences(summed([(*BLUE_TO_RED, 2), (*RED_TO_BLUE, 2), (*EQUAL, 16)]))
    assert verdict["finding"] == "open"
    assert "it is open who wins more often; red wins 18 of 20 games under both (+0.0 " in verdict["says"][0]
    assert verdict["says"][1].startswith("not significant; ")
    assert verdict["says"][2].startswith("next: about 2,")
    (many,) = judge_differences(summed([(*BLUE_TO_RED, 30), (*RED_TO_BLUE, 10), (*EQUAL, 500)]))
    assert many["finding"] == "open"
    assert int(re.findall(r"-n (\d+)", many["says"][2])[0]) > 540


def test_an_effect_below_the_margin_is_called_small() -> None:
    """One way in 30 of 3,000 pairs: the interval excludes zero, and lies inside the margin."""
    (verdict,) = judge_differences(summed([(*BLUE_TO_RED, 30), ("blue", "blue", TIMES, 1470), (*EQUAL, 1500)]))
    assert verdict["finding"] == "more"
    assert verdict["says"][1].startswith("significant, but smaller than 5 percentage points; ")


def test_where_no_pair_differs_this_is_stated_with_what_is_not_excluded() -> None:
    pairs: Pairs = [("red", "red", TIMES, 20), ("blue", "blue", TIMES, 20)]
    low, high = summed(pairs).differences[0].wins.interval
    assert finding(pairs)[0] == "untried"  # Nothing is changed in the rules of this test.
    (verdict,) = judge_differences(
        replace(summed(pairs), differences=tuple(map(with_other_changes, summed(pairs).differences)))
    )
    assert verdict["finding"] == "open"
    assert verdict["says"][0].endswith(
        "no difference was found; all 40 pairs of games have the same winner, levels, turns and losses "
        f"(95% interval {100 * low:+.1f} to {100 * high:+.1f} percentage points)"
    )


def with_other_changes(gap: ArmDifference) -> ArmDifference:
    return replace(gap, uncounted=("who wins",))


def test_an_open_difference_tells_how_many_games_would_show_one_as_large() -> None:
    (verdict,) = judge_differences(summed([(*BLUE_TO_RED, 30), (*RED_TO_BLUE, 15), (*EQUAL, 55)]))
    assert verdict["finding"] == "open"
    as_large, smallest = map(int, re.findall(r"-n (\d+)", verdict["says"][2]))
    assert 100 < as_large == pairs_needed(-0.15, 0.45, 0.0, ERROR / 4) < smallest
    assert "seed" not in verdict


def test_a_game_with_another_winner_is_named_beside_an_effect() -> None:
    (verdict,) = judge_differences(summed([(*BLUE_TO_RED, 30), (*EQUAL, 30)]))
    assert verdict["says"][2] == "next: look at a game that has another winner: seed s, s or s"
    assert verdict["seed"] == "s"
    assert verdict["says"][1] == "significant; the 95% interval holds at any time and is corrected for 4 tests"


def test_equal_games_without_changes_say_nothing() -> None:
    (verdict,) = judge_differences(summed([(*EQUAL, 20)]))
    assert verdict["finding"] == "untried"
    assert verdict["details"][-1] == "all 20 pairs of games have the same winner, levels, turns and losses"


def test_the_last_paragraph_states_what_was_looked_at() -> None:
    *_, (scope,) = verdict_paragraphs(summed([(*BLUE_TO_RED, 30), (*EQUAL, 30)]))
    assert scope.startswith("looked at: the wins of each side and draws in 60 pairs of games. ")
    assert SURE in scope
    pairs: Pairs = [("red", "red", (1, 3), 40)]
    *_, (scope,) = verdict_paragraphs(summed(pairs, pairs))
    assert "the wins of each side, draws and the lead in levels in 40 pairs of games" in scope


def test_a_verdict_that_depends_on_the_player_is_stated() -> None:
    summary = summed([(*BLUE_TO_RED, 30), (*EQUAL, 30)], [(*EQUAL, 60)])
    [line] = experiment_report(summary)["verdict_reversals"]
    assert line == (
        "what is shown of new instead of old depends on the players: with a red wins more often and the Blues win less "
        "often; with b nothing"
    )
    assert not experiment_report(summed([(*EQUAL, 60)], [(*EQUAL, 60)]))["verdict_reversals"]


@pytest.mark.parametrize(
    ("stacks", "seatings", "sides", "largest_lead", "intervals"),
    [(2, 1, TWO, 3, 4), (2, 1, TWO, None, 3), (3, 2, TWO, 3, 16), (2, 1, THREE, 3, 5), (2, 1, {"red": "red"}, None, 1)],
)
def test_all_intervals_of_an_experiment_share_the_error(
    stacks: int, seatings: int, sides: Mapping[str, str], largest_lead: int | None, intervals: int
) -> None:
    pairings = tuple(StackPair(0, number, largest_lead) for number in range(1, stacks))
    tally = Tally(tuple("abc"[:stacks]), pairings, "red", seatings)
    assert interval_error(tally, sides) == pytest.approx(ERROR / intervals)


# ---------------------------------------------------------------- stopping


def gaps(*pairs: tuple[str, str, tuple[int, int], int]) -> Sequence[ArmDifference]:
    return summed(pairs).differences


DIFFERENT = gaps((*BLUE_TO_RED, 30), (*EQUAL, 30))
ALIKE = gaps((*BLUE_TO_RED, 2), (*RED_TO_BLUE, 2), (*EQUAL, 996))
UNKNOWN = gaps((*BLUE_TO_RED, 6), (*RED_TO_BLUE, 6), (*EQUAL, 8))
IN_LEVELS = gaps(("red", "red", (1, 3), 500))
LEVELS_ALONE = gaps(("red", "red", (1, 3), 40), (*BLUE_TO_RED, 2), (*RED_TO_BLUE, 2))


@pytest.mark.parametrize(
    ("differences", "rules"),
    [
        (DIFFERENT, {DECIDED, SETTLED}),
        (ALIKE, {SAME, SETTLED}),
        (UNKNOWN, set()),
        (IN_LEVELS, {DECIDED, SAME, SETTLED}),
        (LEVELS_ALONE, set()),
        ([*DIFFERENT, *ALIKE], {SETTLED}),
        ([*DIFFERENT, *UNKNOWN], set()),
        ([], set()),
    ],
)
def test_an_experiment_ends_when_every_difference_is_settled(
    differences: Sequence[ArmDifference], rules: set[str]
) -> None:
    assert {rule for rule in (DECIDED, SAME, SETTLED) if stop_reason(StoppingRule(rule), differences)} == rules


def test_a_width_is_that_of_every_interval() -> None:
    widths = [share.interval.high - share.interval.low for share in ALIKE[0].shares]
    assert stop_reason(StoppingRule(WIDTH, max(widths)), ALIKE)
    assert not stop_reason(StoppingRule(WIDTH, max(widths) * 0.99), ALIKE)


def test_looks_are_at_fixed_numbers_of_games() -> None:
    rule = StoppingRule(DECIDED)
    assert [games for games in range(1, 70) if is_interim_look(rule, games)] == [20, 40, 60]
    assert not is_interim_look(replace(rule, rule=""), 20)
