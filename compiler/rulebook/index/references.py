"""Filter of the cross references of the printed index.

In: entries of an index, the rules whose titles contain their words, and the printed outline. Out: entries without
references that a reader would not use. An editor prints few: of many words for one entry the most common, and the few
places of an entry in the place of a reference to it. A phrase with a particle, "on its back" or "get rid of", is a
search query, no heading of an index. A word in titles of rules does not refer to another section: what bombs are loaded
with is not the loading of passengers.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.index.merging import MERGED_SHARE, Keyword, PrintedOutline, all_places, best_places

PARTICLES = frozenset(
    "aboard across ahead along around at away behind by during for from in inside into its no off on out over past per "
    "rid through to under up when while with without".split()
)
MOST_REFERENCES = 2  # words that only refer to one entry
FEW_PLACES = 3  # are printed in the place of a reference to them
SHORTHAND = 5  # the most letters of a word that only leaves out letters
Uses = Mapping[str, Iterable[BookKey]]


def fitting_references(entries: Iterable[Keyword], uses: Uses, printed: PrintedOutline) -> tuple[Keyword, ...]:
    """Remove references that nobody looks up, and those to meanings that a word does not have in this book."""
    known = {entry.word: entry for entry in entries}
    remaining_entries = []
    for entry in known.values():
        if not only_refers(entry):
            remaining_entries.append(entry)
        elif not is_typed(entry.word):
            used = tuple(uses.get(entry.word, ()))
            if len(used) == 1 and f"({entry.word})" not in printed.titles.get(used[0], ""):
                used = ()  # One title may have the word in passing; one that has it in brackets says what it means.
            sees = tuple(word for word in entry.cross_references if _is_near(known[word], used, printed))
            places = () if sees else best_places(entry.word, used, printed)
            remaining_entries.append(replace(entry, places=places, cross_references=sees))
    left = {entry.word for entry in remaining_entries}
    led = (
        replace(candidate, cross_references=tuple(to for to in candidate.cross_references if to in left))
        for candidate in remaining_entries
    )
    return tuple(candidate for candidate in led if candidate.places or candidate.under or candidate.cross_references)


def limit_references(
    entries: Iterable[Keyword], counts: Mapping[str, int], printed: PrintedOutline
) -> tuple[Keyword, ...]:
    """Return entries with the most common words for each; `counts` has the uses of words that only refer.

    A reference to few places is replaced by these. The search knows the other words, too; in print, a dozen of them for
    one entry would hide the entries with places.
    """
    known = {entry.word: entry for entry in entries}
    reference_counts: dict[str, int] = {}
    limited = dict(known)
    for entry in sorted(filter(only_refers, known.values()), key=lambda one: (-counts[one.word], one.word)):
        first = entry.cross_references[0]
        reference_counts[first] = reference_counts.get(first, 0) + 1
        # A word that nothing here says is not needed beside another.
        if reference_counts[first] > (MOST_REFERENCES if counts[entry.word] else 1):
            del limited[entry.word]
            continue
    return tuple(_with_few_places(entry, known, printed) for entry in limited.values())


def _with_few_places(entry: Keyword, known: Mapping[str, Keyword], printed: PrintedOutline) -> Keyword:
    """Return an entry with places instead of its references, if they are few in all or the references lead back to it.

    References to places that the entry has are removed.
    """
    own_places = {*all_places(entry)}
    places_by_word = {word: tuple(all_places(known[word])) for word in entry.cross_references}
    new = {word: places for word, places in places_by_word.items() if not own_places.issuperset(places)}
    few = not entry.under and len({*entry.places}.union(*new.values())) <= FEW_PLACES
    replaced = {
        word
        for word, places in new.items()
        if few or (entry.word in known[word].cross_references and len(places) <= FEW_PLACES)
    }
    places = [*entry.places, *(place for word in new if word in replaced for place in new[word])]
    references = tuple(word for word in new if word not in replaced)
    sorted_places = printed.sort_as_printed(places) if replaced else entry.places
    return replace(entry, places=sorted_places, cross_references=references)


def only_refers(entry: Keyword) -> bool:
    """Return whether an entry consists of cross references only."""
    return not entry.places and not entry.under


def is_shorthand(word: str, terms: Iterable[str]) -> bool:
    """Return whether a word only leaves out letters of its terms, beside which a reader finds it."""
    return (
        len(word) <= SHORTHAND
        and word.isalpha()
        and word.islower()
        and all(_is_subsequence(word, term) for term in terms)
    )


def _is_subsequence(word: str, text: str) -> bool:
    """Return whether the letters of a word occur in a text in order, the first one first."""
    letters = iter(text.lower())
    return text[:1].lower() == word[:1] and all(letter in letters for letter in word)


def is_typed(word: str) -> bool:
    """Return whether a phrase has a particle, so that it is a search query rather than a heading."""
    first, *rest = word.lower().split()
    return bool(rest) and not PARTICLES.isdisjoint((first, *rest))


def _is_near(target: Keyword, used: tuple[BookKey, ...], printed: PrintedOutline) -> bool:
    """Return whether most places of an entry are in the sections of the rules that a word heads, or it heads none."""
    target_places = [*all_places(target)]
    sections = {_section(place, printed) for place in used}
    return not sections or sum(_section(place, printed) in sections for place in target_places) >= MERGED_SHARE * len(
        target_places
    )


def _section(place: BookKey, printed: PrintedOutline) -> BookKey:
    while place in printed.above:
        place = printed.above[place]
    return place
