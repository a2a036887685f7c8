"""Monitor the files of packages for changes, by polling.

In: folders. Out: after each change, the names of the new, removed and modified files. Only the folders and the
status of each file are read. The standard library has no notification of changes; polling few files costs less than a
dependency that has.
"""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from compiler.source.package import SUFFIXES

FileStamp = tuple[int, int]

# The polling interval in seconds, and the time without changes before a change is reported: editors write in steps.
POLL, CALM = 0.1, 0.05


def file_stamps(folders: Sequence[Path]) -> dict[str, FileStamp]:
    """Return the time and the size of each rules and data file of some folders."""
    found: dict[str, FileStamp] = {}
    for folder in folders:
        for directory, inner, names in os.walk(folder):
            inner[:] = [name for name in inner if not name.startswith(".")]
            for path in (Path(directory, name) for name in names if name.endswith(SUFFIXES)):
                with suppress(OSError):  # It was removed since its folder was listed.
                    known = path.stat()
                    found[str(path)] = (known.st_mtime_ns, known.st_size)
    return found


class FolderMonitor:
    """Folders, with the last known stamps of their files."""

    def __init__(self, folders: Sequence[Path], pause: Callable[[float], None] = time.sleep) -> None:
        """Record the stamps of all files; later changes are reported, also those before the first call of `changes`."""
        self._folders, self._sleep = folders, pause
        self._known = file_stamps(folders)

    def changes(self) -> Iterator[tuple[str, ...]]:
        """Yield the names of the changed files after each change, indefinitely."""
        while True:
            stamps = file_stamps(self._folders)
            if stamps == self._known:
                self._sleep(POLL)
                continue
            while (later := self._stamps_when_calm()) != stamps:
                stamps = later
            before, self._known = self._known, stamps
            if changed := sorted(path for path in {*before, *stamps} if before.get(path) != stamps.get(path)):
                yield tuple(changed)

    def _stamps_when_calm(self) -> dict[str, FileStamp]:
        self._sleep(CALM)
        return file_stamps(self._folders)
