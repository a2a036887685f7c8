"""The outline of a file: its paragraphs, as far as they parse."""

from dataclasses import replace

from compiler.source import nodes as source
from compiler.source.parse import parse_rules
from compiler.source.span import Span
from compiler.typed.declarations import DECLARATIONS
from compiler.typed.declarations.record import OutlineSymbol
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class OutlineEntry:
    """A paragraph: its kind, its name, the symbol of both, their spans, and the paragraphs inside."""

    kind: str
    name: str
    symbol: OutlineSymbol
    span: Span
    name_span: Span
    children: tuple["OutlineEntry", ...]


def list_headings(text: str) -> tuple[OutlineEntry, ...]:
    """Return the paragraphs of a rules text."""
    parsed, _ = parse_rules(text, "")
    return tuple(heading for statement in parsed.statements for heading in _headings(statement))


def _headings(node: source.Statement | source.Law | source.Reading) -> tuple[OutlineEntry, ...]:
    """Return the heading of a statement, as a tuple; () for a declaration of words."""
    symbol: OutlineSymbol = "key"
    match node:
        case source.Example():
            # The node has no span of the title, which is in the first line.
            line = replace(node.span, end_line=node.span.line, end_column=node.span.column + len("example"))
            return (OutlineEntry("example", node.title, "event", node.span, line, ()),)
        case source.Case():
            name, symbol = node.label, "namespace"
        case source.Rule() | source.Ruling() | source.Dispute() | source.Reading():
            name = node.label
        case _:
            record = DECLARATIONS.get(type(node))
            if record is None or not record.outline:
                return ()
            # What has a symbol is called by its name or label, which its record lists first, or by its event.
            name = next(word for field in record.names if (word := getattr(node, field)) is not None)
            symbol = record.outline
    laws = [law for law in source.laws_inside(node) if not _is_ruling_itself(law, node)]
    children = tuple(heading for law in laws for heading in _headings(law))
    return (OutlineEntry(type(node).__name__.lower(), name.text, symbol, node.span, name.span, children),)


def _is_ruling_itself(law: source.Law | source.Reading, parent: source.Statement | source.Law | source.Reading) -> bool:
    """Return whether a law is the only rule of a ruling, which has its label."""
    return isinstance(parent, source.Ruling) and isinstance(law, source.Rule) and law.label == parent.label
