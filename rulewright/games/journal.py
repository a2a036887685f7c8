"""A trial on disk that survives a crash of the process at any moment (write-ahead log).

A line is acknowledged when it is on the disk: `write` returns after fsync, and only then does the game
continue. A line that cannot be written, as on a full disk, is taken out again, so that the next one follows the last
acknowledged one. An incomplete line was never acknowledged; `reopen_journal` removes and reports it.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from rulewright.system.atomic_files import errors_naming, make_folder
from rulewright.system.errors import UsageError
from rulewright.system.file_locks import lock_file
from rulewright.system.regular_files import open_regular, read_opened, read_regular
from rulewright.system.shell_words import shell_word
from runtime.trial.nodes import Trial
from runtime.trial.trial_lines import decode_trial

NEWLINE = b"\n"
# The size limit: a game of ten thousand choices has about four million bytes.
LARGEST_TRIAL = 32_000_000
# The beginning of every line of a trial, also of an incomplete one.
BEGINNING = b'{"what":"'


class Journal:
    """The open file of one game, locked against writes of other processes."""

    __slots__ = ("_handle", "file")

    def __init__(self, file: Path, handle: IO[bytes]) -> None:
        """Lock the file for this process."""
        self.file = file
        self._handle = handle
        try:
            lock_file(handle, file, "is playing this game already")
        except UsageError:
            handle.close()
            raise

    def write(self, line: str) -> None:
        """Write a line, and return when it is on the disk; after an `OSError` the file is as before."""
        descriptor = self._handle.fileno()
        end = os.lseek(descriptor, 0, os.SEEK_END)
        with errors_naming(self.file):
            try:
                _write_all(descriptor, line.encode() + NEWLINE)
                os.fsync(descriptor)
            except OSError:
                os.ftruncate(descriptor, end)
                raise

    def close(self) -> None:
        """Close the file, which unlocks it."""
        with errors_naming(self.file):
            self._handle.close()


def _write_all(descriptor: int, content: bytes) -> None:
    """Write all bytes; the system may write only a part at once."""
    while content:
        content = content[os.write(descriptor, content) :]


def create_journal(file: Path) -> Journal:
    """Create a journal; an existing file is not overwritten, unless it is empty."""
    with errors_naming(file):
        make_folder(file.parent)
        try:
            handle = file.open("xb")
        except FileExistsError:
            if not file.is_dir() and (not file.is_file() or file.stat().st_size):
                raise UsageError(_existing_content(file)) from None
            handle = file.open("ab")  # The process that created it ended before it wrote a line.
        journal = Journal(file, handle)
        _settle(file.parent)
    return journal


def _existing_content(file: Path) -> str:
    """Return a message on the content of an existing file, with what the user can do."""
    trial, unread_lines = decode_trial(_decode_lines(complete_lines(read_regular(file, LARGEST_TRIAL))[0]))
    if trial is None or unread_lines:
        return f"{file} is there already, and is no recorded game: name another file"
    if trial.result:
        return f"{file} is there already: a game that is over; `replay {file}` plays it again. Name another file"
    return f"{file} is there already: go on with `play --resume {shell_word(file)}`, or name another file"


def reopen_journal(file: Path) -> tuple[Journal, Trial, str]:
    """Reopen a journal; also return the game so far, and a message on a removed incomplete line."""
    journal = Journal(file, open_regular(file, write=True))
    handle = journal._handle
    try:
        intact_content, dropped = complete_lines(read_opened(handle, file, LARGEST_TRIAL))
    except UsageError:
        journal.close()
        raise
    trial, unread_lines = decode_trial(_decode_lines(intact_content))
    if trial is None or unread_lines:
        journal.close()
        if trial is None and not intact_content:
            raise UsageError(
                f"{file} holds no game: it ended before anything was written down; delete it and begin anew"
            )
        raise UsageError(f"{file}:{unread_lines[0].line}: this is no recorded game: {unread_lines[0].reason}")
    if dropped:
        handle.truncate(len(intact_content))
    handle.seek(len(intact_content))
    return journal, trial, dropped


def is_trial(file: Path) -> bool:
    """Return whether a file begins as a recorded game does."""
    with open_regular(file) as opened:
        return opened.read(len(BEGINNING)) == BEGINNING


def read_trial(file: Path) -> Trial:
    """Read a recorded game; its last line may be incomplete. `UsageError` for any other file."""
    content = read_regular(file, LARGEST_TRIAL)
    intact_content, _ = complete_lines(content)
    incomplete_line = content[len(intact_content) :]
    if incomplete_line and not (
        incomplete_line[: len(BEGINNING)] == BEGINNING[: len(incomplete_line)] and b"\0" not in incomplete_line
    ):
        raise UsageError(
            f"{file}:{intact_content.count(NEWLINE) + 1}: this is no recorded game: it ends in something else"
        )
    trial, unread_lines = decode_trial(
        _decode_lines(content + NEWLINE if _is_line(incomplete_line) else intact_content)
    )
    if trial is None or unread_lines:
        raise UsageError(f"{file}:{unread_lines[0].line}: this is no recorded game: {unread_lines[0].reason}")
    return trial


def _is_line(line: bytes) -> bool:
    """Return whether a last line is complete except for its line break."""
    return line.startswith(BEGINNING) and line.rstrip().endswith(b"}")


def complete_lines(content: bytes) -> tuple[bytes, str]:
    """Remove an incomplete last line; also return a message about it, "" if there is none."""
    intact_content = content[: content.rfind(b"\n") + 1]
    incomplete_line = content[len(intact_content) :]
    if not incomplete_line:
        return intact_content, ""
    return (
        intact_content,
        f"the last line was cut off in the middle and is dropped ({len(incomplete_line)} bytes, never acknowledged)",
    )


def _decode_lines(content: bytes) -> Sequence[str]:
    """Decode lines; invalid text becomes a line that is no JSON, and is reported as such."""
    # Not splitlines: a name may contain one of the rarer line ends.
    return content.decode("utf-8", errors="replace").removeprefix("\ufeff").split("\n")[:-1]


def _settle(folder: Path) -> None:
    """Flush the directory entry of a new file to the disk (fsync)."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
