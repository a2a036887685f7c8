"""Changes of rules whose effect is known, judged by `compare`: the verdict, the cause, and whether it was used."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands.planting import say
from tests.sample import LONG

KNOWN = Path(__file__).parent / "known"


def judged(change: str, games: int, *words: str) -> tuple[dict[str, Any], str]:
    """Compare the brawl with and without a change; give what is found as data, and as people read it."""
    command = ["compare", "ring", "--path", str(KNOWN), "--rules", "brawl", "--rules", f"brawl+{change}"]
    command += ["-n", str(games), "-j", "1", *words]
    done = say(command)
    assert not done.code, done.err
    return json.loads(say([*command, "--format", "json"]).out), " ".join(done.out.split())


def test_a_side_whose_blows_count_double_wins_more_often_and_the_cause_is_named() -> None:
    data, output = judged("heavy_north", 60, "--which")
    assert "north wins more often, and it is no accident" in output
    assert "without heavy-blows: north wins -" in output
    assert "IT MATTERS" in output
    [gap] = data["differences"]
    assert gap["pairs"]["first"] == 0
    assert {each["name"]: each["state"] for each in gap["changes"]} == {"heavy-blows": "used"}


def test_of_two_changes_the_one_that_changes_nothing_is_not_blamed() -> None:
    """Both rules are live in every game; only one of them says something else than the rule that it defeats."""
    command = ["compare", "yard", "--path", str(KNOWN), "--rules", "toss", "--rules", "toss+north_on_four", "-j", "1"]
    command += ["-n", "200", "--which"]
    output = " ".join(say(command).out.split())
    first, second = (
        output.partition(f"without {rule}: ")[2] for rule in ("north-scores-on-four", "south-scores-on-six")
    )
    assert first.startswith("north wins -39.0% (-45.4% to -31.8%), south wins +")
    assert "p < 0.001: IT MATTERS" in first[: first.index("without")]
    assert second.startswith("north wins +0.0% (-1.1% to +1.1%), p 1.000: it changes that by less than 5")
    states = {each["without"]: each["state"] for each in json.loads(say([*command, "--format", "json"]).out)["causes"]}
    assert states == {"north-scores-on-four": "found", "south-scores-on-six": "small"}


def test_what_nobody_can_use_makes_no_difference_and_is_said_not_to_be_used() -> None:
    data, output = judged("idle_rule", 100, "--until", "same")
    assert "NOTHING THAT IS CHANGED WAS USED" in output
    assert "NEVER OFFERED: action yawn" in output
    assert "asked, never live: blows-of-nobody" in output
    [gap] = data["differences"]
    assert gap["equal_pairs"] == 100
    assert "all 100 pairs of games came out the same" in output


def test_what_only_search_finds_is_taken_by_search_alone() -> None:
    """Nothing about a feint is preferred, so greedy players never begin one."""
    _, output = judged("skilled", 2, "--players", "greedy", "--players", "search:16")
    assert "offered, NEVER TAKEN: action feint" in output
    assert "taken: action feint" in output


@LONG
def test_what_helps_only_who_plays_well_depends_on_the_player() -> None:
    _, output = judged("skilled", 30, "--players", "greedy", "--players", "search:32")
    assert "THE VERDICT TURNS WITH THE PLAYER" in output
    assert "with greedy nothing that is changed was used; with search:32 north wins more often" in output
    assert "no accident" in output


@LONG
@pytest.mark.parametrize("seed", ["1", "2", "action/3", "4", "action/5"])
def test_the_same_rules_under_another_name_are_no_difference(seed: str) -> None:
    _, output = judged("idle_rule", 200, "--seed", seed)
    assert "no accident" not in output.replace("what is called no accident", "")


@pytest.mark.parametrize(
    "players", [(), ("--players", "random"), ("--players", "greedy", "--players", "random,random")]
)
def test_one_player_has_nobody_to_change_places_with(players: tuple[str, ...]) -> None:
    done = say(["compare", "ring", "--path", str(KNOWN), "-n", "2", "-j", "1", "--swap", *players])
    assert done.code == 0
    assert "one player plays all sides" in " ".join(done.err.split())
