"""The rendering for programs. Scripts depend on the keys; more may be added, none removed.

In: a diagnostic. Out: plain data.
"""

from compiler.report.diagnostic import Diagnostic
from compiler.source.sentence import Label, Witness
from runtime.graph.records.findings import DiagnosticRecord, SpanRecord


def diagnostic_data(diagnostic: Diagnostic) -> DiagnosticRecord:
    """Convert a diagnostic to plain data that `json.dumps` accepts."""
    witness = diagnostic.witness or Witness("")
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "spans": [_span(label) for label in diagnostic.spans],
        "help": diagnostic.help,
        "why": diagnostic.explanation,
        "witness": witness.path or witness.when or None,
        "position": witness.file,
        "when": witness.when,
        "share": witness.share,
        "question": witness.question,
        "answer": witness.answer,
    }


def _span(label: Label) -> SpanRecord:
    span = label.span
    return {
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "label": label.text,
    }
