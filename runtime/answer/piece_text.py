"""Noun phrases for pieces: counters with their numbers, with or without hexes.

In: a state and pieces. Out: "four carts in B2 and a barge in B3". Pieces that are off the map have no hex.
"""

from collections.abc import Iterable, Sequence

from runtime.graph import words
from runtime.graph.english import is_plural_phrase
from runtime.state.position import State

COUNTED = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


# Letters whose names begin with a vowel sound.
SPOKEN_AS_VOWELS = "AEFHILMNORSX"


def number_word(count: int) -> str:
    """Return a small number as a word, a larger one as digits."""
    return COUNTED[count] if count < len(COUNTED) else str(count)


def piece_noun(state: State, piece: int) -> str:
    """Return the noun of a piece: its counter, or else its kind."""
    sheet = state.sheets[piece]
    if sheet.counter:
        return words.counter(sheet.counter, state.graph.counters)
    return words.kind(sheet.kind, state.graph.vocabulary)


def takes_plural(state: State, pieces: Sequence[int]) -> bool:
    """Return whether pieces take a plural verb: the name of a single counter may be plural."""
    return len(pieces) != 1 or is_plural_phrase(piece_noun(state, pieces[0]))


def pieces_phrase(state: State, pieces: Iterable[int], *, definite: bool = False, with_hexes: bool = False) -> str:
    """Return the noun phrase of pieces; `definite` with a definite article, `with_hexes` with their hexes."""
    groups: dict[str, list[int]] = {}
    for piece in pieces:
        space = state.hex[piece] if with_hexes else -1
        groups.setdefault(f" in {state.board.names[space]}" if space >= 0 else "", []).append(piece)
    return (
        words.list_text([_group_text(state, each, definite=definite) + place for place, each in groups.items()])
        or "nobody"
    )


def _group_text(state: State, pieces: Iterable[int], *, definite: bool) -> str:
    """Return the noun phrase of pieces in one place, grouped by counter."""
    counts: dict[str, int] = {}
    for piece in pieces:
        noun = piece_noun(state, piece)
        counts[noun] = counts.get(noun, 0) + 1
    return words.list_text([_counted_noun(noun, count, definite=definite) for noun, count in counts.items()])


def _with_article(noun: str) -> str:
    """Return a noun with its indefinite article; abbreviations and numbers by their pronunciation."""
    first = noun.split(" ", maxsplit=1)[0]
    if first[:1].isdigit():
        return f"{'an' if first.startswith(('8', '11', '18')) else 'a'} {noun}"
    if first[:1].isupper() and (len(first) == 1 or not first[1].islower()):
        return f"{'an' if first[0] in SPOKEN_AS_VOWELS else 'a'} {noun}"
    return words.article(noun)


def _counted_noun(noun: str, count: int, *, definite: bool) -> str:
    if count == 1 and is_plural_phrase(noun):
        return f"the {noun}" if definite else noun
    if count == 1:
        return f"the {noun}" if definite and not words.has_article(noun) else _with_article(noun)
    plural = noun if is_plural_phrase(noun) else words.plural(noun)
    return f"{'the ' if definite else ''}{number_word(count)} {plural}"
