"""The pieces and places of a state that words mention: by name, by a description, or as a question for them.

In: a state, and words of a player: *which guns see the truck in D*. Out: `Mention`s, and the words that are left.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from compiler.rulebook.index.stems import STOP_WORDS, stem, stems
from rulewright.explain.option_lines import ground_text, piece_marks
from runtime.graph.words import counter, flag, kind, list_text, member
from runtime.state.position import State

# The most words of a name.
_LONGEST = 4
# The most names of pieces that are listed.
_MOST_NAMES = 8
_QUERY_WORD = re.compile(r"[\w.-]+(?:'[a-z]+)?")
_ARTICLES = frozenset("a an the this that these those my our your their his its all both".split())
# Words before a description that ask which is meant, and words that ask for any piece at all.
_ASKING_WORDS = frozenset("which what whose any".split())
_PERSONS = frozenset("who whom anybody anyone anything".split())
_PIECE_NOUNS = frozenset("counter piece unit".split())
_OWN, _FOE = frozenset("my our own friendly".split()), frozenset("enemy hostile foe their opposing".split())
# Words before a place by its ground: *into mud*.
_BEFORE_PLACE = frozenset("across at enter in into onto over through".split())
# Words for where the first piece is.
HERE = frozenset(["here"])


class Mention(NamedTuple):
    """Pieces or places that words mean, the likeliest first, the word before them, and their number in the query.

    `is_open`: any of the pieces may be meant, as by *which guns*; all that are asked for are tried.
    """

    pieces: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    before: str = ""
    is_open: bool = False
    order: int = 0


class ReadWords(NamedTuple):
    """A query: what it mentions in order, the words that mention nothing, and all its words."""

    mentions: tuple[Mention, ...]
    topic: str
    words: tuple[str, ...]

    @property
    def stems(self) -> frozenset[str]:
        """Return the stems of all words."""
        return frozenset(map(stem, self.words))


class MentionReader:
    """The names and descriptions of a state."""

    def __init__(self, state: State) -> None:
        """Collect the names of pieces and places, and the words that describe the pieces on the map."""
        self.state = state
        self.pieces = {_letters(sheet.name): piece for piece, sheet in enumerate(state.sheets)}
        self.places = {_letters(name): place for name, place in state.board.index.items()}
        self.exact = {sheet.name for sheet in state.sheets} | {*state.board.index}
        on_map = [piece for piece, place in enumerate(state.hex) if place >= 0]
        self.titles = {piece: {*stems(self._titles(piece))} for piece in on_map}
        self.traits = {piece: self.titles[piece] | {*stems(self._traits(piece))} for piece in on_map}

    def read(self, text: str) -> ReadWords:
        """Read a query."""
        words = [each.removesuffix("'s").strip(".-") for each in _QUERY_WORD.findall(text.replace("’", "'"))]
        mentions, topic, between, index = list[Mention](), list[str](), list[str](), 0
        while index < len(words):
            mention, size = self._at(words, index, mentions)
            if mention:
                while between and between[-1] in (_ARTICLES | _ASKING_WORDS if mention.is_open else _ARTICLES):
                    between.pop()
                mentions.append(mention._replace(before=between[-1] if between else "", order=len(mentions)))
                topic, between = [*topic, *between], []
            else:
                between.append(words[index].lower())
            index += size
        return ReadWords(tuple(mentions), " ".join([*topic, *between]), tuple(word.lower() for word in words))

    def _at(self, words: Sequence[str], index: int, mentions: Sequence[Mention]) -> tuple[Mention | None, int]:
        """Return what the words at an index mention, and how many they are."""
        for size in range(min(_LONGEST, len(words) - index), 0, -1):
            written = words[index : index + size]
            if named := self._named(written):
                return named, size
        lower = [word.lower() for word in words]
        if lower[index] in _PERSONS:
            return Mention(tuple(self.titles), is_open=True), 1
        if lower[index] in HERE and (spaces := [self.state.hex[each.pieces[0]] for each in mentions if each.pieces]):
            return Mention(places=(spaces[0],)), 1
        for size in range(min(_LONGEST - 1, len(words) - index), 0, -1):
            if mention := self._described(lower, index, size, mentions):
                return mention, size
        return None, 1

    def _named(self, written: Sequence[str]) -> Mention | None:
        """Return the piece or place with a name; short ones and ordinary words are names only as they are written."""
        name, letters = " ".join(written), _letters(" ".join(written))
        if name not in self.exact and (len(letters) < 2 or name.lower() in STOP_WORDS):
            return None
        if letters in self.pieces and (letters not in self.places or name not in self.state.board.index):
            return Mention((self.pieces[letters],))
        return Mention(places=(self.places[letters],)) if letters in self.places else None

    def _described(self, lower: Sequence[str], index: int, size: int, mentions: Sequence[Mention]) -> Mention | None:
        """Return the pieces that words describe, or the places with a ground that they name."""
        written, before = lower[index : index + size], lower[index - 1] if index else ""
        if any(word in STOP_WORDS or word in _ARTICLES for word in written):
            return None
        is_asked, is_told = before in _ASKING_WORDS, not _ARTICLES.isdisjoint(lower[max(0, index - 2) : index])
        owners = [word for word in written if word in _OWN | _FOE]
        plain = [word for word in written if word not in owners and stem(word) not in _PIECE_NOUNS]
        wanted = _stems(plain)
        if not (wanted or is_asked or owners):
            return None
        pieces = self._pieces_described(plain, owners, by_traits=is_told or is_asked) if wanted or is_asked else []
        if pieces:
            pieces.sort(key=lambda piece: self._distance(piece, mentions))
            return Mention(tuple(pieces), is_open=is_asked)
        return self._ground(wanted, mentions) if is_told or before in _BEFORE_PLACE else None

    def _pieces_described(self, plain: Sequence[str], owners: Sequence[str], *, by_traits: bool) -> list[int]:
        """Return the pieces of these owners that all of some words describe, by their titles or also by traits."""
        known = self.traits if by_traits else self.titles
        wanted, joined = _stems(plain), {stem(word.replace("-", "")) for word in plain}
        pieces = list[int]()
        for piece, described in known.items():
            if (wanted <= described or joined <= described) and self._is_of(piece, owners):
                pieces.append(piece)
        return pieces

    def _is_of(self, piece: int, owners: Sequence[str]) -> bool:
        """Return whether a piece is of the side on move, or not, as these words say."""
        is_own = self.state.side[piece] == self.state.player
        return all((owner in _OWN) == is_own for owner in owners)

    def _distance(self, piece: int, mentions: Sequence[Mention]) -> tuple[int, bool]:
        """Return how near a described piece is: what was mentioned is not meant again, then those of the other side."""
        named = [mention.pieces[0] for mention in mentions if mention.pieces and not mention.is_open]
        sides = {self.state.side[each] for each in named} or {self.state.player}
        is_other = self.state.side[piece] not in sides
        return piece in named, is_other if not named else not is_other and self.state.player != ""

    def _ground(self, wanted: set[str], mentions: Sequence[Mention]) -> Mention | None:
        """Return the places with a ground, those beside what was mentioned first."""
        state = self.state
        declared = (terms for layer in state.graph.layers for phrase, terms in layer.see if {*stems(phrase)} == wanted)
        phrases = [wanted, *({*stems(term)} for terms in declared for term in terms)]
        found = list[int]()
        for place in state.board.index.values():
            features = ground_text(state, place), *state.board.features[place]
            ground = {*stems(" ".join(features).replace("_", " "))}
            if any(each and each <= ground for each in phrases):
                found.append(place)
        starts = {state.hex[piece] for mention in mentions for piece in mention.pieces[:1]}
        starts |= {place for mention in mentions for place in mention.places[:1]}
        found.sort(key=lambda place: (place in starts, starts.isdisjoint(state.board.beside[place])))
        return Mention(places=tuple(found)) if found else None

    def _titles(self, piece: int) -> str:
        """Return the titles of a piece: those of its counter and its kind, and its nicknames."""
        rules, sheet = self.state.graph, self.state.sheets[piece]
        nicknames = rules.counters[sheet.counter].nicknames if sheet.counter in rules.counters else ()
        titles = counter(sheet.counter, rules.counters), kind(sheet.kind, rules.vocabulary)
        return " ".join((*titles, sheet.counter.replace("_", " "), *nicknames))

    def _traits(self, piece: int) -> str:
        """Return the traits and statuses of a piece, and its side."""
        vocabulary, sheet = self.state.graph.vocabulary, self.state.sheets[piece]
        traits = (flag(sheet.kind, trait, vocabulary) for trait in sheet.traits)
        side = member("side", self.state.side[piece], vocabulary) if self.state.side[piece] else ""
        return " ".join((side, *traits, *piece_marks(self.state, piece)))


def _stems(written: Sequence[str]) -> set[str]:
    """Return the stems of words."""
    return {part for word in written for part in stems(word)}


def _letters(name: str) -> str:
    """Return a name without what separates its parts."""
    return re.sub(r"[\s._-]", "", name).lower()


def names_text(state: State) -> str:
    """Return the names of the pieces of a state, of many the first."""
    names = [sheet.name for sheet in state.sheets]
    if not names:
        return "The position has no pieces."
    listed = names if len(names) <= _MOST_NAMES else [*names[:_MOST_NAMES], f"{len(names) - _MOST_NAMES} more"]
    return f"Its pieces are {list_text(listed)}."
