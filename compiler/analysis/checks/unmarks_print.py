"""Steps that remove a feature which is printed on the map, and which no step places.

A feature may be marked in play, such as one that is built, and removed again. One that is only printed was most likely
meant to be a status of that name; a permanent change is better marked as a separate status.
"""

from collections.abc import Iterator

from compiler.analysis.idle_code import UnmarksPrint
from compiler.analysis.problems import Problem
from compiler.analysis.readers_and_setters import step_at
from runtime.graph import nodes as graph
from runtime.graph.steps import nested_steps


def unmarks_print(stack: graph.Graph) -> Iterator[Problem]:
    """Find the steps that remove a feature which no step marks."""
    found = [
        (procedure, step)
        for procedure in stack.procedures.values()
        for step in nested_steps(procedure.body)
        if isinstance(step, graph.Mark)
    ]
    put_on = {(step.owner, step.status) for _, step in found if step.on}
    for procedure, step in found:
        flag = stack.vocabulary.flags.get(f"{step.owner}.{step.status}")
        if not step.on and flag is not None and flag.what == "feature" and (step.owner, step.status) not in put_on:
            yield UnmarksPrint(*step_at(procedure, step), step.status)
