"""Format files in place, all or nothing: a file is replaced in one step, or it is as it was."""

import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from compiler.format.rules import format_rules
from compiler.source.files import Found, read_text, walk
from compiler.source.problems import Problem
from rulewright.errors import UsageError

SUFFIX = ".rules"


@dataclass(frozen=True, slots=True)
class Formatted:
    """What came of a file: its text before and after, and the problems that left it alone."""

    file: Found
    before: str
    after: str
    problems: tuple[Problem, ...]

    @property
    def changed(self) -> bool:
        """Tell whether formatting makes a difference."""
        return self.before != self.after


def format_paths(paths: Sequence[Path]) -> Iterator[Formatted]:
    """Format the files named, and those in the folders named; nothing is written yet."""
    for file in _files(paths):
        text, unread = read_text(file)
        if unread:
            yield Formatted(file, text, text, unread)
        else:
            after, problems = format_rules(text, file.name)
            yield Formatted(file, text, after, problems)


def _files(paths: Sequence[Path]) -> Iterator[Found]:
    """List every file once."""
    seen: set[Path] = set()
    for path in paths:
        if not path.exists():
            raise UsageError(f"there is no file or folder `{path}`")
        if path.is_file() and path.suffix != SUFFIX:
            raise UsageError(f"`{path}` is no {SUFFIX} file")
        inside = walk(path.resolve(), path.as_posix(), []) if path.is_dir() else (Found(path, path.as_posix()),)
        for file in inside:
            place = file.path.resolve()
            if file.path.suffix == SUFFIX and place not in seen:
                seen.add(place)
                yield file


def replace_text(path: Path, text: str) -> None:
    """Put a text in the place of a file in one step; a link keeps pointing at it."""
    place = path.resolve()
    try:
        handle, name = tempfile.mkstemp(dir=place.parent, prefix=f".{place.name}.")
    except OSError as error:
        # What stands in the way is the folder, but it is the file that the caller named.
        raise OSError(error.errno, error.strerror, str(path)) from error
    part = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        part.chmod(place.stat().st_mode)
        part.replace(place)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
