"""Find where the entries of data files are written, which the graph does not contain.

In: a counter as in its chart, or a card with the name of a part, and the texts. Out: the span of a figure, a trait or a
column of a chart; of a fact, an order, a counter or what is placed in a hex of a card.
"""

from collections.abc import Iterator, Mapping, Sequence

from compiler.analysis.parties import Party
from compiler.source import nodes as source
from compiler.source.reading.pieces import is_piece_patch, read_piece_patch, read_pieces
from compiler.source.reading.values import DocumentProblems, read_entries, read_items, read_words
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


# Keys whose value identifies an entry of a card; turns and orders are identified by their own keys.
NAMED = ("facts", "regions")
# Facts belong to the scenario, which the card itself does not write.
OWNER = "scenario."


def card_line_at(card: Party, name: str, texts: Mapping[str, str]) -> Span | None:
    """Return the span of a fact, a region, `turns`, an order, the first force with a counter, or a placed piece."""
    for document in _documents(card.origin.file, texts):
        if isinstance(document, source.ValueMap) and _is_card_at(document, card.origin.line):
            return next(_spans_of_name(document, name.removeprefix(OWNER)), None)
    return None


def _is_card_at(document: source.ValueMap, line: int) -> bool:
    """Return whether a document is the card whose name is on a line."""
    named = document.get("scenario")
    return named is not None and named.span.line == line


def _spans_of_name(document: source.ValueMap, name: str) -> Iterator[Span]:
    for key in NAMED:
        yield from (value.span for word, value in read_entries(document.get(key)) if word.text == name)
    yield from (value.span for word, value in document.entries if word.text == name)
    for force in read_items(document.get("forces")):
        if isinstance(force, source.ValueMap):
            yield from (word.span for word, _ in read_entries(force.get("units")) if word.text == name)
            yield from (each.span for each in read_items(force.get("placed")) if name in _placement_words(each))


def _placement_words(each: object) -> tuple[str, ...]:
    """Return the counter and the hex of a placed piece."""
    if not isinstance(each, source.ValueMap):
        return ()
    values = (each.get(key) for key in ("unit", "at"))
    return tuple(value.text for value in values if isinstance(value, source.Scalar))
