"""Laws as they are written: the disputes among them, and which of them say the same word for word."""

from collections.abc import Iterable

from compiler.source import nodes as source
from compiler.source.expression_text import equal_as_written


def dispute_names(statements: Iterable[object]) -> tuple[str, ...]:
    """Return the names of the disputes among statements, at any depth."""
    found: list[str] = []
    for statement in statements:
        match statement:
            case source.Dispute(label=label, readings=parts):
                found += (label.text, *(name for part in parts for name in dispute_names(part.laws)))
            case source.Case(laws=laws) | source.Ruling(laws=laws):
                found += dispute_names(laws)
            case _:
                pass
    return tuple(found)


def is_same_ruling(first: source.Ruling, second: source.Ruling) -> bool:
    """Return whether two rulings say the same word for word; their rules are compared one by one."""
    first_texts, second_texts = (
        (each.cites, each.kind, each.impact, each.asks, each.answers) for each in (first, second)
    )
    return equal_as_written(first_texts, second_texts)
