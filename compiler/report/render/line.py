"""The rendering for logs and for editors that read compiler output: one finding, one line."""

from compiler.report.diagnostic import Diagnostic, place
from compiler.report.render.excerpt import clean


def line(diagnostic: Diagnostic) -> str:
    """Write `file:line:column: error R0201: ... (help)`; the other parties are left to the longer renderings."""
    where = f"{place(diagnostic.spans[0].span)}: " if diagnostic.spans else ""
    advice = f" ({diagnostic.help})" if diagnostic.help else ""
    return clean(f"{where}{diagnostic.severity.value} {diagnostic.code}: {diagnostic.message}{advice}")
