"""The tree of headings of a book, with the rules and rulings that stand under them."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """A rule with its number, and what stands under it: exceptions and rulings."""

    label: str
    number: str
    under: "tuple[Entry | RulingEntry, ...]"


@dataclass(frozen=True, slots=True)
class RulingEntry:
    """A ruling and the rules that carry it out. `number` is that of the rule or case it stands beside."""

    ruling: str
    entries: tuple[Entry, ...]
    number: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """A section, a case or a part of one. `term` is set where the book parted a case by questions."""

    label: str
    number: str
    title: str
    term: str
    entries: tuple[Entry | RulingEntry, ...]
    parts: "tuple[Heading, ...]"


def entries_of(heading: Heading) -> Iterator[Entry | RulingEntry]:
    """Walk all rules and rulings under a heading, in printed order."""
    waiting: list[Heading | Entry | RulingEntry] = [heading]
    while waiting:
        match waiting.pop(0):
            case Heading(entries=entries, parts=parts):
                waiting[:0] = [*entries, *parts]
            case Entry(under=under) as entry:
                yield entry
                waiting[:0] = under
            case RulingEntry(entries=entries) as card:
                yield card
                waiting[:0] = entries


def headings_of(heading: Heading) -> Iterator[Heading]:
    """Walk a heading and all below it."""
    yield heading
    for part in heading.parts:
        yield from headings_of(part)
