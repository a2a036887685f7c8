"""Replay the examples of a stack with and without a change of one procedure, and find where they diverge.

The input is two graphs, the machine of the second, and a procedure of it that the first does not have or has in another
form; the output is a line of an example that leads to two positions: in the second stack, and in the same stack with
that procedure as in the first one. This shows the effect of a procedure where the first stack cannot follow, because
what leads there is new as well.
"""

from runtime.graph import nodes as graph
from runtime.graph.procedure_pairs import ProcedurePair, with_first_body
from runtime.witness.example_corpus import PlayDifference, could_stand
from runtime.witness.paired_replay import act_text
from runtime.witness.set_up import FastInterpreter, suppress_unplayable
from runtime.witness.traced_run import ACTING, TracedMachine, TracedRun, differing_things, state_of


class WithdrawnReplay:
    """A replay of the examples of the second of two stacks."""

    def __init__(self, graphs: tuple[graph.Graph, graph.Graph], machine: TracedMachine, quick: FastInterpreter) -> None:
        """Store the stacks and the machine."""
        self.graphs, self.machine, self.interpreter = graphs, machine, quick

    def find(self, pair: ProcedurePair) -> PlayDifference | None:
        """Return a line at which the procedure makes a difference to the second stack; None if there is none."""
        if not pair.second_key:
            return None
        without = with_first_body(self.graphs, pair)
        tries = (
            self._replay_row(example, row, pair.second_key, without)
            for example in self.graphs[1].examples
            if any(isinstance(line, ACTING) for line in example.lines)
            for row in range(max(1, len(example.rows)))
        )
        answers = (self.interpreter, self.interpreter)
        return next((found for found in tries if found is not None and could_stand(found, answers)), None)

    def _replay_row(
        self, example: graph.Example, row: int, key: str, replacement: graph.Procedure
    ) -> PlayDifference | None:
        """Replay a row of an example until a line has a different result without the procedure, or fails."""
        with suppress_unplayable():
            side = TracedRun(self.graphs[1], example, row, self.machine, self.interpreter)
            for line in example.lines:
                before = side.playthrough.copy(), dict(side.names)
                if side.step(line):
                    return None
                if not isinstance(line, ACTING) or key not in side.traced_machine.procedures:
                    continue
                outcome, reverted_outcome = side.outcome(), side.outcome_with(key, replacement, line, before)
                if slots := differing_things(reverted_outcome, outcome):
                    position = side.written_position(before[0].state)
                    texts = state_of(reverted_outcome, outcome, slots), state_of(outcome, reverted_outcome, slots)
                    return PlayDifference(
                        example, 1, act_text(line, side, before[1]), *texts, position, is_reversion=True
                    )
        return None
