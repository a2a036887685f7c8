"""Effects on draws and on sides that are not counted: a finding on the counted side does not hide them."""

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests.commands.planting import say
from tests.lab.bench import without_sizes
from tests.lab.test_designers_changes import KNOWN
from tests.sample import sampled

# The probability that a side scores more in three throws, each a hit on a six, or on a four or more: 0.270 and 0.344.
WINS_ON_SIX, WINS_ON_FOUR = 0.2698, 0.34375


def compared(card: str, base: str, change: str, *words: str) -> tuple[dict[str, Any], str]:
    """Compare rules with and without a change; return the data, and the printed text in one line without sizes."""
    command = ["compare", card, "--path", str(KNOWN), "--rules", base, "--rules", f"{base}+{change}", "-j", "1"]
    done = say([*command, *words])
    assert not done.code, done.err
    return json.loads(say([*command, *words, "--format", "json"]).out), without_sizes(" ".join(done.out.split()))


def test_draws_that_the_other_side_wins_are_reported() -> None:
    """North wins the same games with and without the change."""
    data, output = compared("yard", "toss", "ties_to_south", "-n", "60")
    assert data["verdicts"][0]["finding"] == "other side"
    assert data["difference"]["pairs"]["first"] == data["difference"]["pairs"]["second"] == 0
    assert "the south side wins more often; fewer games are drawn significant; " in output
    [south] = data["difference"]["other_sides"]
    assert (south["side"], south["pairs"]["first"], south["established"]) == ("south", 0, True)
    assert south["pairs"]["second"] == data["arms"][0]["draws"]
    assert data["arms"][1]["draws"] == 0


@sampled(1)
@pytest.mark.parametrize(("until", "ends"), [("decided", True), ("settled", True), ("same", False)])
def test_an_effect_on_another_side_stops_an_experiment(until: str, ends: bool) -> None:
    """Equal wins of the counted side do not make the stacks equal."""
    data, output = compared("yard", "toss", "ties_to_south", "-n", "240", "--until", until)
    assert bool(data["stopped"]) == ends
    assert "the south side wins more often; fewer games are drawn" in output


@sampled(0)
def test_a_gain_of_both_sides_is_reported_of_both() -> None:
    command = ["compare", "yard", "--path", str(KNOWN), "--rules", "toss", "--rules", "toss+all_on_four", "-n", "2400"]
    data = json.loads(say([*command, "-j", "1", "--format", "json"]).out)
    sentence = without_sizes(data["verdicts"][0]["says"][0])
    assert sentence.endswith(
        ": the north side wins more often; the south side wins more often and fewer games are drawn"
    )
    low, high = data["difference"]["interval"]
    assert low < WINS_ON_FOUR - WINS_ON_SIX < high


@sampled(1)
@pytest.mark.parametrize("side", ["north", "south"])
def test_the_effect_on_a_side_does_not_depend_on_the_counted_side(side: str) -> None:
    data, _ = compared("yard", "toss", "all_on_four", "-n", "60", "--side", side)
    [other] = data["difference"]["other_sides"]
    assert other["side"] != side
    mirrored, _ = compared("yard", "toss", "all_on_four", "-n", "60", "--side", other["side"])
    assert mirrored["difference"]["pairs"] == other["pairs"]
    assert mirrored["difference"]["interval"] == other["interval"]


@sampled(0)
def test_effects_on_all_of_three_sides_are_reported() -> None:
    """Red wins less often, blue still less, and green gains."""
    data, output = compared("court", "trio", "green_for_blue", "-n", "400")
    assert data["verdicts"][0]["finding"] == "less"
    red, blue = "the red side wins less often", "the blue side wins less often"
    green = "the green side wins more often"
    assert f"{red}; {green}, {blue} and fewer games are drawn" in output
    data, output = compared("court", "trio", "green_for_blue", "-n", "400", "--side", "green")
    assert data["verdicts"][0]["finding"] == "more"
    assert f"{green}; {red}, {blue} and fewer games are drawn" in output


def test_every_two_of_three_rules_are_compared() -> None:
    """Each difference counts the pairs of an experiment of these two alone, with a smaller part of the error."""
    rules = "toss", "toss+ties_to_south", "toss+all_on_four"
    command = ["compare", "yard", "--path", str(KNOWN), "-n", "60", "-j", "1", "--format", "json"]
    together = json.loads(say([*command, *[word for name in rules for word in ("--rules", name)]]).out)["differences"]
    assert [(gap["than"], gap["rules"]) for gap in together] == list(combinations(rules, 2))
    for gap in together:
        alone = json.loads(say([*command, "--rules", gap["than"], "--rules", gap["rules"]]).out)["difference"]
        assert (gap["pairs"], gap["turned"]) == (alone["pairs"], alone["turned"])
        assert gap["interval"][0] < alone["interval"][0] <= alone["interval"][1] < gap["interval"][1]


LAYER = "layer: {0}\ntitle: {0}\nkind: variant\non: [{1}]\ncites: house\n"
NEVER_TRIED = """rule guard-holds [house] "Whoever attacks for the Column has no chance."
  shift adds -4
  when some(a in attackers where a.side = raiders)
"""


def test_removed_pairs_are_reported_before_any_number(tmp_path: Path) -> None:
    """A score in the last turn breaks the rules, so only games without one remain."""
    (tmp_path / "cursed").mkdir()
    (tmp_path / "cursed" / "layer.yaml").write_text(LAYER.format("cursed", "trio"))
    (tmp_path / "cursed" / "cursed.rules").write_text(
        'rule cursed [house] "It is too much."\n  tally is s.score * 999\n  exception to hits-count\n  when s = red\n'
    )
    command = ["compare", "court", "--rules", "trio", "--rules", "trio+cursed", "-n", "40", "-j", "1"]
    done = say([*command, "--path", str(KNOWN), "--path", str(tmp_path)])
    assert done.code == 1
    message = " ".join(done.out.split())
    assert " of 40 pairs are left out, as the rules broke in one of their games" in message
    assert message.index("are left out") < message.index("`--all` shows the tables")


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
    assert "two_clans+herds instead of two_clans: nothing is known of who wins, as the rules broke" in done.out
    both = say([*command, "--path", str(tmp_path), "--players", "greedy", "--players", "lookahead:9"])
    assert "instead of two_clans with lookahead:9: nothing is known" in " ".join(both.out.split())
