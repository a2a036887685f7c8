"""Options about a subject that a book lacks, and words that a search substitutes."""

import pytest

from compiler.rulebook.index.index_row import IndexRow
from compiler.rulebook.index.options import OptionLayer, option_words, options_about
from compiler.rulebook.index.ranking import SearchIndex
from rulewright.library.stacks import load_stack
from rulewright.views.book_places import book_index
from rulewright.views.options_about import addable_options

SLEDS = OptionLayer("sleds", "Sleds and skis", ("winter tires", "rain"), ("A sled slides on ice.", "Rain stops it."))
RAFTS = OptionLayer("rafts", "Rafts", (), ("A raft floats.",))


def index() -> SearchIndex:
    """Return an index with rules about weather, and an item of a source that the book lacks."""
    rows = [
        IndexRow("Rule", "Rain and mud", "1.1", "a.html#rain", "Rain stops the carts, winter or not."),
        IndexRow("Rule", "Carts", "1.2", "a.html#carts", "A cart takes the lane at the stack."),
        IndexRow("Source", "Q.RAFT.01", "", "sources.html#Q.RAFT.01", "Not in this book.", "Floats"),
        IndexRow("Source", "Q.CART.01", "", "sources.html#Q.CART.01", "", "Wheels"),
    ]
    return SearchIndex(rows, (("fence", "lane"), ("right of way", "lane")))


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("sleds and skis in the rain", ["sleds"]),  # its title
        ("skis", ["sleds"]),  # a part of its title that no title of the book has
        ("tires in winter", ["sleds"]),  # a phrase of it
        ("carts on the ice", ["sleds"]),  # a word that the book lacks
        ("floating carts", ["rafts"]),  # a word that only an item says which is not in the book
        ("rain", []),  # the book has a title with this
        ("mud", []),
        ("winter", []),
        ("nothing of it", []),
        ("the of", []),
        ("", []),
    ],
)
def test_an_option_is_suggested_for_a_subject_that_the_book_lacks(query: str, named: list[str]) -> None:
    book = index()
    assert [each.name for each in options_about(book, [*option_words(book, (RAFTS, SLEDS))], query)] == named


def test_options_of_a_game_are_those_that_players_may_add() -> None:
    stack = load_stack("panzer_leader", [])
    assert stack.graph
    names = {each.name for each in addable_options(stack)}
    assert {"smoke_shells", "opportunity_fire", "pl1940"} <= names
    assert not names & {"panzerblitz", "panzer_leader_cards", "pb_emplacing", "functional_mobility_fire"}
    book = book_index(stack)
    options = [*option_words(book, addable_options(stack))]
    for query, name in {
        "smoke": "smoke_shells",
        "overwatch": "opportunity_fire",
        "gun facing": "field_of_fire",
    }.items():
        assert name in [each.name for each in options_about(book, options, query)]
    for query in ("mines", "fire from woods", "stacking limit"):
        assert not options_about(book, options, query)


@pytest.mark.parametrize(
    ("query", "unknown"),
    [
        ("carts and пехота", ["пехота"]),
        ("戦車", ["戦車"]),
        ("Überfall carts", ["uberfall"]),
        ("zeppelin carts, zeppelin", ["zeppelin"]),
        ("constructor", ["constructor"]),
        ("[a-z]*(", ["z"]),
        ("rule 1.1 of rain", []),
        ("1.1", []),
        ("8.33", ["8.33"]),
        ("<b>carts</b>", []),
        ("", []),
        ("the of", []),
    ],
)
def test_unknown_words_are_reported(query: str, unknown: list[str]) -> None:
    assert [word for word in index().unknown_words(query) if word not in ("b", "rule")] == unknown
