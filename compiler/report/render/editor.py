"""The rendering for editors: the Diagnostic of the Language Server Protocol, 3.17.

In: a diagnostic, and the texts of its files. Out: the object of the protocol. An editor underlines one place for a
finding and lists the other parties as related information. Lines are counted from zero there, and a column is an offset
in UTF-16 units, so that the source line is needed for the conversion. What a client returns for a fix is in `data`:
replacements of the range, and the witness of the finding.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from compiler.report.diagnostic import Diagnostic
from compiler.report.render.terminal import appearance_text, question_text
from compiler.source.files import split_lines
from compiler.source.sentence import Severity
from compiler.source.span import Span

# How a help suggests words (compiler/source/sentence.py).
MEANT = re.compile(r"did you mean ((?:`[^`]*`(?:, | or |, or )?)+)\?")
BACKQUOTED = re.compile(r"`([^`]*)`")
# The label that only a terminal prints below the place; an editor underlines it.
PLACE_ALONE = "here"
SEVERITIES = {Severity.ERROR: 1, Severity.WARNING: 2}


def editor_diagnostic(diagnostic: Diagnostic, texts: Mapping[str, str], uri: Callable[[str], str]) -> dict[str, Any]:
    """Convert a finding for `textDocument/publishDiagnostics` of the file of its first span."""
    first, *others = diagnostic.spans
    note = "" if first.text == PLACE_ALONE else first.text
    witness = diagnostic.witness
    case_line = witness and f"when: {appearance_text(witness)}"
    question_line = witness and witness.question and f"ask: {question_text(witness)}"
    lines = [diagnostic.message, note, case_line, question_line, diagnostic.help]
    return {
        "range": _range(first.span, texts),
        "severity": SEVERITIES[diagnostic.severity],
        "code": diagnostic.code,
        "source": "rulewright",
        "message": "\n".join(line for line in lines if line),
        "relatedInformation": [
            {"location": {"uri": uri(label.span.file), "range": _range(label.span, texts)}, "message": label.text}
            for label in others
        ],
        "data": {"instead": list(_replacements(diagnostic.help)), "witness": _witness(diagnostic)},
    }


def _replacements(help_: str) -> Iterator[str]:
    """Return replacements of the first span: the words of the question "did you mean" in a help."""
    match = MEANT.search(help_)
    yield from BACKQUOTED.findall(match[1]) if match else ()


def _witness(diagnostic: Diagnostic) -> dict[str, str] | None:
    """Convert the position that proves a finding, with its text as a file; None if there is none."""
    found = diagnostic.witness
    if found is None:
        return None
    return {field.name: getattr(found, field.name) for field in fields(found)}


def _range(span: Span, texts: Mapping[str, str]) -> dict[str, Any]:
    lines = split_lines(texts.get(span.file, ""))
    return {"start": _point(span.line, span.column, lines), "end": _point(span.end_line, span.end_column, lines)}


def _point(line: int, column: int, lines: list[str]) -> dict[str, int]:
    before = lines[line - 1][: column - 1] if 0 < line <= len(lines) else " " * (column - 1)
    return {"line": max(0, line - 1), "character": len(before.encode("utf-16-le")) // 2}
