"""Files are replaced atomically; errors name the file that could not be written; no partial file remains."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from rulewright.games.journal import create_journal, read_trial, reopen_journal
from rulewright.lab.results import Results
from rulewright.serve.cli.app import run
from rulewright.system.atomic_files import save_bytes, save_folder, save_new, save_text
from rulewright.system.errors import UsageError
from runtime.experiment.result_lines import VERSION, ExperimentHeading

BOOK = {"a.html": b"new a", "deep/b.html": b"new b"}


def content(folder: Path) -> dict[str, bytes]:
    """Read all files below a folder, including hidden ones."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Limit the size of files, as on a full disk, and write no bytecode, which would be truncated as well."""
    resource = pytest.importorskip("resource")
    before, unwritten = resource.getrlimit(resource.RLIMIT_FSIZE), sys.dont_write_bytecode
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    sys.dont_write_bytecode = True
    try:
        yield
    finally:
        sys.dont_write_bytecode = unwritten
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


# ---------------------------------------------------------------- files


def test_a_file_is_replaced_in_one_step_and_keeps_its_permissions(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "a.txt"
    save_text(file, "old")
    file.chmod(0o640)
    (tmp_path / "link").symlink_to(file)
    with file.open(encoding="utf-8") as reader:
        save_text(tmp_path / "link", "new")
        assert reader.read() == "old"
    assert (file.read_text(), (tmp_path / "link").is_symlink()) == ("new", True)
    assert file.stat().st_mode & 0o777 == 0o640
    assert content(tmp_path / "deep") == {"a.txt": b"new"}


def test_a_new_file_does_not_overwrite(tmp_path: Path) -> None:
    save_new(tmp_path / "a", b"old")
    with pytest.raises(FileExistsError) as failed:
        save_new(tmp_path / "a", b"new")
    assert failed.value.filename == str(tmp_path / "a")
    assert content(tmp_path) == {"a": b"old"}


def test_a_write_error_names_the_file_and_keeps_the_old_one(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(b"old")
    with files_of_at_most(10_000), pytest.raises(OSError, match=r"a\.txt'$"):
        save_bytes(file, b"x" * 100_000)
    assert content(tmp_path) == {"a.txt": b"old"}


# ---------------------------------------------------------------- folders


def test_a_folder_is_replaced_and_foreign_files_are_kept(tmp_path: Path) -> None:
    out = tmp_path / "book"
    save_folder(out, {"a.html": b"old a", "gone/c.html": b"old c"})
    (out / "mine.txt").write_text("mine")
    save_folder(out, BOOK, ("a.html", "gone/c.html"))
    assert content(tmp_path) == {"book/a.html": b"new a", "book/deep/b.html": b"new b", "book/mine.txt": b"mine"}
    assert not (out / "gone").exists()


def test_a_foreign_file_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(b"mine")
    with pytest.raises(UsageError, match=r"a\.html is there already and was not written by this command"):
        save_folder(tmp_path, BOOK)
    assert content(tmp_path) == {"a.html": b"mine"}


@pytest.mark.parametrize("before", [{}, {"a.html": b"old a"}])
def test_a_folder_is_unchanged_after_a_write_error(tmp_path: Path, before: dict[str, bytes]) -> None:
    out = tmp_path / "book"
    if before:
        save_folder(out, before)
    with files_of_at_most(10_000), pytest.raises(OSError, match=r"book/deep/b\.html'$"):
        save_folder(out, {**BOOK, "deep/b.html": b"x" * 100_000}, before.keys())
    assert content(tmp_path) == {f"book/{name}": each for name, each in before.items()}


def test_concurrent_writers_leave_one_complete_folder(tmp_path: Path) -> None:
    books = [{f"{n}.html": bytes([number]) for n in range(20)} for number in range(8)]
    names = books[0].keys()
    save_folder(tmp_path / "book", books[0])

    def write(book: dict[str, bytes]) -> None:
        save_folder(tmp_path / "book", book, names)

    with ThreadPoolExecutor(2) as both:
        list(both.map(write, books))
    assert content(tmp_path / "book") in books


# ---------------------------------------------------------------- commands


def journal(file: Path) -> None:
    """Write a long line to a record of a game."""
    written = create_journal(file)
    try:
        written.write("x" * 100_000)
    finally:
        written.close()


def results(file: Path) -> None:
    """Write a long heading to a file of an experiment."""
    Results(file, ExperimentHeading(VERSION, "x" * 100_000, (), (), "1")).close()


@pytest.mark.parametrize("write", [journal, results])
def test_a_full_disk_during_play_names_the_file(tmp_path: Path, write: Callable[[Path], None]) -> None:
    with files_of_at_most(10_000), pytest.raises(OSError, match=r"games\.x'$"):
        write(tmp_path / "games.x")


FULL: dict[str, list[str]] = {
    "game.trial": ["play", "before_the_tide", "--record"],
    "map.svg": ["show", "before_the_tide", "--out"],
    "web.dot": ["graph", "low_tide", "--out"],
    "book": ["reference", "low_tide", "--out"],
    "games.json": ["compare", "before_the_tide", "-n", "1", "-j", "1", "--players", "random", "--out"],
}


@pytest.mark.parametrize("name", FULL)
def test_every_writing_command_names_its_file_on_a_full_disk(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with files_of_at_most(120):
        assert run([*FULL[name], str(tmp_path / name)]) == 2
    error_output = capsys.readouterr().err
    assert f"error: {tmp_path / name}" in error_output
    assert "File too large" in error_output
    assert set(content(tmp_path)) <= {"game.trial", "games.json"}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no file that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_standard_output_is_an_error(unbuffered: str) -> None:
    command = [sys.executable, "-m", "rulewright", "version"]
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with Path("/dev/full").open("w") as full:
        completed = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=environment
        )
    assert completed.returncode == 2
    assert completed.stderr == "error: what is printed: No space left on device\n"


def test_a_choice_that_cannot_be_written_leaves_the_recorded_game_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    assert run(["play", "before_winter", "--seed", "5", "--record", str(file)]) == 0
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:4]))
    journal, trial, _ = reopen_journal(file)
    with files_of_at_most(file.stat().st_size + 10), pytest.raises(OSError, match=r"game\.jsonl"):
        journal.write(lines[4].rstrip("\n"))
    assert file.read_text() == "".join(lines[:4])
    for line in lines[4:]:
        journal.write(line.rstrip("\n"))
    journal.close()
    assert file.read_text() == "".join(lines)
    assert len(trial.choices) < len(read_trial(file).choices)
