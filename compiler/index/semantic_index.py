"""What stands at a place of a stack's files, and where else it does.

In: a library and the name of a stack. Out: the names of all rules files of the stack, each with its symbol
(occurrences.py). Made of memoized queries, so after an edit only what is typed again is looked at again.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

from compiler.compile import problems_of_stack
from compiler.index.occurrences import Occurrence, occurrences
from compiler.layered.choose import choose_layers, parse_request
from compiler.query.database import LARGE
from compiler.source.package import LayerSource, Library, load_layer
from compiler.source.span import Span
from compiler.typed.name_uses import NameUse


@dataclass(frozen=True)
class SemanticIndex:
    """The names of each file of a stack, in written order."""

    files: Mapping[str, tuple[Occurrence, ...]]

    def at(self, file: str, line: int, column: int) -> tuple[Occurrence, ...]:
        """Give the names that stand at a place; a place right behind a name is its own, lines and columns from one."""
        found = self.files.get(file, ())
        before = bisect_right(found, (line, column), key=lambda each: (each.span.line, each.span.column))
        near = [each for each in found[max(0, before - 8) : before] if _touches(each.span, line, column)]
        return tuple(each for each in near if each.span == near[-1].span)

    def declarations(self, symbol: str) -> tuple[Occurrence, ...]:
        """List where a symbol is declared."""
        return tuple(each for each in self._places.get(symbol, ()) if each.declares)

    def places(self, symbol: str) -> tuple[Occurrence, ...]:
        """List where a symbol is declared and used, file by file."""
        return self._places.get(symbol, ())

    def symbols(self) -> Iterator[str]:
        """List the symbols that the files declare."""
        return (symbol for symbol, places in self._places.items() if any(each.declares for each in places))

    @cached_property
    def _places(self) -> dict[str, tuple[Occurrence, ...]]:
        found: dict[str, list[Occurrence]] = defaultdict(list)
        for names in self.files.values():
            for each in names:
                found[each.symbol].append(each)
        return {symbol: tuple(places) for symbol, places in found.items()}


def semantic_index(library: Library, stack: str) -> SemanticIndex:
    """Index the rules files of a stack; what could not be typed is known by its place alone."""
    database = library.database
    with database.lock:
        with database.accumulating() as facts:
            problems_of_stack(library, stack)
        uses: dict[str, dict[Span, NameUse]] = defaultdict(dict)
        for fact in facts:
            if isinstance(fact, NameUse):
                uses[fact.span.file][fact.span] = fact
        layers, _ = choose_layers(library.layers, parse_request(stack))
        files = {}
        for layer in layers:
            for file in load_layer(library, layer.name.text)[0].files:
                known = uses.get(file.span.file, {})
                files[file.span.file] = database.derive(
                    "names of file", (file,), partial(occurrences, file, known),
                    frozenset(known.values()), capacity=LARGE,
                )  # fmt: skip
            for occurrence in _in_data(load_layer(library, layer.name.text)[0]):
                files[occurrence.span.file] = (*files.get(occurrence.span.file, ()), occurrence)
        return SemanticIndex(files)


def _in_data(layer: LayerSource) -> Iterator[Occurrence]:
    """List what the data files of a layer declare: charts, and counters."""
    for table in layer.tables:
        yield Occurrence(table.name.span, f"chart {table.name.text}", declares=True)
    for counter in (*(row for chart in layer.charts for row in chart.rows),
                    *(row for patch in layer.piece_patches for row in patch.add)):  # fmt: skip
        yield Occurrence(counter.id.span, f"member counter.{counter.id.text}", declares=True)


def _touches(span: Span, line: int, column: int) -> bool:
    return span.line == span.end_line == line and span.column <= column <= span.end_column
