"""The index of each shipped book: one entry for a thing, few places in an entry, and references that resolve."""

import pytest

from compiler.rulebook.index.keywords import MOST_PLACES, PARTICLES, Keyword, entry_key
from tests.books.gathered import contents_of
from tests.books.test_reading import FIRST, LATER
from tests.sample import LONG
from tests.shipped.test_stacks import TOGETHER

BOOKS = [*FIRST, "two_clans", *(pytest.param(each, marks=LONG) for each in (*LATER, *TOGETHER))]


def index_of(stack: str) -> tuple[Keyword, ...]:
    return contents_of(stack).keywords


@pytest.mark.parametrize("stack", BOOKS)
def test_an_index_has_unique_entries_with_few_places_and_valid_references(stack: str) -> None:
    index = index_of(stack)
    assert len(index) > 20
    rows = [(entry.word, entry.places) for entry in index]
    rows += [(f"{entry.word}: {entry_text}", places) for entry in index for entry_text, places in entry.under]
    assert [
        entry_text for entry_text, places in rows if len(places) > MOST_PLACES or len(set(places)) < len(places)
    ] == []
    keys: dict[str, list[str]] = {}
    for entry in index:
        keys.setdefault(entry_key(entry.word), []).append(entry.word)
    assert [words for words in keys.values() if len(words) > 1] == []
    with_places = {entry.word for entry in index if entry.has_places}
    assert [entry.word for entry in index if not entry.has_places and not entry.cross_references] == []
    assert [entry.word for entry in index if not with_places.issuperset(entry.cross_references)] == []
    # "On the beach" is a heading of a case, and nobody looks it up under "on".
    assert [entry.word for entry in index if entry.word.lower().split()[0] in PARTICLES] == []


@pytest.mark.parametrize("stack", BOOKS)
def test_most_entries_lead_to_places(stack: str) -> None:
    index = index_of(stack)
    assert 2 * sum(entry.has_places for entry in index) > len(index)
