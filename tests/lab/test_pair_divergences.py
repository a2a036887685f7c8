"""Where the games of a pair diverge: at other options or positions, or where a player prefers another option."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.commands.planting import say

LAYER = "layer: {0}\ntitle: {0}\nkind: variant\non: [low_tide]\ncites: house\n"
CHANGES = {
    "early": 'rule early-flood [house] "A 3 is enough."\n  rise is 1\n  exception to tide-rises\n  when d = 3\n',
    "boards": 'rule boards [house] "It costs one."\n  exception to mud-clings, mud-and-a-basket\n',
}
# Greedy players without an aim, who follow the preferences alone.
CALM = "define nothing(owner: side): 0..1 [house] = 0\n\naim nothing instead of catch\n"
Compare = Callable[..., Any]


@pytest.fixture
def compare(tmp_path: Path) -> Compare:
    """Return a function that compares Low Tide with one of the changes, and returns the data."""
    for name, rules in {**CHANGES, "calm": CALM}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "layer.yaml").write_text(LAYER.format(name))
        (tmp_path / name / f"{name}.rules").write_text(rules)

    def run(change: str, *words: str, base: str = "low_tide") -> Any:
        command = ["compare", "before_the_tide", "--path", str(tmp_path), "--rules", base, "-j", "1"]
        done = say([*command, "--rules", f"{base}+{change}", *words, "--format", "json"])
        assert not done.code, done.err
        return json.loads(done.out)

    return run


def divergences(compare: Compare, change: str, numbers: range, base: str = "low_tide") -> list[dict[str, Any]]:
    words = [word for number in numbers for word in ("--divergence", f"1-{number}")]
    pairs: list[dict[str, Any]] = compare(change, *words, base=base)["pairs"]
    return pairs


@pytest.mark.parametrize("change", CHANGES)
def test_games_diverge_if_they_end_otherwise_and_at_the_changed_rule(compare: Compare, change: str) -> None:
    difference = compare(change, "-n", "20")["difference"]
    pairs = divergences(compare, change, range(20))
    other_winner = [pair["seed"] for pair in pairs if pair["winners"][0] != pair["winners"][1]]
    assert other_winner[:3] == difference["turned"]
    assert all(pair["step"] is not None for pair in pairs if pair["seed"] in other_winner)
    equal = [pair for pair in pairs if pair["step"] is None]
    assert len(equal) <= difference["equal_pairs"]
    label = {"early": "early-flood", "boards": "boards"}[change]
    assert all(label in pair["changed"] for pair in pairs if pair["step"] is not None)


def test_a_player_that_chooses_otherwise_is_told_from_other_rules(compare: Compare) -> None:
    pairs = divergences(compare, "boards", range(12), base="low_tide+calm")
    kinds = {pair["what"] for pair in pairs}
    assert {"preference", "state"} <= kinds
    for pair in pairs:
        sentences = " ".join(pair["says"])
        assert ("the position and the options are the same; greedy chooses " in sentences) == (
            pair["what"] == "preference"
        )
        assert "cost: 2 steps under low_tide+calm, 1 step under low_tide+calm+boards" in sentences


def test_random_players_diverge_where_options_or_positions_differ(compare: Compare) -> None:
    words = [word for number in range(8) for word in ("--divergence", f"1-{number}")]
    pairs = compare("boards", "--players", "random", *words)["pairs"]
    assert "preference" not in {pair["what"] for pair in pairs}


def test_an_action_that_nobody_takes_does_not_part_games(tmp_path: Path) -> None:
    """It is in the list of actions of each offer, and the games are the same."""
    (tmp_path / "singing").mkdir()
    (tmp_path / "singing" / "layer.yaml").write_text(LAYER.format("singing"))
    (tmp_path / "singing" / "singing.rules").write_text(SING)
    rules = ["--rules", "low_tide", "--rules", "low_tide+singing", "--path", str(tmp_path)]
    done = say(["compare", "before_the_tide", *rules, "--divergence", "1-1", "--format", "json"])
    [pair] = json.loads(done.out)["pairs"]
    assert (pair["step"], pair["changed"]) == (None, [])
    assert pair["says"][0].endswith(" under both rules; the games are the same")


SING = """status walker: sung marker "Sung" until end of own_turn
action sing by player in foraging [house] "Sing." reads "{w} sings" {
  choose w from {w in all walker where w.side = player and w is not sung}
  mark w as sung
}
offer sing beside walk
"""


def test_a_seed_of_another_experiment_is_refused() -> None:
    for seed in ("2-1", "1", "1-x"):
        done = say(["compare", "before_the_tide", "--rules", "low_tide", "--divergence", seed])
        assert (done.code, "have seeds such as 1-7" in done.err) == (2, True)
