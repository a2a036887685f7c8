"""Draws that become wins: a finding on the counted side does not hide the effect on the other side."""

import json
from pathlib import Path
from typing import Any

import pytest

from runtime.experiment.share_intervals import PairedResults, mcnemar_p
from runtime.experiment.side_difference import adjust_differences, pairs_of, wins_of_shares
from tests.commands.planting import say
from tests.lab.test_designers_changes import KNOWN
from tests.sample import sampled

# The probability that a side scores more in three throws, each a hit on a six, or on a four or more: 0.270 and 0.344.
WINS_ON_SIX, WINS_ON_FOUR = 0.2698, 0.34375


def compared(change: str, *words: str) -> tuple[dict[str, Any], str]:
    """Compare the toss with and without a change; return the data, and the printed text in one line."""
    command = ["compare", "yard", "--path", str(KNOWN), "--rules", "toss", "--rules", f"toss+{change}", "-j", "1"]
    done = say([*command, *words])
    assert not done.code, done.err
    return json.loads(say([*command, *words, "--format", "json"]).out), " ".join(done.out.split())


def test_draws_that_the_other_side_wins_are_reported() -> None:
    """North wins the same games with and without the change."""
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


def test_equivalence_for_one_side_is_reported_with_the_effect_on_the_other() -> None:
    data, output = compared("ties_to_south", "-n", "240")
    assert (
        "south wins more often and fewer games are drawn, and it is no accident; "
        "the two differ by less than 5 points in the wins of north" in output
    )
    assert data["verdicts"][0]["finding"] == "other side"


@sampled(1)
@pytest.mark.parametrize(("until", "ends"), [("decided", True), ("settled", True), ("same", False)])
def test_an_effect_on_another_side_stops_an_experiment(until: str, ends: bool) -> None:
    """Equal wins of the counted side do not make the stacks equal."""
    data, output = compared("ties_to_south", "-n", "240", "--until", until)
    assert bool(data["stopped"]) == ends
    assert "south wins more often and fewer games are drawn, and it is no accident" in output


@sampled(0)
def test_a_cause_of_an_effect_on_another_side_is_found() -> None:
    _, output = compared("ties_to_south", "-n", "100", "--which")
    assert "without south-wins-ties: north wins +0.0%" in output
    assert ", south wins -" in output
    assert "IT MATTERS" in output
    _, output = compared("ties_to_south", "-n", "100", "--which", "--side", "south")
    assert "without south-wins-ties: south wins -" in output
    assert "IT MATTERS" in output


def test_a_gain_of_both_sides_is_reported_without_a_loser() -> None:
    data, output = compared("all_on_four", "-n", "400")
    assert "north wins more often, south wins more often and fewer games are drawn, and it is no accident" in output
    assert "that is not at the cost of south, who wins +" in output
    assert f"{data['arms'][0]['draws']} and {data['arms'][1]['draws']} of 400 games are drawn" in output
    low, high = data["difference"]["interval"]
    assert low < WINS_ON_FOUR - WINS_ON_SIX < high


@sampled(1)
@pytest.mark.parametrize("side", ["north", "south"])
def test_the_effect_on_a_side_does_not_depend_on_the_counted_side(side: str) -> None:
    data, _ = compared("all_on_four", "-n", "60", "--side", side)
    [other] = data["difference"]["other_sides"]
    assert other["side"] != side
    mirrored, _ = compared("all_on_four", "-n", "60", "--side", other["side"])
    assert mirrored["difference"]["pairs"] == other["pairs"]
    assert mirrored["difference"]["interval"] == other["interval"]


@sampled(0)
def test_the_number_of_broken_games_is_reported(tmp_path: Path) -> None:
    """A cell above the range of a track breaks every game in which it is read."""
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


def test_without_draws_the_two_sides_are_one_test() -> None:
    winners = {("a", "b"): 9, ("b", "b"): 3, ("b", "a"): 1}
    assert pairs_of(winners, "a") == PairedResults(0, 9, 1, 3)
    [[counted, other]] = adjust_differences([wins_of_shares(winners, ("b", "a"), "a", 0.05)], [None])
    assert (counted.side, other.side, other.pairs) == ("a", "b", PairedResults(3, 1, 9, 0))
    assert counted.p_adjusted == other.p_adjusted == pytest.approx(mcnemar_p(other.pairs))
    assert counted.p_any_time_adjusted == counted.p_any_time == other.p_any_time_adjusted
    assert counted.p_same_adjusted == counted.p_same == other.p_same_adjusted


def test_with_a_draw_the_two_sides_are_two_tests() -> None:
    """The single draw cannot be significant; the other two shares each keep a part of the error for equality."""
    winners = {("a", "b"): 9, ("b", "b"): 3, ("b", ""): 1}
    [[counted, other, draws]] = adjust_differences([wins_of_shares(winners, ("b", "a"), "a", 0.05)], [None])
    least = mcnemar_p(other.pairs)
    assert other.p_adjusted == pytest.approx(2 * least)
    assert counted.p_adjusted == pytest.approx(2 * mcnemar_p(PairedResults(0, 9, 0, 4)))
    assert (draws.side, draws.pairs, draws.p_adjusted) == ("", PairedResults(0, 0, 1, 12), 1.0)


def test_more_draws_without_a_losing_side_are_reported() -> None:
    """Neither side significantly wins less often, although each loses some of the drawn games."""
    data, output = compared("one_hit_will_do", "-n", "160")
    assert data["verdicts"][0]["finding"] == "draws"
    assert "more games are drawn, and it is no accident; which side wins less often by it stays open" in output
    draws, sides = data["difference"]["draws"], (data["difference"], *data["difference"]["other_sides"])
    assert draws["side"] is None
    assert draws["pairs"]["second"] - draws["pairs"]["first"] == data["arms"][1]["draws"] - data["arms"][0]["draws"]
    assert draws["together"]["p"] < 0.05 < min(one["together"]["p"] for one in sides)
    assert f"draws +{100 * draws['estimate']:.1f}% (" in output


@sampled(0)
def test_the_cause_of_more_draws_is_found() -> None:
    data, output = compared("one_hit_will_do", "-n", "200", "--which")
    assert [each["state"] for each in data["causes"]] == ["found"]
    assert data["causes"][0]["other_sides"][-1]["side"] is None
    assert ", draws -" in output


def test_games_without_draws_have_no_share_of_draws() -> None:
    winners = {("a", "b"): 9, ("b", "b"): 3, ("b", "a"): 1}
    assert [one.side for one in wins_of_shares(winners, ("a", "b"), "a", 0.05)] == ["a", "b"]
    # A side that plays alone wins or loses.
    assert [one.side for one in wins_of_shares({("a", ""): 3}, ("a",), "a", 0.05)] == ["a"]
