"""Whose hands play an experiment: this process, a pool of processes, or the workers of a cluster.

In: a plan and a range of game numbers. Out: their rows, in the order of the numbers, as they come in.
An executor is anything with `submit` as in concurrent.futures; `distributed` gives one with
`get_executor` of its client.

Only so many batches are under way at a time: whoever stops early has played little in vain, and the
memory an experiment takes does not depend on how many games it has.
"""

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from multiprocessing import get_context, parent_process
from threading import Thread

from runtime.experiment.plan import Batch, Plan, Row, play_batch

# Batches under way for every hand: one is played, one waits, one may be late.
AHEAD = 3
# Games in a batch: enough that sending the graphs (a megabyte for a large game) costs nothing beside
# playing them, few enough that the last one leaves no hand idle for long.
LARGEST = 8


# Seconds after which it is looked again whether anybody is there to play what one waits for.
LOOK_AGAIN = 0.5


class WorkersLost(Exception):  # noqa: N818 - nothing is wrong with the program; the message says who is missing.
    """Nobody is left to play, or nobody who could say how a game ended."""


def all_present() -> None:
    """Take it that everybody is there: a pool of processes says so itself when one dies."""


@dataclass(frozen=True, slots=True)
class WorkerPool:
    """An executor and how many play on it at once; without an executor this process plays.

    `look` raises `WorkersLost` when nobody is left; `losses` are what the executor raises when it has lost a worker.
    """

    executor: Executor | None
    hands: int
    look: Callable[[], None] = all_present
    losses: tuple[type[BaseException], ...] = ()


@contextmanager
def start_processes(jobs: int) -> Iterator[WorkerPool]:
    """Gather so many processes on this machine."""
    if jobs <= 1:
        yield WorkerPool(None, 1)
        return
    hook = threading.excepthook
    try:
        # Spawned, not forked: the same on every system, and no thread of ours is caught half-way.
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=end_with_parent) as executor:
            try:
                yield WorkerPool(executor, jobs)
            except BaseException:
                # Nobody waits for games that nobody wants any more.
                for process in list((getattr(executor, "_processes", None) or {}).values()):
                    process.terminate()
                # The thread of the executor may meet futures that are broken off already, and would print a traceback.
                threading.excepthook = lambda _: None
                # Nobody reads the queue of calls any more: to wait at the end until it is written out would be forever.
                if (calls := getattr(executor, "_call_queue", None)) is not None:
                    calls.cancel_join_thread()
                    # The thread of the executor may wait already. Python closes this end itself since 3.11.5, so that
                    # what still writes stops (https://github.com/python/cpython/issues/94777).
                    with suppress(OSError):
                        calls._reader.close()
                raise
    finally:
        threading.excepthook = hook  # The executor's thread has ended by now.


def end_with_parent() -> None:
    """Let this process end when the one that started it does, even if that was killed; else it would wait forever.

    Whoever types Ctrl-C means the one that started it, which then ends this one.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def play_on(hands: WorkerPool, plan: Plan, first: int, end: int) -> Iterator[Row]:
    """Play games `first` up to, but not including, `end`."""
    if hands.executor is None:
        for number in range(first, end):
            yield from play_batch(Batch(plan, number, number + 1))
        return
    waiting: deque[Future[list[Row]]] = deque()
    ahead = cut_batches(plan, first, end, hands.hands)
    try:
        for batch in ahead:
            waiting.append(hands.executor.submit(play_batch, batch))
            if len(waiting) >= hands.hands * AHEAD:
                yield from wait_for_batch(waiting.popleft(), hands)
        while waiting:
            yield from wait_for_batch(waiting.popleft(), hands)
    except BrokenExecutor:
        raise WorkersLost(
            "a process that played has died: it was killed, or there is no more memory (fewer `--jobs` need less)"
        ) from None
    except CancelledError:
        raise WorkersLost("the scheduler is gone, or has given up the games it was sent") from None
    finally:
        for future in waiting:
            future.cancel()


def wait_for_batch(future: Future[list[Row]], hands: WorkerPool) -> list[Row]:
    """Wait for a batch, and look now and then whether anybody is there who may play it."""
    while True:
        hands.look()
        try:
            return future.result(timeout=LOOK_AGAIN)
        except TimeoutError:
            if future.done():
                raise
        except hands.losses as loss:
            raise WorkersLost(f"workers died while they played: {loss}") from None


def cut_batches(plan: Plan, first: int, end: int, hands: int) -> Iterator[Batch]:
    """Cut the games into batches: small ones first, so that whoever looks on soon sees the first games counted."""
    largest = min(LARGEST, max(1, (end - first) // (hands * AHEAD * 2)))
    start = first
    for number in count():
        if start >= end:
            return
        size = min(largest, 1 << min(number // hands, 10))
        yield Batch(plan, start, min(start + size, end))
        start += size
