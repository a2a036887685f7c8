"""Diagnostics as a command prints them: in color for people, as JSON for programs."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.text import Text

from compiler.report.bounded import shortened
from compiler.report.diagnostic import Diagnostic, Severity
from compiler.report.render.excerpt import Line
from compiler.report.render.json import plain_data
from compiler.report.render.line import diagnostic_line
from compiler.report.render.terminal import diagnostic_lines
from rulewright.cli.console import Reply
from rulewright.library.stacks import Stack

# What each role of a fragment looks like; a terminal without colors shows the same text.
STYLES = {
    "error": "bold red",
    "warning": "bold yellow",
    "strong": "bold",
    "gutter": "blue",
    "place": "none",
    "help": "bold cyan",
    "other": "blue",
    "text": "none",
}

# Lines of findings that are drawn whole, and lines in all; lines of one of them.
DRAWN, MOST, LONGEST = 160, 240, 60


def reply_with(diagnostics: Sequence[Diagnostic], texts: Mapping[str, str]) -> Reply:
    """Answer with findings; errors among them make the exit code 1."""
    return Reply(as_data(diagnostics), as_text(diagnostics, texts), findings=has_error(diagnostics))


def refusal_reply(stack: Stack) -> Reply:
    """Return a reply with the errors of a stack that cannot be used; its warnings are left to `check`."""
    errors = [diagnostic for diagnostic in stack.diagnostics if diagnostic.severity is Severity.ERROR]
    return reply_with(errors, stack.texts)


def as_data(diagnostics: Sequence[Diagnostic]) -> dict[str, Any]:
    """Shape findings for `--format json`."""
    return {
        "errors": _count(diagnostics, Severity.ERROR),
        "warnings": _count(diagnostics, Severity.WARNING),
        "diagnostics": [plain_data(diagnostic) for diagnostic in diagnostics],
    }


def as_text(diagnostics: Sequence[Diagnostic], texts: Mapping[str, str], last: str = "") -> Text:
    """Draw findings one below the other, with a count of them as the last line, or another line instead.

    Beyond so many lines findings take one line each, and beyond so many more they are counted.
    """
    text, drawn = Text(), 0
    for at, diagnostic in enumerate(diagnostics):
        if drawn < DRAWN:
            lines = diagnostic_lines(diagnostic, texts)
            for each in lines[:LONGEST]:
                _append(text, each)
            if len(lines) > LONGEST:
                text.append(f"   .. {len(lines) - LONGEST} lines more: `--format json` has all of it\n")
            text.append("\n")
            drawn += min(len(lines), LONGEST) + 1
        elif drawn < MOST:
            text.append(f"{shortened(diagnostic_line(diagnostic))}\n")
            drawn += 1
        else:
            text.append(f".. and {len(diagnostics) - at} findings more: `--format json` lists them\n")
            break
    return text.append(last or count_findings(diagnostics))


def count_findings(diagnostics: Sequence[Diagnostic]) -> str:
    """Count the findings: `2 errors, 1 warning`."""
    errors, warnings = _count(diagnostics, Severity.ERROR), _count(diagnostics, Severity.WARNING)
    return f"{errors} error{'s' * (errors != 1)}, {warnings} warning{'s' * (warnings != 1)}"


def has_error(diagnostics: Sequence[Diagnostic]) -> bool:
    """Return whether there is an error among the findings."""
    return _count(diagnostics, Severity.ERROR) > 0


def _append(text: Text, line: Line) -> None:
    content = Text()
    for fragment in line:
        content.append(fragment.text, STYLES[fragment.role])
    content.rstrip()
    text.append(content).append("\n")


def _count(diagnostics: Sequence[Diagnostic], severity: Severity) -> int:
    return sum(diagnostic.severity is severity for diagnostic in diagnostics)
