"""The outline of a file: its paragraphs.

An incomplete paragraph does not parse while it is being typed. It is listed by its first line all the same, so that the
lenses above it do not disappear and move the text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from compiler.source import nodes as source
from compiler.source.files import split_lines
from compiler.source.parse import parse_rules
from compiler.source.problems import UnexpectedToken, UnterminatedText
from compiler.source.span import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A paragraph: its kind, its name, the spans of both, and the paragraphs inside."""

    kind: str
    name: str
    span: Span
    name_span: Span
    children: tuple["OutlineEntry", ...]


# The kind of a paragraph in the outline, if it differs from its first keyword.
LISTED = {"value": "term", "verdict": "term", "condition": "term", "enum": "enumeration"}
# The first line of a paragraph with its name or title, which identifies it if the rest cannot be parsed.
FIRST_LINE = re.compile(
    r"\s*(rule|ruling|reading|case|dispute|example|precondition|action|reaction|resolution|sequence|task|define|domain"
    r'|scale|kind|relation|record|value|verdict|condition|enum)\s+("[^"]+"|[A-Za-z_][\w-]*)'
)


def list_headings(text: str) -> tuple[OutlineEntry, ...]:
    """Return the paragraphs of a rules text; those that cannot be parsed by their first lines."""
    parsed, problems = parse_rules(text, "")
    found = tuple(heading for each in parsed.statements for heading in _headings(each))
    lines = split_lines(text)
    for problem in problems:
        match problem:
            case UnexpectedToken(skipped=broken) if broken != NOWHERE:
                pass
            case UnterminatedText(span=broken):
                first_lines = (line for line in range(broken.line, 0, -1) if FIRST_LINE.match(lines[line - 1]))
                broken = replace(
                    broken, line=next(first_lines, broken.line), end_column=len(lines[broken.end_line - 1]) + 1
                )
            case _:
                continue
        for heading in _skipped(broken, lines):
            found = _with(found, heading)
    return found


def _skipped(span: Span, lines: list[str]) -> Iterator[OutlineEntry]:
    """Yield the headings of paragraphs that the parser skipped."""
    last = min(span.end_line if span.end_column > 1 else span.end_line - 1, len(lines))
    numbers = [number for number in range(span.line, last + 1) if FIRST_LINE.match(lines[number - 1])]
    for number, after in pairwise([*numbers, last + 1]):
        first = FIRST_LINE.match(lines[number - 1])
        assert first is not None
        end = max(each for each in range(number, after) if each == number or lines[each - 1].strip())
        heading_span = Span(span.file, number, first.start(1) + 1, end, len(lines[end - 1]) + 1)
        named = 1 if first[1] == "example" else 2  # As above: an example is found at its first word.
        name_span = Span(span.file, number, first.start(named) + 1, number, first.end(named) + 1)
        yield OutlineEntry(LISTED.get(first[1], first[1]), first[2].strip('"'), heading_span, name_span, ())


def _with(headings: tuple[OutlineEntry, ...], new: OutlineEntry) -> tuple[OutlineEntry, ...]:
    """Insert a heading among others by its span, or into the enclosing one."""
    for number, each in enumerate(headings):
        if each.name_span.line == new.name_span.line:
            return headings
        if each.span.contains(new.span):
            return (*headings[:number], replace(each, children=_with(each.children, new)), *headings[number + 1 :])
    return tuple(sorted((*headings, new), key=lambda each: each.span))


def _headings(node: source.Statement | source.Law | source.Reading) -> tuple[OutlineEntry, ...]:
    """Return the heading of a statement, as a tuple; () for a declaration of words."""
    match node:
        case source.Case() | source.Rule() | source.Ruling() | source.Dispute() | source.Reading():
            laws = [each for each in source.laws_inside(node) if not _is_ruling_itself(each, node)]
            children = tuple(heading for each in laws for heading in _headings(each))
            return (OutlineEntry(type(node).__name__.lower(), node.label.text, node.span, node.label.span, children),)
        case source.Precondition():
            return (OutlineEntry("precondition", node.label.text, node.span, node.label.span, ()),)
        case source.Example():
            # The node has no span of the title, which is in the first line.
            line = replace(node.span, end_line=node.span.line, end_column=node.span.column + len("example"))
            return (OutlineEntry("example", node.title, node.span, line, ()),)
        case source.ExtendKind():
            return (OutlineEntry("kind", node.name.text, node.span, node.name.span, ()),)
        case (
            source.Enumeration()
            | source.Domain()
            | source.Scale()
            | source.Kind()
            | source.Relation()
            | source.Record()
            | source.Task()
            | source.Term()
            | source.Define()
        ):
            return (OutlineEntry(type(node).__name__.lower(), node.name.text, node.span, node.name.span, ()),)
        case source.Action() | source.Reaction() | source.Resolution() | source.Sequence():
            return (OutlineEntry(type(node).__name__.lower(), node.name.text, node.span, node.name.span, ()),)
        case source.Hook():
            name = node.label or node.event
            return (OutlineEntry("hook", name.text, node.span, name.span, ()),)
        case _:
            return ()


def _is_ruling_itself(law: source.Law | source.Reading, parent: source.Statement | source.Law | source.Reading) -> bool:
    """Return whether a law is the only rule of a ruling, which has its label."""
    return isinstance(parent, source.Ruling) and isinstance(law, source.Rule) and law.label == parent.label
