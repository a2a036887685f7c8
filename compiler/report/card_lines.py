"""Lookup of where the facts and forces of a situation card are written, which the graph does not say.

In: a card, by the name that its text gives it, and the texts. Out: the place of a fact, of an order, of a counter or of
what stands in a hex.
"""

from collections.abc import Iterator, Mapping

from compiler.analysis.parties import Party
from compiler.source import nodes as source
from compiler.source.reading.values import entry_value, read_entries, read_items
from compiler.source.span import Span
from compiler.source.yaml_reader import read_yaml

# Under these keys a card names what a line of it is about; its turns and orders are keys themselves.
NAMED = ("facts", "regions")
# Facts are the scenario's, which the card itself does not say.
OWNER = "scenario."


def card_line_at(card: Party, name: str, texts: Mapping[str, str]) -> Span | None:
    """Find a fact, a region, `turns`, an order, the first force with a counter, or a piece that is placed in a hex."""
    at = card.origin
    for document in read_yaml(texts.get(at.file, ""), at.file)[0] if at.file.endswith(".yaml") else ():
        if isinstance(document, source.ValueMap) and _is(document, at.line):
            return next(_found(document, name.removeprefix(OWNER)), None)
    return None


def _is(document: source.ValueMap, line: int) -> bool:
    """Return whether a document is the card that has its name in a line."""
    named = entry_value(document, "scenario")
    return named is not None and named.span.line == line


def _found(document: source.ValueMap, name: str) -> Iterator[Span]:
    for key in NAMED:
        yield from (value.span for word, value in read_entries(entry_value(document, key)) if word.text == name)
    yield from (value.span for word, value in document.entries if word.text == name)
    for force in read_items(entry_value(document, "forces")):
        if isinstance(force, source.ValueMap):
            yield from (word.span for word, _ in read_entries(entry_value(force, "units")) if word.text == name)
            yield from (each.span for each in read_items(entry_value(force, "placed")) if name in _placed(each))


def _placed(each: object) -> tuple[str, ...]:
    """Return the counter and the hex of one that is placed."""
    if not isinstance(each, source.ValueMap):
        return ()
    said = (entry_value(each, key) for key in ("unit", "at"))
    return tuple(value.text for value in said if isinstance(value, source.Scalar))
