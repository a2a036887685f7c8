"""Read manifests of layers and the registry of sources."""

from compiler.source.nodes import Document, Equivalent, Layer, Sources, ValueMap
from compiler.source.problems import UnknownKey
from compiler.source.reading.values import (
    DocumentProblems,
    entry_value,
    optional_text,
    read_entries,
    read_items,
    read_limited_number,
    read_number,
    read_sources,
    read_text,
    read_word,
    read_words,
)
from compiler.source.suggestions import nearest_names

# The longest section of a printed rulebook has some dozens of items.
MOST_ITEMS = 1_000


def read_layer(document: ValueMap, reports: DocumentProblems) -> Layer:
    """Read `layer:`."""
    name = read_word(entry_value(document, "layer"))
    return Layer(
        document.span,
        name,
        read_word(entry_value(document, "kind")),
        read_text(entry_value(document, "title"), name.text),
        read_words(entry_value(document, "on")),
        read_words(entry_value(document, "with")),
        read_words(entry_value(document, "not with")),
        read_words(entry_value(document, "above")),
        read_text(entry_value(document, "playable")) == "yes",
        read_sources(entry_value(document, "cites"), reports),
        tuple((dispute, read_word(reading)) for dispute, reading in read_entries(entry_value(document, "readings"))),
        tuple(read_words(side) for side in read_items(entry_value(document, "card"))),
        tuple(
            (word.text, tuple(read_text(each) for each in read_items(meanings)))
            for word, meanings in read_entries(entry_value(document, "see"))
        ),
        tuple(read_text(each) for each in read_items(entry_value(document, "gaps"))),
        tuple(
            _read_equivalent(each)
            for each in read_items(entry_value(document, "equivalent"))
            if isinstance(each, ValueMap)
        ),
    )


def _read_equivalent(each: ValueMap) -> Equivalent:
    item, original, replacement, reason = (read_text(entry_value(each, key)) for key in ("in", "was", "now", "why"))
    return Equivalent(each.span, item, original, replacement, reason, read_number(entry_value(each, "nth")))


def read_registry(document: ValueMap, reports: DocumentProblems) -> Sources:
    """Read `sources:`."""
    for each in read_items(entry_value(document, "sources")):
        if isinstance(each, ValueMap):
            _check_headings(each, reports)
    return Sources(
        document.span,
        tuple(
            Document(
                each.span,
                read_word(entry_value(each, "prefix")),
                read_text(entry_value(each, "title")),
                optional_text(entry_value(each, "edition")),
                optional_text(entry_value(each, "url")),
                tuple(
                    (name, read_limited_number(count, "items", MOST_ITEMS, reports))
                    for name, count in read_entries(entry_value(each, "sections"))
                ),
                tuple((name, read_text(heading)) for name, heading in read_entries(entry_value(each, "headings"))),
                read_sources(entry_value(each, "items"), reports),
                read_text(entry_value(each, "date")),
            )
            for each in read_items(entry_value(document, "sources"))
            if isinstance(each, ValueMap)
        ),
    )


def _check_headings(document: ValueMap, reports: DocumentProblems) -> None:
    """Report headings for sections that the document does not have."""
    sections = [name.text for name, _ in read_entries(entry_value(document, "sections"))]
    for name, _ in read_entries(entry_value(document, "headings")):
        if sections and name.text not in sections:
            candidates = nearest_names(name.text, sections)
            reports.problems.append(UnknownKey(name.span, name.text, "list of sections", candidates, tuple(sections)))
