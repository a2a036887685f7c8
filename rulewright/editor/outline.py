"""The paragraphs of a file as an editor lists them beside the text."""

from dataclasses import dataclass, replace

from compiler.source.nodes import (
    Action,
    Case,
    Define,
    Dispute,
    Domain,
    Enumeration,
    Example,
    Hook,
    Kind,
    Law,
    Precondition,
    Reaction,
    Reading,
    Record,
    Relation,
    Resolution,
    Rule,
    Ruling,
    Scale,
    Sequence,
    Statement,
    Task,
    Term,
    laws_inside,
)
from compiler.source.parse import parse_rules
from compiler.source.span import Span


@dataclass(frozen=True, slots=True)
class Heading:
    """A paragraph: what it is, its name, where both stand, and the paragraphs inside."""

    what: str
    name: str
    span: Span
    name_span: Span
    inside: tuple["Heading", ...]


def outline(text: str) -> tuple[Heading, ...]:
    """List what a text of rules holds, as far as it can be read."""
    parsed, _ = parse_rules(text, "")
    return tuple(heading for each in parsed.statements for heading in _headings(each))


def _headings(node: Statement | Law | Reading) -> tuple[Heading, ...]:
    """Make the heading of a statement; a line of words has none."""
    match node:
        case Case() | Rule() | Ruling() | Dispute() | Reading():
            laws = [each for each in laws_inside(node) if not _is_ruling_itself(each, node)]
            inside = tuple(heading for each in laws for heading in _headings(each))
            return (Heading(type(node).__name__.lower(), node.label.text, node.span, node.label.span, inside),)
        case Precondition():
            return (Heading("precondition", node.label.text, node.span, node.label.span, ()),)
        case Example():
            # Where a title stands is not kept: it is in the first line.
            line = replace(node.span, end_line=node.span.line, end_column=node.span.column + len("example"))
            return (Heading("example", node.title, node.span, line, ()),)
        case Enumeration() | Domain() | Scale() | Kind() | Relation() | Record() | Task() | Term() | Define():
            return (Heading(type(node).__name__.lower(), node.name.text, node.span, node.name.span, ()),)
        case Action() | Reaction() | Resolution() | Sequence():
            return (Heading(type(node).__name__.lower(), node.name.text, node.span, node.name.span, ()),)
        case Hook():
            name = node.label or node.event
            return (Heading("hook", name.text, node.span, name.span, ()),)
        case _:
            return ()


def _is_ruling_itself(law: Law | Reading, around: Statement | Law | Reading) -> bool:
    """Return whether a law is the only rule of a ruling, which has its label."""
    return isinstance(around, Ruling) and isinstance(law, Rule) and law.label == around.label
