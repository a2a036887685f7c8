"""Retrieval of printed rules and rulings that concern a situation, by examples and by words.

The questions of an action lead to the rules that decide it (printed_rules.py). Some rulings concern the situation
although no question asks the rule that they clarify: that infantry on a block may close assault clarifies the effect
of a block on movement. These are retrieved by their examples (precedents.py), and by words as in a text search: the
action, the counters and their statuses, the ground, the paths and sides, and the other pieces.

In: a graph, a state and a question. Out: labels of rules and rulings, best first.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from compiler.layered.citations import HOUSE
from compiler.rulebook.index.index_row import IndexRow
from compiler.rulebook.index.ranking import SearchIndex
from compiler.rulebook.index.stems import split_tokens, stem
from rulewright.table.option_lines import ground_text, piece_marks
from rulewright.table.precedents import ExampleIndex
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.state.position import State

RULE, RULING = "Rule", "Ruling"
# The number of cached indexes.
KEPT = 8
# Reciprocal rank fusion (Cormack, Clarke, Buettcher, 2009): the score of a rank is 1 / (SMOOTHING + rank). Results by
# words have this fraction of the weight of those by examples, as the words of a counter occur in many rules.
SMOOTHING, WORDS = 8, 0.5


class RelatedIndex:
    """An index of the texts and examples of the printed rules and rulings of one graph."""

    def __init__(self, rules: graph.Graph) -> None:
        """Index the rules and rulings with a text."""
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
        rows = (*rulings, *printed)
        synonyms = tuple((phrase, term) for layer in rules.layers for phrase, terms in layer.see for term in terms)
        # A rule that a ruling contains has the label of the ruling.
        self.sorts = {row.address: row.sort for row in reversed(rows)}
        self.texts = SearchIndex(rows, synonyms)
        self.examples = ExampleIndex(rules)

    def find(self, situation: str, features: Iterable[str]) -> list[tuple[str, str]]:
        """Return the rules and rulings that concern a situation as (kind, label), best first."""
        # A word that occurs in no rule, such as the name of a counter, is not treated as misspelled.
        known = " ".join(token for token in split_tokens(situation) if stem(token) in self.texts.postings)
        text_labels = [place.head.address for place in self.texts.find(known)]
        example_labels = [label for label in self.examples.ranked_labels(features) if label in self.sorts]
        scores: dict[str, float] = defaultdict(float)
        for share, labels in ((WORDS, text_labels), (1, example_labels)):
            for sort in (RULE, RULING):
                for index, label in enumerate(each for each in labels if self.sorts[each] == sort):
                    scores[label] += share / (SMOOTHING + index)
        return [(self.sorts[label], label) for label in sorted(scores, key=lambda label: (-scores[label], label))]


_kept: dict[str, RelatedIndex] = {}


def related_rules(rules: graph.Graph, situation: str, features: Iterable[str]) -> list[tuple[str, str]]:
    """Return the rules and rulings that concern a situation as (kind, label), best first, by a cached index."""
    index = _kept.pop(rules.hash, None) or RelatedIndex(rules)
    _kept[rules.hash] = index  # Ordered by last use.
    while len(_kept) > KEPT:
        del _kept[next(iter(_kept))]
    return index.find(situation, features)


# The least number of pieces in one place that is a stack.
SEVERAL = 3
STACK = "stack"


def situation_words(state: State, action_text: str, pieces: Sequence[int], places: Sequence[int]) -> str:
    """Describe a situation by the words of rules: the action, the pieces, and their places.

    `places` are those of the pieces, and the place in question.
    """
    kinds = {state.kind[each] for each in pieces}
    found = [action_text]
    for piece in pieces:
        found += _piece_words(state, piece)
    for place in dict.fromkeys(places):
        found += _place_words(state, place, kinds)
    board = state.board
    for first, second in pairwise(places):
        if second in board.beside[first]:
            side = board.side(first, second)
            found += [words.flag("hexside", each, state.graph.vocabulary) for each in sorted(board.side_features(side))]
    return ". ".join(dict.fromkeys(filter(None, found)))


def _piece_words(state: State, piece: int) -> Iterator[str]:
    """Yield the words for a piece: its counter, its place within the hex, its marks and its relations.

    Its traits are omitted: each occurs in many rules, few of which concern the situation.
    """
    sheet = state.sheets[piece]
    yield words.counter(sheet.counter, state.graph.counters) if sheet.counter else words.readable_name(sheet.kind)
    if state.place[piece] != "open":
        yield words.flag(sheet.kind, state.place[piece], state.graph.vocabulary)
    yield from piece_marks(state, piece)
    for relation in state.graph.vocabulary.relations:
        if state.partners(relation, "right", piece) or state.partners(relation, "left", piece):
            yield words.readable_name(relation)


def _place_words(state: State, place: int, kinds: set[str]) -> Iterator[str]:
    """Yield the words for a place: ground, paths, and pieces other than those of some kinds."""
    yield ground_text(state, place)
    yield from (
        words.flag("path", path, state.graph.vocabulary)
        for path, places in sorted(state.board.path_hexes.items())
        if place in places
    )
    pieces = state.at.get(place, ())
    others = [each for each in pieces if state.kind[each] not in kinds]
    yield from sorted({words.readable_name(state.kind[each]) for each in others})
    counters = sorted({state.sheets[each].counter for each in others} - {""})
    yield from (words.counter(each, state.graph.counters) for each in counters)
    if len(pieces) >= SEVERAL:
        yield STACK
