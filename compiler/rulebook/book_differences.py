"""What two books print differently without a change of any rule in force, and how their disputes differ.

In: the graphs of two books. Out: `TextDifference`s (openings, headings, numbers, questions and answers of rulings),
`DisputeDifference`s and `ReadingDifference`s, and sentences about them. What only one of the books has is listed with
it, and not here.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from compiler.rulebook.index.mentions import BookKey
from runtime.graph import nodes as graph
from runtime.graph import words


class TextDifference(NamedTuple):
    """The two texts of a part of the thing with a label; "" where a book has none.

    The part is "opening", "heading", "number", "question" (of a ruling or dispute), or "answer" (of a ruling).
    """

    part: str
    label: str
    before: str
    after: str


class DisputeDifference(NamedTuple):
    """The labels of the readings that are chosen in a dispute; "" for one without rules, None where it is not."""

    label: str
    before: str | None
    after: str | None


class ReadingDifference(NamedTuple):
    """What differs in a reading of a dispute of both stacks: "reason", "citations", "rules".

    `only` is "a" or "b" where one stack alone has the reading. Rules are compared where neither has chosen it;
    `compared` is false where they could not be, since a reading amends more than answers.
    """

    dispute: str
    reading: str
    only: str
    parts: tuple[str, ...]
    compared: bool


def book_differences(first: graph.Graph, second: graph.Graph) -> list[TextDifference]:
    """Return what the books print differently about things of both."""
    shared_names = _names(first) & _names(second)
    return [
        TextDifference(part, label, old.get(label, ""), new.get(label, ""))
        for (part, old), (_, new) in zip(_parts(first), _parts(second), strict=True)
        for label in dict.fromkeys((*old, *new))
        if label.rpartition(" ")[2] in shared_names and old.get(label) != new.get(label)
    ]


def dispute_differences(first: graph.Graph, second: graph.Graph) -> list[DisputeDifference]:
    """Return the disputes that only one stack has, or that the stacks read differently."""
    old, new = (
        {
            label: next((each.label for each in dispute.readings if each.chosen), "")
            for label, dispute in book.disputes.items()
        }
        for book in (first, second)
    )
    return [
        DisputeDifference(label, old.get(label), new.get(label))
        for label in dict.fromkeys((*old, *new))
        if old.get(label) != new.get(label)
    ]


def reading_differences(first: graph.Graph, second: graph.Graph) -> list[ReadingDifference]:
    """Return the readings of shared disputes that differ, or whose rules were not compared."""
    found = []
    for label in first.disputes.keys() & second.disputes.keys():
        old, new = ({each.label: each for each in book.disputes[label].readings} for book in (first, second))
        for name in dict.fromkeys((*old, *new)):
            if name not in old or name not in new:
                found.append(ReadingDifference(label, name, "a" if name in old else "b", (), compared=True))
                continue
            parts = tuple(_differing_parts(old[name], new[name]))
            # Rules of a chosen reading are rules of the stack.
            is_chosen = old[name].chosen or new[name].chosen
            compared = is_chosen or all(bool(each.rules) == bool(each.laws) for each in (old[name], new[name]))
            if parts or not compared:
                found.append(ReadingDifference(label, name, "", parts, compared))
    return sorted(found)


def _differing_parts(old: graph.Reading, new: graph.Reading) -> Iterator[str]:
    if old.reason != new.reason:
        yield "reason"
    if old.cites != new.cites:
        yield "citations"
    are_open = not old.chosen and not new.chosen
    old_laws, new_laws = ([replace(law, origin=graph.NO_ORIGIN) for law in each.laws] for each in (old, new))
    if are_open and (old.rules != new.rules or old_laws != new_laws):
        yield "rules"


def printed_changes(base: graph.Graph, book: graph.Graph, titles_by_thing: Mapping[BookKey, str]) -> Iterator[str]:
    """Yield a sentence on each dispute, opening and heading that differs, and one on all numbers.

    `titles_by_thing` has the titles of the things of both books.
    """
    titles = {label: title for (_, label), title in titles_by_thing.items()}
    titles |= {label: case.title for each in (base, book) for label, case in each.cases.items()}
    for dispute in dispute_differences(base, book):
        before, after = (titles.get(each, each) if each else each for each in (dispute.before, dispute.after))
        name = f"The dispute “{titles[dispute.label]}”"
        if dispute.after is None:
            yield f"{name}: no longer there"
        elif dispute.before is None:
            yield f"{name}: new{f', read as “{after}”' if after else ''}"
        else:
            yield f"{name}: read as “{after}” instead of “{before}”"
    yield from _reading_sentences(reading_differences(base, book), titles)
    numbers = []
    for part, label, old, new in book_differences(base, book):
        title = titles.get(label, titles.get(label.rpartition(" ")[2], label))
        if part == "opening":
            yield f"The opening of “{title}”: {'worded otherwise' if old and new else 'new' if new else 'gone'}"
        elif part == "question" and label in base.disputes:
            yield f"The question of “{title}”: worded otherwise"
        elif part == "heading":
            yield f"The heading “{old or title}”: {f'now “{new}”' if new else 'no longer there'}"
        elif part == "number":
            numbers.append(f"{new or 'none'} instead of {old or 'none'} (“{title}”)")
    if numbers:
        yield f"Numbers: {words.list_text(numbers)}"


def _reading_sentences(readings: Iterable[ReadingDifference], titles: Mapping[str, str]) -> Iterator[str]:
    for reading in readings:
        name = f"The reading “{titles.get(reading.reading, reading.reading)}” of “{titles[reading.dispute]}”"
        if reading.only:
            yield f"{name}: {'new' if reading.only == 'b' else 'no longer there'}"
        elif reading.parts:
            yield f"{name}: other {words.list_text(reading.parts)}"


def _names(rules: graph.Graph) -> set[str]:
    named: tuple[Mapping[str, Any], ...] = (
        rules.rules, rules.rulings, rules.terms, rules.cases, rules.tables, rules.disputes
    )  # fmt: skip
    procedures = {each.name for each in rules.procedures.values()}
    return {*procedures, *(name for each in named for name in each)}


def _parts(rules: graph.Graph) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the texts of each part of the book by label; those of a higher layer replace those of a lower one."""
    openings = [each for layer in rules.layers for each in layer.openings]
    yield "opening", {each.case: "\n".join((each.rule, *each.procedure)) for each in openings}
    yield "heading", dict(pair for layer in rules.layers for pair in layer.headings)
    yield (
        "number",
        {label: number for layer in rules.layers for kind, label, number in layer.numbers if kind != "retired"},
    )
    disputed = {label: each.question for label, each in rules.disputes.items()}
    yield "question", {label: each.asks for label, each in rules.rulings.items()} | disputed
    yield "answer", {label: each.answers for label, each in rules.rulings.items()}
