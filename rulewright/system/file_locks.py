"""Locks of files that one process writes at a time: results of experiments, and recorded games."""

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO

from rulewright.system.errors import UsageError

PROCESSES = Path("/proc")
# The most characters of a command in a message.
MOST_SHOWN = 160


def lock_file(file: IO[bytes], path: Path, activity: str) -> None:
    """Lock an open file until it is closed or the process ends.

    `UsageError` names the process that has the lock, where the system tells, and what it does, as `is writing`.
    """
    if sys.platform == "win32":
        return  # On Windows, a lock would exclude readers too.
    import fcntl  # noqa: PLC0415 -- not on Windows

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = _process_that_opened(file) or "somebody"  # Perhaps another window of this server.
        raise UsageError(f"{path}: {holder} {activity}; wait until that ends") from None
    except OSError:
        return  # Some network folders know no locks.


def _process_that_opened(file: IO[bytes]) -> str:
    """Return another process that has the same file open, with its number and command; "" where none is seen."""
    status = os.fstat(file.fileno())
    for process in PROCESSES.glob("[0-9]*"):
        if process.name == str(os.getpid()):
            continue
        with suppress(OSError):  # It belongs to somebody else, or has ended.
            opened = (entry.stat() for entry in os.scandir(process / "fd"))
            if any(os.path.samestat(status, each) for each in opened):
                words = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
                return f"process {process.name} (`{' '.join(words).strip()[:MOST_SHOWN]}`)"
    return ""
