"""A fault: the edited text, its place, and the declaration in which it is."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.faults.declarations import Declaration


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: the text from `start` to `end` becomes `now`; `first` to `last` are the lines of its declaration."""

    kind: str
    file: str
    label: str
    start: int
    end: int
    was: str
    now: str
    first: int
    last: int

    def planted(self, text: str) -> str:
        """Return the text with the fault."""
        assert text[self.start : self.end] == self.was
        return text[: self.start] + self.now + text[self.end :]

    def summary(self) -> str:
        """Return the fault in one line."""
        words = [" ".join(part.split())[:70] for part in (self.was, self.now)]
        return f"{self.kind:20} {self.file}:{self.first} {self.label}: {words[0]!r} -> {words[1]!r}"


# Yields the places of one kind of fault in a declaration of a file: start, end and replacement.
Places = Callable[[Declaration, str], Iterator[tuple[int, int, str]]]


def fault_at(kind: str, file: str, where: Declaration, text: str, place: tuple[int, int, str]) -> Fault:
    """Return the fault at a place in a declaration."""
    start, end, now = place
    return Fault(kind, file, where.label, start, end, text[start:end], now, where.first, where.last)
