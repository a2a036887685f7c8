"""The printed changes of an option or variant by topic.

Complete, without repetition, and without identifiers of code.
"""

import re
from collections import Counter

import pytest

from compiler.rulebook.book_order import merged_order, printed_order
from compiler.rulebook.booklet import ListedChange
from compiler.rulebook.contents import Contents, gather_contents
from compiler.rulebook.evidence import unplayed_outcomes
from compiler.rulebook.topics import group_by_topic, referenced_changes, topic_lines
from runtime.graph import nodes as graph
from tests.sample import LONG, first_of_each, sampled
from tests.shipped.test_variant_changes import compared, pairs

MOST = 40  # Words of a sentence
SENTENCE = re.compile(r"(?<=[.!?;])\s+")
CODE = re.compile(r"\w_\w|\w:\w|[{}]|\b[a-z]+(?:-[a-z]+){2,}\b")
VARIANTS = (
    ("panzer_leader", "pl1940"),
    ("pl1940", "pl1940-pl1940_experimental"),
    ("panzerblitz", "panssari_salama"),
    ("panzerblitz", "panzer_leader"),
    ("panzer_leader", "panzerblitz"),
)


def printed_lines(contents: Contents) -> list[tuple[str, str, tuple[tuple[str, str], ...]]]:
    """Return the printed lines as heading, text and changed parts, without counters and cells."""
    assert contents.booklet
    found = []
    for topic in group_by_topic(contents.booklet.changes, contents.outline):
        for line_text, own_changes in topic_lines(topic, contents.book):
            if own_changes[0].thing[0] not in ("counter", "cell"):
                headed = ", ".join(
                    f"{each.number or contents.numbers.get(each.thing, '')} {each.title}".strip()
                    for each in referenced_changes(own_changes)
                )
                found.append((headed, line_text, tuple(each.thing for each in own_changes)))
    return found


def faults(contents: Contents) -> list[str]:
    """List identifiers, long sentences, lines without an end or a number, repeated lines, and missing changes."""
    lines = printed_lines(contents)
    found = [f"code: {line_text}" for headed, line_text, _ in lines if CODE.search(f"{headed} {line_text}")]
    found += [
        f"long: {part}" for _, line_text, _ in lines for part in SENTENCE.split(line_text) if len(part.split()) > MOST
    ]
    found += [
        f"no end: {line_text}"
        for _, line_text, _ in lines
        if line_text[-1:] not in ".!?" or line_text[:1] != line_text[:1].upper()
    ]
    found += [
        f"no number: {line_text}"
        for headed, line_text, changed_things in lines
        if any(kind in ("rule", "ruling") for kind, _ in changed_things) and not headed[:1].isdigit()
    ]
    found += [
        f"twice: {line_text}"
        for line_text, count in Counter(line_text for _, line_text, _ in lines).items()
        if count > 1
    ]
    return found + [
        f"missing: {thing}" for thing in missing_changes(contents, {thing for *_, all_ in lines for thing in all_})
    ]


def missing_changes(contents: Contents, reported: set[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return changed rules, rulings, charts and procedures that no line mentions and that differ in play."""
    assert contents.booklet
    return [
        change.thing
        for change in contents.booklet.changes
        if change.thing[0] in ("rule", "ruling", "chart", "procedure")
        and not (change.impact == "none" and change.how == "changed")
        and not change.noted
        and not in_both(contents, change)
        and not only_defines(contents.book, change.thing)
        and change.thing not in reported
    ]


def in_both(contents: Contents, change: ListedChange) -> bool:
    """Return whether both books have a ruling with the text of this change."""
    assert contents.booklet
    texts = [
        f"{one.asks} {one.answers}"
        for book in (contents.book, contents.booklet.against.graph)
        for one in book.rulings.values()
    ]
    return change.thing[0] == "ruling" and texts.count(change.now or change.before) > 1 and change.how != "changed"


def only_defines(book: graph.Graph, thing: tuple[str, str]) -> bool:
    """Return whether a changed part is a rule without a sentence, which has no number either."""
    return thing[0] == "rule" and thing[1] in book.rules and not book.rules[thing[1]].prose


def contents_of(base: str, name: str) -> Contents:
    """Return the contents of the book of a stack, compared with a base."""
    booklet, _, _, book = compared(base, name)
    return gather_contents(book, unplayed_outcomes(book), booklet.against)


@sampled(1)
@pytest.mark.parametrize("pair", first_of_each([*pairs(), *VARIANTS], lambda pair: pair[0]), ids="..".join)
def test_changes_by_topic_have_no_faults(pair: tuple[str, str]) -> None:
    assert faults(contents_of(*pair)) == []


@sampled(0)
@pytest.mark.parametrize(("base", "stack"), [VARIANTS[0], *(pytest.param(*each, marks=LONG) for each in VARIANTS[1:])])
def test_changes_of_a_sort_are_in_the_order_of_the_book(base: str, stack: str) -> None:
    contents = contents_of(base, stack)
    assert contents.booklet
    order = {thing: place for place, thing in enumerate(printed_order(contents.outline))}
    for sort in ("addition", "correction", "clarification"):
        places = [order[one.thing] for one in contents.booklet.changes_of_sort(sort) if one.thing in order]
        assert places == sorted(places)


def test_removed_parts_keep_their_predecessor_in_the_merged_order() -> None:
    now, before = (tuple(("rule", label) for label in labels) for labels in ("abc", "xaybz"))
    places = merged_order(now, before)
    assert [label for _, label in sorted(places, key=lambda thing: places[thing])] == list("xaybzc")
