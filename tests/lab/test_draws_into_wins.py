"""Draws that turn into wins: what is found of the side that is counted does not hide what becomes of the other."""

import json
from pathlib import Path
from typing import Any

import pytest

from runtime.experiment.intervals import Pairs, mcnemar_p
from runtime.experiment.side_difference import adjust_differences, pairs_of, wins_of_shares
from tests.commands.planting import say
from tests.lab.test_designers_changes import KNOWN

# The chance that a side scores more in three throws, each a hit on a six, or on a four: 0.270 and 0.344.
WINS_ON_SIX, WINS_ON_FOUR = 0.2698, 0.34375


def compared(change: str, *words: str) -> tuple[dict[str, Any], str]:
    """Compare the toss with and without a change; give what is found as data, and as people read it."""
    command = ["compare", "yard", "--path", str(KNOWN), "--rules", "toss", "--rules", f"toss+{change}", "-j", "1"]
    done = say([*command, *words])
    assert not done.code, done.err
    return json.loads(say([*command, *words, "--format", "json"]).out), " ".join(done.out.split())


def test_what_gives_drawn_games_to_the_other_side_is_found() -> None:
    """North wins as often as before, to the game."""
    data, output = compared("ties_to_south", "-n", "60")
    assert data["difference"]["pairs"]["first"] == data["difference"]["pairs"]["second"] == 0
    assert (
        "south wins more often and fewer games are drawn, and it is no accident; "
        "whether north wins more often, or less, stays open"
    ) in output
    [south] = data["difference"]["other_sides"]
    assert (south["side"], south["pairs"]["first"]) == ("south", 0)
    assert south["pairs"]["second"] == data["arms"][0]["draws"]
    assert data["arms"][1]["draws"] == 0


def test_less_than_the_margin_for_one_side_is_not_said_alone() -> None:
    data, output = compared("ties_to_south", "-n", "240")
    assert (
        "south wins more often and fewer games are drawn, and it is no accident; "
        "the two differ by less than 5 points in the wins of north" in output
    )
    assert data["verdicts"][0]["finding"] == "other side"


@pytest.mark.parametrize(("until", "ends"), [("decided", True), ("settled", True), ("same", False)])
def test_a_change_for_another_side_ends_an_experiment(until: str, ends: bool) -> None:
    """That the wins of the counted side are the same is not that who wins is."""
    data, output = compared("ties_to_south", "-n", "240", "--until", until)
    assert bool(data["stopped"]) == ends
    assert "south wins more often and fewer games are drawn, and it is no accident" in output


def test_a_rule_that_matters_to_another_side_is_found() -> None:
    _, output = compared("ties_to_south", "-n", "100", "--which")
    assert "without south-wins-ties: north wins +0.0%" in output
    assert ", south wins -" in output
    assert "IT MATTERS" in output
    _, output = compared("ties_to_south", "-n", "100", "--which", "--side", "south")
    assert "without south-wins-ties: south wins -" in output
    assert "IT MATTERS" in output


def test_what_helps_both_alike_is_said_to_be_at_nobodys_cost() -> None:
    data, output = compared("all_on_four", "-n", "400")
    assert "north wins more often, and it is no accident" in output
    assert "that is not at the cost of south, who wins +" in output
    assert f"{data['arms'][0]['draws']} and {data['arms'][1]['draws']} of 400 games are drawn" in output
    low, high = data["difference"]["interval"]
    assert low < WINS_ON_FOUR - WINS_ON_SIX < high


@pytest.mark.parametrize("side", ["north", "south"])
def test_both_sides_are_seen_alike_from_either(side: str) -> None:
    data, _ = compared("all_on_four", "-n", "60", "--side", side)
    [other] = data["difference"]["other_sides"]
    assert other["side"] != side
    mirrored, _ = compared("all_on_four", "-n", "60", "--side", other["side"])
    assert mirrored["difference"]["pairs"] == other["pairs"]
    assert mirrored["difference"]["interval"] == other["interval"]


def test_how_many_games_broke_is_told(tmp_path: Path) -> None:
    """A chart that gives more than a track can hold breaks every game in which it is read."""
    given = ["change", "two_clans", "herds", "--cell", "orders_of", "drive", "5", "--why", "It is tried."]
    assert not say([*given, "--dir", str(tmp_path)]).code
    command = ["compare", "before_winter", "--rules", "two_clans", "--rules", "two_clans+herds", "-n", "8", "-j", "1"]
    done = say([*command, "--path", str(tmp_path)])
    assert done.code == 1
    assert "`side.orders` is set to 5, but is declared 0..4 orders" in done.out
    assert "8 games broke in all; each is left out with its pair" in done.out
    assert "two_clans+herds instead of two_clans: NOTHING IS KNOWN of who wins, as the rules broke" in done.out
    both = say([*command, "--path", str(tmp_path), "--players", "greedy", "--players", "lookahead:9"])
    assert "instead of two_clans with lookahead:9: NOTHING IS KNOWN" in " ".join(both.out.split())
    assert "over all players" not in both.out


def test_where_nothing_is_drawn_the_two_sides_are_one_test() -> None:
    winners = {("a", "b"): 9, ("b", "b"): 3, ("b", "a"): 1}
    assert pairs_of(winners, "a") == Pairs(0, 9, 1, 3)
    [[counted, other]] = adjust_differences([wins_of_shares(winners, ("b", "a"), "a", 0.05)])
    assert (counted.side, other.side, other.pairs) == ("a", "b", Pairs(3, 1, 9, 0))
    assert counted.p_adjusted == other.p_adjusted == pytest.approx(mcnemar_p(other.pairs))
    assert counted.p_any_time_adjusted == counted.p_any_time == other.p_any_time_adjusted
    assert counted.p_same_adjusted == counted.p_same == other.p_same_adjusted


def test_one_draw_makes_two_tests_of_them() -> None:
    """The one pair that was drawn can show nothing; of the other two, each keeps a part for what may be the same."""
    winners = {("a", "b"): 9, ("b", "b"): 3, ("b", ""): 1}
    [[counted, other, draws]] = adjust_differences([wins_of_shares(winners, ("b", "a"), "a", 0.05)])
    least = mcnemar_p(other.pairs)
    assert other.p_adjusted == pytest.approx(2 * least)
    assert counted.p_adjusted == pytest.approx(2 * mcnemar_p(Pairs(0, 9, 0, 4)))
    assert (draws.side, draws.pairs, draws.p_adjusted) == ("", Pairs(0, 0, 1, 12), 1.0)


def test_what_only_draws_more_games_is_found() -> None:
    """Neither side is shown to win less often by it, each of which gives up some of the games that are drawn."""
    data, output = compared("one_hit_will_do", "-n", "160")
    assert data["verdicts"][0]["finding"] == "draws"
    assert "more games are drawn, and it is no accident; which side wins less often by it stays open" in output
    draws, sides = data["difference"]["draws"], (data["difference"], *data["difference"]["other_sides"])
    assert draws["side"] is None
    assert draws["pairs"]["second"] - draws["pairs"]["first"] == data["arms"][1]["draws"] - data["arms"][0]["draws"]
    assert draws["together"]["p"] < 0.05 < min(one["together"]["p"] for one in sides)
    assert f"draws +{100 * draws['estimate']:.1f}% (" in output


def test_the_rule_that_only_draws_games_is_found_to_be_the_cause() -> None:
    data, output = compared("one_hit_will_do", "-n", "200", "--which")
    assert [each["state"] for each in data["causes"]] == ["found"]
    assert data["causes"][0]["other_sides"][-1]["side"] is None
    assert ", draws -" in output


def test_games_of_which_none_is_drawn_have_no_draws() -> None:
    winners = {("a", "b"): 9, ("b", "b"): 3, ("b", "a"): 1}
    assert [one.side for one in wins_of_shares(winners, ("a", "b"), "a", 0.05)] == ["a", "b"]
    # Who plays alone wins or loses.
    assert [one.side for one in wins_of_shares({("a", ""): 3}, ("a",), "a", 0.05)] == ["a"]
