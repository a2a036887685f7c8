"""Read manifests of layers, the registry of sources and book entries."""

from compiler.source import nodes as source
from compiler.source.findings.yaml_documents import OutOfOrder, UnknownKey
from compiler.source.numbering import register_key
from compiler.source.reading import values
from compiler.source.suggestions import nearest_names

# The longest section of a printed rulebook has some dozens of items.
MOST_ITEMS = 1_000


def read_layer(document: source.ValueMap, reports: values.DocumentProblems) -> source.Layer:
    """Read `layer:`."""
    name = values.read_word(document.get("layer"))
    return source.Layer(
        document.span,
        name,
        values.read_word(document.get("kind")),
        values.read_text(document.get("title"), name.text),
        values.read_words(document.get("on")),
        values.read_words(document.get("with")),
        values.read_words(document.get("not with")),
        values.read_words(document.get("above")),
        values.read_text(document.get("playable")) == "yes",
        values.read_sources(document.get("cites"), reports),
        tuple(
            (dispute, values.read_word(reading)) for dispute, reading in values.read_entries(document.get("readings"))
        ),
        tuple(values.read_words(side) for side in values.read_items(document.get("card"))),
        tuple(
            (word.text, tuple(values.read_text(each) for each in values.read_items(meanings)))
            for word, meanings in values.read_entries(document.get("see"))
        ),
        tuple(values.read_text(each) for each in values.read_items(document.get("gaps"))),
        tuple(map(_read_equivalent, values.read_maps(document.get("equivalent")))),
    )


def _read_equivalent(each: source.ValueMap) -> source.Equivalent:
    item, original, replacement, reason = (values.read_text(each.get(key)) for key in ("in", "was", "now", "why"))
    return source.Equivalent(each.span, item, original, replacement, reason, values.read_number(each.get("nth")))


def read_registry(document: source.ValueMap, reports: values.DocumentProblems) -> source.Sources:
    """Read `sources:`."""
    for each in values.read_maps(document.get("sources")):
        _check_headings(each, reports)
    return source.Sources(
        document.span,
        tuple(
            source.Document(
                each.span,
                values.read_word(each.get("prefix")),
                values.read_text(each.get("title")),
                values.optional_text(each.get("edition")),
                tuple(
                    (name, values.read_limited_number(count, "items", MOST_ITEMS, reports))
                    for name, count in values.read_entries(each.get("sections"))
                ),
                tuple((name, values.read_text(heading)) for name, heading in values.read_entries(each.get("headings"))),
                values.read_sources(each.get("items"), reports),
                values.read_text(each.get("date")),
            )
            for each in values.read_maps(document.get("sources"))
        ),
    )


def _check_headings(document: source.ValueMap, reports: values.DocumentProblems) -> None:
    """Report headings for sections that the document does not have."""
    sections = [name.text for name, _ in values.read_entries(document.get("sections"))]
    for name, _ in values.read_entries(document.get("headings")):
        if sections and name.text not in sections:
            candidates = nearest_names(name.text, sections)
            reports.problems.append(UnknownKey(name.span, name.text, "list of sections", candidates, tuple(sections)))


# ---------------------------------------------------------------- book entries of a layer


def read_book(document: source.ValueMap, reports: values.DocumentProblems) -> source.Book:  # noqa: ARG001 -- readers of all kinds take it
    """Read `book:`."""
    sections = map(_read_opening, values.read_maps(document.get("book")))
    headings = tuple((label, values.read_text(entry)) for label, entry in values.read_entries(document.get("headings")))
    dates = tuple((label, values.read_text(entry)) for label, entry in values.read_entries(document.get("dates")))
    index = tuple(
        each for subject, value in values.read_entries(document.get("index")) for each in _read_subject(subject, value)
    )
    search_words = tuple((label, _texts(entry)) for label, entry in values.read_entries(document.get("asked")))
    phases = tuple((phase, values.read_words(cases)) for phase, cases in values.read_entries(document.get("phases")))
    faces = tuple((kind, values.read_words(factors)) for kind, factors in values.read_entries(document.get("faces")))
    authors = tuple(values.read_text(each) for each in values.read_items(document.get("author")))
    return source.Book(
        document.span, tuple(sections), headings, dates=dates, index=index, asked=search_words, phases=phases,
        authors=authors, publisher=values.read_text(document.get("publisher")), faces=faces,
    )  # fmt: skip


def read_numbers(document: source.ValueMap, reports: values.DocumentProblems) -> source.Book:
    """Read `numbers:`, a register in ascending order: a number out of order was edited by hand."""
    sorts = {"cases": "case", "rules": "rule", "rulings": "ruling", "retired": "retired"}
    found = []
    for sort, register in values.read_entries(document.get("numbers")):
        if sort.text not in sorts:
            continue  # The wrong shape of the document is reported.
        last = None
        for key, value in values.read_entries(register):
            label, number = (
                (values.read_word(value), key.text) if sort.text == "retired" else (key, values.read_text(value))
            )
            found.append((sorts[sort.text], label, number))
            if last and register_key(number) <= register_key(last[1]):
                reports.problems.append(OutOfOrder(label.span, label.text, number, last[0].span, last[1]))
            last = label, number
    return source.Book(document.span, (), (), tuple(found))


def _texts(value: source.Value) -> tuple[str, ...]:
    """Read a text, or a list of texts."""
    return tuple(values.read_text(each) for each in values.read_items(value)) or (values.read_text(value),)


def _read_subject(subject: source.Word, value: source.Value) -> list[tuple[str, str, tuple[source.Word, ...]]]:
    if isinstance(value, source.ValueMap):
        return [(subject.text, sub_entry.text, values.read_words(labels)) for sub_entry, labels in value.entries]
    return [(subject.text, "", values.read_words(value))]


def _read_opening(section: source.ValueMap) -> source.Opening:
    parts = tuple(part for each in values.read_items(section.get("parts")) for part in _read_part(each))
    steps = tuple(values.read_text(each) for each in values.read_items(section.get("procedure")))
    return source.Opening(
        section.span, values.read_word(section.get("case")), values.read_text(section.get("rule")), steps, parts
    )


def _read_part(part: source.Value) -> list[tuple[source.Word, tuple[source.Word, ...]]]:
    return [(heading, values.read_words(labels)) for heading, labels in values.read_entries(part)]
