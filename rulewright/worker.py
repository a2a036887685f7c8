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
from typing import Any, Generic, TypeVar

from rulewright.library.cache import pickle_value, unpickle

T = TypeVar("T")

# Bytes of the number of a job, and how many numbers are put into a pipe, which holds 64 KiB before the first read.
NUMBER, MOST_TAKEN = 4, 10_000


def count_cores() -> int:
    """Count the cores that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


class Future(Generic[T]):
    """What a piece of work comes to, here or in a worker. `result` waits for it, and may be asked once."""

    def __init__(self, work: Callable[[], T]) -> None:
        """Begin without a worker."""
        self._work = work
        self.pipe = 0  # From which the result is read where a worker makes it.

    def result(self) -> T:
        """Return what the work comes to."""
        content = self._received() if self.pipe else b""
        try:
            made: T = unpickle(content)
        except (pickle.UnpicklingError, EOFError):  # The worker was stopped, or what it made cannot travel.
            return self._work()
        return made

    def make(self, writing: int) -> None:
        """Do the work in a worker, and write the result to a pipe."""
        content = pickle_value(self._work()) or b""
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(content)

    def close(self) -> None:
        """Close the pipe, if the result was not asked for."""
        if self.pipe:
            os.close(self.pipe)
            self.pipe = 0

    def _received(self) -> bytes:
        with os.fdopen(self.pipe, "rb") as pipe:
            self.pipe = 0
            return pipe.read()


class Worker:
    """A process that does pieces of work in turn; each result is there as soon as it is made."""

    def __init__(self, *pieces: Future[Any]) -> None:
        """Begin the work, unless no other process can do it beside this one."""
        self._pieces = pieces
        self._process = 0
        if count_cores() > 1 and threading.active_count() == 1:
            with suppress(OSError):  # No more processes, or no more pipes, are allowed.
                self._start()

    def end(self) -> None:
        """Kill the worker if it is not done, and see it off."""
        for each in self._pieces:
            each.close()
        if self._process:
            with suppress(ProcessLookupError):
                os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
            self._process = 0

    def _start(self) -> None:
        pipes: list[tuple[int, int]] = []
        try:
            pipes += (os.pipe() for _ in self._pieces)
            process = os.fork()
        except OSError:
            for end in (end for pipe in pipes for end in pipe):
                os.close(end)
            raise
        if not process:
            _run(self._pieces, [writing for _, writing in pipes])
        for each, (reading, writing) in zip(self._pieces, pipes, strict=True):
            os.close(writing)
            each.pipe = reading
        self._process = process


def _run(pieces: Sequence[Future[Any]], pipes: Sequence[int]) -> None:
    """Do the work of a worker, whatever comes of it, and end without what the program does at its end."""
    try:
        for each, writing in zip(pieces, pipes, strict=True):
            each.make(writing)
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
        self.close()
        found = {number: made for each in done for number, made in each.items()}
        return [found[number] if number in found else job() for number, job in enumerate(self._jobs)]

    def close(self) -> None:
        """Close the list, whether the results were asked for or not."""
        if self._left:
            os.close(self._left)
            self._left = 0


@contextmanager
def in_parallel(work: Callable[[], T]) -> Iterator[Callable[[], T]]:
    """Work in a second process while the block runs; what is given waits for the result."""
    with worker_for(pending := Future(work)):
        yield pending.result


@contextmanager
def worker_for(*pieces: Future[Any]) -> Iterator[None]:
    """Have pieces of work done in turn in a second process while the block runs."""
    worker = Worker(*pieces)
    try:
        yield
    finally:
        worker.end()
