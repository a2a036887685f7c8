"""The paragraphs of a file as an editor lists them beside the text."""

from dataclasses import dataclass

from compiler.source.nodes import (
    Action,
    Case,
    Dispute,
    Example,
    Hook,
    Law,
    Reaction,
    Reading,
    Record,
    Resolution,
    Rule,
    Ruling,
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
    """A paragraph: what it is, its name, where it stands, and the paragraphs inside."""

    what: str
    name: str
    span: Span
    inside: tuple["Heading", ...]


def outline(text: str) -> tuple[Heading, ...]:
    """List what a text of rules holds, as far as it can be read."""
    parsed, _ = parse_rules(text, "")
    return tuple(heading for each in parsed.statements for heading in _headings(each))


def _headings(node: Statement | Law | Reading) -> tuple[Heading, ...]:
    """Make the heading of a statement; a line of words has none."""
    match node:
        case Case() | Rule() | Ruling() | Dispute() | Reading():
            inside = tuple(heading for each in laws_inside(node) for heading in _headings(each))
            return (Heading(type(node).__name__.lower(), node.label.text, node.span, inside),)
        case Example():
            return (Heading("example", node.title, node.span, ()),)
        case Term() | Record() | Task() | Action() | Reaction() | Resolution() | Sequence():
            return (Heading(type(node).__name__.lower(), node.name.text, node.span, ()),)
        case Hook():
            return (Heading("hook", node.label.text if node.label else node.event.text, node.span, ()),)
        case _:
            return ()
