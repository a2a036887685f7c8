"""Read YAML as text with spans, without type inference and without implicit content.

The input is the text of a `.yaml` file; the output is one value for each document in it. Each scalar is the text that
was written; each key is a word and unique in its mapping. Reports malformed YAML (one report per document), duplicate
keys, aliases, anchors, tags and merge keys, and whatever is too large or too deep.

It reads events instead of using yaml's own composer: aliases are never expanded, which excludes exponential expansion,
and a hundred thousand open brackets are counted without recursion.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import yaml

from compiler.source.character_checks import UNPRINTABLE, lookalike_letters
from compiler.source.files import normalized_text
from compiler.source.finding import Finding
from compiler.source.findings.characters import OddSign, Unprintable
from compiler.source.findings.files import TooLarge
from compiler.source.findings.literals import TooDeep
from compiler.source.findings.yaml_documents import BadShape, BadYaml, DuplicateKey, RefusedYaml
from compiler.source.nodes import Scalar, Value, ValueList, ValueMap, Word
from compiler.source.span import NOWHERE, Span

LARGEST_TEXT = 1_000_000
# A printed board of 350 hexes has some 2,000 scalars; the largest counter sheets as many.
MOST_NODES = 100_000
MOST_DOCUMENTS = 200
MOST_YAML_NESTING = 32
MOST_UNPRINTABLE = 100

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DOCUMENT = re.compile(r"^---(?=[ \t\n]|$)", re.MULTILINE)
_PREFACE = re.compile(r"(?:[ \t]*+(?:[#%][^\n]*+)?\n)*")
_MERGE = "<<"
# How other tools write `yes` and `no`.
TRUTHS = {"true": "yes", "True": "yes", "TRUE": "yes", "false": "no", "False": "no", "FALSE": "no"}


def read_yaml(
    text: str, file: str, truths: Mapping[str, str] = MappingProxyType({})
) -> tuple[tuple[Value, ...], tuple[Finding, ...]]:
    """Read all documents of a file; a broken one is dropped. `truths` replaces values without quotes."""
    if len(text) > LARGEST_TEXT:
        start = Span(file, 1, 1, 1, 1)
        return (), (TooLarge(start, "characters", LARGEST_TEXT),)
    text = normalized_text(text)
    reader = _YamlReader(text.split("\n"), file, truths)
    text = UNPRINTABLE.sub(reader.replace_control_characters, text)
    documents: list[Value] = []
    for line, part in _documents(text):
        if len(documents) >= MOST_DOCUMENTS:
            place = Span(file, line + 1, 1, line + 1, 4)
            reader.reports.append(TooLarge(place, "documents", MOST_DOCUMENTS))
            break
        documents += reader.read(part, line)
    return tuple(documents), tuple(reader.reports)


def _documents(text: str) -> Iterator[tuple[int, str]]:
    """Split a file at its `---` lines, so that one broken document does not hide the next."""
    # Before the first one there may be directives, which belong to it.
    preface = _PREFACE.match(text)
    separators = [found.start() for found in _DOCUMENT.finditer(text)]
    starts = [0, *(start for start in separators if preface is None or start > preface.end()), len(text)]
    line = 0
    for start, end in pairwise(starts):
        yield line, text[start:end]
        line += text.count("\n", start, end)


@dataclass(slots=True)
class _OpenNode:
    """A list or mapping under construction.

    `seen` are the keys of a mapping, `key` the one that waits for its value.
    """

    span: Span
    mapping: bool
    items: list[Any] = field(default_factory=list)
    seen: dict[str, Span] = field(default_factory=dict)
    key: Word | None = None
    wants_key: bool = True
    # A key that is invalid or repeated: its value is read and dropped.
    dropped: bool = False


class _GivenUp(Exception):  # noqa: N818 control flow within one document, not an error class
    """Signals that a document is too large or too deep."""


@dataclass(slots=True)
class _YamlReader:
    """The reader of a file with the problems found so far."""

    lines: list[str]
    file: str
    truths: Mapping[str, str]
    reports: list[Finding] = field(default_factory=list)
    nodes: int = 0

    def replace_control_characters(self, found: "re.Match[str]") -> str:
        """Report control characters and replace them by a harmless character."""
        # Reports are few, so that counting lines for them is cheap.
        if len(self.reports) < MOST_UNPRINTABLE:
            line = found.string.count("\n", 0, found.start()) + 1
            column = found.start() - found.string.rfind("\n", 0, found.start())
            place = Span(self.file, line, column, line, column + len(found.group()))
            self.reports.append(Unprintable(place, ord(found.group()[0])))
        return "_" * len(found.group())

    def read(self, text: str, line: int) -> list[Value]:
        """Read one document that starts at the zero-based line `line`."""
        documents: list[Value] = []
        open_: list[_OpenNode] = []
        try:
            for event in yaml.parse(text, Loader=_LOADER):
                value = self._event(event, open_, line)
                if value is None:
                    continue
                if open_:
                    self._add_value(open_[-1], value)
                elif not (isinstance(value, Scalar) and not value.text):
                    documents.append(value)
        except _GivenUp:
            return []
        except yaml.YAMLError as slip:
            self.reports.append(self._bad_yaml(slip, line))
            return []
        return documents

    def _event(self, event: Any, open_: list[_OpenNode], line: int) -> Value | None:
        """Process one event; return the value that it completes."""
        match event:
            case yaml.ScalarEvent():
                is_key = bool(open_) and open_[-1].mapping and open_[-1].wants_key
                return self._scalar(event, self._place(event, line), is_key=is_key)
            case yaml.AliasEvent():
                span = self._place(event, line)
                self.reports.append(RefusedYaml(span, "alias"))
                return Scalar(span, "")
            case yaml.SequenceStartEvent() | yaml.MappingStartEvent():
                span = self._place(event, line)
                self._plain(event, span)
                self._count(span)
                if len(open_) >= MOST_YAML_NESTING:
                    self.reports.append(TooDeep(span, MOST_YAML_NESTING))
                    raise _GivenUp
                open_.append(_OpenNode(span, isinstance(event, yaml.MappingStartEvent)))
            case yaml.SequenceEndEvent() | yaml.MappingEndEvent():
                return self._close(open_.pop(), self._place(event, line))
            case _:
                pass
        return None

    def _close(self, part: _OpenNode, end: Span) -> Value:
        last = part.items[-1] if part.items else None
        if last is not None and end.end_column == 1:
            # A block ends where the next one starts; its span ends with its last value.
            end = last[1].span if part.mapping else last.span
        span = Span(self.file, part.span.line, part.span.column, end.end_line, end.end_column)
        if part.mapping:
            return ValueMap(span, tuple(part.items))
        return ValueList(span, tuple(part.items))

    def _add_value(self, part: _OpenNode, value: Value) -> None:
        """Add a value to the list or mapping that contains it."""
        if not part.mapping:
            part.items.append(value)
        elif part.wants_key:
            part.wants_key = False
            part.dropped = not self._key(part, value)
        else:
            if not part.dropped:
                part.items.append((part.key, value))
            part.wants_key = True

    def _key(self, part: _OpenNode, value: Value) -> bool:
        """Process a key; False if it is invalid."""
        if not isinstance(value, Scalar):
            self.reports.append(BadShape(value.span, "a word as key", value_phrase(value)))
            return False
        if value.text == _MERGE:
            self.reports.append(RefusedYaml(value.span, "merge"))
            return False
        if value.text in part.seen:
            self.reports.append(DuplicateKey(value.span, value.text, part.seen[value.text]))
            return False
        part.seen[value.text] = value.span
        part.key = Word(value.span, value.text)
        return True

    def _scalar(self, event: Any, span: Span, *, is_key: bool) -> Scalar:
        self._plain(event, span)
        self._count(span)
        # An escape can insert what the text itself must not contain.
        text = event.value
        if event.style == '"' and (found := UNPRINTABLE.search(text)):
            self.reports.append(Unprintable(span, ord(found.group()[0])))
            text = UNPRINTABLE.sub("_", text)
        if (
            not text.isascii()
            and (character_problem := next(lookalike_letters(text), None))
            and len(self.reports) < MOST_UNPRINTABLE
        ):
            self.reports.append(
                OddSign(span, character_problem.sign, character_problem.category, character_problem.letter)
            )
        if event.implicit[0] and not is_key:  # It has no quotes.
            text = self.truths.get(text, text)
        return Scalar(span, text, self._start(event, span))

    def _start(self, event: Any, span: Span) -> Span:
        """Return the start of the text of a scalar, as far as it is known."""
        match event.style:
            case "|":
                indented = next((line for line in event.value.split("\n") if line.strip()), "")
                for below, line in enumerate(self.lines[span.line : span.end_line], span.line + 1):
                    if line.strip():
                        column = len(line) - len(indented) + 1
                        lead = len(event.value) - len(event.value.lstrip("\n"))
                        return Span(self.file, below - lead, column, below - lead, column)
                return span
            case ">":
                return NOWHERE
            case "'" | '"':
                return Span(self.file, span.line, span.column + 1, span.end_line, span.end_column)
            case _:
                return span

    def _plain(self, event: Any, span: Span) -> None:
        """Report anchors and tags."""
        if event.anchor is not None:
            self.reports.append(RefusedYaml(span, "anchor"))
        if event.tag is not None:
            self.reports.append(RefusedYaml(span, "tag"))

    def _count(self, span: Span) -> None:
        self.nodes += 1
        if self.nodes > MOST_NODES:
            self.reports.append(TooLarge(span, "nodes", MOST_NODES))
            raise _GivenUp

    def _place(self, event: Any, line: int) -> Span:
        start, end = event.start_mark, event.end_mark
        return Span(self.file, start.line + line + 1, start.column + 1, end.line + line + 1, end.column + 1)

    def _bad_yaml(self, error: yaml.YAMLError, line: int) -> BadYaml | TooDeep:
        """Convert an exception of yaml to a problem."""
        if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
            start = Span(self.file, line + 1, 1, line + 1, 1)
            return BadYaml(start, getattr(error, "reason", None) or "", None)
        place = self._mark(error.problem_mark, line)
        # PyYAML 6.0.4 and later read brackets ahead up to a limit, above ours, before they report one.
        if "nesting depth" in (error.problem or ""):
            return TooDeep(place, MOST_YAML_NESTING)
        context = self._mark(error.context_mark, line) if error.context_mark is not None else None
        before = self.lines[place.line - 1][: place.column - 1]
        return BadYaml(place, error.problem or "", None if context == place else context, before)

    def _mark(self, mark: Any, line: int) -> Span:
        """Convert a mark to a span; one past the end of the file is moved back to it."""
        line_index = min(mark.line + line, len(self.lines) - 1)
        column = min(mark.column, len(self.lines[line_index])) + 1
        return Span(self.file, line_index + 1, column, line_index + 1, column + 1)


def value_phrase(value: Value) -> str:
    """Return a phrase for a value, for a report."""
    match value:
        case Scalar(text=""):
            return "nothing"
        case Scalar(text=text):
            return f"`{text if len(text) <= 40 else text[:37] + '...'}`"
        case ValueList(items=()):
            return "an empty list"
        case ValueList():
            return "a list"
        case ValueMap(entries=()):
            return "none"
        case ValueMap():
            return "keys and values"
