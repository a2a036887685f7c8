"""Progress of a command: stages for people, lines of JSON for a program that started it.

A program asks by the environment variable `PROGRESS` for one line of JSON on stderr for each step; people at a terminal
see a bar, or the stage that the command has come to.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")

PROGRESS = "RULEWRIGHT_PROGRESS"
_MARK = "progress "


def progress_line(what: str, done: int, of: int) -> str:
    """Write a step down."""
    return _MARK + json.dumps({"what": what, "done": done, "of": of})


def progress_in(line: str) -> dict[str, Any]:
    """Read a step; {} for a line that is none."""
    if not line.startswith(_MARK):
        return {}
    try:
        found = json.loads(line.removeprefix(_MARK))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of a command: `compiling panzer_leader`; `done` of `of` such pieces of work, 0 of 0 if it is one."""

    what: str
    done: int = 0
    of: int = 0

    def __str__(self) -> str:
        return f"{self.what}, {self.done} of {self.of} done" if self.of else self.what


Listener = Callable[[Stage], None]
_listeners: list[Listener] = []


@contextmanager
def listen_to_stages(listener: Listener) -> Iterator[None]:
    """Have a listener told of each stage that begins."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def report_stage(what: str, done: int = 0, of: int = 0) -> None:
    """Tell whoever listens what is being worked at."""
    for listener in _listeners:
        listener(Stage(what, done, of))


def counted_progress(what: str, pieces: Iterable[T]) -> Iterator[T]:
    """Yield pieces of work one after the other, and report how many are done."""
    listed = list(pieces)
    for done, each in enumerate(listed):
        report_stage(what, done, len(listed))
        yield each


def pace_of(done: int, of: int, begun: int, seconds: float) -> tuple[float, float] | None:
    """Return how many steps a second were made since `begun` were there, and how many seconds the rest will take.

    All that was done in all the time: steps are told of in bursts, so any shorter stretch misleads. None before there
    is anything to go by.
    """
    if done <= begun or seconds < SHORTEST:
        return None
    rate = (done - begun) / seconds
    return rate, max(0, of - done) / rate


# Seconds below which a rate says nothing.
SHORTEST = 0.5
