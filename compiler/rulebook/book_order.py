"""The merged order of two books.

In: the outlines of a book and of its baseline. Out: a sort key for every rule and ruling of either; one that only the
baseline has follows its predecessor there.
"""

from collections.abc import Iterable, Mapping

from compiler.rulebook.headings import Heading, entries_of
from compiler.rulebook.index.mentions import BookKey
from runtime.graph import nodes as graph


def printed_order(outline: Iterable[Heading]) -> tuple[BookKey, ...]:
    """Return the rules and rulings of an outline in the order of print."""
    return tuple(entry.thing for section in outline for entry in entries_of(section))


def merged_order(new_order: tuple[BookKey, ...], old_order: tuple[BookKey, ...]) -> dict[BookKey, tuple[int, int]]:
    """Merge two orders: every element of either gets one place."""
    places = {key: (index, 0) for index, key in enumerate(new_order)}
    last = (-1, 0)
    for offset, key in enumerate(old_order, 1):
        last = places.setdefault(key, (last[0], offset))
    return places


def place_of_question(book: graph.Graph, term: str, places: Mapping[BookKey, tuple[int, int]]) -> tuple[int, int]:
    """Return the sort key of the first rule on a term, the end if the book has none of its rules."""
    labels = book.terms[term].rules if term in book.terms else ()
    end = (len(places), 0)
    return min((places.get(("rule", label), end) for label in labels), default=end)
