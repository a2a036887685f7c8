"""The index from places in a stack's files to symbols, and from symbols to occurrences.

In: the names of all files of the stack, each with its symbol (occurrences.py). Out: a `SemanticIndex`, which
compiler/stack_index.py makes.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from compiler.index.occurrences import Occurrence
from compiler.source.span import Span


@dataclass(frozen=True)
class SemanticIndex:
    """The occurrences of each file of a stack, in written order."""

    files: Mapping[str, tuple[Occurrence, ...]]

    def occurrences_at(self, file: str, line: int, column: int) -> tuple[Occurrence, ...]:
        """Return the names at a place, including one that ends there; lines and columns count from one."""
        found = self.files.get(file, ())
        before = bisect_right(found, (line, column), key=lambda each: (each.span.line, each.span.column))
        candidates = [each for each in found[max(0, before - 8) : before] if _includes(each.span, line, column)]
        return tuple(each for each in candidates if each.span == candidates[-1].span)

    def declarations(self, symbol: str) -> tuple[Occurrence, ...]:
        """Return the declarations of a symbol."""
        return tuple(each for each in self.occurrences_of(symbol) if each.declares)

    def occurrences_of(self, symbol: str) -> tuple[Occurrence, ...]:
        """Return the occurrences of a symbol, by file."""
        if "_places" in vars(self):
            return self._places.get(symbol, ())
        # To index all symbols takes as long as to look for twenty of them.
        return tuple(each for names in self.files.values() for each in names if each.symbol == symbol)

    def symbols(self) -> Iterator[str]:
        """Yield the symbols that the files declare."""
        return (symbol for symbol, places in self._places.items() if any(each.declares for each in places))

    @cached_property
    def _places(self) -> dict[str, tuple[Occurrence, ...]]:
        found: dict[str, list[Occurrence]] = defaultdict(list)
        for names in self.files.values():
            for each in names:
                found[each.symbol].append(each)
        return {symbol: tuple(places) for symbol, places in found.items()}


def _includes(span: Span, line: int, column: int) -> bool:
    return span.line == span.end_line == line and span.column <= column <= span.end_column
