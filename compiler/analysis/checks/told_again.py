"""Events that are announced twice with the same arguments: their hooks run twice.

A hook that announces its own event with the same arguments repeats it as well, even under a condition.
"""

from collections.abc import Iterator

from compiler.analysis.idle_code import ToldAgain
from compiler.analysis.problems import Problem
from compiler.analysis.readers_and_setters import step_at
from compiler.analysis.step_reads import nested_blocks
from runtime.graph import nodes as graph
from runtime.graph.steps import bound_name, nested_steps
from runtime.graph.walk import walk


def told_again(stack: graph.Graph) -> Iterator[Problem]:
    """Find the steps that repeat an announcement."""
    for procedure in stack.procedures.values():
        repeated_steps = {id(step): step for block in nested_blocks(procedure.body) for step in _repeated(block)}
        event_arguments = tuple(graph.Var(part.name) for part in procedure.parameters)
        for step in nested_steps(procedure.body):
            match step:
                case graph.Tell(event, arguments) if (procedure.what, procedure.event, event_arguments) == (
                    "hook",
                    event,
                    arguments,
                ):
                    if step in procedure.body:
                        continue  # Unconditional recursion is a separate finding.
                    yield ToldAgain(*step_at(procedure, step), event, in_own_hook=True)
                case graph.Tell(event) if id(step) in repeated_steps:
                    yield ToldAgain(*step_at(procedure, step), event, in_own_hook=False)


def _repeated(block: tuple[graph.Step, ...]) -> Iterator[graph.Step]:
    """List the announcements that repeat an earlier one of the block, while their names have the same values."""
    announcements: list[graph.Tell] = []
    for step in block:
        name = bound_name(step)
        announcements = [
            each for each in announcements if not name or graph.Var(name) not in list(walk(each.arguments))
        ]
        if isinstance(step, graph.Tell):
            if step in announcements and step.arguments:
                yield step
            announcements.append(step)
