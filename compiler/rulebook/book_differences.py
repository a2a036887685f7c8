"""What two books print differently without a change of any rule: openings, headings, numbers; and readings of disputes.

In: the graphs of two books. Out: `TextDifference`s and `DisputeDifference`s, and sentences about them. What only one of
the books has is listed with it, and not here.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from compiler.rulebook.index.mentions import BookKey
from runtime.graph import nodes as graph
from runtime.graph import words


class TextDifference(NamedTuple):
    """The two texts of a part ("opening", "heading", "number") of the thing with a label; "" where a book has none."""

    part: str
    label: str
    before: str
    after: str


class DisputeDifference(NamedTuple):
    """The labels of the readings that are chosen in a dispute; "" for one without rules, None where it is not."""

    label: str
    before: str | None
    after: str | None


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
    numbers = []
    for part, label, old, new in book_differences(base, book):
        title = titles.get(label, titles.get(label.rpartition(" ")[2], label))
        if part == "opening":
            yield f"The opening of “{title}”: {'worded otherwise' if old and new else 'new' if new else 'gone'}"
        elif part == "heading":
            yield f"The heading “{old or title}”: {f'now “{new}”' if new else 'no longer there'}"
        else:
            numbers.append(f"{new or 'none'} instead of {old or 'none'} (“{title}”)")
    if numbers:
        yield f"Numbers: {words.list_text(numbers)}"


def _names(rules: graph.Graph) -> set[str]:
    named: tuple[Mapping[str, Any], ...] = (rules.rules, rules.rulings, rules.terms, rules.cases, rules.tables)
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
