"""The names in the slots of templates: of wordings of questions and actions, and of accounts.

The fields of an account without a value of their own are names of its procedure.
"""

from typing import TYPE_CHECKING

from compiler.source import nodes as source
from compiler.source.span import Span
from runtime.graph.templates import field_places

if TYPE_CHECKING:
    from compiler.index.occurrences import NameWalk


def visit_sentences(walk: "NameWalk", node: source.Reads | source.Account | source.AccountText) -> None:
    """Record the names in templates."""
    match node:
        case source.Reads(span=span):
            _mention_slots(walk, span)
        case source.AccountText(text=text):
            _mention_slots(walk, text.span)
            walk.visit_parts(node, "text")
        case source.Account(fields=parts):
            for part in parts:
                walk.visit(part.value)
                symbol = _bound(walk, part.name.text) if part.value is None else ""
                if symbol:
                    walk.mention_symbol(part.name, symbol)
                else:
                    walk.bind(part.name)
            walk.visit_parts(node, "fields")


def _mention_slots(walk: "NameWalk", span: Span) -> None:
    """Record the names in the slots within a span."""
    for number in range(span.line, span.end_line + 1):
        line = walk.lines[number - 1]
        first = span.column - 1 if number == span.line else 0
        last = span.end_column - 1 if number == span.end_line else len(line)
        for name, start in field_places(line, first, last):
            column = start + 1
            symbol = _bound(walk, name) or (f"parameter {walk.procedure}.{name}" if walk.procedure else "")
            if symbol:
                walk.mention_symbol(
                    source.Word(Span(span.file, number, column, number, column + len(name)), name), symbol
                )


def _bound(walk: "NameWalk", name: str) -> str:
    """Return the symbol of a name that is in scope or bound anywhere in the paragraph; "" if there is none."""
    bound = (each for each in reversed(walk.occurrences[walk.paragraph_start :]) if each.declares)
    return walk.scope.get(name, "") or next((each.symbol for each in bound if _written(walk, each.span) == name), "")


def _written(walk: "NameWalk", span: Span) -> str:
    return walk.lines[span.line - 1][span.column - 1 : span.end_column - 1]
