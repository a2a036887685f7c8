"""Read the book entries of a layer."""

from compiler.source.nodes import Book, Opening, Value, ValueMap, Word
from compiler.source.numbering import register_key
from compiler.source.problems import OutOfOrder
from compiler.source.reading.values import (
    DocumentProblems,
    entry_value,
    read_entries,
    read_items,
    read_text,
    read_word,
    read_words,
)


def read_book(document: ValueMap, reports: DocumentProblems) -> Book:  # noqa: ARG001 -- readers of all kinds take it
    """Read `book:`."""
    sections = [_read_opening(each) for each in read_items(entry_value(document, "book")) if isinstance(each, ValueMap)]
    headings = tuple((label, read_text(entry)) for label, entry in read_entries(entry_value(document, "headings")))
    dates = tuple((label, read_text(entry)) for label, entry in read_entries(entry_value(document, "dates")))
    index = tuple(
        each
        for subject, value in read_entries(entry_value(document, "index"))
        for each in _read_subject(subject, value)
    )
    search_words = tuple((label, _texts(entry)) for label, entry in read_entries(entry_value(document, "asked")))
    phases = tuple((phase, read_words(cases)) for phase, cases in read_entries(entry_value(document, "phases")))
    faces = tuple((kind, read_words(factors)) for kind, factors in read_entries(entry_value(document, "faces")))
    authors = tuple(read_text(each) for each in read_items(entry_value(document, "author")))
    return Book(
        document.span, tuple(sections), headings, dates=dates, index=index, asked=search_words, phases=phases,
        authors=authors, publisher=read_text(entry_value(document, "publisher")), faces=faces,
    )  # fmt: skip


def read_numbers(document: ValueMap, reports: DocumentProblems) -> Book:
    """Read `numbers:`, a register in ascending order: a number out of order was edited by hand."""
    sorts = {"cases": "case", "rules": "rule", "rulings": "ruling", "retired": "retired"}
    found = []
    for sort, register in read_entries(entry_value(document, "numbers")):
        if sort.text not in sorts:
            continue  # The wrong shape of the document is reported.
        last = None
        for key, value in read_entries(register):
            label, number = (read_word(value), key.text) if sort.text == "retired" else (key, read_text(value))
            found.append((sorts[sort.text], label, number))
            if last and register_key(number) <= register_key(last[1]):
                reports.problems.append(OutOfOrder(label.span, label.text, number, last[0].span, last[1]))
            last = label, number
    return Book(document.span, (), (), tuple(found))


def _texts(value: Value) -> tuple[str, ...]:
    """Read a text, or a list of texts."""
    return tuple(read_text(each) for each in read_items(value)) or (read_text(value),)


def _read_subject(subject: Word, value: Value) -> list[tuple[str, str, tuple[Word, ...]]]:
    if isinstance(value, ValueMap):
        return [(subject.text, sub_entry.text, read_words(labels)) for sub_entry, labels in value.entries]
    return [(subject.text, "", read_words(value))]


def _read_opening(section: ValueMap) -> Opening:
    parts = tuple(part for each in read_items(entry_value(section, "parts")) for part in _read_part(each))
    steps = tuple(read_text(each) for each in read_items(entry_value(section, "procedure")))
    return Opening(
        section.span, read_word(entry_value(section, "case")), read_text(entry_value(section, "rule")), steps, parts
    )


def _read_part(part: Value) -> list[tuple[Word, tuple[Word, ...]]]:
    return [(heading, read_words(labels)) for heading, labels in read_entries(part)]
