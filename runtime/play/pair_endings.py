"""Removal of pairs whose relation has an end condition, evaluated incrementally.

In: a graph, the read sets of conditions, and a playthrough. Out: events in its journal.
"""

from collections.abc import Iterable

from runtime.answer.evaluator import Evaluator
from runtime.graph import nodes as graph
from runtime.graph.budget import passed_if_many
from runtime.graph.read_sets import ReadSetAnalysis
from runtime.graph.slots import PositionSlot
from runtime.play.playthrough import Names, Playthrough
from runtime.state import change
from runtime.state.event_slots import written_slots
from runtime.state.position import State
from runtime.state.record import Value


class PairEndings:
    """The relations of a graph with end conditions, and the read sets of these."""

    def __init__(self, rules: graph.Graph, reads: ReadSetAnalysis) -> None:
        """Compute the read set of each condition."""
        self.relations = tuple(
            (
                relation,
                (reads.reads_of_expression(relation.ends) or frozenset()) | {PositionSlot("pairs", relation.name)},
            )
            for relation in rules.vocabulary.relations.values()
            if relation.ends is not None
        )

    def end(self, playthrough: Playthrough, evaluator: Evaluator) -> None:
        """Remove all ended pairs, repeated to a fixed point."""
        state = playthrough.state
        while self.relations and playthrough.endings_checked_to != len(playthrough.journal):
            since, playthrough.endings_checked_to = playthrough.endings_checked_to, len(playthrough.journal)
            related = [each for each in self.relations if state.pairs[each[0].name].payload]
            if not related:
                return
            changed = None if since < 0 else slots_changed(playthrough, since)
            relations = [relation for relation, reads in related if changed is None or not changed.isdisjoint(reads)]
            for name, left, right in ended_pairs(relations, state, evaluator):
                playthrough.record_event(change.unrelate(state, name, left, right))


def end_pairs(rules: graph.Graph, state: State, evaluator: Evaluator) -> None:
    """Remove the pairs that have ended from a position that nobody plays, as play does before its next decision."""
    relations = tuple(rules.vocabulary.relations.values())
    while ended := ended_pairs(relations, state, evaluator):
        for name, left, right in ended:
            change.unrelate(state, name, left, right)


def ended_pairs(relations: Iterable[graph.Relation], state: State, evaluator: Evaluator) -> list[tuple[str, int, int]]:
    """Return the pairs whose end condition holds, as name of the relation, left and right piece, in order."""
    return sorted(
        (relation.name, left, right)
        for relation in relations
        if relation.ends is not None
        for (left, right), payload_value in passed_if_many(state.pairs[relation.name].payload).items()
        if evaluator.evaluate(state, relation.ends, ends_of(relation, left, right, payload_value))
    )


def slots_changed(playthrough: Playthrough, since: int) -> set[PositionSlot]:
    """Return the slots changed by the events from an index of the journal on."""
    return {slot for event in playthrough.journal[since:] for slot in written_slots(event, playthrough.state.kind)}


def ends_of(relation: graph.Relation, left: int, right: int, payload_value: Value) -> Names:
    """Return the bindings of a pair: both pieces and its payload."""
    payload = {relation.payload.name: payload_value} if relation.payload else {}
    return {relation.left.name: left, relation.right.name: right, **payload}
