"""Rules and rulings whose examples resemble a situation, by the features of their positions.

Case-based retrieval (Kolodner, *Case-Based Reasoning*, 1993): the examples that stand behind a rule or a ruling show in
which situations it matters. An example and a situation are sets of features: the kinds, counters, statuses and places
of pieces, the ground, the sides and paths, the pairs, the questions that are asked, the words that these name. A
feature weighs the more, the fewer rules have it in their examples.

In: a graph, and the features of a situation. Out: labels of rules and rulings, the best first.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from runtime.answer.explain import Explanation
from runtime.graph import nodes as graph
from runtime.graph.type_of import SIDE
from runtime.graph.walk import walk
from runtime.state.position import State

# What an example has and the situation has not counts against it, by this share of its weight.
MISSING = 0.35
# A crowd is told from a pair; beyond this number, crowds are alike.
CROWD = 4
OPEN = "open"


class ExampleIndex:
    """The features of the examples of each rule and ruling of one graph."""

    def __init__(self, rules: graph.Graph) -> None:
        """Look at all examples."""
        self.labels: list[str] = []
        self.postings: dict[str, list[int]] = defaultdict(list)
        labels_with: dict[str, set[str]] = defaultdict(set)
        for each in rules.examples:
            features = dict.fromkeys(example_features(each))
            for label in labels_of(rules, each):
                for name in features:
                    self.postings[name].append(len(self.labels))
                    labels_with[name].add(label)
                self.labels.append(label)
        count = len({*self.labels})
        self.weights = {name: math.log(1 + count / len(labels)) for name, labels in labels_with.items()}
        self.totals = [0.0] * len(self.labels)
        for name, examples in self.postings.items():
            for at in examples:
                self.totals[at] += self.weights[name]

    def ranked_labels(self, features: Iterable[str]) -> list[str]:
        """List the labels whose examples have most in common with a situation."""
        shared: dict[int, float] = defaultdict(float)
        for name in sorted({*features} & self.postings.keys()):
            for at in self.postings[name]:
                shared[at] += self.weights[name]
        best: dict[str, float] = {}
        for at, weight in shared.items():
            score = weight - MISSING * (self.totals[at] - weight)
            best[self.labels[at]] = max(score, best.get(self.labels[at], 0))
        return sorted((label for label, score in best.items() if score > 0), key=lambda label: (-best[label], label))


def labels_of(rules: graph.Graph, example: graph.Example) -> Iterable[str]:
    """List what an example stands behind or names as a reason; what a ruling states itself is the ruling's."""
    reasons = (line.reasons for line in example.lines if isinstance(line, graph.Check | graph.Perform))
    found = dict.fromkeys((example.protects, *(label for labels in reasons for label in labels)))
    owner = {label: rules.rules[label].ruling or label for label in found if label in rules.rules}
    return dict.fromkeys(owner.get(label, label) for label in found if label in owner or label in rules.rulings)


def example_features(example: graph.Example) -> Iterator[str]:
    """Name the features of an example: of its position, and of what is done and asked in it."""
    position = example.position
    for _, _, terrain in position.board.hexes.values():
        yield from (f"hex {each}" for each in terrain)
    for _, _, drawn in position.board.sides:
        yield from (f"hexside {each}" for each in drawn)
    yield from (f"path {path}" for path, _, _ in position.board.paths)
    yield from (f"pair {pair[0]}" for pair in position.pairs)
    yield from _crowds(Counter(piece.at for piece in position.pieces if piece.at).values())
    yield from _example_ends(example)
    for node in walk((position.pieces, example.lines)):
        match node:
            case graph.PieceAt():
                yield f"counter {node.counter or node.kind}"
                yield f"place {node.place}"
                yield from (f"status {each}" for each in node.marks)
            case graph.Create():
                yield f"counter {node.counter or node.kind}"
            case graph.Mark():
                yield f"status {node.status}"
            case graph.Pair():
                yield f"pair {node.relation}"
            case graph.Perform():
                yield f"action {node.action}"
            case _:
                yield from _names_in(node)


def _example_ends(example: graph.Example) -> Iterator[str]:
    """Name what stands and lies where those are who are asked about, and where what they are held against is."""
    at = {piece.name: piece.at for piece in example.position.pieces}
    present: dict[str, list[str]] = defaultdict(list)
    for piece in example.position.pieces:
        present[piece.at] += [f"counter {piece.counter or piece.kind}", f"place {piece.place}"]
        present[piece.at] += [f"status {each}" for each in piece.marks]
    for name, (_, _, terrain) in example.position.board.hexes.items():
        present[name] += [f"hex {each}" for each in terrain]
    for line in example.lines:
        if isinstance(line, graph.Create) and isinstance(line.at, graph.Spot):
            present[line.at.name].append(f"counter {line.counter or line.kind}")
    for line in example.lines:
        asked = line.question if isinstance(line, graph.Check) else line if isinstance(line, graph.Perform) else None
        for row in example.rows if asked else ():
            given = dict(zip(example.names, row, strict=True))
            named = [given.get(node.name, node) if isinstance(node, graph.Var) else node for node in walk(asked)]
            spots = [node for node in named if isinstance(node, graph.Spot)]
            pieces = [spot for spot in spots if spot.name in at]
            if pieces:
                here = at[pieces[0].name]
                there = [place for spot in spots if (place := at.get(spot.name, spot.name)) != here]
                yield from (f"here {each}" for each in present[here])
                yield from (f"there {each}" for each in (present[there[-1]] if there else ()))


def _names_in(node: object) -> Iterator[str]:
    """Name what an expression asks and says."""
    match node:
        case graph.Ask():
            yield f"asks {node.term}"
        case graph.Member() if node.enum != SIDE.name:
            yield f"word {node.name}"


def _crowds(counts: Iterable[int]) -> Iterator[str]:
    """Yield how many stand in one place, where they are several."""
    yield from (f"crowd {min(count, CROWD)}" for count in counts if count > 1)


def position_features(state: State, pieces: Sequence[int], places: Sequence[int]) -> Iterator[str]:
    """Name the features of some pieces and places, and of all that stands there."""
    board = state.board
    for place in dict.fromkeys(places):
        yield from (f"hex {each}" for each in board.source.hexes[board.names[place]][2])
        yield from (f"path {path}" for path, along in board.path_hexes.items() if place in along)
    for one, other in pairwise(places):
        if other in board.beside[one]:
            yield from (f"hexside {each}" for each in board.side_features(board.side(one, other)))
    for end, place in (("here", places[0]), ("there", places[-1])) if places else ():
        if end == "here" or place != places[0]:
            yield from (f"{end} hex {each}" for each in board.source.hexes[board.names[place]][2])
            yield from (f"{end} {name}" for each in state.at.get(place, ()) for name in _piece_features(state, each))
    here = dict.fromkeys((*pieces, *(each for place in places for each in state.at.get(place, ()))))
    yield from _crowds(Counter(state.hex[each] for each in here).values())
    for each in here:
        yield from _piece_features(state, each)
        for relation in state.graph.vocabulary.relations:
            if state.partners(relation, "right", each) or state.partners(relation, "left", each):
                yield f"pair {relation}"


def _piece_features(state: State, piece: int) -> Iterator[str]:
    """Name a piece, where in its place it stands, and its statuses."""
    yield f"counter {state.sheets[piece].counter or state.kind[piece]}"
    yield f"place {'' if state.place[piece] == OPEN else state.place[piece]}"
    yield from (f"status {key.partition('.')[2]}" for key in state.marks if state.is_marked(key, piece))


def question_features(rules: graph.Graph, actions: Sequence[str], found: Sequence[Explanation]) -> Iterator[str]:
    """Name what was done and asked: actions, with what they ask and say, and the questions behind explanations."""
    for action in actions:
        yield f"action {action}"
        for node in walk(rules.procedures[f"action:{action}"]):
            yield from _names_in(node)
            if isinstance(node, graph.Ask):
                for below in walk(rules.terms[node.term].otherwise):
                    yield from _names_in(below)
    level = [*found]
    while level:
        yield from (f"asks {each.term}" for each in level)
        level = [
            below
            for each in level
            for below in (*each.explanations, *(b for c in each.clauses for b in c.explanations))
        ]
