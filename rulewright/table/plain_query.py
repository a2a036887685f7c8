"""Plain words about a position, parsed: the pieces and places that they name, and the words that are left.

In: a state, and words of a player: `why may T not enter B`. Out: a `PlainQuery`.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from compiler.rulebook.index.stems import STOP_WORDS, split_tokens, stem, stems
from runtime.graph import nodes as graph
from runtime.graph.words import counter, flag, kind
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
NO_TOPICS = {"against", "choices", "many", "much", "option", "options", "then", "together", "turn", "why"}
# Words that say which way; alone they name no action.
DIRECTIONS = frozenset({"away", "down", "into", "off", "out", "over", "through", "up"})
# First words of questions about what is so, not about what is allowed.
STATE_WORDS = {"are", "has", "have", "is", "was", "were"}
DISTANCE_WORDS = ("away", "distance", "far", "range")
# Words of questions about the results of an attack.
CHANCE_WORDS = ("chance", "likelihood", "likely", "odds", "probability")
# Words before what others do in the meantime.
MEANWHILE = {"as", "when", "while"}
# Words between names that are meant together.
JOINING_WORDS = {",", "and", "or", "plus", "the", "with"}
# What one does after another, in either order.
_THEN = re.compile(r",?\s+(?:and\s+)?then\s+|\s+before\s+(?=\w+ing\b)", re.IGNORECASE)
_AND = re.compile(r",?\s+and\s+(\w+)", re.IGNORECASE)
_AFTER = re.compile(r"\s+after\s+(?=\w+ing\b)", re.IGNORECASE)


class PlainQuery(NamedTuple):
    """What a query names: pieces and places of a state, in the order of the query; its other words, and their stems.

    `topics` are the stems without those of kinds of pieces and of hexes, unless there are no others: *unit* and *hex*
    are words of most actions and questions. `question` is its question word other than *why*, "" if it has none.
    `asks_permission`: it asks what is allowed, or why not; `asks_state`: whether something is so. `before_last` is the
    word before the last piece. `all_stems` are those of all words, also of names and words without a topic: *make*.
    `groups` are the names, those of one side that are meant together in one group: *T and H*. `is_meanwhile`: it asks
    what one does as another acts.
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
    groups: tuple[tuple[str, ...], ...]
    is_meanwhile: bool

    @property
    def ends_with_agent(self) -> bool:
        """Return whether the last piece is who acts: *is T spotted by P*."""
        return self.before_last == "by"

    @property
    def ends_with_place(self) -> bool:
        """Return whether the last piece is where something goes: *load R onto T*."""
        return self.before_last in DESTINATION_PREPOSITIONS

    @property
    def asks_agent(self) -> bool:
        """Return whether it asks who acts on the only piece: *who may fire at P*."""
        return self.question in {"what", "which", "who"} and self.is_about_one_piece and self.ends_with_target

    @property
    def ends_with_target(self) -> bool:
        """Return whether the last piece is acted on: *the strength of T against P*."""
        return self.before_last in TARGET_PREPOSITIONS

    @property
    def is_about_one_piece(self) -> bool:
        """Return whether the query names one piece, and no place."""
        return len(self.names) == len(self.pieces) == 1

    @property
    def asks_distance(self) -> bool:
        """Return whether the query has a word for a distance."""
        return not {*map(stem, DISTANCE_WORDS)}.isdisjoint(self.stems)

    @property
    def asks_chances(self) -> bool:
        """Return whether the query has a word for the chances of an attack."""
        return not {*map(stem, CHANCE_WORDS)}.isdisjoint(self.stems)

    def has_all_words_of(self, *phrases: str) -> bool:
        """Return whether the topics of the query have all words of one of these phrases that are no stop words."""
        return any(found and found <= self.topics for found in ({*stems(phrase)} for phrase in phrases))


def successive_queries(state: State, text: str, names_action: Callable[[PlainQuery], bool]) -> list[str]:
    """Return the parts of a query about acts one after the other, in their order: *fire at P and then move*."""
    if len(parts := _AFTER.split(text, 1)) > 1:
        later, first = parts
        named = [] if parse_query(state, first).names else parse_query(state, later).names[:1]
        return [" ".join((*named, first)), later]
    if len(parts := _THEN.split(text, 1)) > 1:
        return parts
    for link in _AND.finditer(text):
        first, later = parse_query(state, text[: link.start()]), parse_query(state, link[1])
        if first.names and not later.names and names_action(first) and names_action(later):
            return [text[: link.start()], text[link.start(1) :]]
    return [text]


def parse_query(state: State, text: str) -> PlainQuery:
    """Find the pieces and places that a query names.

    Case counts in stop words and single letters: *a* is an article, *A* may be a hex.
    """
    pieces = {sheet.name: piece for piece, sheet in enumerate(state.sheets)}
    groups: list[list[str]] = []
    rest: list[str] = []
    between: list[str] = []
    before_last, previous = "", ""
    left = [each.strip("?!.;:\"'`“”").removesuffix("'s").removesuffix("’s") for each in text.split()]
    while left:
        word, comma = left[0].rstrip(","), left.pop(0).endswith(",")
        is_exact = word in pieces or word in state.board.index
        is_placed = len(left) > 1 and left[0] in LOCATION_PREPOSITIONS and left[1] in state.board.index
        name = ""
        if is_placed and not is_exact and (name := _described_name(state, word, left[1])):
            del left[:2]  # *Truck in D*
        if not name and (is_exact or (len(word) > 1 and word.lower() not in STOP_WORDS)):
            name = _only_name(state, word)
        if not name and previous == "the" and (name := _described_name(state, word)):
            rest.append(word)  # *The minefield* may be a word of an action, too.
        if not name:
            rest.append(word)
            between.append(word)
        elif groups and between and JOINING_WORDS.issuperset(between) and _are_alike(state, groups[-1][0], name):
            groups[-1].append(name)
        else:
            groups.append([name])
        if name:
            between = [","] if comma else []
            before_last = previous if name in pieces else before_last
        previous = word
    tokens = split_tokens(" ".join(rest))
    other_words = tuple(dict.fromkeys(token for token in tokens if token not in {*STOP_WORDS, *NO_TOPICS}))
    stemmed = tuple(dict.fromkeys(map(stem, other_words)))
    # What others do in the meantime is no topic, but may be a word of a reaction: *as it moves*.
    meanwhile = next((place for place, token in enumerate(tokens) if place and token in MEANWHILE), len(tokens))
    no_topics = {*stems(" ".join((*state.graph.vocabulary.kinds, *HEX_NOUNS)))}
    topics = {each for each in stemmed if each in map(stem, tokens[:meanwhile])} - no_topics
    names = tuple(dict.fromkeys(name for group in groups for name in group))
    named_pieces = tuple(pieces[name] for name in names if name in pieces)
    named_words = " ".join((*names, *(_piece_words(state, piece) for piece in named_pieces)))
    named_places = tuple(state.board.index[each] for each in names if each not in pieces)
    return PlainQuery(
        named_pieces, named_places, names, other_words, stemmed,
        frozenset(topics or stemmed), next((each for each in tokens if each in QUESTION_WORDS), ""),
        not PERMISSION_WORDS.isdisjoint(tokens), tokens[:1] != [] and tokens[0] in STATE_WORDS, before_last,
        frozenset(map(stem, (*tokens, *split_tokens(named_words)))), tuple(map(tuple, groups)),
        meanwhile < len(tokens),
    )  # fmt: skip


def _only_name(state: State, word: str) -> str:
    """Return the name of the only piece that a word denotes, otherwise of a place; "" if there is none."""
    pieces, places = values_named(state, graph.Piece(()), word), values_named(state, graph.Hex(), word)
    if len(pieces) == 1:
        return state.sheets[pieces[0]].name
    return state.board.names[places[0]] if places and not pieces else ""


def _are_alike(state: State, name: str, other: str) -> bool:
    """Return whether two names are both of places, or of pieces of one side."""
    sides = {sheet.name: state.side[piece] for piece, sheet in enumerate(state.sheets)}
    return sides.get(name) == sides.get(other)


def _piece_words(state: State, piece: int) -> str:
    """Return the words for a piece: the title of its counter, and its kind."""
    sheet = state.sheets[piece]
    return f"{counter(sheet.counter, state.graph.counters)} {kind(sheet.kind, state.graph.vocabulary)}"


def _described_name(state: State, word: str, space: str = "") -> str:
    """Return the name of the only piece on the map whose counter, kind or trait has a word, in a space if given."""

    def words_of(piece: int) -> str:
        sheet = state.sheets[piece]
        traits = (flag(sheet.kind, trait, state.graph.vocabulary) for trait in sheet.traits)
        return " ".join((_piece_words(state, piece), *traits))

    at = state.at.get(state.board.index[space], ()) if space else range(len(state.sheets))
    found = [each for each in at if state.hex[each] >= 0 and stem(word.lower()) in stems(words_of(each))]
    return state.sheets[found[0]].name if len(found) == 1 else ""
