"""Construction of the semantic index of a stack.

In: a library and the name of a stack. Out: its semantic index. The stack is typed, and the facts that typing
accumulates are collected; these are memoized queries, so that an edit recomputes only what it affects.
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import partial

from compiler.compile import problems_of_stack
from compiler.index.occurrences import Occurrence, list_occurrences
from compiler.index.semantic_index import SemanticIndex
from compiler.layered.layer_selection import layers_of_stack
from compiler.query.database import LARGE
from compiler.source.finding import Finding
from compiler.source.nodes import Scenario
from compiler.source.package import LayerSource, Library, load_layer
from compiler.source.span import Span
from compiler.typed.name_uses import NameUse


def index_stack(
    library: Library, stack: str, card: Scenario | None = None
) -> tuple[SemanticIndex, tuple[Finding, ...]]:
    """Index the rules files of a stack, and return the problems of the stack, too.

    Names that could not be typed are resolved by syntax alone. Examples on a card are typed only with that card.
    """
    database = library.database
    with database.lock:
        with database.accumulating() as facts:
            problems = problems_of_stack(library, stack, card)
        uses: dict[str, dict[Span, NameUse]] = defaultdict(dict)
        for fact in facts:
            if isinstance(fact, NameUse):
                uses[fact.span.file][fact.span] = fact
        layers = layers_of_stack(library, stack)
        files = {}
        for layer in layers:
            for file in load_layer(library, layer.name.text)[0].files:
                known = uses.get(file.span.file, {})
                text = library.texts[file.span.file]
                files[file.span.file] = database.derive(
                    "names of file", (file,), partial(list_occurrences, file, known, text),
                    frozenset(known.values()), text, capacity=LARGE,
                )  # fmt: skip
            for occurrence in _declarations_in_data(load_layer(library, layer.name.text)[0]):
                files[occurrence.span.file] = (*files.get(occurrence.span.file, ()), occurrence)
        return SemanticIndex(files), problems


def _declarations_in_data(layer: LayerSource) -> Iterator[Occurrence]:
    """Yield the declarations of a layer's data files: charts and counters."""
    for table in layer.tables:
        yield Occurrence(table.name.span, f"chart {table.name.text}", declares=True)
    for counter in (*(row for chart in layer.charts for row in chart.rows),
                    *(row for patch in layer.piece_patches for row in patch.add)):  # fmt: skip
        yield Occurrence(counter.id.span, f"member counter.{counter.id.text}", declares=True)
