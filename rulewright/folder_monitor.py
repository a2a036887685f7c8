"""Changes of the files of packages, noticed as they are saved.

In: folders. Out: after each change the names of the files that are new, gone or written. Nothing is read but the
folders and the status of each file. Python's standard library is told of changes on no system; to look at so few
files costs less than a package that is told.
"""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from compiler.source.package import SUFFIXES

Stamp = tuple[int, int]

# Seconds between two looks, and for how long nothing may change before a change is told: editors write in steps.
POLL, CALM = 0.1, 0.05


def file_stamps(folders: Sequence[Path]) -> dict[str, Stamp]:
    """Return when each rules and data file of some folders was written, and how long it is."""
    found: dict[str, Stamp] = {}
    for folder in folders:
        for here, inner, names in os.walk(folder):
            inner[:] = [name for name in inner if not name.startswith(".")]
            for path in (Path(here, name) for name in names if name.endswith(SUFFIXES)):
                with suppress(OSError):  # It has gone since its folder was listed.
                    known = path.stat()
                    found[str(path)] = (known.st_mtime_ns, known.st_size)
    return found


class FolderMonitor:
    """Folders, and how their files were when they were looked at last."""

    def __init__(self, folders: Sequence[Path], pause: Callable[[float], None] = time.sleep) -> None:
        """Look at all files once; what changes from now on is told, also what changes before anybody waits."""
        self._folders, self._pause = folders, pause
        self._known = file_stamps(folders)

    def changes(self) -> Iterator[tuple[str, ...]]:
        """Wait for changes, and yield the names of the files of each, without an end."""
        while True:
            now = file_stamps(self._folders)
            if now == self._known:
                self._pause(POLL)
                continue
            while (later := self._after(CALM)) != now:
                now = later
            before, self._known = self._known, now
            if changed := sorted(path for path in {*before, *now} if before.get(path) != now.get(path)):
                yield tuple(changed)

    def _after(self, seconds: float) -> dict[str, Stamp]:
        self._pause(seconds)
        return file_stamps(self._folders)
