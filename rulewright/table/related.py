"""Printed rules and official answers that speak of a situation, found by its words.

What an action asks leads to the rules that decide it (grounds.py). Some official answers speak of the situation and no
question asks the rule that they clarify: that infantry on a block may close assault clarifies what a block does to
movement. These are found as a reader finds them, by words: the action, the counters and their statuses, the
ground, the paths and sides, and what else stands there.

In: a graph, a state, and what was asked. Out: labels of rules and rulings, the best first.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from compiler.rulebook.index.found import IndexRow
from compiler.rulebook.index.ranking import SearchIndex
from compiler.rulebook.index.stems import stem, tokens
from rulewright.table.offering import ground, marks
from rulewright.table.sheet import HOUSE
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.state.position import State

RULE, RULING = "Rule", "Ruling"


class HashedGraph:
    """A graph as a key: two with one hash are the same."""

    def __init__(self, rules: graph.Graph) -> None:
        """Keep the graph."""
        self.rules = rules

    def __hash__(self) -> int:
        """Hash the graph's own hash."""
        return hash(self.rules.hash)

    def __eq__(self, other: object) -> bool:
        """Compare hashes."""
        return isinstance(other, HashedGraph) and self.rules.hash == other.rules.hash


@lru_cache(maxsize=8)
def _index(key: HashedGraph) -> SearchIndex:
    """Index the sentences of printed rules, and official questions with their answers."""
    rules = key.rules
    rulings = (
        IndexRow(RULING, "", "", each.label, f"{each.asks} {each.answers}")
        for each in rules.rulings.values()
        if each.asks
    )
    printed = (
        IndexRow(RULE, "", "", each.label, each.prose)
        for each in rules.rules.values()
        if each.prose and {*each.cites} - {HOUSE}
    )
    synonyms = tuple((said, one) for layer in rules.layers for said, meant in layer.see for one in meant)
    return SearchIndex((*rulings, *printed), synonyms)


def related(rules: graph.Graph, situation: str) -> list[tuple[str, str]]:
    """List rules and rulings that speak of a situation: which of the two each is, and its label."""
    index = _index(HashedGraph(rules))
    # A word that no rule says, as the name of a counter, is no misspelled one.
    known = [token for token in tokens(situation) if stem(token) in index.postings]
    return [(place.head.sort, place.head.address) for place in index.find(" ".join(known))]


# So many pieces in one place are a stack.
SEVERAL = 3
STACK = "stack"


def situation_words(state: State, doing: str, pieces: Sequence[int], places: Sequence[int]) -> str:
    """Describe a situation by the words that rules use: what is done, by and to whom, and where.

    `places` are those of the pieces, and the one that is asked about.
    """
    kinds = {state.kind[each] for each in pieces}
    found = [doing]
    for piece in pieces:
        found += _piece_words(state, piece)
    for place in dict.fromkeys(places):
        found += _place_words(state, place, kinds)
    board = state.board
    for one, other in pairwise(places):
        if other in board.beside[one]:
            side = board.side(one, other)
            found += [words.flag("hexside", each, state.graph.vocabulary) for each in sorted(board.side_features(side))]
    return ". ".join(dict.fromkeys(filter(None, found)))


def _piece_words(state: State, piece: int) -> Iterator[str]:
    """Name a piece, where in its place it stands, its statuses, and to what it is tied.

    Its traits are left out: many rules speak of each, and few of them are about what is special here.
    """
    sheet = state.sheets[piece]
    yield words.counter(sheet.counter, state.graph.counters) if sheet.counter else words.spaced(sheet.kind)
    if state.place[piece] != "open":
        yield words.flag(sheet.kind, state.place[piece], state.graph.vocabulary)
    yield from marks(state, piece)
    for relation in state.graph.vocabulary.relations:
        if state.partners(relation, "right", piece) or state.partners(relation, "left", piece):
            yield words.spaced(relation)


def _place_words(state: State, place: int, kinds: set[str]) -> Iterator[str]:
    """Name the ground, the paths, and what stands there besides pieces of some kinds."""
    yield ground(state, place)
    yield from (
        words.flag("path", path, state.graph.vocabulary)
        for path, places in sorted(state.board.path_hexes.items())
        if place in places
    )
    here = state.at.get(place, ())
    others = [each for each in here if state.kind[each] not in kinds]
    yield from sorted({words.spaced(state.kind[each]) for each in others})
    counters = sorted({state.sheets[each].counter for each in others} - {""})
    yield from (words.counter(each, state.graph.counters) for each in counters)
    if len(here) >= SEVERAL:
        yield STACK
