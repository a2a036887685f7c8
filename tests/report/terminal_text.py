"""Diagnostics as the terminal prints them, without colors."""

from collections.abc import Mapping

from compiler.report.diagnostic import Diagnostic
from compiler.report.render.terminal import diagnostic_lines


def terminal_text(diagnostic: Diagnostic, texts: Mapping[str, str]) -> str:
    """Format a diagnostic."""
    return "\n".join(
        "".join(fragment.text for fragment in line).rstrip() for line in diagnostic_lines(diagnostic, texts)
    )
