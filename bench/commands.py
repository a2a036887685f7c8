"""Whole commands about the largest game, with nothing stored: seconds of CPU of each and of the processes it starts."""

import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial

from bench.compiling import GAME, environment_with
from bench.finding import Finding, in_turns

SECTION = "whole commands"
OTHER_GAME = "panzerblitz"
DIFFERENCE_SECONDS, BOOK_SECONDS = 15.0, 6.0


def commands(*, quick: bool) -> Iterator[Finding]:
    """Measure them, in turns."""
    timers = [
        partial(_spent, "diff", GAME, OTHER_GAME),
        partial(_spent, "reference", GAME, "--out", "book"),
        partial(_spent, "test", GAME),
    ]
    difference, book, test = in_turns(*timers, rounds=1 if quick else 3)
    yield _held(f"`diff {GAME} {OTHER_GAME}`", difference, DIFFERENCE_SECONDS)
    yield _held(f"the book of {GAME}, the first time", book, BOOK_SECONDS)
    yield Finding(SECTION, f"`test {GAME}`", "s", test)


def _held(name: str, spent: float, wanted: float) -> Finding:
    return Finding(SECTION, f"{name} / {wanted:.0f} s", "s", spent, wanted, spent / wanted, 1.0)


def _spent(*arguments: str) -> float:
    """Return the seconds of CPU of a command and of the processes that it starts, with an empty cache."""
    with tempfile.TemporaryDirectory() as place, environment_with(RULEWRIGHT_CACHE=f"{place}/cache"):
        before = _seconds_of_children()
        subprocess.run((sys.executable, "-m", "rulewright", *arguments), cwd=place, capture_output=True, check=True)
        return _seconds_of_children() - before


def _seconds_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
