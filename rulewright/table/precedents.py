"""Retrieval of rules and rulings whose examples resemble a situation, by features of positions.

Case-based retrieval (Kolodner, *Case-Based Reasoning*, 1993): the examples of a rule or a ruling show the situations to
which it applies. An example and a situation are sets of features: the kinds, counters, statuses and places of pieces,
the ground, the sides and paths, the pairs, the questions and the members that these mention. The weight of a feature
falls with the number of rules whose examples have it.

In: a graph, and the features of a situation. Out: labels of rules and rulings, best first.
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

# The penalty for a feature of an example that the situation lacks, as a fraction of its weight.
MISSING = 0.35
# The number of pieces in one place is a feature up to this bound.
CROWD = 4
OPEN = "open"


class ExampleIndex:
    """An inverted index from features to the examples of the rules and rulings of one graph."""

    def __init__(self, rules: graph.Graph) -> None:
        """Index all examples."""
        self.labels: list[str] = []
        self.postings: dict[str, list[int]] = defaultdict(list)
        labels_with: dict[str, set[str]] = defaultdict(set)
        for each in rules.examples:
            features = dict.fromkeys(example_features(each))
            for label in mentioned_labels(rules, each):
                for name in features:
                    self.postings[name].append(len(self.labels))
                    labels_with[name].add(label)
                self.labels.append(label)
        count = len({*self.labels})
        self.weights = {name: math.log(1 + count / len(labels)) for name, labels in labels_with.items()}
        self.totals = [0.0] * len(self.labels)
        for name, examples in self.postings.items():
            for index in examples:
                self.totals[index] += self.weights[name]

    def ranked_labels(self, features: Iterable[str]) -> list[str]:
        """Return the labels with a positive score, by the best score of their examples, descending."""
        shared: dict[int, float] = defaultdict(float)
        for name in sorted({*features} & self.postings.keys()):
            for index in self.postings[name]:
                shared[index] += self.weights[name]
        best: dict[str, float] = {}
        for index, weight in shared.items():
            score = weight - MISSING * (self.totals[index] - weight)
            best[self.labels[index]] = max(score, best.get(self.labels[index], 0))
        return sorted((label for label, score in best.items() if score > 0), key=lambda label: (-best[label], label))


def mentioned_labels(rules: graph.Graph, example: graph.Example) -> Iterable[str]:
    """Return the labels that an example protects or mentions as reasons; for a rule of a ruling, that of the ruling."""
    reasons = (line.reasons for line in example.lines if isinstance(line, graph.Check | graph.Perform))
    found = dict.fromkeys((example.protects, *(label for labels in reasons for label in labels)))
    owner = {label: rules.rules[label].ruling or label for label in found if label in rules.rules}
    return dict.fromkeys(owner.get(label, label) for label in found if label in owner or label in rules.rulings)


def example_features(example: graph.Example) -> Iterator[str]:
    """Yield the features of an example: of its position, and of its acts and questions."""
    position = example.position
    for _, _, terrain in position.board.hexes.values():
        yield from (f"hex {each}" for each in terrain)
    for _, _, features in position.board.sides:
        yield from (f"hexside {each}" for each in features)
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
    """Yield the features of the places of the first and the last operands of the questions of an example."""
    places_by_name = {piece.name: piece.at for piece in example.position.pieces}
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
        question = line.question if isinstance(line, graph.Check) else line if isinstance(line, graph.Perform) else None
        for row in example.rows if question else ():
            arguments = dict(zip(example.names, row, strict=True))
            named = [arguments.get(node.name, node) if isinstance(node, graph.Var) else node for node in walk(question)]
            spots = [node for node in named if isinstance(node, graph.Spot)]
            pieces = [spot for spot in spots if spot.name in places_by_name]
            if pieces:
                first_place = places_by_name[pieces[0].name]
                other_places = [
                    place for spot in spots if (place := places_by_name.get(spot.name, spot.name)) != first_place
                ]
                yield from (f"here {each}" for each in present[first_place])
                yield from (f"there {each}" for each in (present[other_places[-1]] if other_places else ()))


def _names_in(node: object) -> Iterator[str]:
    """Yield the features of an expression: its questions and members."""
    match node:
        case graph.Ask():
            yield f"asks {node.term}"
        case graph.Member() if node.enum != SIDE.name:
            yield f"word {node.name}"


def _crowds(counts: Iterable[int]) -> Iterator[str]:
    """Yield the features of places with several pieces."""
    yield from (f"crowd {min(count, CROWD)}" for count in counts if count > 1)


def position_features(state: State, pieces: Sequence[int], places: Sequence[int]) -> Iterator[str]:
    """Yield the features of some pieces and places, and of the pieces in them."""
    board = state.board
    for place in dict.fromkeys(places):
        yield from (f"hex {each}" for each in board.source.hexes[board.names[place]][2])
        yield from (f"path {path}" for path, hexes in board.path_hexes.items() if place in hexes)
    for first, second in pairwise(places):
        if second in board.beside[first]:
            yield from (f"hexside {each}" for each in board.side_features(board.side(first, second)))
    for end, place in (("here", places[0]), ("there", places[-1])) if places else ():
        if end == "here" or place != places[0]:
            yield from (f"{end} hex {each}" for each in board.source.hexes[board.names[place]][2])
            yield from (f"{end} {name}" for each in state.at.get(place, ()) for name in _piece_features(state, each))
    local_pieces = dict.fromkeys((*pieces, *(each for place in places for each in state.at.get(place, ()))))
    yield from _crowds(Counter(state.hex[each] for each in local_pieces).values())
    for each in local_pieces:
        yield from _piece_features(state, each)
        for relation in state.graph.vocabulary.relations:
            if state.partners(relation, "right", each) or state.partners(relation, "left", each):
                yield f"pair {relation}"


def _piece_features(state: State, piece: int) -> Iterator[str]:
    """Yield the features of a piece: its counter, its place within the hex, and its statuses."""
    yield f"counter {state.sheets[piece].counter or state.kind[piece]}"
    yield f"place {'' if state.place[piece] == OPEN else state.place[piece]}"
    yield from (f"status {key.partition('.')[2]}" for key in state.marks if state.is_marked(key, piece))


def question_features(rules: graph.Graph, actions: Sequence[str], found: Sequence[Explanation]) -> Iterator[str]:
    """Yield the features of questions: actions, with their questions and members, and the questions in explanations."""
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
        level = [below for each in level for below in each.called_questions()]
