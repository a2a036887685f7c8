"""The line on the screen that shows the current stage of a command that works for more than two seconds, and its time.

In: the stages that the work tells (progress.py). Out: one line on stderr, drawn anew twice a second, and gone before
anything else is printed. A timer of the system draws it, since a thread would keep the work from forking
(rulewright/worker.py); where there is no such timer, or stderr is no terminal, there is no line.
"""

import os
import shutil
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from types import FrameType

from rulewright.progress import Stage, listen_to_stages

# Seconds before it is shown, and between two drawings.
PATIENCE, EVERY = 2.0, 0.5
CLEAR = "\r\x1b[K"


class WorkLine:
    """The one line of this process."""

    def __init__(self) -> None:
        """Show nothing yet."""
        self._since = 0.0
        self._stage: Stage | None = None
        self._running = self._shown = False

    @contextmanager
    def running(self) -> Iterator[None]:
        """Show the line for as long as a command works, unless it is ended before."""
        if not _has_timer() or not sys.stderr.isatty() or threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGALRM, self._draw)
        self._since, self._stage, self._running = monotonic(), None, True
        signal.setitimer(signal.ITIMER_REAL, PATIENCE, EVERY)
        try:
            with listen_to_stages(self._hear):
                yield
        finally:
            self.end()
            signal.signal(signal.SIGALRM, before)

    def end(self) -> None:
        """Remove the line for the rest of the command, before a dialog."""
        if self._running:
            signal.setitimer(signal.ITIMER_REAL, 0)
            self._running = False
            self.clear()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Leave the screen to a bar."""
        running, self._running = self._running, False
        self.clear()
        try:
            yield
        finally:
            self._running = running

    def clear(self) -> None:
        """Take the line off the screen; the next drawing brings it back."""
        if self._shown:
            self._shown = False
            _write(CLEAR)

    def _hear(self, stage: Stage) -> None:
        self._stage = stage

    def _draw(self, _signal: int, _frame: FrameType | None) -> None:
        if self._running:
            self._shown = True
            _write(CLEAR + line_text(self._stage, monotonic() - self._since, shutil.get_terminal_size().columns))


def line_text(stage: Stage | None, seconds: float, width: int) -> str:
    """Write the line, no wider than the screen."""
    time = f"{seconds:.0f} s"
    return f"{str(stage or 'working')[: max(0, width - len(time) - 3)]}, {time}"


def _write(drawn: str) -> None:
    # Not through `sys.stderr`: a signal may come while that is being written to.
    with suppress(OSError):
        os.write(sys.stderr.fileno(), drawn.encode(errors="replace"))


def _has_timer() -> bool:
    return hasattr(signal, "setitimer")


work_line = WorkLine()
