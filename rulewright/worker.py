"""A worker process for half of the work, where a second core is free to use.

In: a function without arguments. Out: what it returns, from a fork of this process. A fork begins with everything that
was read and compiled here, so nothing is handed over but the result. Where there is no fork or no second core, where
other threads run (a fork would inherit the locks that they hold), and where the worker did not come to its end, the
function is called here: the result is the same, only later.
"""

import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Generic, TypeVar

from rulewright.library.cache import pickled, unpickled

T = TypeVar("T")

# Bytes of the number of a job, and how many numbers are put into a pipe, which holds 64 KiB before the first read.
NUMBER, MOST_TAKEN = 4, 10_000


def cores() -> int:
    """Count the cores that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


class Worker(Generic[T]):
    """A process that works on something. `result` waits for it, and may be asked once."""

    def __init__(self, work: Callable[[], T]) -> None:
        """Begin the work, unless no other process can do it beside this one."""
        self._work = work
        self._process = self._pipe = 0
        if cores() > 1 and threading.active_count() == 1:
            with suppress(OSError):  # No more processes, or no more pipes, are allowed.
                self._start()

    def result(self) -> T:
        """Return what the work comes to."""
        content = self._received() if self._process else b""
        try:
            made: T = unpickled(content)
        except (pickle.UnpicklingError, EOFError):  # The worker was stopped, or what it made cannot travel.
            return self._work()
        return made

    def stop(self) -> None:
        """Kill a worker whose result is not needed any more."""
        if self._process:
            with suppress(ProcessLookupError):
                os.kill(self._process, signal.SIGKILL)
            self._received()

    def _start(self) -> None:
        reading, writing = os.pipe()
        try:
            process = os.fork()
        except OSError:
            os.close(reading)
            os.close(writing)
            raise
        if not process:
            _run(self._work, writing)
        os.close(writing)
        self._process, self._pipe = process, reading

    def _received(self) -> bytes:
        """Read to the end, and see the process off."""
        with os.fdopen(self._pipe, "rb") as pipe:
            content = pipe.read()
        os.waitpid(self._process, 0)
        self._process = 0
        return content


def _run(work: Callable[[], object], writing: int) -> None:
    """Do the work of a worker, whatever comes of it, and end without what the program does at its end."""
    try:
        content = pickled(work()) or b""
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(content)
    finally:
        os._exit(0)


class Jobs(Generic[T]):
    """Jobs that are independent of each other; of two processes that share them, each takes the next when it is free.

    Make them before the worker: what is in a pipe is read once, by either process.
    """

    def __init__(self, jobs: Sequence[Callable[[], T]]) -> None:
        """Put all on the list, by their numbers; of very many so many in a row are taken together."""
        self._jobs = jobs
        self._together = len(jobs) // MOST_TAKEN + 1
        self._left, writing = os.pipe()
        firsts = range(0, len(jobs), self._together)
        os.write(writing, b"".join(first.to_bytes(NUMBER) for first in firsts))
        os.close(writing)

    def take(self) -> dict[int, T]:
        """Do jobs until none is left, and give what they come to by their numbers."""
        done = {}
        while taken := os.read(self._left, NUMBER):
            first = int.from_bytes(taken)
            for number in range(first, min(first + self._together, len(self._jobs))):
                done[number] = self._jobs[number]()
        return done

    def results(self, *done: Mapping[int, T]) -> list[T]:
        """Return the results of all jobs, in their order; those that neither process finished are done here."""
        os.close(self._left)
        found = {number: made for each in done for number, made in each.items()}
        return [found[number] if number in found else job() for number, job in enumerate(self._jobs)]


@contextmanager
def beside(work: Callable[[], T]) -> Iterator[Callable[[], T]]:
    """Work in a second process while the block runs; what is given waits for the result."""
    worker = Worker(work)
    try:
        yield worker.result
    finally:
        worker.stop()
