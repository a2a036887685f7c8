"""Where the facts and forces of a situation card are written, which the graph does not say.

In: a card, by the name that its text gives it, and the texts. Out: the place of a fact, of an order or of a counter.
"""

from collections.abc import Iterator, Mapping

from compiler.analysis.parties import Party
from compiler.source import nodes as source
from compiler.source.reading.values import entries, entry, items
from compiler.source.span import Span
from compiler.source.yaml_reader import read_yaml

# Under these keys a card names what a line of it is about; its turns and orders are keys themselves.
NAMED = ("facts", "regions")


def card_line_at(card: Party, name: str, texts: Mapping[str, str]) -> Span | None:
    """Find a fact, a region, `turns`, an order, or the first force with a counter; None if no line of the card is."""
    at = card.origin
    for document in read_yaml(texts.get(at.file, ""), at.file)[0] if at.file.endswith(".yaml") else ():
        if isinstance(document, source.ValueMap) and _is(document, at.line):
            return next(_found(document, name), None)
    return None


def _is(document: source.ValueMap, line: int) -> bool:
    """Tell whether a document is the card that has its name in a line."""
    named = entry(document, "scenario")
    return named is not None and named.span.line == line


def _found(document: source.ValueMap, name: str) -> Iterator[Span]:
    for key in NAMED:
        yield from (value.span for word, value in entries(entry(document, key)) if word.text == name)
    yield from (value.span for word, value in document.entries if word.text == name)
    for force in items(entry(document, "forces")):
        if isinstance(force, source.ValueMap):
            yield from (word.span for word, _ in entries(entry(force, "units")) if word.text == name)
