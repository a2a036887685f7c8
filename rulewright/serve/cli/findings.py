"""The findings of a command: their record, and their block with the lines of the files that they quote.

In: diagnostics, and the texts that they quote. Out: a `Reply`.
"""

import os
import re
from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from compiler.report.bounded import truncated_text
from compiler.report.diagnostic import Diagnostic
from compiler.report.render.excerpt import Line
from compiler.report.render.json import diagnostic_data
from compiler.report.render.line import diagnostic_line
from compiler.report.render.terminal import diagnostic_lines
from compiler.source.content import Texts
from compiler.source.sentence import Severity
from rulewright.library.stacks import Stack
from rulewright.serve.cli.console import Reply
from runtime.graph.document import DocumentBlock, DocumentLine, DocumentRole, DocumentSpan
from runtime.graph.document_lines import LineText, reply_block
from runtime.graph.records.findings import FindingsRecord
from runtime.graph.words import counted_noun

# The most lines of complete findings, the most lines in all, and the most lines of one finding.
DRAWN, MOST_LINES, LONGEST = 160, 240, 60


def reply_with(diagnostics: Sequence[Diagnostic], texts: Mapping[str, str]) -> Reply[FindingsRecord]:
    """Return a reply with findings; with an error, the exit code is 1."""
    return Reply(
        findings_record(diagnostics),
        lambda _: findings_block(diagnostics, texts, count_findings(diagnostics)),
        findings=has_error(diagnostics),
    )


def refusal_reply(stack: Stack) -> Reply[FindingsRecord]:
    """Return a reply with the errors of a stack that cannot be used; `check` reports its warnings."""
    errors = [diagnostic for diagnostic in stack.diagnostics if diagnostic.severity is Severity.ERROR]
    return reply_with(errors, stack.texts)


def findings_record(diagnostics: Sequence[Diagnostic]) -> FindingsRecord:
    """Return findings as their record."""
    return {
        "errors": _count(diagnostics, Severity.ERROR),
        "warnings": _count(diagnostics, Severity.WARNING),
        "diagnostics": [diagnostic_data(diagnostic) for diagnostic in diagnostics],
    }


def with_paths(
    diagnostics: Sequence[Diagnostic], texts: Mapping[str, str]
) -> tuple[list[Diagnostic], Mapping[str, str]]:
    """Replace the names of package files in findings by paths that open from the working directory."""
    files = {label.span.file for diagnostic in diagnostics for label in diagnostic.spans}
    paths = {name: path_from_here(name, texts) for name in files}
    found = [
        replace(each, spans=tuple(replace(label, span=replace(label.span, file=paths[label.span.file]))
                                  for label in each.spans))
        for each in diagnostics
    ]  # fmt: skip
    return found, ChainMap({paths[name]: texts[name] for name in files if name in texts}, texts)  # type: ignore[arg-type]


def page_with_paths(page: Any, *texts: Mapping[str, str]) -> Any:
    """Replace the names of package files with line numbers in a page by paths that open, as `with_paths` does."""
    match page:
        case str():
            return re.sub(r"[^\s,()]+(?=:\d)", lambda found: path_from_here(found[0], *texts), page)
        case {"file": str(name), "line": int()}:
            others = page_with_paths({key: each for key, each in page.items() if key != "file"}, *texts)
            return {key: path_from_here(name, *texts) if key == "file" else others[key] for key in page}
        case dict():
            return {name: each if name == "paragraph" else page_with_paths(each, *texts) for name, each in page.items()}
        case list() | tuple():
            return [page_with_paths(each, *texts) for each in page]
        case _:
            return page


def path_from_here(name: str, *texts: Mapping[str, str]) -> str:
    """Return the path of a file of a package, relative to the working directory if that is shorter; others stay."""
    found = next((file for text in texts if isinstance(text, Texts) and (file := text.file(name))), None)
    if found is None:
        return name
    path = found.path.absolute()
    try:
        relative = Path(os.path.relpath(path)).as_posix()
    except ValueError:  # On Windows, a file of another drive.
        return path.as_posix()
    return min(relative, path.as_posix(), key=len)


def findings_block(diagnostics: Sequence[Diagnostic], texts: Mapping[str, str], *last: LineText) -> DocumentBlock:
    """Show findings, and below them the `last` lines.

    Beyond a limit of lines, findings have one line each; beyond another limit, only their number is shown.
    """
    diagnostics, texts = with_paths(diagnostics, texts)
    blocks, short_lines, line_count = list[DocumentBlock](), list[LineText](), 0
    for index, diagnostic in enumerate(diagnostics):
        if line_count < DRAWN:
            lines = diagnostic_lines(diagnostic, texts)
            shown_lines = [*map(_drawn_line, lines[:LONGEST])]
            hidden = len(lines) - len(shown_lines)
            more = f"   .. {hidden} lines more: `--format json` has all of it" if hidden else ""
            blocks.append(reply_block(*shown_lines, more))
            line_count += len(shown_lines) + 1
        elif line_count < MOST_LINES:
            short_lines.append(truncated_text(diagnostic_line(diagnostic)))
            line_count += 1
        else:
            short_lines.append(f".. and {len(diagnostics) - index} findings more: `--format json` lists them")
            break
    return reply_block(blocks=[*blocks, reply_block(*short_lines, *last)])


def _drawn_line(line: Line) -> DocumentLine:
    spans = (DocumentSpan(part.text, is_emphasized=part.role == "strong", tone=part.role) for part in line)
    return DocumentLine(DocumentRole.DRAWN, tuple(spans))


def count_findings(diagnostics: Sequence[Diagnostic]) -> str:
    """Format the numbers of findings: `2 errors, 1 warning`."""
    errors, warnings = _count(diagnostics, Severity.ERROR), _count(diagnostics, Severity.WARNING)
    return f"{counted_noun(errors, 'error')}, {counted_noun(warnings, 'warning')}"


def has_error(diagnostics: Sequence[Diagnostic]) -> bool:
    """Return whether there is an error among the findings."""
    return _count(diagnostics, Severity.ERROR) > 0


def _count(diagnostics: Sequence[Diagnostic], severity: Severity) -> int:
    return sum(diagnostic.severity is severity for diagnostic in diagnostics)
