"""Distribute an experiment: to this process, or to a pool of processes.

The input is a plan and a range of game numbers; the output is their rows, in the order of the numbers, as they
complete.

The number of pending batches is limited: an early stop wastes little, and the memory of an experiment is independent of
its number of games.
"""

import os
import signal
import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from itertools import count
from multiprocessing import parent_process, resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from threading import Thread

from runtime.experiment.plan import Batch, ExperimentPlan, Row, play_batch
from runtime.graph.frozen_dataclass import frozen_dataclass

# The number of pending batches for each worker: one is played, one waits, one may be late.
AHEAD = 3
# The number of games in a batch: enough that sending the graphs (a megabyte for a large game) is cheap compared with
# playing them, few enough that the last one leaves no worker idle for long.
LARGEST = 8


class _WorkerProcess(SpawnProcess):
    """A spawned process that is deaf to Ctrl-C from its start: its first imports would otherwise print a traceback.

    Ctrl-C is meant for the parent, which then terminates this process.
    """

    def start(self) -> None:
        """Start the process, which inherits the mask of this thread; Ctrl-C reaches the parent when it has started."""
        if not hasattr(signal, "pthread_sigmask"):
            super().start()
            return
        resource_tracker.ensure_running()  # Its own start would unblock the signal.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)


class WorkerContext(SpawnContext):
    """Starts processes of this machine: spawned, not forked, so that no thread is forked in the middle of its work."""

    Process = _WorkerProcess


class WorkersLost(Exception):  # noqa: N818 - nothing is wrong with the program; the message says who is missing.
    """A process that played has died."""


@frozen_dataclass
class WorkerPool:
    """An executor and its number of workers; without an executor this process plays."""

    executor: Executor | None
    workers: int


def _processes_of(executor: Executor) -> dict[int, _WorkerProcess]:
    return dict(getattr(executor, "_processes", None) or {})


@contextmanager
def start_processes(jobs: int) -> Iterator[WorkerPool]:
    """Start a pool of processes on this machine."""
    if jobs <= 1:
        yield WorkerPool(None, 1)
        return
    hook = threading.excepthook
    try:
        # Spawned, not forked: the same on every system, and no thread of ours is forked in the middle of an operation.
        with ProcessPoolExecutor(jobs, mp_context=WorkerContext(), initializer=end_with_parent) as executor:
            try:
                yield WorkerPool(executor, jobs)
            except BaseException:
                # Pending games are canceled, as their results are not needed.
                for process in _processes_of(executor).values():
                    process.terminate()
                # The thread of the executor may process futures that are canceled already, and would print a
                # traceback.
                threading.excepthook = lambda _: None
                # The queue of calls has no reader at this point: waiting until it is written would block forever.
                if (calls := getattr(executor, "_call_queue", None)) is not None:
                    calls.cancel_join_thread()
                    # The thread of the executor may be waiting already. Python closes this end itself since 3.11.5, so
                    # that a blocked writer stops (https://github.com/python/cpython/issues/94777).
                    with suppress(OSError):
                        calls._reader.close()
                raise
    finally:
        threading.excepthook = hook  # The executor's thread has ended by now.


def end_with_parent() -> None:
    """Terminate this process when its parent ends, even if that was killed; otherwise it would wait forever.

    Ctrl-C is meant for the parent, which then terminates this process.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def play_range(pool: WorkerPool, plan: ExperimentPlan, first: int, end: int) -> Iterator[Row]:
    """Play games `first` up to, but not including, `end`."""
    if pool.executor is None:
        for number in range(first, end):
            yield from play_batch(Batch(plan, number, number + 1))
        return
    waiting: deque[Future[list[Row]]] = deque()
    ahead = cut_batches(plan, first, end, pool.workers)
    try:
        for batch in ahead:
            waiting.append(pool.executor.submit(play_batch, batch))
            if len(waiting) >= pool.workers * AHEAD:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    except BrokenExecutor:
        raise WorkersLost(
            "a process that played has died: it was killed, or there is no more memory (fewer `--jobs` need less)"
        ) from None
    finally:
        for future in waiting:
            future.cancel()


def cut_batches(plan: ExperimentPlan, first: int, end: int, workers: int) -> Iterator[Batch]:
    """Split the games into batches: small ones first, so that the first results are soon available."""
    largest = min(LARGEST, max(1, (end - first) // (workers * AHEAD * 2)))
    start = first
    for number in count():
        if start >= end:
            return
        size = min(largest, 1 << min(number // workers, 10))
        yield Batch(plan, start, min(start + size, end))
        start += size
