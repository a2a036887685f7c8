"""The order of a book: where a rule, a ruling or a question stands among all that there is.

In: the outlines of a book and of the one it is held against. Out: a place for every rule and ruling of either: what the
other alone has stands behind what it stood behind there.
"""

from collections.abc import Iterable, Mapping

from compiler.rulebook.headings import Entry, Heading, entries_of
from compiler.rulebook.index.mentions import Thing
from runtime.graph import nodes as graph


def printed_order(outline: Iterable[Heading]) -> tuple[Thing, ...]:
    """List the rules and rulings of an outline as they are printed."""
    return tuple(
        ("rule", entry.label) if isinstance(entry, Entry) else ("ruling", entry.ruling)
        for section in outline
        for entry in entries_of(section)
    )


def order_of_both(now: tuple[Thing, ...], before: tuple[Thing, ...]) -> dict[Thing, tuple[int, int]]:
    """Merge two orders: every element of either gets one place."""
    places = {thing: (place, 0) for place, thing in enumerate(now)}
    last = (-1, 0)
    for behind, thing in enumerate(before, 1):
        last = places.setdefault(thing, (last[0], behind))
    return places


def place_of_question(book: graph.Graph, term: str, places: Mapping[Thing, tuple[int, int]]) -> tuple[int, int]:
    """Return where the first rule stands that answers a question, the end if none of them stands in the book."""
    labels = book.terms[term].rules if term in book.terms else ()
    end = (len(places), 0)
    return min((places.get(("rule", label), end) for label in labels), default=end)
