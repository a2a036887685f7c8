"""The outline of a file: its paragraphs, as far as they parse."""

from dataclasses import dataclass, replace

from compiler.source import nodes as source
from compiler.source.parse import parse_rules
from compiler.source.span import Span


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A paragraph: its kind, its name, the spans of both, and the paragraphs inside."""

    kind: str
    name: str
    span: Span
    name_span: Span
    children: tuple["OutlineEntry", ...]


def list_headings(text: str) -> tuple[OutlineEntry, ...]:
    """Return the paragraphs of a rules text."""
    parsed, _ = parse_rules(text, "")
    return tuple(heading for statement in parsed.statements for heading in _headings(statement))


def _headings(node: source.Statement | source.Law | source.Reading) -> tuple[OutlineEntry, ...]:
    """Return the heading of a statement, as a tuple; () for a declaration of words."""
    match node:
        case source.Example():
            # The node has no span of the title, which is in the first line.
            line = replace(node.span, end_line=node.span.line, end_column=node.span.column + len("example"))
            return (OutlineEntry("example", node.title, node.span, line, ()),)
        case (
            source.Case()
            | source.Rule()
            | source.Ruling()
            | source.Dispute()
            | source.Reading()
            | source.Precondition()
        ):
            name = node.label
        case source.Hook():
            name = node.label or node.event
        case (
            source.ExtendKind()
            | source.Enumeration()
            | source.Domain()
            | source.Scale()
            | source.Kind()
            | source.Relation()
            | source.Record()
            | source.Task()
            | source.Term()
            | source.Define()
            | source.Action()
            | source.Reaction()
            | source.Resolution()
            | source.Sequence()
        ):
            name = node.name
        case _:
            return ()
    laws = [law for law in source.laws_inside(node) if not _is_ruling_itself(law, node)]
    children = tuple(heading for law in laws for heading in _headings(law))
    return (OutlineEntry(type(node).__name__.lower(), name.text, node.span, name.span, children),)


def _is_ruling_itself(law: source.Law | source.Reading, parent: source.Statement | source.Law | source.Reading) -> bool:
    """Return whether a law is the only rule of a ruling, which has its label."""
    return isinstance(parent, source.Ruling) and isinstance(law, source.Rule) and law.label == parent.label
