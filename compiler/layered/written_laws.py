"""Laws as they are written: the disputes among them, and which of them say the same word for word."""

from collections.abc import Iterable, Iterator

from compiler.source import nodes as source
from compiler.source.expression_text import equal_as_written, written_text


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


def equal_readings(readings: tuple[source.Reading, ...]) -> Iterator[tuple[source.Reading, source.Reading]]:
    """Return pairs of readings with equal rules, except for labels; one without rules may mean anything."""
    first: dict[object, source.Reading] = {}
    for reading in readings:
        laws = [rule for rule in reading.laws if isinstance(rule, source.Rule)]
        parts = ((law.conclusion, law.relations, law.patches, law.names, law.guard, law.amends) for law in laws)
        text = written_text(tuple(parts))
        if laws and first.setdefault(text, reading) is not reading:
            yield reading, first[text]


def is_same_ruling(first: source.Ruling, second: source.Ruling) -> bool:
    """Return whether two rulings say the same word for word; their rules are compared one by one."""
    first_texts, second_texts = (
        (each.cites, each.kind, each.impact, each.asks, each.answers) for each in (first, second)
    )
    return equal_as_written(first_texts, second_texts)
