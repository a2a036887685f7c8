"""An action that belongs to a phase no sequence enters."""

from collections.abc import Iterator

from compiler.analysis.problems import PhaseNeverEntered, Problem
from compiler.analysis.usage import party_of
from compiler.analysis.walk import all_steps
from runtime.graph import nodes as graph


def unreached_phase(stack: graph.Graph) -> Iterator[Problem]:
    """Find phases that only an action knows of; a stack without a sequence has none."""
    entered = tuple(dict.fromkeys(step.name for step in all_steps(stack) if isinstance(step, graph.Phase)))
    for procedure in stack.procedures.values() if entered else ():
        for phase in procedure.phases:
            if phase not in entered:
                yield PhaseNeverEntered(party_of(procedure), phase, entered)
