"""A line on the terminal with the stage and the time of a command that runs for more than two seconds.

In: reported stages (progress.py). Out: one line on stderr, redrawn twice a second, and cleared before other
output. If stderr is no terminal, such as a log, another line every ten seconds, and later at longer intervals; or
lines of JSON, if a parent program requests them. It is written by a timer signal, since a thread would prevent
forks (rulewright/system/worker.py); without timers there is no line.
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

from rulewright.system.progress import PROGRESS, CommandStage, listen_to_stages, report_to_parent

# The seconds before the line is shown, and between two updates.
FIRST_DELAY, INTERVAL = 2.0, 0.5
# The seconds between two lines of a log, and the share of the time so far that passes at least.
LOG_INTERVAL, LOG_SHARE = 10.0, 0.1
LONGEST_LINE = 200
CLEAR = "\r\x1b[K"


class WorkLine:
    """The progress line of this process."""

    def __init__(self) -> None:
        """Start without a line."""
        self._since = 0.0
        self._stage: CommandStage | None = None
        self._is_running = self._is_shown = self._is_log = False

    @contextmanager
    def running(self) -> Iterator[None]:
        """Show the line within the context, unless it is ended before."""
        has_timer, in_main_thread = hasattr(signal, "setitimer"), threading.current_thread() is threading.main_thread()
        self._is_log = not sys.stderr.isatty()
        if not (has_timer and in_main_thread) or (self._is_log and os.environ.get(PROGRESS)):
            with report_to_parent():
                yield
            return
        before = signal.signal(signal.SIGALRM, self._draw)
        self._since, self._stage, self._is_running = monotonic(), None, True
        signal.setitimer(signal.ITIMER_REAL, *((LOG_INTERVAL, 0.0) if self._is_log else (FIRST_DELAY, INTERVAL)))
        try:
            with listen_to_stages(self._hear):
                yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            self.end()
            signal.signal(signal.SIGALRM, before)

    def end(self) -> None:
        """Remove the line for the rest of the command, before a dialog."""
        if self._is_running:
            signal.setitimer(signal.ITIMER_REAL, 0)
            self._is_running = self._is_log = False
            self.clear()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Hide the line within the context, for a progress bar."""
        running, self._is_running = self._is_running, False
        self.clear()
        try:
            yield
        finally:
            self._is_running = running

    def clear(self) -> None:
        """Clear the line until the next update."""
        if self._is_shown:
            self._is_shown = False
            _write(CLEAR)

    def _hear(self, stage: CommandStage) -> None:
        self._stage = stage

    def _draw(self, _signal: int, _frame: FrameType | None) -> None:
        seconds = monotonic() - self._since
        if self._is_log:
            if self._is_running:
                _write(f"{line_text(self._stage, seconds, LONGEST_LINE)}\n")
            signal.setitimer(signal.ITIMER_REAL, max(LOG_INTERVAL, seconds * LOG_SHARE))
        elif self._is_running:
            self._is_shown = True
            _write(CLEAR + line_text(self._stage, seconds, shutil.get_terminal_size().columns))


def line_text(stage: CommandStage | None, seconds: float, width: int) -> str:
    """Format the line, truncated to the width of the screen."""
    time = f"{seconds:.0f} s"
    return f"{str(stage or 'working')[: max(0, width - len(time) - 3)]}, {time}"


def _write(text: str) -> None:
    # Not by `sys.stderr`: a signal may interrupt a write to it.
    with suppress(OSError):
        os.write(sys.stderr.fileno(), text.encode(errors="replace"))


work_line = WorkLine()
