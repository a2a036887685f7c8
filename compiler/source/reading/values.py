"""Helpers of all readers of YAML documents, which extract parts of values.

Readers run on documents whose shape has been checked, so that a wrong shape is a bug here; what a schema cannot express
(a reversed range, a malformed citation) is reported.
"""

import re
from dataclasses import dataclass, field

from compiler.source.citations import read_cites
from compiler.source.finding import Finding
from compiler.source.findings.files import TooLarge
from compiler.source.findings.literals import BadCite
from compiler.source.findings.yaml_documents import BadShape, DuplicateKey
from compiler.source.nodes import Scalar, Type, Value, ValueList, ValueMap, Word
from compiler.source.parse import parse_type
from compiler.source.span import NOWHERE, Span

_RANGE = re.compile(r"(-?\d{1,6})\.\.(-?\d{1,6})")


@dataclass(slots=True)
class DocumentProblems:
    """The problems of one document, collected by its reader."""

    problems: list[Finding] = field(default_factory=list)

    def report_shape(self, span: Span, expected: str, found: str, candidates: tuple[str, ...] = ()) -> None:
        """Report a value of a wrong shape; `candidates` is what it may be a misspelling of."""
        self.problems.append(BadShape(span, expected, found, candidates=candidates))


def read_word(value: Value | None) -> Word:
    """Read a scalar that is a single word."""
    assert isinstance(value, Scalar), value
    return Word(value.span, value.text)


def optional_word(value: Value | None) -> Word | None:
    """Read an optional word."""
    return None if value is None else read_word(value)


def read_scalar(value: Value | None) -> Scalar:
    """Return a value as a scalar."""
    assert isinstance(value, Scalar), value
    return value


def read_text(value: Value | None, default: str = "") -> str:
    """Read a text, or the default of an absent one."""
    return value.text if isinstance(value, Scalar) else default


def optional_text(value: Value | None) -> str | None:
    """Read an optional text."""
    return value.text if isinstance(value, Scalar) else None


def read_number(value: Value | None, default: int = 0) -> int:
    """Read a whole number; its schema has checked the digits."""
    return int(value.text) if isinstance(value, Scalar) else default


def read_limited_number(value: Value | None, unit: str, most: int, reports: DocumentProblems) -> int:
    """Read a whole number of things that are enumerated; a number above the limit is reported and clamped."""
    found = read_number(value)
    if found > most and value is not None:
        reports.problems.append(TooLarge(value.span, unit, most))
        return most
    return found


def read_items(value: Value | None) -> tuple[Value, ...]:
    """Read a list; a single value is a list of one, an absent value an empty list."""
    if isinstance(value, ValueList):
        return value.items
    return () if value is None else (value,)


def read_maps(value: Value | None) -> tuple[ValueMap, ...]:
    """Read a list of mappings, or a single one; what else is in it was reported with its shape."""
    return tuple([each for each in read_items(value) if isinstance(each, ValueMap)])


def read_entries(value: Value | None) -> tuple[tuple[Word, Value], ...]:
    """Read a mapping; empty if absent."""
    return value.entries if isinstance(value, ValueMap) else ()


def read_words(value: Value | None) -> tuple[Word, ...]:
    """Read a list of words; a text of several words is split at its blanks."""
    return tuple(each for item in read_items(value) for each in split_words(read_scalar(item)))


def columns_of(document: ValueMap, reports: DocumentProblems) -> tuple[Word, ...]:
    """Read the names of columns, which must be unique."""
    columns = tuple(read_word(each) for each in read_items(document.get("columns")))
    first: dict[str, Word] = {}
    for column in columns:
        if first.setdefault(column.text, column) is not column:
            reports.problems.append(DuplicateKey(column.span, column.text, first[column.text].span))
    return columns


def split_words(value: Scalar) -> tuple[Word, ...]:
    """Split a text into words with their own spans, where these can be computed."""
    if value.start is NOWHERE or "\n" in value.text or value.start.line != value.span.end_line:
        return tuple(Word(value.span, each) for each in value.text.split())
    return tuple(
        Word(_part(value.start, found.start(), found.end()), found.group()) for found in re.finditer(r"\S+", value.text)
    )


def _part(start: Span, begin: int, end: int) -> Span:
    return Span(start.file, start.line, start.column + begin, start.line, start.column + end)


def cut_word(word: Word, begin: int, end: int) -> Word:
    """Return a part of a word; if its letters have no known places, the part has the span of the whole word."""
    plain = word.span.line == word.span.end_line and word.span.end_column - word.span.column == len(word.text)
    span = _part(word.span, begin, end) if plain else word.span
    return Word(span, word.text[begin:end])


def read_sources(value: Value | None, reports: DocumentProblems) -> tuple[Word, ...]:
    """Read `cites:`, a text or a list of texts."""
    cites: list[Word] = []
    seen: set[str] = set()
    joined = ""
    for item in read_items(value):
        cited = read_scalar(item)
        # `[T.3, .4]`: the short id takes its prefix from the item before it.
        lead = f"{joined} " if cited.text.startswith(".") else ""
        start = cited.start if cited.start is not NOWHERE else cited.span

        folded_span = cited.span if cited.span.line != cited.span.end_line else None

        def place(
            offset: int, start: Span = start, before: int = len(lead), folded_span: Span | None = folded_span
        ) -> tuple[int, int]:
            if folded_span is not None:  # The line breaks of a folded text are not in its value.
                if offset > before:
                    return (folded_span.end_line, folded_span.end_column)
                return (folded_span.line, folded_span.column)
            return start.line, max(start.column, start.column + offset - before)

        found, cite_problems = read_cites(lead + cited.text, start.file, place, 0)
        found = found[1:] if lead else found
        reports.problems.extend(cite_problems)
        reports.problems.extend(
            BadCite(each.span, each.text, is_repetition=True) for each in found if each.text in seen
        )
        seen |= {each.text for each in found}
        cites += found
        joined = cites[-1].text if cites else ""
    return tuple(cites)


def read_type(value: Value, reports: DocumentProblems) -> Type | None:
    """Read a written type such as `0..60 hexes`."""
    written = read_scalar(value)
    type_, type_problems = parse_type(written.text, written.span.file, written.start)
    reports.problems.extend(type_problems)
    return type_


def read_range(value: Scalar, reports: DocumentProblems) -> tuple[int, int] | None:
    """Read `1..4`; None when the text is no range."""
    found = _RANGE.fullmatch(value.text)
    if found is None:
        return None
    low, high = int(found[1]), int(found[2])
    if low > high:
        reports.report_shape(value.span, f"`{high}..{low}`", f"`{value.text}`")
    return min(low, high), max(low, high)
