"""A worker process for half of the work, if a second core is available.

In: a function without arguments. Out: its result, from a fork of this process. A fork shares all data that was
read and compiled before, so that only the result is transferred. Without fork or a second core, with other threads (a
fork would inherit their locks), or after a failure of the worker, the function is called in this process: the result
is the same, only later.
"""

import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Generic, TypeVar

from rulewright.system.pickling import pickle_value, unpickle_quickly
from rulewright.system.progress import PARENT

T = TypeVar("T")

# The bytes of the number of a job, and the most numbers in a pipe, which has a buffer of 64 KiB.
NUMBER, MOST_TAKEN = 4, 10_000
# The interval in seconds at which a worker checks whether its parent is still there.
PARENT_CHECK = 0.5


def count_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


class Future(Generic[T]):
    """The result of a function, computed in a worker or here. `result` blocks, and may be called once."""

    def __init__(self, work: Callable[[], T]) -> None:
        """Start without a worker."""
        self._work = work
        self.pipe = 0  # The pipe from which the result of a worker is read.
        self.earlier: Sequence[Future[Any]] = ()  # Those that the worker completes before this one.
        self._content = b""

    @property
    def is_elsewhere(self) -> bool:
        """Return whether a worker computes the result, which was not read yet."""
        return bool(self.pipe)

    def result(self) -> T:
        """Return the result of the work."""
        self._receive()
        try:
            value: T = unpickle_quickly(self._content)
        except (pickle.UnpicklingError, EOFError):  # The worker was stopped, or its result cannot be pickled.
            return self._work()
        return value

    def make(self, writing: int) -> None:
        """Compute the result in a worker, and write it to a pipe."""
        content = pickle_value(self._work()) or b""
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(content)

    def close(self) -> None:
        """Close the pipe, if the result was not read."""
        if self.pipe:
            os.close(self.pipe)
            self.pipe = 0

    def _receive(self) -> None:
        """Read the result of the worker, and those before it: the worker waits until a full pipe is read."""
        for future in (*self.earlier, self):
            if future.pipe:
                with os.fdopen(future.pipe, "rb") as pipe:
                    future.pipe = 0
                    future._content = pipe.read()


class Worker:
    """A process that computes several results in order; each can be read when it is complete."""

    def __init__(self, *pieces: Future[Any]) -> None:
        """Start the worker, unless no other process can run beside this one."""
        self._pieces = pieces
        self._process = 0
        if count_cores() > 1 and threading.active_count() == 1:
            with suppress(OSError):  # No more processes, or no more pipes, are allowed.
                self._start()

    def end(self) -> None:
        """Kill the worker if it is running, and reap it."""
        for piece in self._pieces:
            piece.close()
        if self._process:
            with suppress(ProcessLookupError):
                os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
            self._process = 0

    def _start(self) -> None:
        pipes: list[tuple[int, int]] = []
        parent = os.getpid()
        try:
            pipes += (os.pipe() for _ in self._pieces)
            process = os.fork()
        except OSError:
            for end in (end for pipe in pipes for end in pipe):
                os.close(end)
            raise
        if not process:
            end_with_parent(parent)
            _run(self._pieces, [writing for _, writing in pipes])
        for number, (reading, writing) in enumerate(pipes):
            os.close(writing)
            self._pieces[number].pipe = reading
            self._pieces[number].earlier = self._pieces[:number]
        self._process = process


def environment_of_child() -> dict[str, str]:
    """Return the environment for a program that ends with this process, as it calls `end_with_starter`."""
    return {**os.environ, PARENT: str(os.getpid())}


def end_with_starter() -> None:
    """Exit soon after the process that started this program, if it asked for that; Windows does not tell."""
    parent = os.environ.pop(PARENT, "")
    if parent.isdecimal() and hasattr(signal, "setitimer"):
        end_with_parent(int(parent))


def end_with_parent(parent: int) -> None:
    """Exit soon after the parent ends, even if it was killed: nobody would read the results.

    A closed pipe does not report it, since a worker inherits the reading ends of all pipes. A timer is used, as a
    thread would prevent forks.
    """

    def check(_signal: int, _frame: FrameType | None) -> None:
        if os.getppid() != parent:
            os._exit(1)

    signal.signal(signal.SIGALRM, check)
    signal.setitimer(signal.ITIMER_REAL, PARENT_CHECK, PARENT_CHECK)


def _run(pieces: Sequence[Future[Any]], pipes: Sequence[int]) -> None:
    """Compute all results in a worker, and exit without the exit handlers of the program."""
    try:
        for each, writing in zip(pieces, pipes, strict=True):
            each.make(writing)
    finally:
        os._exit(0)


class SharedJobs(Generic[T]):
    """A queue of independent jobs, which two processes share.

    It has to be created before the worker: each number in its pipe is read once, by either process.
    """

    def __init__(self, jobs: Sequence[Callable[[], T]]) -> None:
        """Enqueue all jobs by number; of very many, several consecutive ones are taken at once."""
        self._jobs = jobs
        self._batch_size = len(jobs) // MOST_TAKEN + 1
        self._left, writing = os.pipe()
        firsts = range(0, len(jobs), self._batch_size)
        os.write(writing, b"".join(first.to_bytes(NUMBER) for first in firsts))
        os.close(writing)

    def take(self) -> dict[int, T]:
        """Run jobs until none is left, and return their results by number."""
        results_by_number = {}
        while number_bytes := os.read(self._left, NUMBER):
            first = int.from_bytes(number_bytes)
            for number in range(first, min(first + self._batch_size, len(self._jobs))):
                results_by_number[number] = self._jobs[number]()
        return results_by_number

    def results(self, *result_maps: Mapping[int, T]) -> list[T]:
        """Return the results of all jobs in order; those that neither process finished are run here."""
        self.close()
        found = {number: value for each in result_maps for number, value in each.items()}
        return [found[number] if number in found else job() for number, job in enumerate(self._jobs)]

    def close(self) -> None:
        """Close the queue."""
        if self._left:
            os.close(self._left)
            self._left = 0


@contextmanager
def run_parallel(work: Callable[[], T]) -> Iterator[Callable[[], T]]:
    """Run work in a second process within the context; yield a function that waits for the result."""
    with worker_for(pending := Future(work)):
        yield pending.result


@contextmanager
def worker_for(*pieces: Future[Any]) -> Iterator[None]:
    """Run pieces of work in order in a second process within the context."""
    worker = Worker(*pieces)
    try:
        yield
    finally:
        worker.end()
