"""Generated code is cached on disk beside compiled stacks and shared by processes; a missing entry is generated."""

import subprocess
import sys
from pathlib import Path

import pytest

from bench.playing import situation
from rulewright.games.scenarios import game_of
from rulewright.library import cache, generated_code
from rulewright.library.generated_code import CODES, known_code
from runtime.answer.code import ANSWERING
from runtime.experiment.game_outcome import Outcome, play_outcome
from runtime.graph import nodes as graph
from runtime.players.player_names import PLAYERS
from tests.sample import LONG

NAME = "before_the_tide"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use an empty cache on disk and in memory, as in a new process."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    monkeypatch.setattr(generated_code, "_growing", {})
    return tmp_path


def played(rules: graph.Graph) -> Outcome:
    assert rules.scenario is not None
    return play_outcome(game_of(rules), dict.fromkeys(rules.scenario.order, PLAYERS["random"]), "1")


def begin_new_process() -> None:
    generated_code.write_grown_codes()
    generated_code._growing.clear()


def entries(folder: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in folder.glob(f"*{CODES.suffix}")}


def test_another_process_reuses_generated_code(folder: Path) -> None:
    rules = situation(NAME)
    game = played(rules)
    assert not entries(folder)  # Play does not write to disk.
    begin_new_process()
    [entry_values] = entries(folder).values()
    found = known_code(rules, ANSWERING)
    assert len(found.functions) > 20
    assert played(rules) == game
    begin_new_process()
    assert list(entries(folder).values()) == [entry_values]


@pytest.mark.parametrize("damage", [b"", b"x" * 40, None])
def test_a_corrupted_entry_is_generated_again(folder: Path, damage: bytes | None) -> None:
    rules = situation(NAME)
    game = played(rules)
    begin_new_process()
    [(file, entry)] = entries(folder).items()
    file.write_bytes(entry[:-1] if damage is None else damage)
    assert not known_code(rules, ANSWERING).functions
    assert played(rules) == game
    begin_new_process()
    assert entries(folder)[file] == entry


def test_a_game_is_played_without_a_usable_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generated_code, "_growing", {})
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "file"))
    played(situation(NAME))
    begin_new_process()


@LONG
@pytest.mark.usefixtures("folder")
def test_worker_processes_store_generated_code(folder: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "rulewright",
        "compare",
        NAME,
        "--games",
        "4",
        "--jobs",
        "2",
        "--players",
        "random",
        "--engine",
        "python",
    ]
    output = [subprocess.run(command, check=True, capture_output=True, text=True).stdout for _ in range(2)]
    assert output[0] == output[1]
    assert len(entries(folder)) == 2  # One entry answers questions, one counts rules.
    assert cache.cache_folder() == folder
