"""The tree of headings of a book, with the rules and rulings under them."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RuleEntry:
    """A rule with its number, and the exceptions and rulings under it."""

    label: str
    number: str
    under: "tuple[RuleEntry | RulingEntry, ...]"


@dataclass(frozen=True, slots=True)
class RulingEntry:
    """A ruling with its rules. `number` is that of the rule or case that it is beside."""

    ruling: str
    entries: tuple[RuleEntry, ...]
    number: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """A section, a case or a part of one."""

    label: str
    number: str
    title: str
    entries: tuple[RuleEntry | RulingEntry, ...]
    parts: "tuple[Heading, ...]"


def entries_of(heading: Heading) -> Iterator[RuleEntry | RulingEntry]:
    """Traverse all rules and rulings under a heading, in printed order."""
    waiting: list[Heading | RuleEntry | RulingEntry] = [heading]
    while waiting:
        match waiting.pop(0):
            case Heading(entries=entries, parts=parts):
                waiting[:0] = [*entries, *parts]
            case RuleEntry(under=children) as entry:
                yield entry
                waiting[:0] = children
            case RulingEntry(entries=entries) as card:
                yield card
                waiting[:0] = entries


def headings_of(heading: Heading) -> Iterator[Heading]:
    """Traverse a heading and all below it."""
    yield heading
    for part in heading.parts:
        yield from headings_of(part)
