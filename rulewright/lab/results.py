"""The file of an experiment's results, one line per game, which recovers from truncation at any byte.

A line is complete if it ends with a line feed. An incomplete line is removed before another is added, so that a killed
process leaves a valid file.
"""

from collections.abc import Iterator
from contextlib import nullcontext, suppress
from itertools import islice
from pathlib import Path
from typing import IO

from rulewright.system.atomic_files import errors_naming, make_folder
from rulewright.system.errors import UsageError
from rulewright.system.file_locks import lock_file
from runtime.experiment.plan import Row
from runtime.experiment.result_lines import ExperimentHeading, heading_difference, heading_line, read_row, row_line

# The results of one game number under some dozen stacks have about ten thousand bytes.
LONGEST_LINE = 10_000_000


class Results:
    """An open file of results, locked against other processes until it is closed or the process ends."""

    def __init__(self, path: Path, heading: ExperimentHeading) -> None:
        """Open or create the file, check that its heading is that of the experiment, and remove an incomplete line."""
        self.path = path
        self.heading = heading
        make_folder(path.parent)
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise UsageError(f"{path} is no regular file; name another with `--out`")
        self.file: IO[bytes] = path.open("a+b")
        try:
            lock_file(self.file, path, "is writing these games")
            self._check(heading)
        except BaseException:
            with suppress(OSError):  # Closing retries the failed write, which fails again.
                self.file.close()
            raise

    def close(self) -> None:
        """Close the file."""
        with errors_naming(self.path):
            self.file.close()

    def __enter__(self) -> "Results":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Close the file. After a failed write, closing retries and fails again; the first error is kept."""
        with suppress(OSError) if kind else nullcontext():
            self.close()

    def _check(self, heading: ExperimentHeading) -> None:
        expected_line = heading_line(heading).encode() + b"\n"
        self.file.seek(0)
        first = self.file.readline(LONGEST_LINE)
        if not first.endswith(b"\n") and expected_line.startswith(first):
            with errors_naming(self.path):
                self.file.truncate(0)
                self.file.write(expected_line)
                self.file.flush()
            return
        if first != expected_line:
            difference = heading_difference(first.decode(errors="replace"), heading)
            raise UsageError(
                f"{self.path} holds other results: {difference or 'its heading is damaged'}; "
                "what is in it is left as it is: "
                "name another with `--out` to begin anew, or go on with what it was begun with"
            )

    def stored_rows(self) -> Iterator[Row]:
        """Yield the stored rows; afterwards the file ends with the last complete one."""
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
            row = read_row(line, number, self.heading)
            if row is None:
                raise UsageError(
                    f"{self.path}:{number + 2} is no result of game {number}; cut the file off there to go on"
                )
            end += len(line)
            number += 1
            yield row
        self.file.truncate(end)

    def write(self, number: int, row: Row) -> None:
        """Append the results of one game number, and flush them to the operating system."""
        with errors_naming(self.path):
            self.file.write(row_line(number, row, self.heading).encode() + b"\n")
            self.file.flush()

    def stored_game_count(self) -> int:
        """Count the games in the file, with one whose writing was interrupted behind its last byte.

        It reads the file: a counter beside it may miss the game that was written when an interruption came.
        """
        if not self.file.closed:
            with suppress(OSError):  # The disk may be full; what is written so far counts.
                self.file.flush()
        return stored_game_count(self.path)


def stored_game_count(path: Path) -> int:
    """Count the complete lines behind the heading of a file of results; 0 if there is no file."""
    if not path.is_file():
        return 0
    with path.open("rb") as file:
        return sum(line.endswith(b"\n") for line in islice(file, 1, None))
