"""What two books print differently without a change of any rule in force, and how their disputes differ.

In: the graphs of two books. Out: `_TextDifference`s (openings, headings, numbers, questions and answers of rulings),
`_DisputeDifference`s and `_ReadingDifference`s, and sentences about them. What only one of the books has is listed with
it, and not here.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from compiler.rulebook.index.mentions import BookKey
from runtime.graph import nodes as graph
from runtime.graph import words


class _TextDifference(NamedTuple):
    """The two texts of a part of the thing with a label; "" where a book has none.

    The part is "opening", "heading", "number", "question" (of a ruling or dispute), or "answer" (of a ruling).
    """

    part: str
    label: str
    before: str
    after: str


class _DisputeDifference(NamedTuple):
    """The labels of the readings that are chosen in a dispute; "" for one without rules, None where it is not."""

    label: str
    before: str | None
    after: str | None


class _ReadingDifference(NamedTuple):
    """What differs in a reading of a dispute of both stacks: "reason", "citations", "rules".

    `only` is "a" or "b" where one stack alone has the reading. Rules are compared where neither has chosen it;
    `compared` is false where they could not be, since a reading amends more than answers.
    """

    dispute: str
    reading: str
    only: str
    parts: tuple[str, ...]
    compared: bool


def book_differences(first: graph.Graph, second: graph.Graph) -> list[_TextDifference]:
    """Return what the books print differently about things of both."""
    shared_names = _names(first) & _names(second)
    differences = []
    for (part, old), (_, new) in zip(_parts(first), _parts(second), strict=True):
        differences += [
            _TextDifference(part, label, old.get(label, ""), new.get(label, ""))
            for label in dict.fromkeys((*old, *new))
            if label.rpartition(" ")[2] in shared_names and old.get(label) != new.get(label)
        ]
    return differences


def dispute_differences(first: graph.Graph, second: graph.Graph) -> list[_DisputeDifference]:
    """Return the disputes that only one stack has, or that the stacks read differently."""
    old, new = _chosen_readings(first), _chosen_readings(second)
    return [
        _DisputeDifference(label, old.get(label), new.get(label))
        for label in dict.fromkeys((*old, *new))
        if old.get(label) != new.get(label)
    ]


def _chosen_readings(book: graph.Graph) -> dict[str, str]:
    """Return the labels of the chosen readings by dispute, "" for one without rules."""
    return {
        label: next((reading.label for reading in dispute.readings if reading.chosen), "")
        for label, dispute in book.disputes.items()
    }


def reading_differences(first: graph.Graph, second: graph.Graph) -> list[_ReadingDifference]:
    """Return the readings of shared disputes that differ, or whose rules were not compared."""
    differences = []
    for label in first.disputes.keys() & second.disputes.keys():
        old = {reading.label: reading for reading in first.disputes[label].readings}
        new = {reading.label: reading for reading in second.disputes[label].readings}
        for name in dict.fromkeys((*old, *new)):
            if name not in old or name not in new:
                differences.append(_ReadingDifference(label, name, "a" if name in old else "b", (), compared=True))
                continue
            parts = tuple(_differing_parts(old[name], new[name]))
            # Rules of a chosen reading are rules of the stack.
            is_chosen = old[name].chosen or new[name].chosen
            compared = is_chosen or all(bool(reading.rules) == bool(reading.laws) for reading in (old[name], new[name]))
            if parts or not compared:
                differences.append(_ReadingDifference(label, name, "", parts, compared))
    return sorted(differences)


def _differing_parts(old: graph.Reading, new: graph.Reading) -> Iterator[str]:
    if old.reason != new.reason:
        yield "reason"
    if old.cites != new.cites:
        yield "citations"
    are_open = not old.chosen and not new.chosen
    if are_open and (old.rules != new.rules or _without_origins(old) != _without_origins(new)):
        yield "rules"


def _without_origins(reading: graph.Reading) -> list[graph.Rule]:
    return [replace(law, origin=graph.NO_ORIGIN) for law in reading.laws]


def printed_changes(base: graph.Graph, book: graph.Graph, titles_by_thing: Mapping[BookKey, str]) -> Iterator[str]:
    """Yield a sentence on each dispute, opening and heading that differs, and one on all numbers.

    `titles_by_thing` has the titles of the things of both books.
    """
    titles = {label: title for (_, label), title in titles_by_thing.items()}
    titles |= {label: case.title for label, case in (*base.cases.items(), *book.cases.items())}
    for dispute in dispute_differences(base, book):
        yield f"The dispute “{titles[dispute.label]}”: {_reading_change(dispute, titles)}"
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


def _reading_change(dispute: _DisputeDifference, titles: Mapping[str, str]) -> str:
    """Return how another reading of a dispute was chosen."""
    if dispute.after is None:
        return "no longer there"
    after = dispute.after and titles.get(dispute.after, dispute.after)
    if dispute.before is None:
        return f"new, read as “{after}”" if after else "new"
    return f"read as “{after}” instead of “{dispute.before and titles.get(dispute.before, dispute.before)}”"


def _reading_sentences(readings: Iterable[_ReadingDifference], titles: Mapping[str, str]) -> Iterator[str]:
    for reading in readings:
        name = f"The reading “{titles.get(reading.reading, reading.reading)}” of “{titles[reading.dispute]}”"
        if reading.only:
            yield f"{name}: {'new' if reading.only == 'b' else 'no longer there'}"
        elif reading.parts:
            yield f"{name}: other {words.list_text(reading.parts)}"


def _names(rules: graph.Graph) -> set[str]:
    parts: tuple[Iterable[str], ...] = (
        rules.rules, rules.rulings, rules.terms, rules.cases, rules.tables, rules.disputes
    )  # fmt: skip
    return {procedure.name for procedure in rules.procedures.values()}.union(*parts)


def _parts(rules: graph.Graph) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the texts of each part of the book by label; those of a higher layer replace those of a lower one."""
    openings: dict[str, str] = {}
    headings: dict[str, str] = {}
    numbers: dict[str, str] = {}
    for layer in rules.layers:
        openings.update((opening.case, "\n".join((opening.rule, *opening.procedure))) for opening in layer.openings)
        headings.update(layer.headings)
        numbers.update((label, number) for kind, label, number in layer.numbers if kind != "retired")
    yield "opening", openings
    yield "heading", headings
    yield "number", numbers
    disputed = {label: dispute.question for label, dispute in rules.disputes.items()}
    yield "question", {label: ruling.asks for label, ruling in rules.rulings.items()} | disputed
    yield "answer", {label: ruling.answers for label, ruling in rules.rulings.items()}
