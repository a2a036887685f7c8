"""Terminal output: replies, messages and progress.

In: the `Reply` that a command returns. Out: its text or JSON, and the exit code. Replies are written to stdout, all
other messages to stderr, so that `--format json` can be piped.
"""

import io
import json
import os
import shlex
import sys
import textwrap
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from enum import IntEnum, StrEnum
from pathlib import Path
from typing import Any, Generic, TypeVar

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook, RenderResult
from rich.segment import Segment
from rich.text import Text

from compiler.report.bounded import truncated_text
from compiler.report.render.excerpt import without_control_characters
from rulewright.explain.views.terminal_blocks import reply_text
from rulewright.serve.cli.work_line import work_line
from rulewright.system.progress import pace_of, report_stage
from runtime.graph.document import DocumentBlock
from runtime.graph.frozen_dataclass import frozen_dataclass


class ReplyFormat(StrEnum):
    """The format of a printed reply."""

    TEXT = "text"
    JSON = "json"


class ExitCode(IntEnum):
    """The exit code of a command."""

    DONE = 0
    FINDINGS = 1
    USAGE = 2
    BUG = 3


R = TypeVar("R")


@frozen_dataclass
class Reply(Generic[R]):
    """The result of a command.

    `record` is printed by `--format json`: its keys, those of its type (runtime/graph/records), are a promise. For
    people `builder` makes a block of the document tree from it, whose folded lists may be `closed` (document_text.py).
    """

    record: R
    builder: Callable[[R], DocumentBlock]
    findings: bool = False
    closed: str | None = None


# The columns of a table in a file or a pipe.
WIDE = 160


class _Escaping(RenderHook):
    """A hook that escapes all output: a name in an untrusted file must not send control codes to the terminal."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        """Wrap renderables to escape them."""
        return [_Escaped(renderable) for renderable in renderables]


@frozen_dataclass
class _Escaped:
    """A renderable whose text is escaped; the control codes of rich itself are unchanged."""

    inner: ConsoleRenderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for part in console.render(self.inner, options):
            yield part if part.control else Segment(escape_controls(part.text), part.style)


def escape_controls(text: str) -> str:
    """Replace control characters, and those that change the direction of a text; line ends are unchanged."""
    return text if text.isprintable() else "".join(c if c in "\n\t" else without_control_characters(c) for c in text)


def open_console(*, stderr: bool = False) -> Console:
    """Build a console that prints text literally, with escaping."""
    # Emoji, markup and highlighting would misinterpret texts of rules; rich objects have explicit styles.
    console = Console(markup=False, emoji=False, highlight=False, stderr=stderr)
    console.push_render_hook(_Escaping())
    return console


_OUT = open_console()
_ERR = open_console(stderr=True)


def open_streams() -> None:
    """Open closed standard streams, and let all replace characters that their encoding lacks, instead of raising."""
    # Python has None for a closed stream. An opened file takes the lowest free number, which is that of the stream.
    for name, access in (("stdin", os.O_RDONLY), ("stdout", os.O_WRONLY), ("stderr", os.O_WRONLY)):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, access)
            setattr(sys, name, os.fdopen(nowhere, "r" if access == os.O_RDONLY else "w", encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def drop_output() -> None:
    """Discard pending output, which would fail again at exit, with another exit code."""
    with suppress(OSError, ValueError), Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def print_reply(reply: Reply[Any], form: ReplyFormat) -> ExitCode:
    """Print a reply, and return the exit code."""
    if form is ReplyFormat.JSON:
        sys.stdout.write(json.dumps(reply.record, indent=2) + "\n")
        sys.stdout.flush()
    else:
        # A table in a file may be wider than a screen.
        if not _OUT.is_terminal:
            _OUT.width = WIDE
        _print(_OUT, reply_text(reply.builder(reply.record), _OUT.width, closed=reply.closed))
    return ExitCode.FINDINGS if reply.findings else ExitCode.DONE


def reply_lines(reply: Reply[Any]) -> list[str]:
    """Return the text of a reply in lines, as a file would get it."""
    text = reply_text(reply.builder(reply.record), WIDE, closed=reply.closed)
    return escape_controls(text.plain).rstrip().split("\n")


def _print(console: Console, text: str | Text) -> None:
    """Print a text, with long lines wrapped on a terminal only."""
    console.print(wrapped(text, console.width) if console.is_terminal else text, soft_wrap=True)


def wrapped(text: str | Text, width: int) -> Text:
    """Wrap the lines that are longer than the screen between words; further lines are indented by two more columns."""
    styled = Text(text) if isinstance(text, str) else text
    lines = [
        line if len(line) <= width else _wrapped_line(line.plain, width) for line in styled.split(allow_blank=True)
    ]
    return Text("\n", style=styled.style).join(lines)


def _wrapped_line(line: str, width: int) -> Text:
    indent = " " * min(len(line) - len(line.lstrip()) + 2, width // 2)
    parts = textwrap.wrap(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return Text("\n".join(parts))


_typed: list[str] = []


def type_command(arguments: Sequence[str]) -> None:
    """Store the arguments of the command line."""
    _typed[:] = arguments


def typed_command() -> str:
    """Return the command line, quoted for a shell."""
    return f"python3 -m rulewright {shlex.join(_typed)}"


def print_note(text: str) -> None:
    """Print a message on stderr that is not part of the reply, such as the progress of a long job."""
    with work_line.paused():
        _print(_ERR, text)


@contextmanager
def show_progress(title: str, step_count: int) -> Iterator[Callable[[int, int], None]]:
    """Show the progress of a long job on stderr: done, rate, time left; yield a function to call with (done, of).

    If stderr is no terminal, the job is a stage of the command (work_line.py).
    """
    if not _ERR.is_terminal:
        yield lambda done, of: report_stage(title, done, of)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    with work_line.paused(), Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[figures]}"),
        console=_ERR, transient=True,
    ) as bar:  # fmt: skip
        task = bar.add_task(title, total=step_count or None, figures="")
        first_report: list[
            tuple[int, float]
        ] = []  # The count at the first report, such as games from the cache, and its time.

        def update(completed: int, total: int) -> None:
            elapsed = bar.tasks[task].elapsed or 0.0
            if not first_report:
                first_report.append((completed, elapsed))
            found = pace_of(completed, total, first_report[0][0], elapsed - first_report[0][1])
            figures = f"{found[0]:.1f}/s, {timedelta(seconds=round(found[1]))} left" if found else ""
            bar.update(task, completed=completed, total=total, figures=figures)

        yield update


def print_error(message: str) -> ExitCode:
    """Print an error of the user; return the exit code."""
    _print(_ERR, f"error: {truncated_text(message)}")
    return ExitCode.USAGE


def report_bug(bug: BaseException) -> ExitCode:
    """Report a bug, with the traceback if RULEWRIGHT_DEBUG is 1; return the exit code.

    Lack of memory is no bug.
    """
    if isinstance(bug, MemoryError) and os.environ.get("RULEWRIGHT_DEBUG") != "1":
        return print_error("this takes more memory than there is")
    _ERR.print(f"this is a bug in rulewright, not in your rules: {type(bug).__name__}: {bug}", soft_wrap=True)
    if os.environ.get("RULEWRIGHT_DEBUG") == "1":
        _ERR.print("".join(traceback.format_exception(bug)), soft_wrap=True)
    else:
        _ERR.print("  set RULEWRIGHT_DEBUG=1 and run it again for the details to report", soft_wrap=True)
    return ExitCode.BUG
