"""The moments of the sequence of play, as a control-flow graph.

In: a stack. Out: for each step of the sequence without those inside of it, and for each end of a phase or round, a node
with the procedures that run there and its successors. A status is still set at what can be reached before its end.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from runtime.graph import nodes as graph
from runtime.graph.call_graph import procedures_by_start, procedures_started
from runtime.graph.closure import transitive_closure
from runtime.graph.steps import MOMENT_OF_ROUND, single_step
from runtime.graph.walk import walk


@dataclass(slots=True)
class _SequenceNode:
    """A step of the sequence, or the end of a phase or round (`ends`)."""

    step: graph.Step
    procedures: frozenset[str]
    ends: str
    successors: set[int] = field(default_factory=set)


class Moments:
    """The moments of a sequence in order."""

    def __init__(self, stack: graph.Graph, sequence: graph.Procedure) -> None:
        """List them."""
        self.nodes: list[_SequenceNode] = []
        self._procedures = stack.procedures
        self._keys_by_start = procedures_by_start(stack)
        self._called: dict[str, frozenset[str]] = {}
        self._add_steps(sequence.body, set())

    def reachable(self, starts: Iterable[int], until: str) -> set[int]:
        """Return the moments that can follow the starts, with these, up to the first end of `until` on each way."""
        return transitive_closure(
            starts, lambda index: () if self.nodes[index].ends == until else self.nodes[index].successors
        )

    def procedures_of(self, steps: object) -> frozenset[str]:
        """Return the procedures that steps start, directly or through others."""
        return frozenset(transitive_closure(self._started(steps), self._called_by))

    def _called_by(self, key: str) -> frozenset[str]:
        if key not in self._called:
            self._called[key] = self._started(self._procedures[key].body)
        return self._called[key]

    def _started(self, steps: object) -> frozenset[str]:
        starts = (start for node in walk(steps) for start in procedures_started(node))
        return frozenset(key for start in starts for key in self._keys_by_start.get(start, ()))

    def _add_steps(self, body: tuple[graph.Step, ...], previous: set[int]) -> set[int]:
        """Append the moments of a body behind those of `previous`; return its last ones."""
        for step in body:
            previous = self._add_step(step, previous)
        return previous

    def _add_step(self, step: graph.Step, previous: set[int]) -> set[int]:
        match step:
            case graph.Phase(name):
                return {self._add(graph.End(name), self._add_steps(step.body, previous), name)}
            case graph.Each(name):
                # A hook on the end of a round runs at its end alone, so the head is a loop without such hooks.
                head = self._add(graph.Loop(name, step.source, ()), previous)
                moment = MOMENT_OF_ROUND.get(name, name)
                last = {self._add(graph.End(moment), self._add_steps(step.body, {head}), moment)}
            case graph.Loop():
                head = self._add(single_step(step), previous)
                last = self._add_steps(step.body, {head})
            case graph.Branch(_, then, orelse):
                head = self._add(single_step(step), previous)
                return self._add_steps(then, {head}) | self._add_steps(orelse, {head})
            case _:
                return {self._add(step, previous)}
        for index in last:
            self.nodes[index].successors.add(head)
        return {head}

    def _add(self, step: graph.Step, previous: set[int], ends: str = "") -> int:
        self.nodes.append(_SequenceNode(step, self.procedures_of((step,)), ends))
        for index in previous:
            self.nodes[index].successors.add(len(self.nodes) - 1)
        return len(self.nodes) - 1
