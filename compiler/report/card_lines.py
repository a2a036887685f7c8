"""Find where the facts and forces of a situation card are written, which the graph does not contain.

The input is a card with the name of a part, and the texts; the output is the place of a fact, of an order, of a counter
or of what is placed in a hex.
"""

from collections.abc import Iterator, Mapping

from compiler.analysis.parties import Party
from compiler.source import nodes as source
from compiler.source.reading.values import read_entries, read_items
from compiler.source.span import Span
from compiler.source.yaml_reader import read_yaml

# Keys whose value identifies an entry of a card; turns and orders are identified by their own keys.
NAMED = ("facts", "regions")
# Facts belong to the scenario, which the card itself does not write.
OWNER = "scenario."


def card_line_at(card: Party, name: str, texts: Mapping[str, str]) -> Span | None:
    """Return the span of a fact, a region, `turns`, an order, the first force with a counter, or a placed piece."""
    origin = card.origin
    for document in read_yaml(texts.get(origin.file, ""), origin.file)[0] if origin.file.endswith(".yaml") else ():
        if isinstance(document, source.ValueMap) and _is_card_at(document, origin.line):
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
