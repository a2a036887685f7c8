"""The slots that steps may write, directly or through everything that they start.

In: steps. Out: slots (runtime/graph/slots.py). Where a side is offered actions, anything may change.
"""

from collections.abc import Iterable, Mapping, Sequence

from compiler.analysis.readers_and_setters import read_sets_of_stack
from runtime.graph import nodes as graph
from runtime.graph.call_graph import ProcedureKey, procedures_by_start, procedures_started
from runtime.graph.slots import EVERYTHING, PositionSlot
from runtime.graph.steps import nested_steps
from runtime.graph.walk import walk

StepBlock = tuple[graph.Step, ...]


# The bodies that run by what starts them: an action, a resolution, an event.
BlocksByStart = Mapping[ProcedureKey, Sequence[StepBlock]]


def bodies_by_start(stack: graph.Graph) -> BlocksByStart:
    """Return the bodies of procedures by what starts them."""
    keys_by_start = procedures_by_start(stack)
    return {start: [stack.procedures[key].body for key in keys] for start, keys in keys_by_start.items()}


class WriteSets:
    """What the steps of one stack may write, directly or through everything that they start."""

    def __init__(self, stack: graph.Graph, started: BlocksByStart) -> None:
        """Store which bodies start by what."""
        self.reads, self.started = read_sets_of_stack(stack), started

    def changed_slots(self, body: Iterable[graph.Step]) -> frozenset[PositionSlot]:
        """Return the slots that these steps, and the procedures that they start, may write."""
        written = set[PositionSlot]()
        seen: set[ProcedureKey] = set()
        todo = [tuple(body)]
        while todo:
            for step in nested_steps(todo.pop()):
                written.update(self.reads.slots.writes(step))
                new = set(procedures_started(step)) - seen
                seen |= new
                todo += [block for start in new for block in self.started.get(start, ())]
        return frozenset(written)

    def is_unchanged(self, expr: graph.Expr, changed: frozenset[PositionSlot]) -> bool:
        """Return whether an expression has the same value as before these slots changed."""
        if not changed or EVERYTHING in changed:
            return not changed
        return changed.isdisjoint(self.reads.reads_of_nodes(tuple(walk(expr))))
