"""The file of an experiment's results, one line a game; it may be broken off at any byte and gone on with.

A line is whole when it ends. What follows the last end is cut off before anything is added, so a
process that was killed, at whatever moment, leaves a file that goes on as if nothing had happened.
"""

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO

from rulewright.atomic_files import errors_naming, make_folder
from rulewright.errors import UsageError
from runtime.experiment.plan import Row
from runtime.experiment.result_lines import Heading, heading_difference, heading_line, read_row, row_line

# Results of one game number under some dozen stacks have some ten thousand bytes.
LONGEST_LINE = 10_000_000


class Results:
    """An open file of results. One process at a time; the system frees the lock of a dead one."""

    def __init__(self, path: Path, heading: Heading) -> None:
        """Open or begin the file, make sure it is of this experiment, and cut off a torn end."""
        self.path = path
        self.games = 0  # that are known to be there
        make_folder(path.parent)
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise UsageError(f"{path} is no regular file; name another with `--out`")
        self.file: IO[bytes] = path.open("a+b")
        try:
            _lock(self.file, path)
            self._check(heading)
        except BaseException:
            with suppress(OSError):  # What could not be written is tried again, and fails again.
                self.file.close()
            raise

    def close(self) -> None:
        """Close the file."""
        with errors_naming(self.path):
            self.file.close()

    def __enter__(self) -> "Results":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _check(self, heading: Heading) -> None:
        wanted = heading_line(heading).encode() + b"\n"
        self.file.seek(0)
        first = self.file.readline(LONGEST_LINE)
        if not first.endswith(b"\n") and wanted.startswith(first):
            with errors_naming(self.path):
                self.file.truncate(0)
                self.file.write(wanted)
                self.file.flush()
            return
        if first != wanted:
            why = heading_difference(first.decode(errors="replace"), heading)
            raise UsageError(
                f"{self.path} holds other results: {why or 'its heading is damaged'}; what is in it is left as it is: "
                "name another file with `--out` to begin anew, or go on with what it was begun with"
            )

    def stored_rows(self) -> Iterator[Row]:
        """Read the results that are there, one by one; afterwards the file ends with the last of them."""
        self.file.seek(0)
        end = len(self.file.readline(LONGEST_LINE))
        number = 0
        while True:
            self.file.seek(end)
            line = self.file.readline(LONGEST_LINE)
            if len(line) == LONGEST_LINE:
                raise UsageError(f"{self.path}:{number + 2} is no result of a game: more than {LONGEST_LINE:,} bytes")
            if not line.endswith(b"\n"):
                break
            row = read_row(line.decode(errors="replace"), number)
            if row is None:
                raise UsageError(
                    f"{self.path}:{number + 2} is no result of game {number}; cut the file off there to go on"
                )
            end += len(line)
            number += 1
            self.games = number
            yield row
        self.file.truncate(end)

    def write(self, number: int, row: Row) -> None:
        """Add the results of one game number; they are the system's before this returns."""
        with errors_naming(self.path):
            self.file.write(row_line(number, row).encode() + b"\n")
            self.file.flush()
        self.games = number + 1


def _lock(file: IO[bytes], path: Path) -> None:
    """Keep others from writing to the same file."""
    if sys.platform == "win32":
        return  # A lock there would keep readers out, too.
    import fcntl  # noqa: PLC0415 -- not on Windows

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UsageError(f"another process is writing to {path}") from None
    except OSError:
        return  # Some network folders know no locks.
