"""The printed changes of an option or variant by topic.

Complete, and without identifiers of code.
"""

import re
from collections.abc import Iterator

import pytest

from compiler.rulebook.book_order import merged_order, printed_order
from compiler.rulebook.booklet import ListedChange
from compiler.rulebook.contents import Contents
from compiler.rulebook.evidence import unplayed_outcomes
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


def printed_lines(contents: Contents) -> Iterator[tuple[str, str, ListedChange]]:
    """Yield the present texts, of what is gone the former ones, with their headings; without counters."""
    assert contents.booklet
    for change in contents.booklet.changes:
        if change.thing[0] != "counter":
            heading = f"{change.number or contents.numbers.get(change.thing, '')} {change.title}".strip()
            yield from ((heading, text, change) for text in change.now or change.before)


def faults(contents: Contents) -> list[str]:
    """List identifiers, long sentences, lines without an end or a number, and changes without a text."""
    assert contents.booklet
    described = [change for change in contents.booklet.changes if change.thing[0] != "counter"]
    found = [f"silent: {change.thing}" for change in described if not (change.now or change.before)]
    for heading, text, change in printed_lines(contents):
        if CODE.search(f"{heading} {text}"):
            found.append(f"code: {text}")
        if _is_sentence_of_author(contents, change) and any(len(part.split()) > MOST for part in SENTENCE.split(text)):
            found.append(f"long: {text}")
        if text[-1:] not in ".!?" or text[:1] != text[:1].upper():
            found.append(f"no end: {text}")
        if _is_sentence_of_author(contents, change) and not heading[:1].isdigit():
            found.append(f"no number: {text}")
    return found


def _is_sentence_of_author(contents: Contents, change: ListedChange) -> bool:
    """Return whether a change is of a ruling, or of a rule with a sentence, which have numbers."""
    assert contents.booklet
    book = contents.booklet.against.graph if change.how == "gone" else contents.book
    kind, label = change.thing
    return kind == "ruling" or (kind == "rule" and bool(book.rules[label].prose))


def contents_of(base: str, name: str) -> Contents:
    """Return the contents of the book of a stack, compared with a base."""
    booklet, _, _, book = compared(base, name)
    return Contents(book, unplayed_outcomes(book), booklet.against)


@sampled(1)
@pytest.mark.parametrize("pair", first_of_each([*pairs(), *VARIANTS], lambda pair: pair[0]), ids="..".join)
def test_changes_by_topic_have_no_faults(pair: tuple[str, str]) -> None:
    assert faults(contents_of(*pair)) == []


@sampled(0)
@pytest.mark.parametrize(("base", "stack"), [VARIANTS[0], *(pytest.param(*each, marks=LONG) for each in VARIANTS[1:])])
def test_changes_are_in_the_order_of_the_book(base: str, stack: str) -> None:
    contents = contents_of(base, stack)
    assert contents.booklet
    order = {thing: place for place, thing in enumerate(printed_order(contents.outline))}
    for topic in contents.booklet.topics:
        places = [order[one.thing] for one in topic.changes if one.thing in order]
        assert places == sorted(places)


def test_removed_parts_keep_their_predecessor_in_the_merged_order() -> None:
    now, before = (tuple(("rule", label) for label in labels) for labels in ("abc", "xaybz"))
    places = merged_order(now, before)
    assert [label for _, label in sorted(places, key=lambda thing: places[thing])] == list("xaybzc")
