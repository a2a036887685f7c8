"""Players from external code, in `compare` and in duels, and in worker processes."""

import sys
from pathlib import Path

import pytest

import rulewright
from rulewright.games.player_code import PlayerCode, fetch_player_code
from rulewright.lab.experiment_setup import load_stacks, parse_seatings, set_up
from rulewright.system.errors import UsageError
from runtime.experiment.processes import play_range, start_processes
from tests.commands.planting import say
from tests.lab.bench import ALONE
from tests.sample import sampled

CODE = """
import json

from brought_help import LAST as END

def last(position, choices):
    return choices[END]

def broken(position, choices):
    return choices[len(choices)]

def wild(position, choices):
    return "no such thing"

def lost(position, choices):
    return json.loads("no such thing")

def LAST(position, choices):
    return last(position, choices)

def greedy(position, choices):
    return choices[0]

human = greedy
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a module of players and one that it imports, into the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    for module in ("brought_players", "brought_help"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    (tmp_path / "brought_players.py").write_text(CODE)
    (tmp_path / "brought_help.py").write_text("LAST = -1\n")
    return tmp_path


@sampled(0)
@pytest.mark.usefixtures("place")
def test_a_duel_of_external_code_does_not_depend_on_processes() -> None:
    code = fetch_player_code("brought_players:last")
    stacks = load_stacks("before_the_tide", [], [], [])
    seating = parse_seatings(stacks, ["last,random"], swaps_sides=True, player_code=(code,))
    assert [[name for _, name in each] for each in seating] == [["last", "random"], ["random", "last"]]
    plan = set_up(stacks, seating, "1", None, (code,)).plan()
    with start_processes(2) as two:
        assert list(play_range(two, plan, 0, 4)) == list(play_range(ALONE, plan, 0, 4))


@sampled(1)
@pytest.mark.parametrize("command", ["compare", "play"])
@pytest.mark.usefixtures("place")
def test_external_code_with_the_name_of_another_player_is_refused(command: str) -> None:
    words = [command, "before_the_tide", "--player-code", "brought_players:last", "--player-code"]
    for function, message in (
        ("brought_players:greedy", "`greedy` is a player that comes with Rulewright"),
        ("brought_players:human", "`human` is a player that comes with Rulewright"),
        ("brought_players:last", "two players are named `last`"),
    ):
        done = say([*words, function])
        assert done.code == 2
        assert message in done.err
    with pytest.raises(UsageError, match="`random` is a player that comes with Rulewright"):
        rulewright.play("before_the_tide", functions={"random": lambda _, choices: choices[0]})


@sampled(0)
def test_the_version_of_a_player_includes_its_imports(place: Path) -> None:
    before = fetch_player_code("brought_players:last").version
    assert fetch_player_code("brought_players:last").version == before
    (place / "brought_help.py").write_text("LAST = -1  # or so\n")
    assert fetch_player_code("brought_players:last").version != before


@sampled(1)
@pytest.mark.parametrize(
    ("function", "message"),
    [
        ("broken", "broken failed when asked for offer walk, gather, land: IndexError: list index out of range"),
        ("lost", "Expecting value: line 1 column 1 (char 0) (brought_players.py:16)"),
        ("wild", "wild chose 'no such thing'"),
        ("nobody", "brought_players has no function `nobody`"),
    ],
)
@pytest.mark.usefixtures("place")
def test_errors_in_external_code_are_reported(function: str, message: str) -> None:
    words = ["compare", "before_the_tide", "--player-code", f"brought_players:{function}"]
    done = say([*words, "--players", f"{function},random", "-n", "2", "-j", "1"])
    assert done.code == 2
    assert message in done.err
    assert "bug" not in done.err


def test_external_code_that_fails_to_load_is_reported() -> None:
    code = PlayerCode("gone", "player", "1")
    with pytest.raises(UsageError, match="player code `gone` cannot be imported: ModuleNotFoundError"):
        code.player()
