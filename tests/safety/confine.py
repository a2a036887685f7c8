"""Runs a command line on a hostile package, in a process with limits where the system supports them."""

import gc
import multiprocessing
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from string import Template
from typing import Protocol

from rulewright.write.new_packages import SCAFFOLD
from tests.commands.planting import CommandReply, say
from tests.toys.plain_game import FILES

NAMES = {"name": "toy", "dash": "toy", "title": "Toy", "prefix": "TOY"}
# The game that `rulewright new game toy` writes, without its example on a card: hostile files may replace the card.
TOY = {
    name: Template(file.read_text(encoding="utf-8")).substitute(NAMES)
    for name, file in (
        *((each.name, each) for each in sorted((SCAFFOLD / "game").iterdir())),
        *((each.stem, each) for each in sorted(FILES.iterdir())),
    )
}
SECONDS = 20
MEMORY = 700 * 2**20

Content = str | bytes | Callable[[Path], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The output of a command, and the processor time it took, in seconds."""

    output: CommandReply
    seconds: float


def package(place: Path, files: Mapping[str, Content]) -> Path:
    """Write the toy game with the given files in addition or instead; a function creates its file itself."""
    top = place / "toy"
    for name, content in {**TOY, **files}.items():
        file = top / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if callable(content):
            content(file)
        elif isinstance(content, bytes):
            file.write_bytes(content)
        else:
            file.write_text(content, encoding="utf-8")
    return top


def confined(arguments: list[str]) -> Outcome:
    """Run a command with limits on time and memory."""
    if sys.platform != "linux":
        return _timed(arguments)
    _warm()
    here, there = multiprocessing.Pipe()
    worker = multiprocessing.get_context("fork").Process(target=_limited, args=(there, arguments))
    worker.start()
    there.close()
    outcome: Outcome | None = None
    with suppress(EOFError):
        outcome = here.recv()
    worker.join()
    assert outcome is not None, f"`{' '.join(arguments)}` was stopped: out of time or memory"
    return outcome


class Limits(Protocol):
    """The limits of a case: its files, the command, and its budget of time and memory."""

    @property
    def files(self) -> Mapping[str, Content]:
        """Return the files in addition to the toy game."""

    @property
    def command(self) -> tuple[str, ...]:
        """Return the command, in which `@` stands for the folder of the game."""

    @property
    def seconds(self) -> int:
        """Return the limit of processor time."""

    @property
    def mebibytes(self) -> int:
        """Return the limit of memory beyond that of the process at its start."""


def confined_all(cases: Sequence[Limits], place: Path) -> list[tuple[int, str, str] | None]:
    """Run cases in one process, each within its limits.

    Return exit code, output and errors of each case. None: the process was stopped, and a new one ran the rest.
    """
    _warm()
    answers: list[tuple[int, str, str] | None] = []
    while len(answers) < len(cases):
        here, there = multiprocessing.Pipe()
        rest = cases[len(answers) :]
        worker = multiprocessing.get_context("fork").Process(
            target=_one_by_one, args=(there, rest, place, len(answers))
        )
        worker.start()
        there.close()
        answer_count = len(answers)
        with suppress(EOFError):
            while len(answers) < len(cases):
                answers.append(here.recv())
        worker.join()
        if len(answers) < len(cases):
            assert worker.exitcode, f"case {answer_count} and those behind it were left out"
            answers.append(None)
    return answers


def _one_by_one(answer: Connection, cases: Sequence[Limits], place: Path, first: int) -> None:
    import resource  # noqa: PLC0415 -- not on every system

    gc.enable()  # As in a user's process; the tests disable it (conftest.py).
    signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
    for number, case in enumerate(cases, first):
        top = package(place / str(number), case.files)
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        most = pages * resource.getpagesize() + case.mebibytes * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))
        signal.setitimer(signal.ITIMER_VIRTUAL, case.seconds)
        output = say([part.replace("@", str(top)) for part in case.command])
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        answer.send((output.code, output.out, output.err))


@cache
def _warm() -> None:
    """Load the modules and caches in this process, so that no child has to."""
    say(["check", "low_tide"])
    say(["play", "before_the_tide"])


def _timed(arguments: list[str]) -> Outcome:
    started = time.process_time()
    output = say(arguments)
    return Outcome(output, time.process_time() - started)


def _limited(answer: Connection, arguments: list[str]) -> None:
    gc.enable()  # As above.
    if sys.platform == "linux":
        import resource  # noqa: PLC0415 -- not on every system

        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY,) * 2)
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    answer.send(_timed(arguments))
