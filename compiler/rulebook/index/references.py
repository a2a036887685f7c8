"""References of the printed index that nobody would follow, or that lead to something else.

In: entries of an index, what is headed by the words of those that only refer, and what everything stands under. Out:
entries. A phrase with a particle, "on its back" or "get rid of", is typed into a search, not looked up. A word that
heads rules is not sent to another part of the book: what bombs are loaded with is not the loading of passengers.
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
    """Return whether an entry has nothing but words to see instead."""
    return not entry.places and not entry.under


def is_typed(word: str) -> bool:
    """Return whether a phrase has a particle: it is what people type, and no heading of an index."""
    first, *rest = word.lower().split()
    return bool(rest) and not PARTICLES.isdisjoint((first, *rest))


def _is_near(target: Keyword, used: tuple[Thing, ...], printed: PrintedOutline) -> bool:
    """Return whether most of what an entry leads to stands in the sections of what a word heads, if it heads any."""
    there = [*target.places, *(place for _, places in target.under for place in places)]
    sections = {_section(place, printed) for place in used}
    return not sections or sum(_section(place, printed) in sections for place in there) >= HALF * len(there)


def _section(place: Thing, printed: PrintedOutline) -> Thing:
    while place in printed.above:
        place = printed.above[place]
    return place
