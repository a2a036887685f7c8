"""An action that belongs to a phase no sequence comes to: the phase stands in a procedure that never runs."""

from collections.abc import Iterator

from compiler.analysis.problems import PhaseNeverEntered, Problem
from compiler.analysis.steps import steps
from compiler.analysis.usage import party_of, reached
from runtime.graph import nodes as graph


def unreached_phase(stack: graph.Graph) -> Iterator[Problem]:
    """Find phases that actions wait for in vain; a stack without a sequence has none."""
    entered = tuple(
        step.name for procedure in reached(stack) for step in steps(procedure.body) if isinstance(step, graph.Phase)
    )
    for procedure in stack.procedures.values() if entered else ():
        for phase in procedure.phases:
            if phase not in entered:
                yield PhaseNeverEntered(party_of(procedure), phase, tuple(dict.fromkeys(entered)))
