"""Read what a layer says in the printed book beside its rules."""

from compiler.source.nodes import Book, Opening, Value, ValueMap, Word
from compiler.source.numbering import register_key
from compiler.source.problems import OutOfOrder
from compiler.source.reading.values import Reports, entries, entry, items, text, word, words


def read_book(document: ValueMap, reports: Reports) -> Book:  # noqa: ARG001 -- readers of all kinds take it
    """Read `book:`."""
    sections = [_read_opening(each) for each in items(entry(document, "book")) if isinstance(each, ValueMap)]
    headings = tuple((label, text(said)) for label, said in entries(entry(document, "headings")))
    dates = tuple((label, text(said)) for label, said in entries(entry(document, "dates")))
    index = tuple(
        each for subject, value in entries(entry(document, "index")) for each in _read_subject(subject, value)
    )
    asked = tuple((label, _texts(said)) for label, said in entries(entry(document, "asked")))
    phases = tuple((phase, words(cases)) for phase, cases in entries(entry(document, "phases")))
    authors = tuple(text(each) for each in items(entry(document, "author")))
    return Book(
        document.span, tuple(sections), headings, dates=dates, index=index, asked=asked, phases=phases,
        authors=authors, publisher=text(entry(document, "publisher")),
    )  # fmt: skip


def read_numbers(document: ValueMap, reports: Reports) -> Book:
    """Read `numbers:`, which are written in their order: one that stands elsewhere was changed by hand."""
    sorts = {"cases": "case", "rules": "rule", "rulings": "ruling", "retired": "retired"}
    found = []
    for sort, register in entries(entry(document, "numbers")):
        if sort.text not in sorts:
            continue  # The shape of the document is told of it.
        last = None
        for key, value in entries(register):
            label, number = (word(value), key.text) if sort.text == "retired" else (key, text(value))
            found.append((sorts[sort.text], label, number))
            if last and register_key(number) <= register_key(last[1]):
                reports.problems.append(OutOfOrder(label.span, label.text, number, last[0].span, last[1]))
            last = label, number
    return Book(document.span, (), (), tuple(found))


def _texts(value: Value) -> tuple[str, ...]:
    """Read a text, or a list of texts."""
    return tuple(text(each) for each in items(value)) or (text(value),)


def _read_subject(subject: Word, value: Value) -> list[tuple[str, str, tuple[Word, ...]]]:
    if isinstance(value, ValueMap):
        return [(subject.text, under.text, words(labels)) for under, labels in value.entries]
    return [(subject.text, "", words(value))]


def _read_opening(section: ValueMap) -> Opening:
    parts = tuple(part for each in items(entry(section, "parts")) for part in _read_part(each))
    steps = tuple(text(each) for each in items(entry(section, "procedure")))
    return Opening(section.span, word(entry(section, "case")), text(entry(section, "rule")), steps, parts)


def _read_part(part: Value) -> list[tuple[Word, tuple[Word, ...]]]:
    return [(heading, words(labels)) for heading, labels in entries(part)]
