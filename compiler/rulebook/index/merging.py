"""Edit the entries of the index: one for a word and its forms, few places in each, references from the others.

The input is collected entries, and the outline of everything printed; the output is fewer entries. A reader who finds
two entries for one thing has to look up both, and one who finds nine places has to look up all.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from compiler.rulebook.index.mentions import BookKey
from compiler.rulebook.index.stems import IRREGULAR, phrase_stems, singular, split_tokens
from runtime.graph.grouping import group_by

MOST_PLACES = 6  # places of an entry
MOST_HEADED_PLACES = 3  # of a word that is spoken of in many places and heads no case
MERGED_SHARE = 0.5  # of the places of an entry, at least, are under the places of the entry that it is merged into
CONJUNCTIONS = frozenset(("and", "or"))  # "Hay and straw" is no sort of hay.
ARTICLE = re.compile(r"^(?:a|an|the) ")

SubEntries = tuple[tuple[str, tuple[BookKey, ...]], ...]


@dataclass(frozen=True, slots=True)
class Keyword:
    """A word with its places in printed order; the words to see also, or instead; its sub-entries."""

    word: str
    places: tuple[BookKey, ...]
    cross_references: tuple[str, ...] = ()
    under: SubEntries = ()


@dataclass(frozen=True, slots=True)
class PrintedOutline:
    """The outline of the printed book: the order, the case that contains each thing, and titles."""

    order: Mapping[BookKey, int]
    above: Mapping[BookKey, BookKey]
    titles: Mapping[BookKey, str]

    def sort_as_printed(self, places: Iterable[BookKey]) -> tuple[BookKey, ...]:
        """Return places in printed order, each once; places outside the outline, such as charts, come last."""
        return tuple(sorted(dict.fromkeys(places), key=lambda place: self.order.get(place, len(self.order))))

    def is_within(self, place: BookKey, others: Iterable[BookKey]) -> bool:
        """Return whether a place is one of others, or is contained in one of them."""
        known = set(others)
        ancestor: BookKey | None = place
        while ancestor is not None and ancestor not in known:
            ancestor = self.above.get(ancestor)
        return ancestor is not None


def best_places(word: str, places: Iterable[BookKey], printed: PrintedOutline) -> tuple[BookKey, ...]:
    """Return the most useful places of an entry: those that define its word or decide about it.

    If a case is headed by the word, or several places are, the others only mention it. Several places of a case that is
    headed by it are replaced by the case. If too many are left, they are the cases headed by it, those with the
    shortest titles first, else the rules headed by it. A word of many texts that no title contains has no places: any
    few of them would be arbitrary.
    """
    candidates = tuple(dict.fromkeys(places))
    headed = _headed_places(word, candidates, printed)
    if len(headed) > 1 or any(place[0] == "case" for place in headed) or len(candidates) > MOST_PLACES:
        candidates = tuple(headed)
    for minimum in (3, 2):
        if len(candidates) <= MOST_PLACES:
            return printed.sort_as_printed(candidates)
        in_case = Counter(printed.above[place] for place in candidates if place in printed.above and place[0] != "case")
        counted = [case for case, count in in_case.items() if count >= minimum]
        full = {*_headed_places(word, counted, printed)}
        candidates = tuple(
            dict.fromkeys(printed.above[place] if printed.above.get(place) in full else place for place in candidates)
        )
    if len(candidates) <= MOST_PLACES:
        return printed.sort_as_printed(candidates)
    cases = [place for place in headed if place[0] == "case"]
    return printed.sort_as_printed(cases[:MOST_PLACES] or headed[:MOST_HEADED_PLACES])


def _headed_places(word: str, places: Iterable[BookKey], printed: PrintedOutline) -> list[BookKey]:
    """Return the places whose titles contain a word, those with the shortest titles first."""
    key = entry_key(word)
    titled = [(place, entry_key(printed.titles.get(place, ""))) for place in places]
    titled.sort(key=lambda pair: len(pair[1]))
    return [place for place, title in titled if _contains(title, key)]


def entry_key(word: str) -> tuple[str, ...]:
    """Return the stems of a word or phrase, which are the same for all its forms."""
    return tuple(phrase_stems(ARTICLE.sub("", word.lower()).replace("-", " ")))


def _contains(text: tuple[str, ...], key: tuple[str, ...]) -> bool:
    return any(text[index : index + len(key)] == key for index in range(len(text) - len(key) + 1))


def _singular(word: str) -> tuple[str, ...]:
    """Return the words of a phrase without plurals."""
    return tuple(singular(token) for token in split_tokens(word.replace("-", " ")))


def edit_entries(entries: Mapping[str, Keyword], printed: PrintedOutline) -> tuple[Keyword, ...]:
    """Merge entries of one thing, and remove references that lead to no entry."""
    edited_entries = _forms(entries.values(), printed)
    edited_entries = _references(edited_entries, printed)
    edited_entries = _redirect_references(_extensions(edited_entries, printed))
    return tuple(
        _limit_places(entry, printed) for entry in sorted(edited_entries, key=lambda one: (one.word.lower(), one.word))
    )


def _limit_places(entry: Keyword, printed: PrintedOutline) -> Keyword:
    sub_entries = tuple((phrase, best_places(phrase, places, printed)) for phrase, places in entry.under)
    return replace(
        entry, places=best_places(entry.word, entry.places, printed), under=_without_repetitions(sub_entries)
    )


def _without_repetitions(sub_entries: SubEntries) -> SubEntries:
    """Remove sub-entries that share their places, and half of their stems, with a longer one."""
    distinct_entries: list[tuple[str, tuple[BookKey, ...]]] = []
    for phrase, places in sorted(sub_entries, key=lambda each: -len(entry_key(each[0]))):
        key = {*entry_key(phrase)}
        if not any(
            places == others and 2 * len(key & {*entry_key(other)}) >= len(key) for other, others in distinct_entries
        ):
            distinct_entries.append((phrase, places))
    return tuple(sorted(distinct_entries))


def _forms(entries: Iterable[Keyword], printed: PrintedOutline) -> list[Keyword]:
    """Merge the forms of a word: singular and plural, a verb and its noun."""
    groups = group_by(entries, lambda entry: entry_key(entry.word))
    called = {member.word: _head(group).word for group in groups.values() for member in group}
    return [
        _merge_entries(_head(group), group, printed, lambda word: called.get(word, word)) for group in groups.values()
    ]


def _head(group: list[Keyword]) -> Keyword:
    """Return the form under which readers look: that with the most sub-entries, then places, then the shortest."""
    return min(
        group,
        key=lambda one: (-len(one.under), one.word in IRREGULAR, not one.places, len(one.word), one.word),
    )


def _merge_entries(
    head: Keyword, group: list[Keyword], printed: PrintedOutline, called: Callable[[str], str]
) -> Keyword:
    sub_entries: dict[str, tuple[BookKey, ...]] = {}
    for member in group:
        for phrase, places in member.under:
            sub_entries[phrase] = tuple(dict.fromkeys((*sub_entries.get(phrase, ()), *places)))
    sees = dict.fromkeys(called(word) for member in group for word in member.cross_references)
    sees.pop(head.word, None)
    # The places of sub-entries are found there.
    said_under = {place for places in sub_entries.values() for place in places}
    places = (*head.places, *(p for member in group if member != head for p in member.places if p not in said_under))
    return Keyword(head.word, printed.sort_as_printed(places), tuple(sees), tuple(sorted(sub_entries.items())))


def _references(entries: list[Keyword], printed: PrintedOutline) -> list[Keyword]:
    """Reduce an entry to its references, if most of its places are found there."""
    known = {entry.word: entry for entry in entries}
    for entry in sorted(entries, key=lambda one: (len(one.under), len(one.places), one.word)):
        others = [known[word] for word in entry.cross_references if word in known and known[word].places]
        others += [known[word] for word in entry.cross_references if word in known and known[word].under]
        if entry.under or not entry.places or not others:
            continue
        if _is_covered(entry, others, printed):
            known[entry.word] = replace(entry, places=())
            # Of two words that refer to each other, one has the places of both.
            for other in others:
                back = tuple(word for word in known[other.word].cross_references if word != entry.word)
                known[other.word] = replace(known[other.word], cross_references=back)
    return [*known.values()]


def _is_covered(entry: Keyword, others: list[Keyword], printed: PrintedOutline) -> bool:
    """Return whether the places of an entry are found through others: there, below them, or in parts."""
    reachable_places = {place for other_entry in others for place in all_places(other_entry)}
    found = [any(printed.is_within(other, [place]) for other in reachable_places) for place in entry.places]
    found = [
        parts or printed.is_within(place, reachable_places) for parts, place in zip(found, entry.places, strict=True)
    ]
    return sum(found) >= MERGED_SHARE * len(entry.places)


def all_places(entry: Keyword) -> Iterator[BookKey]:
    """Return the places of an entry and of its sub-entries."""
    yield from entry.places
    for _, places in entry.under:
        yield from places


def _extensions(entries: list[Keyword], printed: PrintedOutline) -> list[Keyword]:
    """Merge into an entry those that start with its word: the rest is found there, or becomes a sub-entry.

    Entries that start with another form of it are merged only if the rest is found there, as they may be other words.
    """
    words = {_singular(entry.word): entry.word for entry in entries}
    forms = {entry_key(entry.word): entry.word for entry in entries}
    known = {entry.word: entry for entry in entries}
    led_to = {word for entry in entries for word in entry.cross_references}
    for entry in sorted(entries, key=lambda one: (-len(one.word), one.word)):
        if entry.under or entry.word in led_to:
            continue
        same = _first_words(_singular(entry.word), words)
        head = known.get(same or _first_words(entry_key(entry.word), forms))
        if head is None or not any(all_places(head)):
            continue
        if not entry.places:
            if set(entry.cross_references) == {head.word}:
                del known[entry.word]
        elif _is_covered(entry, [head], printed):
            del known[entry.word]
        elif same and (rest := _rest(entry.word, same)) and rest.split()[0] not in CONJUNCTIONS:
            sub_entries = dict(head.under)
            sub_entries[rest] = printed.sort_as_printed((*sub_entries.get(rest, ()), *entry.places))
            known[same] = replace(head, under=tuple(sorted(sub_entries.items())))
            del known[entry.word]
    return [*known.values()]


def _redirect_references(entries: list[Keyword]) -> list[Keyword]:
    """Redirect references to entries with places: not to an entry that only refers, and not in cycles."""
    known = {entry.word: entry for entry in entries}

    def target_words(word: str, seen: frozenset[str]) -> tuple[str, ...]:
        entry = known[word]
        if entry.places or entry.under:
            return (word,)
        onward = (to for to in entry.cross_references if to in known and to not in seen)
        return tuple(end for to in onward for end in target_words(to, seen | {to}))

    remaining_entries = []
    for entry in entries:
        sees = tuple(
            dict.fromkeys(
                end
                for word in entry.cross_references
                if word in known
                for end in target_words(word, frozenset((entry.word,)))
            )
        )
        led = replace(entry, cross_references=tuple(word for word in sees if word != entry.word))
        if any(all_places(led)) or led.cross_references:
            remaining_entries.append(led)
    return remaining_entries


def _first_words(key: tuple[str, ...], entries: Mapping[tuple[str, ...], str]) -> str:
    """Return the longest entry that is a proper prefix of a phrase."""
    return next((entries[key[:end]] for end in range(len(key) - 1, 0, -1) if key[:end] in entries), "")


def _rest(word: str, head: str) -> str:
    """Return a phrase without its first words."""
    count = len(head.replace("-", " ").split())
    return " ".join(word.replace("-", " ").split()[count:]).strip(" ,")
