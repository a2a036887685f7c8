"""Determine what the search of the book can find, and under which words.

The input is the contents; the output is rows for the search index: rules, rulings with question and answer, charts and
their lines, questions, actions, counters with what they print, words, and source items. The text itself is separate
from its context, which has a lower weight: the cases above, the headings of its sources, its label, and the titles of
its examples. Examples have no rows: they illustrate the rule under which they are printed, and only displace answers.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from compiler.rulebook.charts import ChartRow, PrintedChart, key_values_of
from compiler.rulebook.contents import Contents
from compiler.rulebook.drawings.counters import printed_value
from compiler.rulebook.headings import (
    BookEntry,
    Heading,
    RuleEntry,
    RulingEntry,
    entries_of,
    entries_under,
    headings_of,
)
from compiler.rulebook.index.index_row import ASKED_SORT, INDEX, IndexRow
from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.openings import CLOSED
from compiler.rulebook.steps import procedure_lines, steps_text
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.stages import stages_of


def list_index_rows(contents: Contents) -> Iterator[IndexRow]:
    """Return a row for each thing, in the order of the book."""
    yield from _text(contents)
    yield from _back(contents)
    head_addresses = dict(_group_heads(contents))
    entries = [
        (INDEX, f"{subject}: {sub_entry}" if sub_entry else subject, key)
        for subject, sub_entries in contents.index_entries.items()
        for sub_entry, keys in sub_entries.items()
        for key in keys
    ]
    entries += [(ASKED_SORT, phrase, key) for key, phrases in contents.search_phrases.items() for phrase in phrases]
    for sort, entry, key in entries:
        yield IndexRow(sort, entry, "", contents.links.link_to(key), "", beside=head_addresses.get(key[1], ""))


def other_words(contents: Contents) -> tuple[tuple[str, str], ...]:
    """Return pairs of words that readers may look up and words that this book uses, from all layers."""
    pairs: list[tuple[str, str]] = []
    for layer in contents.book.layers:
        for reader_word, book_words in layer.see:
            pairs += [(reader_word, book_word) for book_word in book_words]
    return tuple(dict.fromkeys([*pairs, *_in_figures(contents), *_without_units(contents), *_built_for(contents)]))


_NUMERALS = {"I": "1", "II": "2", "III": "3", "IV": "4", "V": "5", "VI": "6", "VII": "7", "VIII": "8"}


def _in_figures(contents: Contents) -> Iterator[tuple[str, str]]:
    """Return pairs of a counter's name with its Roman numerals in figures, as readers type it, and the name."""
    for name, counter in sorted(contents.book.counters.items()):
        for alias in (contents.titles["counter", name], *counter.nicknames):
            figures = " ".join(_NUMERALS.get(word, word) for word in alias.split())
            if figures != alias:
                yield figures, alias


def _without_units(contents: Contents) -> Iterator[tuple[str, str]]:
    """Return pairs of a number and the word of a counter's name that is that number with a unit: 88 for 88mm."""
    names = {word for name in contents.book.counters for word in contents.titles["counter", name].lower().split()}
    for word in sorted(names):
        if parts := re.fullmatch(r"(\d{2,})[a-z]+", word):
            yield parts[1], word


RARE = 12  # counters with a distinctive trait in common


def _built_for(contents: Contents) -> Iterator[tuple[str, str]]:
    """Return pairs of a counter's name and a trait that few counters have, which rules mention in its place."""
    book = contents.book
    shared = Counter(f"{holder.kind}.{trait}" for holder in book.counters.values() for trait in holder.traits)
    titles = {name: contents.titles["counter", name] for name in sorted(book.counters)}
    word_counts = Counter(word for title in titles.values() for word in {*title.split()})
    for name, title in titles.items():
        counter = book.counters[name]
        for trait in counter.traits:
            if shared[f"{counter.kind}.{trait}"] <= RARE:
                sense = words.flag(counter.kind, trait, book.vocabulary)
                proper_names = [word for word in title.split() if word.istitle() and word_counts[word] == 1]
                yield from ((alias, sense) for alias in dict.fromkeys([title, *proper_names, *counter.nicknames]))


def _row(contents: Contents, sort: str, key: BookKey, text: str, context: str = "", logic: str = "") -> IndexRow:
    title = contents.titles.get(key, words.readable_name(key[1]))
    return IndexRow(
        sort, title, contents.numbers.get(key, ""), contents.links.link_to(key), text.strip(), context, logic
    )


def _text(contents: Contents) -> Iterator[IndexRow]:
    head_addresses = dict(_group_heads(contents))
    for section in contents.outline:
        paths = dict(_paths(section, ()))
        above = {entry: " ".join(contents.titles["case", label] for label in path) for entry, path in paths.items()}
        for heading in headings_of(section):
            opened = contents.openings.get(heading.label, CLOSED)
            text = " ".join((opened.rule, *opened.procedure))
            yield _row(contents, "Case", ("case", heading.label), text, contents.titles["case", section.label])
        for entry in entries_of(section):
            label = entry.thing[1]
            place = {"beside": head_addresses.get(label, ""), "section": paths[label][-1]}
            yield from (replace(row, **place) for row in _entry(contents, entry, above))
    book = contents.book
    for label in sorted(contents.rules):
        if contents.printed_places.only_defines(book.rules[label]) and not contents.is_advisory(label):
            context = f"{label} {_headings(contents, book.rules[label].cites)} {_ruling_questions(contents, label)}"
            yield _row(contents, "Definition", ("rule", label), contents.rules[label].logic, context)


def _entry(contents: Contents, entry: BookEntry, above: dict[str, str]) -> Iterator[IndexRow]:
    match entry:
        case RuleEntry(label=label):
            rule = contents.rules[label]
            decides = " ".join(words.readable_name(term) for term in contents.book.rules[label].terms)
            example_titles = _example_titles(contents, ("rule", label))
            context = f"{label} {example_titles} {decides} {_ruling_questions(contents, label)}"
            ruling = contents.book.rulings.get(label)
            sentence = rule.prose or (ruling.answers if ruling else "")
            text, logic = (f"{rule.asks} {sentence}", rule.logic) if sentence else (rule.logic, "")
            row = _row(contents, "Rule", ("rule", label), text, context, logic)
            headings = f"{above.get(label, '')} {_headings(contents, rule.cites)}"
            yield replace(row, address=_address(contents, ("rule", label)), headings=headings)
        case RulingEntry(ruling=label):
            ruling = contents.book.rulings[label]
            context = f"{ruling.kind} {label} {_example_titles(contents, ('ruling', label))}"
            row = _row(contents, "Ruling", ("ruling", label), f"{ruling.asks} {ruling.answers}", context)
            yield replace(row, headings=f"{above.get(label, '')} {_headings(contents, ruling.cites)}")


def _address(contents: Contents, key: BookKey) -> str:
    """Return the address of a rule or a ruling: of both where a rule carries out a ruling of its own label.

    They stand together under one title, so that two results would say the same.
    """
    return contents.links.link_to(("ruling", key[1])) or contents.links.link_to(key)


def _example_titles(contents: Contents, key: BookKey) -> str:
    """Return the titles of the examples of a rule or a ruling."""
    return " ".join(example.title for example in contents.examples.get(key, ()))


def _group_heads(contents: Contents) -> Iterator[tuple[str, str]]:
    """Return pairs of a rule or ruling and the address of the first rule of its group."""
    for section in contents.outline:
        for heading in headings_of(section):
            for top in heading.entries:
                address = _address(contents, top.thing)
                yield from ((entry.thing[1], address) for entry in entries_under((top,)))


def _ruling_questions(contents: Contents, label: str) -> str:
    """Return the questions of rulings about a rule, as searches will use their words."""
    book = contents.book
    related = {label, *(other.label for other in book.rules.values() if label in other.defeats)}
    return " ".join(ruling.asks for ruling in book.rulings.values() if related & {*ruling.clarifies, *ruling.rules})


def _paths(heading: Heading, above: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Return each rule and ruling with the cases that contain it."""
    path = (*above, heading.label)
    for entry in entries_under(heading.entries):
        yield entry.thing[1], path
    for part in heading.parts:
        yield from _paths(part, path)


def _headings(contents: Contents, cites: tuple[str, ...]) -> str:
    """Return the headings of the sections of the sources that contain the items, which readers know."""
    headings = contents.source_headings
    return " ".join(dict.fromkeys([headings[item] for item in cites if headings.get(item)]))


def _back(contents: Contents) -> Iterator[IndexRow]:
    """Yield the rows of what is printed behind the text."""
    for label, dispute in sorted(contents.book.disputes.items()):
        reasons = " ".join(reading.reason for reading in dispute.readings)
        context = f"{label} {_headings(contents, dispute.cites)}"
        yield _row(contents, "Dispute", ("dispute", label), f"{dispute.question} {reasons}", context)
    for chart in contents.charts:
        yield from _chart(contents, chart)
    for name in contents.questions:
        for part in (name, *stages_of(contents.book, name)) if name not in contents.advising else ():
            headings = _headings(contents, contents.book.terms[part].cites)
            yield _row(contents, "Question", ("term", part), "", f"{part} {headings}")
    for key, procedure in sorted(contents.book.procedures.items()):
        context = f"{procedure.name} {_headings(contents, procedure.cites)}"
        steps = " ".join(steps_text(procedure_lines(contents.book, procedure)))
        row = _row(contents, procedure.what.capitalize(), ("procedure", key), procedure.prose, context, steps)
        ordered = replace(row, title="Sequence of play", headings="order of the turn")
        yield ordered if procedure.what == "sequence" else row
    for name, counter in sorted(contents.book.counters.items()):
        yield from _counter(contents, name, counter)
    for group in contents.glossary_groups:
        for gloss in group.glosses:
            yield IndexRow("Word", gloss.word, "", contents.links.link_to(gloss.thing), gloss.sense)
    for source in contents.sources:
        for item in source.items:
            yield _row(contents, "Source", ("source", item.name), "" if item.places else "Not in this book.")


def _chart(contents: Contents, chart: PrintedChart) -> Iterator[IndexRow]:
    """Yield the row of a chart, then those of its lines."""
    heads = " ".join(dict.fromkeys([*chart.heads, *(head for row in chart.rows for head in row.heads)]))
    context = f"{chart.name} {_headings(contents, chart.cites)}"
    chart_row = _row(contents, "Chart", ("chart", chart.name), "", context, heads)
    yield chart_row
    for line in chart.rows:
        yield _line(contents, chart, line, chart_row.address)


def _counter(contents: Contents, name: str, counter: graph.Counter) -> Iterator[IndexRow]:
    """Yield the row of a counter, then those of its nicknames.

    Counters are one result: twenty of a kind would displace the rules about that kind.
    """
    lists = (", ".join(counter.nicknames), ", ".join(_printed(contents, counter)))
    row = _row(contents, "Counter", ("counter", name), "; ".join(filter(None, lists)), " ".join(counter.traits))
    yield replace(row, section="counters")
    for nickname in counter.nicknames:
        yield IndexRow("Index", nickname, "", row.address, "")


def _line(contents: Contents, chart: PrintedChart, line: ChartRow, chart_address: str) -> IndexRow:
    """Return the row for a line of a chart: its keys as the title, and its values."""
    if chart.grid:
        head = line.heads[0]
        title = head if head[:1].isalpha() else f"{chart.down} {head}"
        text = ", ".join(f"{head} {cell.text}" for head, cell in zip(chart.heads, line.cells, strict=True))
    else:
        title = ", ".join(key_values_of(chart, line, 0))
        text = f"{chart.heads[-1]} {line.cells[0].text}"
    address = contents.links.link_to(("cell", line.cells[0].name))
    return IndexRow("Line", title, "", address, text, headings=chart.title, beside=chart_address)


def _printed(contents: Contents, counter: graph.Counter) -> list[str]:
    """Return what a counter prints: the name of each factor and its value."""
    return [f"{words.readable_name(name)} {printed_value(contents.book, value)}" for name, value in counter.printed]
