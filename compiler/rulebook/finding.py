"""Choose what the search of the book can find, and under which words.

In: the contents. Out: rows for the search index: rules, rulings with question and answer,
examples, charts, questions, actions, counters, words, and source items.
"""

from collections.abc import Iterator

from compiler.rulebook.contents import Contents
from compiler.rulebook.decides import Decision
from compiler.rulebook.mentions import Thing
from compiler.rulebook.outline import Card, Entry, entries_of, headings_of
from compiler.rulebook.search import Found
from runtime.graph import words


def rows(contents: Contents) -> Iterator[Found]:
    """Yield a row for everything, in the order of the book."""
    yield from _text(contents)
    yield from _back(contents)


def _row(contents: Contents, sort: str, thing: Thing, said: str) -> Found:
    title = contents.titles.get(thing, words.spaced(thing[1]))
    return Found(sort, title, contents.numbers.get(thing, ""), contents.links.to(thing), said)


def _text(contents: Contents) -> Iterator[Found]:
    book = contents.book
    for section in contents.outline:
        for heading in headings_of(section):
            yield _row(contents, "Case", ("case", heading.label), "")
        for entry in entries_of(section):
            match entry:
                case Entry(label=label):
                    rule = contents.rules[label]
                    yield _row(
                        contents, "Rule", ("rule", label), f"{label} {rule.prose} {rule.logic} {' '.join(rule.cites)}"
                    )
                case Card(ruling=label):
                    ruling = book.rulings[label]
                    said = f"{label} {ruling.asks} {ruling.answers} {ruling.kind} {' '.join(ruling.cites)}"
                    yield _row(contents, "Ruling", ("ruling", label), said)
    for label in sorted(contents.rules):
        if contents.homes.defines(book.rules[label]):
            yield _row(contents, "Definition", ("rule", label), f"{label} {contents.rules[label].logic}")
    for home, shown in contents.examples.items():
        for example in shown:
            said = " ".join([example.drawing.told, *(line.text for line in example.lines)])
            yield Found("Example", example.title, "", contents.links.to(home) or "index.html#examples", said)


def _back(contents: Contents) -> Iterator[Found]:
    book = contents.book
    for label, dispute in sorted(book.disputes.items()):
        reasons = " ".join(reading.reason for reading in dispute.readings)
        yield _row(
            contents, "Dispute", ("dispute", label), f"{label} {dispute.question} {reasons} {' '.join(dispute.cites)}"
        )
    for chart in contents.charts:
        yield _row(contents, "Chart", ("chart", chart.name), f"{chart.name} {' '.join(chart.cites)}")
    for decision in contents.decisions:
        for part in _decisions(decision):
            yield _row(contents, "Question", ("term", part.name), f"{part.name} {' '.join(part.cites)}")
    for key, procedure in sorted(book.procedures.items()):
        yield _row(contents, procedure.what.capitalize(), ("procedure", key), f"{procedure.name} {procedure.prose}")
    for name in sorted(book.counters):
        yield _row(contents, "Counter", ("counter", name), name)
    for group in contents.words:
        for gloss in group.glosses:
            yield Found("Word", gloss.word, "", contents.links.to(gloss.thing), gloss.sense)
    for item in sorted(contents.mentions.cited):
        yield Found("Source", item, "", f"sources.html#{contents.links.anchor(('source', item))}", "")


def _decisions(decision: Decision) -> Iterator[Decision]:
    yield decision
    yield from decision.stages
