"""Changes of rules with known effects, judged by `compare`: the verdict, the cause, and the use of the change."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.commands.planting import say
from tests.sample import LONG, sampled

KNOWN = Path(__file__).parent / "known"


def judged(change: str, games: int, *words: str) -> tuple[dict[str, Any], str]:
    """Compare the brawl with and without a change; return the data, and the printed text in one line."""
    command = ["compare", "ring", "--path", str(KNOWN), "--rules", "brawl", "--rules", f"brawl+{change}"]
    command += ["-n", str(games), "-j", "1", "--all", *words]
    done = say(command)
    assert not done.code, done.err
    return json.loads(say([*command, "--format", "json"]).out), " ".join(done.out.split())


@sampled(0)
def test_a_side_with_double_blows_wins_more_often_with_its_cause() -> None:
    data, output = judged("heavy_north", 60, "--which")
    assert "the north side wins more often, " in output.partition("seen from")[0]
    assert "without heavy-blows instead of brawl+heavy_north: the north side wins less often" in output
    gap, _ = data["differences"]
    assert gap["pairs"]["first"] == 0
    assert {each["name"]: each["state"] for each in gap["changes"]} == {"heavy-blows": "used"}


@sampled(0)
def test_of_two_changes_the_one_without_effect_is_no_cause() -> None:
    """Both rules are live in every game; only one differs from the rule that it defeats."""
    command = ["compare", "yard", "--path", str(KNOWN), "--rules", "toss", "--rules", "toss+north_on_four", "-j", "1"]
    command += ["-n", "200", "--which"]
    output = " ".join(say(command).out.split())
    first, second = (
        output.partition(f"without {rule} instead of toss+north_on_four: ")[2]
        for rule in ("north-scores-on-four", "south-scores-on-six")
    )
    assert first.startswith("the north side wins less often")
    assert second.startswith("no difference of 5 percentage points or more in wins or draws; ")


@sampled(0)
def test_a_change_that_nobody_can_use_is_reported_unused() -> None:
    data, output = judged("idle_rule", 100, "--until", "same")
    assert "instead of brawl: no player used the new option in the first 10 games: yawn" in output
    assert "never offered: action yawn" in output
    assert "asked, never applied: blows-of-nobody" in output
    [gap] = data["differences"]
    assert gap["equal_pairs"] == 100
    assert "all 100 pairs of games have the same winner" in output


@sampled(0)
def test_only_search_takes_an_action_without_preference() -> None:
    """No preference favors a feint, so greedy players never take it."""
    _, output = judged("skilled", 2, "--players", "greedy", "--players", "search:16")
    assert "offered, never used: action feint" in output
    assert "used: action feint" in output


@LONG
def test_a_change_that_needs_skill_depends_on_the_player() -> None:
    _, output = judged("skilled", 30, "--players", "greedy", "--players", "search:32")
    assert "depends on the players" in output
    assert "with greedy nothing; with search:32 the north side wins more often" in output


@LONG
@pytest.mark.parametrize("seed", ["1", "2", "action/3", "4", "action/5"])
def test_an_unused_change_is_never_significant(seed: str) -> None:
    _, output = judged("idle_rule", 200, "--seed", seed)
    assert not re.search(r"wins (more|less) often|(more|fewer) games are drawn|in levels (rises|falls)", output)


@pytest.mark.parametrize(
    "players", [(), ("--players", "random"), ("--players", "greedy", "--players", "random,random")]
)
def test_swapped_sides_need_two_players(players: tuple[str, ...]) -> None:
    done = say(["compare", "ring", "--path", str(KNOWN), "-n", "2", "-j", "1", "--swap", *players])
    assert done.code == 0
    assert "one player plays all sides" in " ".join(done.err.split())
