"""An event that is told twice of the same things: its hooks run twice, and do everything twice.

A hook that tells its own event, of the same things, does so as well, though it asks for something before.
"""

from collections.abc import Iterator

from compiler.analysis.idle_code import ToldAgain
from compiler.analysis.problems import Problem
from compiler.analysis.readers_and_setters import step_at
from compiler.analysis.step_reads import bound_name, nested_blocks, nested_steps
from runtime.graph import nodes as graph
from runtime.graph.walk import walk


def told_again(stack: graph.Graph) -> Iterator[Problem]:
    """Find the steps that tell again."""
    for procedure in stack.procedures.values():
        again = {id(step): step for block in nested_blocks(procedure.body) for step in _repeated(block)}
        heard = tuple(graph.Var(part.name) for part in procedure.parameters)
        for step in nested_steps(procedure.body):
            match step:
                case graph.Tell(event, arguments) if (procedure.what, procedure.event, heard) == (
                    "hook",
                    event,
                    arguments,
                ):
                    if step in procedure.body:
                        continue  # Whatever happens it goes on and on, which is told as that.
                    yield ToldAgain(*step_at(procedure, step), event, in_own_hook=True)
                case graph.Tell(event) if id(step) in again:
                    yield ToldAgain(*step_at(procedure, step), event, in_own_hook=False)
                case _:
                    pass


def _repeated(block: tuple[graph.Step, ...]) -> Iterator[graph.Step]:
    """List what one block tells a second time, while its names mean the same."""
    told: list[graph.Tell] = []
    for step in block:
        name = bound_name(step)
        told = [each for each in told if not name or graph.Var(name) not in list(walk(each.arguments))]
        if isinstance(step, graph.Tell):
            if step in told and step.arguments:
                yield step
            told.append(step)
