"""Filter of the cross references of the printed index.

In: entries of an index, the rules whose titles contain their words, and the printed outline. Out: entries without
references that a reader would not use. A phrase with a particle, "on its back" or "get rid of", is a search query, no
heading of an index. A word in titles of rules does not refer to another section: what bombs are loaded with is not the
loading of passengers.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from compiler.rulebook.index.mentions import Thing
from compiler.rulebook.index.merging import HALF, Keyword, PrintedOutline, few_places

PARTICLES = frozenset(
    "aboard across ahead along around at away behind by during for from in into its no off on out over past per "
    "rid through to under up when while with without".split()
)
Uses = Mapping[str, Iterable[Thing]]


def fitting_references(entries: Iterable[Keyword], uses: Uses, printed: PrintedOutline) -> tuple[Keyword, ...]:
    """Remove references that nobody looks up, and those to meanings that a word does not have in this book."""
    known = {entry.word: entry for entry in entries}
    kept = []
    for entry in known.values():
        if not only_refers(entry):
            kept.append(entry)
        elif not is_typed(entry.word):
            used = tuple(uses.get(entry.word, ()))
            if len(used) == 1 and f"({entry.word})" not in printed.titles.get(used[0], ""):
                used = ()  # One title may have the word in passing; one that has it in brackets says what it means.
            sees = tuple(word for word in entry.cross_references if _is_near(known[word], used, printed))
            own = () if sees else few_places(entry.word, used, printed)
            kept.append(replace(entry, places=own, cross_references=sees))
    left = {entry.word for entry in kept}
    led = (replace(one, cross_references=tuple(to for to in one.cross_references if to in left)) for one in kept)
    return tuple(one for one in led if one.places or one.under or one.cross_references)


def only_refers(entry: Keyword) -> bool:
    """Return whether an entry consists of cross references only."""
    return not entry.places and not entry.under


def is_typed(word: str) -> bool:
    """Return whether a phrase has a particle, so that it is a search query rather than a heading."""
    first, *rest = word.lower().split()
    return bool(rest) and not PARTICLES.isdisjoint((first, *rest))


def _is_near(target: Keyword, used: tuple[Thing, ...], printed: PrintedOutline) -> bool:
    """Return whether most places of an entry are in the sections of the rules that a word heads, or it heads none."""
    there = [*target.places, *(place for _, places in target.under for place in places)]
    sections = {_section(place, printed) for place in used}
    return not sections or sum(_section(place, printed) in sections for place in there) >= HALF * len(there)


def _section(place: Thing, printed: PrintedOutline) -> Thing:
    while place in printed.above:
        place = printed.above[place]
    return place
