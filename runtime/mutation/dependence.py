"""Decide whether the order of two steps can matter.

The input is two steps of a procedure; the output is whether one may write what the other reads or writes, in terms of
the slots of a position (runtime/graph/slots.py), including all procedures that they call: flow, anti and output
dependence (Bernstein, Analysis of Programs for Parallel Processing, 1966). Where a side decides on the way, or a step
ends the running procedure, the order is assumed to matter.
"""

from collections.abc import Iterator

from runtime.graph import nodes as graph
from runtime.graph.call_graph import procedures_called, procedures_reached
from runtime.graph.effects import effects_of
from runtime.graph.effects.primitives import SetStatus
from runtime.graph.read_sets import ReadSetAnalysis
from runtime.graph.slots import PositionSlot
from runtime.graph.walk import walk

# Steps at which a player decides, or the clock advances.
ASKING = (graph.Choose, graph.Offer, graph.Each, graph.Phase, graph.End)

Slots = frozenset[PositionSlot] | None  # None: unknown.


def _have_same_effect(first: graph.Step, second: graph.Step) -> bool:
    """Return whether two steps set only one status to the same value, so that their order has no effect."""
    marked = [status_set(step) for step in (first, second)]
    return None not in marked and marked[0] == marked[1]


def status_set(step: graph.Step) -> tuple[str, str, bool] | None:
    """Return the kind, the status and the value that a step, with all nested steps, sets; None if it sets more."""
    if isinstance(step, graph.Loop):
        inner_settings = {status_set(inner) for inner in step.body}
        return inner_settings.pop() if len(inner_settings) == 1 else None
    match effects_of(step):
        case (SetStatus(owner, status, on),):
            return owner, status, on
        case _:
            return None


class Dependence:
    """A test of dependence between the steps of one graph."""

    def __init__(self, rules: graph.Graph, reads: ReadSetAnalysis) -> None:
        """Store the graph, and the reads of its expressions."""
        self.rules = rules
        self.reads = reads
        self.known: dict[int, tuple[graph.Step, Slots, Slots]] = {}

    def are_dependent(self, first: graph.Step, second: graph.Step) -> bool:
        """Return whether the order of two steps can matter."""
        read, sets = self.reads_and_writes(first)
        read_then, sets_then = self.reads_and_writes(second)
        if read is None or sets is None or read_then is None or sets_then is None:
            return True
        if sets & read_then or sets_then & read:
            return True
        return bool(sets & sets_then) and not _have_same_effect(first, second)

    def reads_and_writes(self, step: graph.Step) -> tuple[Slots, Slots]:
        """Return the slots that a step may read, and those that it may write."""
        found = self.known.get(id(step))
        if found is None:
            found = self.known[id(step)] = (step, *self._of(step))
        return found[1], found[2]

    def _of(self, step: graph.Step) -> tuple[Slots, Slots]:
        bodies = tuple(
            self.rules.procedures[key].body
            for key in procedures_reached(self.rules, procedures_called(self.rules, (step,)))
        )
        nodes = tuple(walk((step, bodies)))
        if any(isinstance(node, ASKING) for node in nodes) or any(isinstance(node, graph.Stop) for node in walk(step)):
            return None, None
        read = self.reads.reads_of_nodes((*nodes, *self.implicit_reads(nodes)))
        if any(isinstance(node, graph.Loop) for node in nodes):
            # Members that are removed meanwhile are skipped.
            read |= {PositionSlot("presence", kind) for kind in self.rules.vocabulary.kinds}
        return read, frozenset(slot for node in nodes for slot in self.reads.slots.writes(node))

    def implicit_reads(self, nodes: tuple[object, ...]) -> Iterator[object]:
        """Return nodes that are read implicitly: when an event is raised, pairs may end."""
        if any(isinstance(node, graph.Tell) for node in nodes):
            yield from walk(tuple(relation.ends for relation in self.rules.vocabulary.relations.values()))
