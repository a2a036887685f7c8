"""The pieces and places of a state that plain words name or describe.

In: a state, and words of a player: *the truck in D*. Out: names.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import product

from compiler.rulebook.index.stems import STOP_WORDS, stem, stems
from rulewright.table.lexicon import DETERMINERS, WORDS
from rulewright.table.option_lines import ground_text, piece_marks
from runtime.graph import nodes as graph
from runtime.graph.words import counter, flag, kind, member
from runtime.play.word_binding import values_named
from runtime.state.position import State

# The most words of a name.
LONGEST = 4
_PLACE_NOUNS = "|".join(sorted(WORDS["place"]))
_PLACE_OF_PIECE = re.compile(rf"(?P<piece>[\w.-]+)['’]s (?:own )?(?:{_PLACE_NOUNS})\b", re.IGNORECASE)


class NotHereError(Exception):
    """Words name a counter of the rules of which no piece is on the map."""


class NamesInWords:
    """The names of a state, as a player may write them."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.written = {_letters(sheet.name): sheet.name for sheet in state.sheets}

    def side(self, name: str) -> str:
        """Return the side of a piece, "" for another name."""
        return next((self.state.side[piece] for piece, each in enumerate(self.state.sheets) if each.name == name), "")

    def is_pronoun(self, before: Sequence[str]) -> bool:
        """Return whether *I* after the words before it stands for who asks, and not for a piece, or a place.

        A piece may be what *can I* is about, a place is not.
        """
        is_after = not before or before[-1].lower() in WORDS["before pronoun"]
        return is_after and "I" not in self.written.values()

    def exact(self, word: str) -> str:
        """Return the piece or place with a name, or the only piece with a counter; "" if there is none."""
        if word in self.state.board.index or any(sheet.name == word for sheet in self.state.sheets):
            return word
        if len(word) < 2 or word.lower() in STOP_WORDS:
            return ""
        if name := self.written.get(_letters(word)):
            return name
        pieces = values_named(self.state, graph.Piece(()), word)
        places = values_named(self.state, graph.Hex(), word)
        if len(pieces) == 1:
            return self.state.sheets[pieces[0]].name
        return self.state.board.names[places[0]] if places and not pieces else ""

    def at_beginning(
        self, words: Sequence[str], between: Sequence[str], before: Sequence[str]
    ) -> tuple[tuple[str, ...], int]:
        """Return the names that words begin with, and of how many words; `between` are the words since those `before`.

        They are a name, in any spelling (*armored rifle 2.1*), or the words for pieces on the map: after an article, or
        in a place (*Truck in D*), so that *the minefield* is a piece, and *mine* is not.
        """
        plain = [each.rstrip(",") for each in words[: LONGEST + 2]]
        for size in range(min(LONGEST, len(words)), 1, -1):
            if name := self.written.get(_letters(" ".join(plain[:size]))):
                return (name,), size
        name = self.exact(plain[0])
        for size in range(min(LONGEST - 1, len(words)), 0, -1):
            is_placed = plain[size : size + 1] and plain[size] in WORDS["location"]
            space = plain[size + 1] if is_placed and size + 1 < len(plain) else ""
            place = self.state.board.index.get(space, -1)
            word_count = size + 2 if place >= 0 else size
            if name == plain[0]:
                if size == 1 and any(self.state.sheets[each].name == name for each in self.state.at.get(place, ())):
                    return (name,), word_count
                continue
            is_described = place >= 0 or (between and between[-1] in DETERMINERS and not (name and size == 1))
            # *Into mud* is about a place, *into action* is not.
            is_entered = not WORDS["entry"].isdisjoint(between[-2:]) and not name
            if not (is_described or is_entered) or any(each.lower() in STOP_WORDS for each in plain[:size]):
                continue
            if is_described and (found := self.describe(plain[:size], between, before, place)):
                return found, word_count
            if place < 0 and (found := self.describe_place(plain[:size], before, is_entered=is_entered)):
                return found, size
            if place < 0 and size == 1 and self.is_counter(plain[0]):
                raise NotHereError(plain[0])
        # *The lead tank* is the piece `lead`.
        pieces = (piece for piece, sheet in enumerate(self.state.sheets) if sheet.name == name)
        title_stems = stems(" ".join(map(self.titles_of, pieces)))
        is_titled = len(plain) > 1 and plain[0] == words[0] and stems_of(plain[1:2]) <= {*title_stems}
        return ((name,), 1 + is_titled) if name else ((), 1)

    def pieces_with(self, words: Sequence[str], place: int = -1, *, by_titles: bool = False) -> tuple[int, ...]:
        """Return the pieces on the map, or in a place of it, that have all these words, or all in their titles.

        *Counter* is a word of any piece.
        """
        state, wanted = self.state, stems_of(words) - {*map(stem, WORDS["piece"])}
        at = state.at.get(place, ()) if place >= 0 else [each for each, space in enumerate(state.hex) if space >= 0]
        text_of = self.titles_of if by_titles else self.words_of
        return tuple(each for each in at if words and wanted <= {*stems(text_of(each))})

    def describe(
        self, words: Sequence[str], between: Sequence[str], before: Sequence[str], place: int
    ) -> tuple[str, ...]:
        """Return the names of the pieces on the map that have all these words, in a place if given.

        Of those of several sides, one's own or the other side's are meant; of several, those that a relation ties to a
        named piece, or those where it is.
        """
        state = self.state
        # *Fire at B* is not about what has fired there.
        found = self.pieces_with(words, place, by_titles=not between or between[-1] not in DETERMINERS)
        is_own = not WORDS["possessive"].isdisjoint(between) or WORDS["target"].isdisjoint(between)
        of_side = [each for each in found if (state.side[each] == state.player) == is_own] if state.player else found
        named = [piece for piece, sheet in enumerate(state.sheets) if sheet.name in before]
        spaces, partners = (
            {state.hex[each] for each in named},
            {each for piece in named for each in related_pieces(state, piece)},
        )
        candidates = of_side or found
        tied_to = [each for each in candidates if each in partners]
        near = tied_to or [each for each in candidates if state.hex[each] in spaces]
        return tuple(state.sheets[each].name for each in near or candidates)

    def describe_place(self, words: Sequence[str], before: Sequence[str], *, is_entered: bool) -> tuple[str, ...]:
        """Return the only place that has all these words for its ground, of those of named pieces and their neighbors.

        A place that is entered is none of those of the pieces, but may be farther away; all that may be meant are
        returned. Without a named piece, it is the only one on the map.
        """
        state = self.state
        named = {state.hex[piece] for piece, sheet in enumerate(state.sheets) if sheet.name in before}
        named = {each for each in named if each >= 0}
        spaces = {each for place in named for each in state.board.beside[place]}
        near = [*filter(self._has_ground(words), sorted(spaces - named if is_entered else spaces | named))]
        is_anywhere = not near and (is_entered or not spaces)
        found = [*filter(self._has_ground(words), range(len(state.board.names)))] if is_anywhere else near
        is_clear = len(found) == 1 or (near and is_entered)
        return tuple(state.board.names[each] for each in found) if is_clear else ()

    def _has_ground(self, words: Sequence[str]) -> Callable[[int], bool]:
        """Return a test whether a place has words for its ground: its names, or what a layer declares for them."""
        state, wanted = self.state, stems_of(words)
        declared = (terms for layer in state.graph.layers for phrase, terms in layer.see if {*stems(phrase)} == wanted)
        phrases = [wanted, *({*stems(term)} for terms in declared for term in terms)]

        def has_ground(place: int) -> bool:
            features = " ".join((ground_text(state, place), *state.board.features[place])).replace("_", " ")
            ground = {*stems(features)}
            return any(each and each <= ground for each in phrases)

        return has_ground

    def with_places(self, text: str) -> str:
        """Replace words for the place of a piece, as *T's hex*, by the name of the place."""

        def place_name(found: re.Match[str]) -> str:
            name = self.exact(found["piece"])
            pieces = (piece for piece, sheet in enumerate(self.state.sheets) if sheet.name == name)
            place = next((self.state.hex[piece] for piece in pieces), -1)
            return self.state.board.names[place] if place >= 0 else found[0]

        return _PLACE_OF_PIECE.sub(place_name, text)

    def is_counter(self, word: str) -> bool:
        """Return whether a word is the title or a nickname of a counter of the rules."""
        counters = self.state.graph.counters.values()
        return any(word.lower() in (each.title.lower(), *map(str.lower, each.nicknames)) for each in counters)

    def titles_of(self, piece: int) -> str:
        """Return the titles of a piece: those of its counter and its kind, and its nicknames."""
        rules, sheet = self.state.graph, self.state.sheets[piece]
        nicknames = rules.counters[sheet.counter].nicknames if sheet.counter in rules.counters else ()
        titles = counter(sheet.counter, rules.counters), kind(sheet.kind, rules.vocabulary)
        return " ".join((*titles, sheet.counter.replace("_", " "), *nicknames))

    def words_of(self, piece: int) -> str:
        """Return the words for a piece: its titles, traits and statuses, and whose it is."""
        state, sheet = self.state, self.state.sheets[piece]
        traits = (flag(sheet.kind, each, state.graph.vocabulary) for each in sheet.traits)
        side = state.side[piece]
        title = member("side", side, state.graph.vocabulary) if side else ""
        whose = WORDS["own" if side == state.player else "foe"] if side else ()
        return " ".join((self.titles_of(piece), title, *whose, *traits, *piece_marks(state, piece)))


def stems_of(written: Sequence[str]) -> set[str]:
    """Return the stems of words, split like titles, so that *T-26* and *anti-tank* match theirs."""
    return {each for word in written for each in stems(word) or [stem(word.lower())]}


def _letters(name: str) -> str:
    """Return a name without what separates its parts."""
    return re.sub(r"[\s._-]", "", name).lower()


def related_pieces(state: State, piece: int) -> Iterator[int]:
    """Yield the pieces to which a relation ties a piece, as what carries it."""
    for relation, end in product(state.graph.vocabulary.relations, ("left", "right")):
        yield from state.partners(relation, end, piece)
