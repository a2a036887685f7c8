"""Read manifests of layers, the registry of sources, book entries and files of reported results."""

from compiler.source.nodes import (
    Book,
    Document,
    Equivalent,
    Layer,
    Opening,
    Reported,
    ReportedGame,
    Sources,
    Value,
    ValueMap,
    Word,
)
from compiler.source.numbering import register_key
from compiler.source.problems import OutOfOrder, UnknownKey
from compiler.source.reading.values import (
    DocumentProblems,
    entry_value,
    optional_text,
    optional_word,
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


# ---------------------------------------------------------------- book entries of a layer


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


# ---------------------------------------------------------------- reported results


MOST_GAMES = 1_000_000


def read_reported(document: ValueMap, reports: DocumentProblems) -> Reported:
    """Read `reported:`."""
    games = [each for each in read_items(entry_value(document, "games")) if isinstance(each, ValueMap)]
    found = tuple(_game(each) for each in games)
    for each in found:
        if not 0 < each.games <= MOST_GAMES:
            reports.report_shape(each.span, f"a number of games from 1 to {MOST_GAMES}", str(each.games))
    return Reported(document.span, read_word(entry_value(document, "reported")), found)


def _game(game: ValueMap) -> ReportedGame:
    return ReportedGame(
        game.span,
        read_word(entry_value(game, "rules")),
        read_word(entry_value(game, "won")),
        optional_word(entry_value(game, "level")),
        read_number(entry_value(game, "games"), 1),
        read_text(entry_value(game, "date")),
        read_text(entry_value(game, "source")),
    )
