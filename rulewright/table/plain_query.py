"""Plain words about a position, parsed: the pieces and places that they name, and the words that are left.

In: a state, and words of a player: `why may T not enter B`. Out: a `PlainQuery`.
"""

from typing import NamedTuple, cast

from compiler.rulebook.index.stems import STOP_WORDS, split_tokens, stem, stems
from runtime.graph import nodes as graph
from runtime.graph.words import counter
from runtime.play.word_binding import values_named
from runtime.state.position import State

HEX_NOUNS = ("hex", "space")
# Words before where something goes.
DESTINATION_PREPOSITIONS = {"aboard", "in", "into", "on", "onto"}
# Words of questions that are not about what is allowed.
QUESTION_WORDS = {"how", "what", "when", "where", "which", "who"}
PERMISSION_WORDS = {"allowed", "can", "cannot", "cant", "could", "may", "must", "why"}
# Words before what is acted on.
TARGET_PREPOSITIONS = {"against", "at", "on", "over"}
# Words between a piece and its place.
LOCATION_PREPOSITIONS = {"at", "in", "on"}
# Words of a question that name no topic, but may in a search of the book.
NO_TOPICS = {"choices", "many", "much", "option", "options", "why"}
# First words of questions about what is so, not about what is allowed.
STATE_WORDS = {"are", "has", "have", "is", "was", "were"}
DISTANCE_WORDS = ("away", "distance", "far", "range")


class PlainQuery(NamedTuple):
    """What a query names: pieces and places of a state, in the order of the query; its other words, and their stems.

    `topics` are the stems without those of kinds of pieces and of hexes, unless there are no others: *unit* and *hex*
    are words of most actions and questions. `question` is its question word other than *why*, "" if it has none.
    `asks_permission`: it asks what is allowed, or why not; `asks_state`: whether something is so. `before_last` is the
    word before the last piece. `all_stems` are those of all other words, also of words without a topic: *make*.
    """

    pieces: tuple[int, ...]
    places: tuple[int, ...]
    names: tuple[str, ...]
    words: tuple[str, ...]
    stems: tuple[str, ...]
    topics: frozenset[str]
    question: str
    asks_permission: bool
    asks_state: bool
    before_last: str
    all_stems: frozenset[str]

    @property
    def ends_with_agent(self) -> bool:
        """Return whether the last piece is who acts: *is T spotted by P*."""
        return self.before_last == "by"

    @property
    def ends_with_place(self) -> bool:
        """Return whether the last piece is where something goes: *load R onto T*."""
        return self.before_last in DESTINATION_PREPOSITIONS

    @property
    def ends_with_target(self) -> bool:
        """Return whether the last piece is acted on: *who may fire at P*."""
        return self.before_last in TARGET_PREPOSITIONS

    @property
    def is_about_one_piece(self) -> bool:
        """Return whether the query names one piece, and no place."""
        return len(self.names) == len(self.pieces) == 1

    @property
    def asks_distance(self) -> bool:
        """Return whether the query has a word for a distance."""
        return not {*map(stem, DISTANCE_WORDS)}.isdisjoint(self.stems)

    def has_all_words_of(self, *phrases: str) -> bool:
        """Return whether the topics of the query have all words of one of these phrases that are no stop words."""
        return any(found and found <= self.topics for found in ({*stems(phrase)} for phrase in phrases))


def parse_query(state: State, text: str) -> PlainQuery:
    """Find the pieces and places that a query names.

    Case counts in stop words and single letters: *a* is an article, *A* may be a hex.
    """
    pieces: list[int] = []
    places: list[int] = []
    names: list[str] = []
    rest: list[str] = []
    before_last, previous = "", ""
    exact = {*state.board.index, *(sheet.name for sheet in state.sheets)}
    left = [each.strip("?!.,;:\"'`“”").removesuffix("'s").removesuffix("’s") for each in text.split()]
    while left:
        word = left.pop(0)
        if word not in exact and (piece := _piece_in(state, word, left)) is not None:
            word = state.sheets[piece].name
            del left[:2]
        is_name = word in exact or (len(word) > 1 and word.lower() not in STOP_WORDS)
        named_pieces = cast("list[int]", values_named(state, graph.Piece(()), word) if is_name else [])
        named_places = cast("list[int]", values_named(state, graph.Hex(), word) if is_name else [])
        if len(named_pieces) == 1:
            pieces += named_pieces
            names.append(state.sheets[named_pieces[0]].name)
            before_last = previous
        elif named_places and not named_pieces:
            places += named_places[:1]
            names.append(state.board.names[named_places[0]])
        else:
            rest.append(word)
        previous = word
    tokens = split_tokens(" ".join(rest))
    other_words = tuple(dict.fromkeys(token for token in tokens if token not in {*STOP_WORDS, *NO_TOPICS}))
    stemmed = tuple(dict.fromkeys(map(stem, other_words)))
    topics = {*stemmed}.difference(stems(" ".join((*state.graph.vocabulary.kinds, *HEX_NOUNS))))
    return PlainQuery(
        tuple(dict.fromkeys(pieces)), tuple(dict.fromkeys(places)), tuple(dict.fromkeys(names)), other_words, stemmed,
        frozenset(topics or stemmed), next((each for each in tokens if each in QUESTION_WORDS), ""),
        not PERMISSION_WORDS.isdisjoint(tokens), tokens[:1] != [] and tokens[0] in STATE_WORDS, before_last,
        frozenset(map(stem, tokens)),
    )  # fmt: skip


def _piece_in(state: State, word: str, following: list[str]) -> int | None:
    """Return the only piece that a word and the next two mean, a place among them: *truck in D*; None if there is none.

    The word is one of the title of its counter.
    """
    if len(following) < 2 or following[0] not in LOCATION_PREPOSITIONS or following[1] not in state.board.index:
        return None
    space, counters = state.board.index[following[1]], state.graph.counters
    found = [
        piece
        for piece, sheet in enumerate(state.sheets)
        if state.hex[piece] == space and stem(word.lower()) in stems(counter(sheet.counter or sheet.kind, counters))
    ]
    return found[0] if len(found) == 1 else None
