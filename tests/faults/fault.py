"""A planted fault: what is altered, where, and in which declaration."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.faults.declarations import Declaration


@dataclass(frozen=True, slots=True)
class Fault:
    """One slip: the text from `start` to `end` becomes `now`; `first` to `last` are the lines of its declaration."""

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
        """Make the slip."""
        assert text[self.start : self.end] == self.was
        return text[: self.start] + self.now + text[self.end :]

    def summary(self) -> str:
        """Return it in a line."""
        words = [" ".join(part.split())[:70] for part in (self.was, self.now)]
        return f"{self.kind:20} {self.file}:{self.first} {self.label}: {words[0]!r} -> {words[1]!r}"


# What finds the places of one kind in a declaration of a file: from where to where, and what stands there then.
Places = Callable[[Declaration, str], Iterator[tuple[int, int, str]]]


def fault_at(kind: str, file: str, where: Declaration, text: str, place: tuple[int, int, str]) -> Fault:
    """Make a fault of a place within a declaration."""
    start, end, now = place
    return Fault(kind, file, where.label, start, end, text[start:end], now, where.first, where.last)
