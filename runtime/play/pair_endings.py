"""Removal of pairs whose relation has an end condition.

In: the relations of a graph, a position, and an evaluator. Out: events.
"""

from collections.abc import Iterator

from runtime.answer.evaluator import Evaluator
from runtime.graph import nodes as graph
from runtime.graph.budget import passed_if_many
from runtime.play.playthrough import Names
from runtime.state import change
from runtime.state.position import State
from runtime.state.record import Event, Value


def ending_relations(rules: graph.Graph) -> tuple[graph.Relation, ...]:
    """Return the relations with an end condition."""
    return tuple(relation for relation in rules.vocabulary.relations.values() if relation.ends is not None)


def end_pairs(rules: graph.Graph, state: State, evaluator: Evaluator) -> Iterator[Event]:
    """Remove all ended pairs, repeated to a fixed point, and yield the events."""
    relations = ending_relations(rules)
    while pairs := sorted(
        (relation.name, left, right)
        for relation in relations
        for (left, right), payload_value in passed_if_many(state.pairs[relation.name].payload).items()
        if relation.ends and evaluator.evaluate(state, relation.ends, ends_of(relation, left, right, payload_value))
    ):
        for name, left, right in pairs:
            yield change.unrelate(state, name, left, right)


def ends_of(relation: graph.Relation, left: int, right: int, payload_value: Value) -> Names:
    """Return the bindings of a pair: both pieces and its payload."""
    payload = {relation.payload.name: payload_value} if relation.payload else {}
    return {relation.left.name: left, relation.right.name: right, **payload}
