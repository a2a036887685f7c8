"""The tree of headings of a book, with the rules and rulings under them."""

from collections.abc import Iterable, Iterator

from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class RuleEntry:
    """A rule with its number, and the exceptions and rulings under it."""

    label: str
    number: str
    under: "tuple[BookEntry, ...]"

    @property
    def thing(self) -> tuple[str, str]:
        """Return the kind and the label of what the entry is."""
        return "rule", self.label

    @property
    def rules(self) -> "tuple[RuleEntry, ...]":
        """Return the entries of its rules: itself."""
        return (self,)


@frozen_dataclass
class RulingEntry:
    """A ruling with its rules. `number` is that of the rule or case that it is beside."""

    ruling: str
    rules: tuple[RuleEntry, ...]
    number: str = ""

    @property
    def thing(self) -> tuple[str, str]:
        """Return the kind and the label of what the entry is."""
        return "ruling", self.ruling


BookEntry = RuleEntry | RulingEntry


@frozen_dataclass
class Heading:
    """A section, a case or a part of one."""

    label: str
    number: str
    title: str
    entries: tuple[BookEntry, ...]
    parts: "tuple[Heading, ...]"


def entries_of(heading: Heading) -> Iterator[BookEntry]:
    """Traverse all rules and rulings under a heading, in printed order."""
    yield from entries_under(heading.entries)
    for part in heading.parts:
        yield from entries_of(part)


def entries_under(entries: Iterable[BookEntry]) -> Iterator[BookEntry]:
    """Traverse entries and all below them, in printed order."""
    for entry in entries:
        yield entry
        yield from entries_under(entry.under if isinstance(entry, RuleEntry) else entry.rules)


def headings_of(heading: Heading) -> Iterator[Heading]:
    """Traverse a heading and all below it."""
    yield heading
    for part in heading.parts:
        yield from headings_of(part)
