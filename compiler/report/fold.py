"""Fold the consequences of one root cause, so that one mistake is one diagnostic.

The input is diagnostics, in the order of discovery; the output is a subset. Four kinds of consequences are known:

- the same root in another place: a misspelled name used in five places, or a block that was copied, is one finding;
- a name whose declaration is in text skipped after a syntax error;
- a name whose declaration has an error itself;
- the same complaint at the same place, reported by several stacks or passes.

Nothing else is folded: a finding that is merely likely to disappear with another is reported.
"""

import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import replace

from compiler.report.diagnostic import Diagnostic
from compiler.source.sentence import COPIED, Label
from compiler.source.span import Span
from runtime.graph.words import counted_noun

# The start of a paragraph of a `.rules` file that declares one name.
PARAGRAPH = re.compile(
    r"\s*(?:rule|ruling|define|value|verdict|condition|sum|min|max|set|case|reading|dispute|action|resolution"
    r"|enum|scale|record|kind|event|domain|relation)\s+([A-Za-z][\w-]*)"
)
# Codes of undeclared names: the word after `in` is no phase, and no member of `phase`.
NAME_CODES = "R02"
# More places than this are counted, not listed.
LISTED_PLACES = 4


def names_in(swallowed: Iterable[Span], texts: Mapping[str, str]) -> set[str]:
    """Return the words in the text that the parser skipped, and the names that the enclosing paragraphs declare."""
    lines = _FileLines(texts)
    return {
        name for span in swallowed for name in (*_names(span, lines), lines.paragraph(span.file, span.line)) if name
    }


def fold_findings(findings: Iterable[Diagnostic], swallowed: Set[str], texts: Mapping[str, str]) -> list[Diagnostic]:
    """Return one finding for each root; `swallowed` are the words in the text that the parser skipped."""
    every = list(findings)
    lines = _FileLines(texts)
    lost = set(swallowed)
    lost |= {name for finding in every for name in _declared_by(finding, lines)}
    groups: dict[tuple[object, ...], list[Diagnostic]] = {}
    for finding in every:
        if lost and not lost.isdisjoint(finding.names):
            continue
        key: object = finding.root or (finding.message, *(label.span for label in finding.spans[:1]))
        groups.setdefault((_common_code(finding), key), []).append(finding)
    return [_joined(group) for group in groups.values()]


def _common_code(finding: Diagnostic) -> str:
    """Return what the codes of findings with one root have in common: they may differ in names and copies."""
    if finding.root.startswith(COPIED):
        return COPIED
    return NAME_CODES if finding.code.startswith(NAME_CODES) and finding.names else finding.code


class _FileLines(dict[str, list[str]]):
    """The lines of files, each split once."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        super().__init__()
        self.texts = texts
        self._paragraphs: dict[str, list[str]] = {}

    def __missing__(self, file: str) -> list[str]:
        found = self[file] = self.texts.get(file, "").split("\n")
        return found

    def paragraph(self, file: str, line: int) -> str:
        """Return the name declared by the paragraph around a line, counted from 1; "" before the first."""
        if file not in self._paragraphs:
            names = [""]
            for each in self[file]:
                begins = PARAGRAPH.match(each)
                names.append(begins[1] if begins else names[-1])
            self._paragraphs[file] = names
        names = self._paragraphs[file]
        return names[min(line, len(names) - 1)]


def _names(span: Span, lines: _FileLines) -> set[str]:
    """Return the words in a span of text."""
    return set(re.findall(r"[A-Za-z_][\w-]*", "\n".join(lines[span.file][span.line - 1 : span.end_line])))


def _declared_by(finding: Diagnostic, lines: _FileLines) -> set[str]:
    """Return the names that the paragraph around an error declares, except those that the error misses."""
    for label in finding.spans[:1]:
        return {lines.paragraph(label.span.file, label.span.line)} - {"", *finding.names}
    return set()


def _joined(group: list[Diagnostic]) -> Diagnostic:
    """Merge findings with the same root: the earliest is reported, with the places of the others."""
    ordered = sorted(group, key=lambda finding: [label.span for label in finding.spans])
    first = ordered[0]
    first_spans = {label.span for label in first.spans}
    news = ([label.span for label in each.spans if label.span not in first_spans] for each in ordered[1:])
    others = sorted({fresh[0] for fresh in news if fresh})
    if not others:
        return first
    extra = [Label(span, "also here") for span in others[:LISTED_PLACES]]
    if len(others) > LISTED_PLACES:
        extra[-1] = Label(
            extra[-1].span, f"also here, and in {counted_noun(len(others) - LISTED_PLACES, 'more place')}"
        )
    return replace(first, spans=(*first.spans, *extra))
