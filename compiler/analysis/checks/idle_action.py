"""Actions that change nothing in the state."""

from collections.abc import Iterator

from compiler.analysis.idle_code import IdleAction
from compiler.analysis.parties import procedure_party
from compiler.analysis.problems import Problem
from runtime.graph import nodes as graph
from runtime.graph.steps import nested_steps

# Steps that change nothing, and blocks of steps.
STEPS_WITHOUT_EFFECT = (
    graph.Let, graph.Legal, graph.Choose, graph.Roll, graph.Draw, graph.Stop, graph.BeginAccount, graph.Branch,
    graph.Loop,
)  # fmt: skip


def idle_action(stack: graph.Graph) -> Iterator[Problem]:
    """Find actions all of whose steps change nothing."""
    for procedure in stack.procedures.values():
        if procedure.what == "action" and all(
            isinstance(step, STEPS_WITHOUT_EFFECT) for step in nested_steps(procedure.body)
        ):
            yield IdleAction(procedure_party(procedure))
