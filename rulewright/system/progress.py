"""The progress of a command: stages for terminals, lines of JSON for a parent program.

A parent program requests one line of JSON on stderr for each step by the environment variable `PROGRESS`; a terminal
shows a bar, or the current stage. With its number in the variable `PARENT` the command ends with it (worker.py).
"""

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")

# Called with the number of completed stages and of all.
ProgressListener = Callable[[int, int], None]

PROGRESS, PARENT = "RULEWRIGHT_PROGRESS", "RULEWRIGHT_PARENT"
_MARK = "progress "


def progress_line(title: str, completed: int, total: int) -> str:
    """Encode a step."""
    return _MARK + json.dumps({"what": title, "done": completed, "of": total})


def progress_in(line: str) -> dict[str, Any]:
    """Decode a step; {} for other lines."""
    if not line.startswith(_MARK):
        return {}
    try:
        found = json.loads(line.removeprefix(_MARK))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


@dataclass(frozen=True, slots=True)
class CommandStage:
    """A stage of a command: `compiling panzer_leader`; `completed` of `total` such stages, 0 of 0 for a single one."""

    title: str
    completed: int
    total: int

    def __str__(self) -> str:
        return f"{self.title}, {self.completed} of {self.total} done" if self.total else self.title


StageListener = Callable[[CommandStage], None]
_listeners: list[StageListener] = []


@contextmanager
def listen_to_stages(listener: StageListener) -> Iterator[None]:
    """Call a listener at the beginning of each stage within the context."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


@contextmanager
def report_to_parent() -> Iterator[None]:
    """Write each stage within the context to stderr, if a parent program requests it."""
    if not os.environ.get(PROGRESS):
        yield
        return
    with listen_to_stages(_write_stage):
        yield


def _write_stage(stage: CommandStage) -> None:
    # Two processes may report; a line that is written at once is not mixed with another.
    with suppress(OSError):
        os.write(sys.stderr.fileno(), f"{progress_line(stage.title, stage.completed, stage.total)}\n".encode())


def report_stage(title: str, completed: int = 0, total: int = 0) -> None:
    """Report the current stage to all listeners."""
    for listener in _listeners:
        listener(CommandStage(title, completed, total))


def counted_progress(title: str, pieces: Iterable[T]) -> Iterator[T]:
    """Yield pieces of work, and report the number done before each."""
    listed = list(pieces)
    for completed, each in enumerate(listed):
        report_stage(title, completed, len(listed))
        yield each


def pace_of(completed: int, total: int, initial: int, seconds: float) -> tuple[float, float] | None:
    """Return the number of steps per second since `initial` steps, and the estimated seconds for the rest.

    The rate is the average over the whole time, since steps are reported in bursts. None if there is no estimate yet.
    """
    if completed <= initial or seconds < SHORTEST:
        return None
    rate = (completed - initial) / seconds
    return rate, max(0, total - completed) / rate


# The least time in seconds for an estimate.
SHORTEST = 0.5
