"""Read manifests of layers and the registry of sources."""

from compiler.source.nodes import Document, Equivalent, Layer, Sources, ValueMap
from compiler.source.problems import UnknownKey
from compiler.source.reading.values import (
    Reports,
    entries,
    entry,
    items,
    limited,
    maybe_text,
    number,
    read_sources,
    text,
    word,
    words,
)
from compiler.source.suggestions import nearest

# The longest section of a printed rulebook has some dozens.
MOST_ITEMS = 1_000


def read_layer(document: ValueMap, reports: Reports) -> Layer:
    """Read `layer:`."""
    name = word(entry(document, "layer"))
    return Layer(
        document.span,
        name,
        word(entry(document, "kind")),
        text(entry(document, "title"), name.text),
        words(entry(document, "on")),
        words(entry(document, "with")),
        words(entry(document, "not with")),
        words(entry(document, "above")),
        text(entry(document, "playable")) == "yes",
        read_sources(entry(document, "cites"), reports),
        tuple((dispute, word(reading)) for dispute, reading in entries(entry(document, "readings"))),
        tuple(words(side) for side in items(entry(document, "card"))),
        tuple(
            (word.text, tuple(text(each) for each in items(meant))) for word, meant in entries(entry(document, "see"))
        ),
        tuple(text(each) for each in items(entry(document, "gaps"))),
        tuple(_read_equivalent(each) for each in items(entry(document, "equivalent")) if isinstance(each, ValueMap)),
    )


def _read_equivalent(each: ValueMap) -> Equivalent:
    at, was, now, why = (text(entry(each, key)) for key in ("in", "was", "now", "why"))
    return Equivalent(each.span, at, was, now, why, number(entry(each, "nth")))


def read_registry(document: ValueMap, reports: Reports) -> Sources:
    """Read `sources:`."""
    for each in items(entry(document, "sources")):
        if isinstance(each, ValueMap):
            _check_headings(each, reports)
    return Sources(
        document.span,
        tuple(
            Document(
                each.span,
                word(entry(each, "prefix")),
                text(entry(each, "title")),
                maybe_text(entry(each, "edition")),
                maybe_text(entry(each, "url")),
                tuple(
                    (name, limited(count, "items", MOST_ITEMS, reports))
                    for name, count in entries(entry(each, "sections"))
                ),
                tuple((name, text(said)) for name, said in entries(entry(each, "headings"))),
                words(entry(each, "items")),
                text(entry(each, "date")),
            )
            for each in items(entry(document, "sources"))
            if isinstance(each, ValueMap)
        ),
    )


def _check_headings(document: ValueMap, reports: Reports) -> None:
    """Report headings for sections that the document does not have."""
    sections = [name.text for name, _ in entries(entry(document, "sections"))]
    for name, _ in entries(entry(document, "headings")):
        if sections and name.text not in sections:
            near = nearest(name.text, sections)
            reports.problems.append(UnknownKey(name.span, name.text, "list of sections", near, tuple(sections)))
