"""Noun phrases for pieces: counters with what tells namesakes apart, with or without hexes.

In: a state and pieces. Out: "carts 1 and 3 in B2 and a barge in B3". Pieces that are off the map have no hex. A piece
of a card with namesakes is called by its number or its own name, the only one of its counter by its counter. In
positions that no card sets up, as of examples, pieces are counted instead: "two carts".
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.identity_memo import memoized_by_identity
from runtime.state.position import State
from runtime.state.record import Sheet

# "knight-2.1", the first of the second force of a card; in files of positions "knight_2_1".
NUMBERED = re.compile(r"(?P<counter>.+?)[-_](?:(?P<group>\d+)[._])?(?P<number>\d+)")

COUNTED = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


# Letters whose names begin with a vowel sound.
SPOKEN_AS_VOWELS = "AEFHILMNORSX"


def _number_word(count: int) -> str:
    """Return a small number as a word, a larger one as digits."""
    return COUNTED[count] if count < len(COUNTED) else str(count)


class _PieceLabel(NamedTuple):
    """How a piece is called: its title where it stands alone, and its `suffix` behind a noun, "" without namesakes.

    The noun is that of the counter that it shows; `original_noun` that of the one with which it came into play.
    """

    noun: str
    original_noun: str
    suffix: str
    title: str


def piece_labels(state: State) -> tuple[_PieceLabel, ...]:
    """Return the labels of all pieces, in order."""
    return _labels_of_sheets(state.sheets, state.graph.counters, state.graph.vocabulary)


@memoized_by_identity()
def _labels_of_sheets(
    sheets: tuple[Sheet, ...], counters: Mapping[str, graph.Counter], vocabulary: graph.Vocabulary
) -> tuple[_PieceLabel, ...]:
    origins = [sheet.original_counter or sheet.counter or sheet.kind for sheet in sheets]
    namesakes = Counter(origins)
    readings = [NUMBERED.fullmatch(sheet.name) for sheet in sheets]
    groups: dict[str, set[str]] = {}
    for origin, reading in zip(origins, readings, strict=True):
        if reading and reading["counter"] == origin:
            groups.setdefault(origin, set()).add(reading["group"] or "")
    labels: list[_PieceLabel] = []
    for sheet, origin, reading in zip(sheets, origins, readings, strict=True):
        noun = _counter_noun(sheet.counter, counters, vocabulary) or words.kind(sheet.kind, vocabulary)
        original_noun = _counter_noun(origin, counters, vocabulary) if sheet.original_counter else noun
        if reading and reading["counter"] == origin:
            has_group = reading["group"] and len(groups[origin]) > 1
            suffix = f"{reading['group']}.{reading['number']}" if has_group else reading["number"]
            title = f"{noun} {suffix}" if namesakes[origin] > 1 else noun
        else:  # The piece has an individual name on the card.
            suffix = title = words.readable_name(sheet.name.replace("-", " "))
        labels.append(_PieceLabel(noun, original_noun, suffix if namesakes[origin] > 1 else "", title))
    return tuple(labels)


def _counter_noun(counter: str, counters: Mapping[str, graph.Counter], vocabulary: graph.Vocabulary) -> str:
    """Return the noun of a counter, in its number; "" without a counter."""
    return words.with_number(words.counter(counter, counters), vocabulary, f"counter.{counter}") if counter else ""


def takes_plural(state: State, pieces: Sequence[int]) -> bool:
    """Return whether pieces take a plural verb: the name of a single counter may be plural."""
    return len(pieces) != 1 or isinstance(piece_labels(state)[pieces[0]].noun, words.PluralPhrase)


def original_phrase(state: State, pieces: Iterable[int]) -> str:
    """Return the definite noun phrase of pieces by the counters with which they came into play."""
    labels = piece_labels(state)
    return _labels_text(((labels[piece].original_noun, labels[piece].suffix) for piece in pieces), definite=True)


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
    labels, sheets = piece_labels(state), state.sheets
    return _labels_text(
        ((labels[piece].noun, labels[piece].suffix if sheets[piece].force >= 0 else "") for piece in pieces),
        definite=definite,
    )


def _labels_text(labels: Iterable[tuple[str, str]], *, definite: bool) -> str:
    """Return the noun phrase of pieces by their nouns and suffixes."""
    suffixes_by_noun: dict[str, list[str]] = {}
    for noun, suffix in labels:
        suffixes_by_noun.setdefault(noun, []).append(suffix)
    return words.list_text(
        [
            _numbered_noun(noun, suffixes) if all(suffixes) else _counted_noun(noun, len(suffixes), definite=definite)
            for noun, suffixes in suffixes_by_noun.items()
        ]
    )


def _numbered_noun(noun: str, suffixes: Sequence[str]) -> str:
    """Return a noun with the numbers or names of its pieces: knights 1 and 3."""
    text = f"{words.plural(noun) if len(suffixes) > 1 else noun} {words.list_text(suffixes)}"
    return words.PluralPhrase(text) if len(suffixes) > 1 else words.as_its_noun(noun, text)


def _with_article(noun: str) -> str:
    """Return a noun with its indefinite article; abbreviations and numbers by their pronunciation."""
    first = noun.split(" ", maxsplit=1)[0]
    if isinstance(noun, words.PluralPhrase):
        return noun
    if first[:1].isdigit():
        return f"{'an' if first.startswith(('8', '11', '18')) else 'a'} {noun}"
    if first[:1].isupper() and (len(first) == 1 or not first[1].islower()):
        return f"{'an' if first[0] in SPOKEN_AS_VOWELS else 'a'} {noun}"
    return words.article(noun)


def _counted_noun(noun: str, count: int, *, definite: bool) -> str:
    if count == 1:
        return words.definite(noun) if definite else _with_article(noun)
    return words.PluralPhrase(f"{'the ' if definite else ''}{_number_word(count)} {words.plural(noun)}")
