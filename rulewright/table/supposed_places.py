"""Plain words that suppose a piece elsewhere: *if T were in B, could it fire at P*, *what could T see from B*.

In: a state, and a query. Out: a `SupposedState`: the state with the piece there, the query without these words, and a
sentence that says so.
"""

import re
from typing import NamedTuple

from rulewright.table.lexicon import WORDS
from rulewright.table.names_in_words import NamesInWords, related_pieces
from rulewright.table.plain_query import PlainQuery
from rulewright.table.query_parser import parse_query
from runtime.graph import words
from runtime.state import change
from runtime.state.position import State

_IN = "|".join(sorted(WORDS["location"]))
_NAME = rf"(?:the\s+)?(?!(?:{_IN})\s)(?P<{{}}>[\w.-]+)"
# *If T were in B,*, at the end of a question as well; *with T in B*, at its beginning.
_SUPPOSED = re.compile(
    rf",?\s*(?:(?:\b(?:if|when|while|suppos(?:e|ing)|assuming)\s+(?:that\s+)?{_NAME.format('piece')}"
    rf"\s+(?:is|was|were|stands|stood))|^with\s+{_NAME.format('other')})\s+(?:{_IN})\s+{_NAME.format('place')}(?!\w),?\s*",
    re.IGNORECASE,
)
_FROM = re.compile(rf"\s+from\s+{_NAME.format('place')}(?!\w)", re.IGNORECASE)
_THERE = re.compile(rf"\s+(?:{_IN})\s+{_NAME.format('place')}(?!\w)", re.IGNORECASE)
# Matches overlap: *fire at P in B*.
_PIECE_THERE = re.compile(
    rf"(?<![\w.-])(?={_NAME.format('piece')}\s+(?:{_IN})\s+{_NAME.format('place')}(?!\w))", re.IGNORECASE
)
_PRONOUN = re.compile(r"\b(?:it|he|she|they)\b", re.IGNORECASE)


class SupposedState(NamedTuple):
    """A state in which pieces are where a query supposes them, the query without that, and a sentence about it.

    The state is the given one if the query supposes nothing or what is so; the sentence then is "", or says where a
    piece is that it names with another place.
    """

    state: State
    text: str
    sentence: str = ""


def supposed_clause(text: str) -> str:
    """Return the clause at the beginning of a text that supposes a piece in a place; "" if there is none."""
    found = _SUPPOSED.match(text)
    return found[0] if found else ""


def suppose_places(state: State, text: str) -> SupposedState:
    """Return what a query supposes about the place of its first piece, or of the one that a clause names."""
    if found := _SUPPOSED.search(text):
        return _by_clause(state, text, found)
    for found in _FROM.finditer(text):
        rest = _without(text, found)
        query, place = parse_query(state, rest), state.board.index.get(found["place"], -1)
        if _are_on_map(state, query) and place >= 0 and _acts_from(state, query, place):
            return _supposed_state(state, rest, query.mentions[0].names, place)
    for found in _THERE.finditer(text):
        rest = _without(text, found)
        query, place = parse_query(state, rest), state.board.index.get(found["place"], -1)
        if _are_on_map(state, query) and place >= 0 and query.may_be_passive and not query.destinations:
            return _supposed_state(state, rest, query.mentions[0].names, place)
    # *Is there room for R in B* is no mistake about where R is.
    for found in () if parse_query(state, text).asks_capacity else _PIECE_THERE.finditer(text):
        if supposed := _target_elsewhere(state, text, found):
            return supposed
    return SupposedState(state, text)


def _target_elsewhere(state: State, text: str, found: re.Match[str]) -> SupposedState | None:
    """Return what *hit P in B* supposes of a foe P elsewhere, and of another piece a sentence about where it is.

    *Drop R in B*, of a friend, is about a place where R gets.
    """
    known, place = NamesInWords(state), state.board.index.get(found["place"], -1)
    name = found["piece"]  # *The rifle in B* is the one there.
    at = next((state.hex[piece] for piece, sheet in enumerate(state.sheets) if sheet.name == name), -1)
    if at < 0 or place in (-1, at):
        return None
    rest = f"{text[: found.end('piece')]} {text[found.end('place') :]}".strip()
    query = parse_query(state, rest)
    agent_side = known.side(query.mentions[0].names[0]) if query.mentions else ""
    if known.side(name) != agent_side and agent_side and query.mentions[0].is_subject:
        return _supposed_state(state, rest, (name,), place)
    return SupposedState(state, text, f"{name} is in {state.board.names[at]}, and not in {found['place']}.")


def _without(text: str, found: re.Match[str]) -> str:
    return f"{text[: found.start()]} {text[found.end() :]}".strip(" ,")


def _by_clause(state: State, text: str, found: re.Match[str]) -> SupposedState:
    """Return the supposition of a clause; a pronoun in it is the last piece before it, one elsewhere that piece."""
    before, named = parse_query(state, text[: found.start()]), found["piece"] or found["other"]
    names = [state.sheets[each].name for each in before.pieces]
    name = names[-1] if names and _PRONOUN.fullmatch(named) else NamesInWords(state).exact(named)
    place = state.board.index.get(found["place"], -1)
    on_map = {sheet.name for piece, sheet in enumerate(state.sheets) if state.hex[piece] >= 0}
    pieces = {sheet.name: piece for piece, sheet in enumerate(state.sheets)}
    other = pieces.get(NamesInWords(state).exact(found["place"]), -1)
    # *While it is in* a fort where it is.
    is_beside = place < 0 <= other and name in on_map and state.hex[pieces[name]] == state.hex[other]
    if not is_beside and (place < 0 or name not in on_map):
        return SupposedState(state, text)
    rest = _without(text, found)
    if place < 0:
        return SupposedState(state, rest)
    return _supposed_state(state, rest if names else _PRONOUN.sub(name, rest), (name,), place)


def _are_on_map(state: State, query: PlainQuery) -> bool:
    return bool(query.pieces) and all(state.hex[each] >= 0 for each in query.pieces)


def _acts_from(state: State, query: PlainQuery, place: int) -> bool:
    """Return whether the first pieces of a query act from a place, where they are or nothing else is that it names.

    *Load G from A* may be about the place of G, and *leave A* or *is T out of range from A* about two things.
    """
    agents = query.mentions[0].names if query.mentions else ()
    pieces = {state.sheets[each].name: each for each in query.pieces}
    if not agents or not pieces.keys() >= {*agents} or query.may_be_passive or query.asks_state:
        return False
    are_there = all(state.hex[pieces[each]] == place for each in agents)
    others = (piece for name, piece in pieces.items() if name not in agents)
    is_free = all(state.hex[each] != place for each in others)
    return (are_there or is_free) and (query.has("permission") or not query.has("departure", "distance"))


def _supposed_state(state: State, text: str, names: tuple[str, ...], place: int) -> SupposedState:
    """Return a state with pieces of the map in a place, together with what is tied to them and where they are."""
    moved = [piece for piece, sheet in enumerate(state.sheets) if sheet.name in names and state.hex[piece] != place]
    if not moved:
        return SupposedState(state, text)
    spaces = words.list_text([*dict.fromkeys(state.board.names[state.hex[each]] for each in moved)])
    supposed = state.copy()
    tied = [other for each in moved for other in related_pieces(state, each) if state.hex[other] == state.hex[each]]
    for each in dict.fromkeys((*moved, *tied)):
        change.move(supposed, each, place)
    listed = words.list_text([state.sheets[each].name for each in moved])
    are_there = f"{listed} {'is' if len(moved) == 1 else 'are'} in {state.board.names[place]}"
    beside = [state.sheets[each].name for each in dict.fromkeys(tied) if each not in moved]
    with_it = f" with {words.list_text(beside)}" if beside else ""
    sentence = f"This supposes that {are_there}{with_it}, and not in {spaces}; the way there is not taken into account."
    return SupposedState(supposed, text, sentence)
