"""Find where the figures and traits of a counter are written, which the graph does not contain.

The input is a counter, as in its chart, and the texts; the output is the place of one of its cells, or of a column.
"""

from collections.abc import Mapping, Sequence

from compiler.analysis.parties import Party
from compiler.source import nodes as source
from compiler.source.reading.pieces import is_piece_patch, read_piece_patch, read_pieces
from compiler.source.reading.values import DocumentProblems, read_words
from compiler.source.span import Span
from compiler.source.yaml_reader import read_yaml
from runtime.graph import nodes as graph


def printed_span(counter: Party, cell: str, texts: Mapping[str, str]) -> Span | None:
    """Return the span of a column or a trait in the row of a counter; the row for an absent trait.

    None without a row.
    """
    origin = counter.origin
    for document in _documents(origin.file, texts):
        for row in _rows(document):
            if (row.id.span.line, row.id.span.column) == (origin.line, origin.column):
                return _cell(row, cell)
    return None


def columns_at(counter: graph.Origin, names: Sequence[str], texts: Mapping[str, str]) -> Span | None:
    """Return the span where the chart of a counter lists the first of some columns."""
    for document in _documents(counter.file, texts):
        if isinstance(document, source.ValueMap) and any(row.id.span.line == counter.line for row in _rows(document)):
            spans = [each.span for each in read_words(document.get("columns")) if each.text in names]
            return spans[0] if spans else None
    return None


def _documents(file: str, texts: Mapping[str, str]) -> tuple[source.Value, ...]:
    return tuple(read_yaml(texts.get(file, ""), file)[0]) if file.endswith(".yaml") else ()


def _rows(document: source.Value) -> tuple[source.Counter, ...]:
    """Return the counters of a document."""
    if not isinstance(document, source.ValueMap):
        return ()
    if document.get("pieces") is not None:
        return read_pieces(document, DocumentProblems()).rows
    if document.get("patch") is not None and is_piece_patch(document):
        return read_piece_patch(document, DocumentProblems()).add
    return ()


def _cell(row: source.Counter, name: str) -> Span:
    values = {word.text: value.span for word, value in row.values}
    traits = {word.text: word.span for word in row.traits}
    return values.get(name) or traits.get(name) or row.span
