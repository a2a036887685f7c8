"""The index of each shipped book: one entry for a thing, few places in an entry, and references that resolve."""

from itertools import combinations

import pytest

from compiler.rulebook.index.merging import MOST_PLACES, Keyword, PrintedOutline, entry_key
from compiler.rulebook.index.references import (
    PARTICLES,
    fitting_references,
    is_shorthand,
    is_typed,
    limit_references,
    only_refers,
)
from compiler.rulebook.index.stems import stems
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
    assert [entry.word for entry in index if len(dict(entry.under)) < len(entry.under)] == []
    keys: dict[tuple[str, ...], list[str]] = {}
    for entry in index:
        keys.setdefault(entry_key(entry.word), []).append(entry.word)
    assert [words for words in keys.values() if len(words) > 1] == []
    declared = {phrase: terms for layer in contents_of(stack).book.layers for phrase, terms in layer.see}
    assert [
        entry.word
        for entry in index
        if only_refers(entry) and is_shorthand(entry.word, declared.get(entry.word, ("",)))
    ] == []
    led_to = {entry.word: set(entry.cross_references) for entry in index}
    with_places = {entry.word for entry in index if entry.places or entry.under}
    dangling = [(word, to) for word, others in led_to.items() for to in others if to not in led_to or to == word]
    assert dangling == []
    assert [entry.word for entry in index if only_refers(entry) and is_typed(entry.word)] == []
    doubled = [
        (entry.word, one, other)
        for entry in index
        for (one, places), (other, others) in combinations(entry.under, 2)
        if places == others
        and 2 * len({*stems(one)} & {*stems(other)}) >= min(len({*stems(one)}), len({*stems(other)}))
    ]
    assert doubled == []  # Words that readers type but no book prints belong to `asked`.
    # "On the beach" is a heading of a case, and nobody looks it up under "on".
    assert [entry.word for entry in index if is_typed(entry.word) and entry.word.lower().split()[0] in PARTICLES] == []
    # A cross-reference leads to an entry with pages.
    assert [word for word in led_to if word not in with_places and not led_to[word] & with_places] == []


def test_a_word_has_no_reference_to_another_meaning() -> None:
    bombs = next(entry for entry in index_of("panzer_leader") if entry.word == "bombs")
    assert "loading" not in bombs.cross_references
    above = {("rule", name): ("case", case) for name, case in {"a": "air", "b": "air", "c": "carts"}.items()}
    titles = {("rule", "a"): "Bombs", ("rule", "b"): "Raids", ("rule", "c"): "Loading"}
    printed = PrintedOutline({thing: place for place, thing in enumerate(above)}, above, titles)
    raid, loading = Keyword("raid", (("rule", "b"),)), Keyword("loading", (("rule", "c"),))
    bombs = Keyword("bombs", (), ("raid", "loading"))
    shells = Keyword("shells", (), ("loading",))
    uses = {"bombs": [("rule", "a"), ("rule", "b")], "shells": [("rule", "a"), ("rule", "b")]}
    edited = {each.word: each for each in fitting_references((raid, loading, bombs, shells), uses, printed)}
    assert edited["bombs"].cross_references == ("raid",)
    assert (edited["shells"].places, edited["shells"].cross_references) == ((("rule", "a"), ("rule", "b")), ())


@pytest.mark.parametrize("stack", BOOKS)
def test_most_entries_lead_to_places(stack: str) -> None:
    index = index_of(stack)
    assert 2 * sum(map(only_refers, index)) < len(index)


def test_of_many_words_for_an_entry_the_most_common_are_printed_and_few_places_in_their_place() -> None:
    rules = [("rule", each) for each in "abcdefgh"]
    printed = PrintedOutline({thing: place for place, thing in enumerate(rules)}, {}, {})
    fort, pond = Keyword("fort", tuple(rules[:4])), Keyword("pond", (rules[5],), (), (("ice", (rules[4],)),))
    others = {"bunker": 3, "trench": 1, "pillbox": 2}
    references = [Keyword(word, (), ("fort",)) for word in others]
    references += [Keyword(word, (), ("pond",)) for word in ("lake", "mere")]
    limited = limit_references((fort, pond, *references), {**others, "lake": 0, "mere": 0}, printed)
    assert [entry.word for entry in limited] == ["fort", "pond", "bunker", "pillbox", "lake"]
    assert {entry.cross_references for entry in limited if entry.word in others} == {("fort",)}
    assert limited[-1] == Keyword("lake", (rules[4], rules[5]))


@pytest.mark.parametrize(
    ("word", "terms", "short"),
    [
        ("trk", ("truck",), True),
        ("inf", ("infantry",), True),
        ("inf", ("infantry", "rider"), False),
        ("TEC", ("terrain chart",), False),
        ("cart", ("wagon",), False),
        ("rt", ("truck",), False),
    ],
)
def test_which_words_are_shorthands(word: str, terms: tuple[str, ...], short: bool) -> None:
    assert is_shorthand(word, terms) == short
