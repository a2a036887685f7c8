"""What players do not do under some rules is told with the games that they play."""

import json
import re
from pathlib import Path

import pytest

from rulewright.games.player_limits import player_limits
from rulewright.library.stacks import load_stack
from rulewright.serve.cli.app import run
from rulewright.write.new_packages import new_game

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """Write a small game in which no choice has a preference."""
    folder = new_game("toy", tmp_path).folder
    rules = folder / "playing.rules"
    rules.write_text(re.sub(r" preferring .*", "", rules.read_text()))
    return folder


@pytest.mark.parametrize("command", [["play", "first_toy"], ["compare", "first_toy", "-n", "2"]])
def test_a_greedy_player_without_preferences_is_told_of_once(command: list[str], toy: Path, capsys: Capture) -> None:
    players = ["--players", "greedy", "--path", str(toy)]
    assert run([*command, *players]) == 0
    out, _ = capsys.readouterr()
    assert " ".join(out.split()).count("no choice of toy says what it is worth") == 1
    assert run([*command, *players, "--format", "json"]) == 0
    (limit,) = json.loads(capsys.readouterr().out)["player_limits"]
    assert "write `preferring`" in limit
    assert run([*command, "--players", "random", "--path", str(toy), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["player_limits"] == []


def test_choices_outside_of_offers_are_named_for_players_that_think() -> None:
    rules = load_stack("long_frost", []).graph
    assert rules is not None
    (limit,) = player_limits(rules, "north=search:50,south=greedy")
    assert limit.startswith("`search` thinks where actions are offered; other choices are made as `greedy` makes them")
    assert "resolution " in limit
    assert player_limits(rules, "greedy") == player_limits(rules, "random") == ()
