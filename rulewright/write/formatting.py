"""Format files, or those in folders, without writing them."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from compiler.format.rules import format_rules
from compiler.source.files import PackageFile, read_text, walk_files
from compiler.source.finding import Finding
from rulewright.system.errors import UsageError
from runtime.graph.frozen_dataclass import frozen_dataclass

SUFFIX = ".rules"


@frozen_dataclass
class _FormatResult:
    """The result of formatting a file: its text before and after, and the problems that prevented it."""

    file: PackageFile
    old_text: str
    new_text: str
    problems: tuple[Finding, ...]

    @property
    def is_changed(self) -> bool:
        """Return whether formatting changes the text."""
        return self.old_text != self.new_text


def format_paths(paths: Sequence[Path]) -> Iterator[_FormatResult]:
    """Yield the results of formatting some files, and those in some folders, without writing them."""
    for file in _files(paths):
        text, unread = read_text(file)
        if unread:
            yield _FormatResult(file, text, text, unread)
        else:
            after, problems = format_rules(text, file.name)
            yield _FormatResult(file, text, after, problems)


def _files(paths: Sequence[Path]) -> Iterator[PackageFile]:
    """Yield every file once; `UsageError` for a missing or unsuitable one."""
    seen: set[Path] = set()
    for path in paths:
        if not path.exists():
            raise UsageError(f"there is no file or folder `{path}`")
        if not path.is_dir() and path.suffix != SUFFIX:
            raise UsageError(f"`{path}` is no folder and no {SUFFIX} file")
        files = (
            walk_files(path.resolve(), path.as_posix(), []) if path.is_dir() else (PackageFile(path, path.as_posix()),)
        )
        for file in files:
            place = Path(os.path.realpath(file.path))
            if file.path.suffix == SUFFIX and place not in seen:
                seen.add(place)
                yield file
