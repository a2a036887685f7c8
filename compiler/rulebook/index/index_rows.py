"""Determine what the search of the book can find, and under which words.

The input is the contents; the output is rows for the search index: rules, rulings with question and answer, examples,
charts, questions, actions, counters, words, and source items. The text itself is separate from its context, which has a
lower weight: the cases above, the headings of its sources, its label.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from compiler.rulebook.contents import ELSEWHERE, Contents, example_anchor
from compiler.rulebook.exception_trees import Decision
from compiler.rulebook.headings import Entry, Heading, RulingEntry, entries_of, headings_of
from compiler.rulebook.index.index_row import IndexRow
from compiler.rulebook.index.mentions import Thing
from compiler.rulebook.openings import CLOSED
from compiler.rulebook.steps import procedure_lines, steps_text
from runtime.graph import words


def list_index_rows(contents: Contents) -> Iterator[IndexRow]:
    """Return a row for each thing, in the order of the book."""
    yield from _text(contents)
    yield from _back(contents)
    beside = dict(_group_heads(contents))
    for subject, held in contents.index_entries.items():
        for under, things in held.items():
            for thing in things:
                address = contents.links.link_to(thing)
                entry = f"{subject}: {under}" if under else subject
                yield IndexRow("Index", entry, "", address, "", beside=beside.get(thing[1], ""))
    for thing, asked in contents.search_phrases.items():
        for said in asked:
            yield IndexRow("Index", said, "", contents.links.link_to(thing), "", beside=beside.get(thing[1], ""))


def other_words(contents: Contents) -> tuple[tuple[str, str], ...]:
    """Return pairs of words that readers may look up and words that this book uses, from all layers."""
    declared = [(said, one) for layer in contents.book.layers for said, meant in layer.see for one in meant]
    return tuple(dict.fromkeys([*declared, *_built_for(contents)]))


RARE = 12  # counters with a distinctive trait in common


def _built_for(contents: Contents) -> Iterator[tuple[str, str]]:
    """Return pairs of a counter's name and a trait that few counters have, which rules mention in its place."""
    book = contents.book
    shared = Counter(f"{one.kind}.{trait}" for one in book.counters.values() for trait in one.traits)
    titles = {name: contents.titles["counter", name] for name in sorted(book.counters)}
    spoken = Counter(word for title in titles.values() for word in {*title.split()})
    for name, title in titles.items():
        counter = book.counters[name]
        for trait in counter.traits:
            if shared[f"{counter.kind}.{trait}"] <= RARE:
                sense = words.flag(counter.kind, trait, book.vocabulary)
                own = [word for word in title.split() if word.istitle() and spoken[word] == 1]
                yield from ((said, sense) for said in dict.fromkeys([title, *own, *counter.nicknames]))


def _row(contents: Contents, sort: str, thing: Thing, said: str, around: str = "", logic: str = "") -> IndexRow:
    title = contents.titles.get(thing, words.readable_name(thing[1]))
    return IndexRow(
        sort, title, contents.numbers.get(thing, ""), contents.links.link_to(thing), said.strip(), around, logic
    )


def _text(contents: Contents) -> Iterator[IndexRow]:
    beside = dict(_group_heads(contents))
    for section in contents.outline:
        paths = dict(_paths(section, ()))
        above = {entry: _titles(contents, path) for entry, path in paths.items()}
        for heading in headings_of(section):
            opened = contents.openings.get(heading.label, CLOSED)
            said = " ".join((opened.rule, *opened.procedure))
            yield _row(contents, "Case", ("case", heading.label), said, contents.titles["case", section.label])
        for entry in entries_of(section):
            label = entry.label if isinstance(entry, Entry) else entry.ruling
            place = {"beside": beside.get(label, ""), "section": paths[label][-1]}
            yield from (replace(row, **place) for row in _entry(contents, entry, above))
    book = contents.book
    for label in sorted(contents.rules):
        if contents.homes.only_defines(book.rules[label]) and not contents.is_advisory(label):
            around = f"{label} {_headings(contents, book.rules[label].cites)} {_asked(contents, label)}"
            yield _row(contents, "Definition", ("rule", label), contents.rules[label].logic, around)
    for home, shown in contents.examples.items():
        for example in shown:
            page = contents.links.places.get(home, (ELSEWHERE, ""))[0]
            at = f"{page}#{example_anchor(example.title, example.origin)}"
            around, logic = contents.titles.get(home, ""), example.drawing.alternative_text
            # The text as written: the search finds the same whether or not the example was run.
            yield IndexRow("Example", example.title, "", at, example.written, around, logic, beside.get(home[1], ""))


def _entry(contents: Contents, entry: Entry | RulingEntry, above: dict[str, str]) -> Iterator[IndexRow]:
    match entry:
        case Entry(label=label):
            rule = contents.rules[label]
            decides = " ".join(words.readable_name(term) for term in contents.book.rules[label].terms)
            shown = _shown(contents, ("rule", label))
            around = f"{label} {shown} {decides} {_asked(contents, label)}"
            logic = rule.logic if rule.prose else ""
            row = _row(contents, "Rule", ("rule", label), rule.prose or rule.logic, around, logic)
            yield replace(row, headings=f"{above.get(label, '')} {_headings(contents, rule.cites)}")
        case RulingEntry(ruling=label):
            ruling = contents.book.rulings[label]
            around = f"{ruling.kind} {label} {_shown(contents, ('ruling', label))}"
            row = _row(contents, "Ruling", ("ruling", label), f"{ruling.asks} {ruling.answers}", around)
            yield replace(row, headings=f"{above.get(label, '')} {_headings(contents, ruling.cites)}")


def _shown(contents: Contents, thing: Thing) -> str:
    """Return the titles of the examples of a rule or a ruling."""
    return " ".join(example.title for example in contents.examples.get(thing, ()))


def _group_heads(contents: Contents) -> Iterator[tuple[str, str]]:
    """Return pairs of a rule or ruling and the address of the first rule of its group."""
    for section in contents.outline:
        for heading in headings_of(section):
            for top in heading.entries:
                thing = ("rule", top.label) if isinstance(top, Entry) else ("ruling", top.ruling)
                for entry in entries_of(Heading("", "", "", "", (top,), ())):
                    yield entry.label if isinstance(entry, Entry) else entry.ruling, contents.links.link_to(thing)


def _asked(contents: Contents, label: str) -> str:
    """Return the questions of rulings about a rule, as searches will use their words."""
    book = contents.book
    related = {label, *(other.label for other in book.rules.values() if label in other.defeats)}
    return " ".join(ruling.asks for ruling in book.rulings.values() if related & {*ruling.clarifies, *ruling.rules})


def _paths(heading: Heading, above: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Return each rule and ruling with the cases that contain it."""
    here = (*above, heading.label)
    for entry in entries_of(Heading("", "", "", "", heading.entries, ())):
        yield (entry.label if isinstance(entry, Entry) else entry.ruling), here
    for part in heading.parts:
        yield from _paths(part, here)


def _titles(contents: Contents, path: tuple[str, ...]) -> str:
    return " ".join(contents.titles["case", label] for label in path)


def _headings(contents: Contents, cites: tuple[str, ...]) -> str:
    """Return the headings of the sections of the sources that contain the items, which readers know."""
    headings = contents.headings
    return " ".join(dict.fromkeys([headings[item] for item in cites if headings.get(item)]))


def _back(contents: Contents) -> Iterator[IndexRow]:
    book = contents.book
    for label, dispute in sorted(book.disputes.items()):
        reasons = " ".join(reading.reason for reading in dispute.readings)
        around = f"{label} {_headings(contents, dispute.cites)}"
        yield _row(contents, "Dispute", ("dispute", label), f"{dispute.question} {reasons}", around)
    for chart in contents.charts:
        heads = " ".join(dict.fromkeys([*chart.heads, *(head for row in chart.rows for head in row.heads)]))
        around = f"{chart.name} {_headings(contents, chart.cites)}"
        yield _row(contents, "Chart", ("chart", chart.name), "", around, heads)
    for decision in contents.decisions:
        for part in _decisions(decision) if decision.name not in contents.advising else ():
            yield _row(contents, "Question", ("term", part.name), "", f"{part.name} {_headings(contents, part.cites)}")
    for key, procedure in sorted(book.procedures.items()):
        around = f"{procedure.name} {_headings(contents, procedure.cites)}"
        told = " ".join(steps_text(procedure_lines(book, procedure)))
        row = _row(contents, procedure.what.capitalize(), ("procedure", key), procedure.prose, around, told)
        ordered = replace(row, title="Sequence of play", headings="order of the turn")
        yield ordered if procedure.what == "sequence" else row
    for name in sorted(book.counters):
        counter = book.counters[name]
        row = _row(contents, "Counter", ("counter", name), ", ".join(counter.nicknames), " ".join(counter.traits))
        # Counters are one result: twenty of a kind would displace the rules about that kind.
        yield replace(row, section="counters")
    for group in contents.words:
        for gloss in group.glosses:
            yield IndexRow("Word", gloss.word, "", contents.links.link_to(gloss.thing), gloss.sense)
    for source in contents.sources:
        for item in source.items:
            said = "" if item.places else "Not in this book."
            around = f"{source.title} {contents.headings[item.name]}"
            yield _row(contents, "Source", ("source", item.name), said, around)


def _decisions(decision: Decision) -> Iterator[Decision]:
    yield decision
    yield from decision.stages
