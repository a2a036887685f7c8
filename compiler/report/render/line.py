"""The rendering for logs and for editors that read compiler output: one finding per line.

In: a diagnostic. Out: its line.
"""

from compiler.report.diagnostic import Diagnostic, place_text
from compiler.report.render.excerpt import without_control_characters


def diagnostic_line(diagnostic: Diagnostic) -> str:
    """Format `file:line:column: error R0201: ... (help)`; only the longer renderings contain the other parties."""
    place = f"{place_text(diagnostic.spans[0].span)}: " if diagnostic.spans else ""
    advice = f" ({diagnostic.help})" if diagnostic.help else ""
    return without_control_characters(
        f"{place}{diagnostic.severity.value} {diagnostic.code}: {diagnostic.message}{advice}"
    )
