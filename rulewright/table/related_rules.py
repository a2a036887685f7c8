"""Printed rules and official answers that speak of a situation, found by examples and by words.

What an action asks leads to the rules that decide it (printed_rules.py). Some official answers speak of the situation
and no question asks the rule that they clarify: that infantry on a block may close assault clarifies what a block does
to movement. These are found by the examples behind them (precedents.py), and as a reader finds them, by words: the
action, the counters and their statuses, the ground, the paths and sides, and what else stands there.

In: a graph, a state, and what was asked. Out: labels of rules and rulings, the best first.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from compiler.rulebook.index.index_row import IndexRow
from compiler.rulebook.index.ranking import SearchIndex
from compiler.rulebook.index.stems import split_tokens, stem
from rulewright.table.option_lines import ground_text, piece_marks
from rulewright.table.precedents import ExampleIndex
from rulewright.table.preview_lines import HOUSE
from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.state.position import State

RULE, RULING = "Rule", "Ruling"
# Indexes of this many sets of rules are kept.
KEPT = 8
# Reciprocal rank fusion (Cormack, Clarke, Buettcher, 2009): a place in a list is worth 1 / (SMOOTHING + place), and
# what words lead to this much of what examples lead to, as the words of a counter are those of many rules.
SMOOTHING, WORDS = 8, 0.5


class RelatedIndex:
    """The words of printed rules and official answers of one set of rules, and the examples behind them."""

    def __init__(self, rules: graph.Graph) -> None:
        """Index what has a text."""
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
        synonyms = tuple((said, one) for layer in rules.layers for said, meant in layer.see for one in meant)
        # What a ruling states itself is a rule of the same label.
        self.sorts = {row.address: row.sort for row in reversed(rows)}
        self.texts = SearchIndex(rows, synonyms)
        self.examples = ExampleIndex(rules)

    def find(self, situation: str, features: Iterable[str]) -> list[tuple[str, str]]:
        """List rules and rulings that speak of a situation: which of the two each is, and its label."""
        # A word that no rule says, as the name of a counter, is no misspelled one.
        known = " ".join(token for token in split_tokens(situation) if stem(token) in self.texts.postings)
        said = [place.head.address for place in self.texts.find(known)]
        shown = [label for label in self.examples.ranked_labels(features) if label in self.sorts]
        worth: dict[str, float] = defaultdict(float)
        for share, labels in ((WORDS, said), (1, shown)):
            for sort in (RULE, RULING):
                for place, label in enumerate(each for each in labels if self.sorts[each] == sort):
                    worth[label] += share / (SMOOTHING + place)
        return [(self.sorts[label], label) for label in sorted(worth, key=lambda label: (-worth[label], label))]


_kept: dict[str, RelatedIndex] = {}


def related_rules(rules: graph.Graph, situation: str, features: Iterable[str]) -> list[tuple[str, str]]:
    """List rules and rulings that speak of a situation, the best first: which of the two each is, and its label."""
    index = _kept.pop(rules.hash, None) or RelatedIndex(rules)
    _kept[rules.hash] = index  # What was asked last stands last.
    while len(_kept) > KEPT:
        del _kept[next(iter(_kept))]
    return index.find(situation, features)


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
    yield words.counter(sheet.counter, state.graph.counters) if sheet.counter else words.readable_name(sheet.kind)
    if state.place[piece] != "open":
        yield words.flag(sheet.kind, state.place[piece], state.graph.vocabulary)
    yield from piece_marks(state, piece)
    for relation in state.graph.vocabulary.relations:
        if state.partners(relation, "right", piece) or state.partners(relation, "left", piece):
            yield words.readable_name(relation)


def _place_words(state: State, place: int, kinds: set[str]) -> Iterator[str]:
    """Name the ground, the paths, and what stands there besides pieces of some kinds."""
    yield ground_text(state, place)
    yield from (
        words.flag("path", path, state.graph.vocabulary)
        for path, places in sorted(state.board.path_hexes.items())
        if place in places
    )
    here = state.at.get(place, ())
    others = [each for each in here if state.kind[each] not in kinds]
    yield from sorted({words.readable_name(state.kind[each]) for each in others})
    counters = sorted({state.sheets[each].counter for each in others} - {""})
    yield from (words.counter(each, state.graph.counters) for each in counters)
    if len(here) >= SEVERAL:
        yield STACK
