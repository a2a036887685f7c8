"""The journal on disk: acknowledged lines are never lost, a truncated line is dropped, and no game is overwritten."""

from pathlib import Path

import pytest

from rulewright.games.journal import create_journal, reopen_journal
from rulewright.system.errors import UsageError
from rulewright.system.regular_files import read_regular
from runtime.answer.interpreter import Interpreter
from runtime.play.game import Game
from runtime.players.player_names import PLAYERS
from tests.toys.hares import hares
from tests.trials.recording import record_game

HARES = Game(hares(), Interpreter(hares()))
NAMES = {"red": "random", "blue": "random"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Write a complete game to disk."""
    journal = create_journal(tmp_path / "games" / "a.trial")
    seats = {side: PLAYERS[name] for side, name in NAMES.items()}
    record_game(HARES, HARES.start("a"), seats, NAMES, "a", journal.write)
    journal.close()
    return journal.file


def test_a_reopened_journal_continues_at_its_end(file: Path) -> None:
    before = file.read_bytes()
    journal, trial, dropped = reopen_journal(file)
    journal.write('{"what":"undo","step":3}')
    journal.close()
    assert dropped == ""
    assert trial.result is not None
    assert file.read_bytes() == before + b'{"what":"undo","step":3}\n'


def test_every_truncated_last_line_is_dropped_and_reported(file: Path) -> None:
    whole = file.read_bytes()
    lines = whole.split(b"\n")
    start = len(b"\n".join(lines[:9])) + 1
    for cut in range(1, len(lines[9]) + 1):
        file.write_bytes(whole[: start + cut])
        journal, trial, dropped = reopen_journal(file)
        journal.close()
        assert len(trial.choices) == 8
        assert dropped == f"the last line was cut off in the middle and is dropped ({cut} bytes, never acknowledged)"
        assert file.read_bytes() == whole[:start]


@pytest.mark.parametrize("content", [b"", b'{"what":"heading","ver'])
def test_a_journal_without_a_heading_has_no_game(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(UsageError, match="holds no game"):
        reopen_journal(file)


@pytest.mark.parametrize("content", [b"\n", b"what\n", b"\xff\xfe\n", b"{}\n"])
def test_a_file_that_is_no_journal_is_refused_and_unchanged(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(UsageError, match=":1: this is no recorded game"):
        reopen_journal(file)
    assert file.read_bytes() == content


def test_a_game_is_not_overwritten(file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(UsageError, match=r"a game that is over; `replay .*Name another file"):
        create_journal(file)
    assert file.read_bytes() == before
    file.write_bytes(b"".join(before.splitlines(keepends=True)[:-1]))
    with pytest.raises(UsageError, match=r"is there already: go on with `play --resume"):
        create_journal(file)
    file.write_bytes(b"a letter")
    with pytest.raises(UsageError, match=r"is no recorded game: name another file"):
        create_journal(file)
    assert file.read_bytes() == b"a letter"


def test_an_empty_journal_is_started_anew(file: Path) -> None:
    file.write_bytes(b"")
    create_journal(file).close()


def test_a_journal_is_locked_by_one_process(file: Path) -> None:
    pytest.importorskip("fcntl")
    journal, _, _ = reopen_journal(file)
    with pytest.raises(UsageError, match="somebody is playing this game already; wait"):
        reopen_journal(file)
    journal.close()
    reopen_journal(file)[0].close()


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="only Linux has a file whose beginning cannot be read")
def test_a_device_that_fails_is_named() -> None:
    with pytest.raises(OSError, match="/proc/self/mem"):
        read_regular(Path("/proc/self/mem"), 100)
