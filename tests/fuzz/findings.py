"""Failures of a mutant: an exception, more than a second of time, or a finding without a location."""

import signal
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

from compiler.report.diagnostic import Diagnostic
from compiler.report.render.json import diagnostic_data
from compiler.report.render.line import diagnostic_line
from tests.report.terminal_text import terminal_text

# Seconds of processor time.
SLOWEST = 1.0
# Seconds of processor time after which a mutant is stopped.
HOPELESS = 20.0


@dataclass(frozen=True, slots=True)
class Failure:
    """A mutant with a failure."""

    number: int
    what: str
    mutant: str
    slow: bool = False


class Hang(BaseException):
    """Raised by the timer; derived from BaseException, so that no handler of exceptions catches it."""


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raise `Hang` after the given seconds of processor time, where the system has such a timer."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise Hang

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def run_mutant(number: int, mutant: str, run: Callable[[], str], allowed: float) -> Failure | None:
    """Run a mutant; `run` returns what is wrong, or ""."""
    started = time.process_time()
    try:
        with alarm(HOPELESS):
            wrong = run()
    except (Exception, Hang) as error:  # noqa: BLE001 -- the one thing looked for
        last = traceback.extract_tb(error.__traceback__)[-1]
        return Failure(number, f"{type(error).__name__}: {error} at {last.filename}:{last.lineno}"[:400], mutant)
    spent = time.process_time() - started
    if spent > allowed:
        return Failure(number, f"took {spent:.1f} s", mutant, slow=True)
    return Failure(number, wrong, mutant) if wrong else None


def finding_errors(diagnostics: list[Diagnostic], texts: Mapping[str, str], nowhere: tuple[str, ...] = ()) -> str:
    """Render every finding in each format; return what is wrong with a finding or its location, or "".

    Findings with codes of `nowhere` need no location.
    """
    for each in diagnostics:
        diagnostic_line(each)
        diagnostic_data(each)
        terminal_text(each, texts)
        if not each.message.strip():
            return f"{each.code} says nothing"
        if not each.spans and each.code not in nowhere:
            return f"{each.code} names no place: {each.message}"
        for label in each.spans:
            rows = texts.get(label.span.file, "").replace("\r\n", "\n").replace("\r", "\n").split("\n")
            if not 1 <= label.span.line <= len(rows):
                return f"{each.code} stands in line {label.span.line} of {len(rows)} of {label.span.file}"
            if not 1 <= label.span.column <= len(rows[label.span.line - 1]) + 1:
                return f"{each.code} stands in column {label.span.column} of {rows[label.span.line - 1]!r}"
    return ""
