"""Steps that read the place of a piece that an earlier step has removed: play stops there, as it has none.

Also steps that query the route of a piece to a hex, `cost(u, u.hex, to)`, behind `move u to to`: then start and goal
are the same hex. Only steps of one block are examined, and only the parts of expressions that are always evaluated.
"""

from collections.abc import Iterator

from compiler.analysis.problems import AsksTheGone, Problem
from compiler.analysis.readers_and_setters import step_at
from compiler.analysis.step_reads import expressions_read, nested_blocks
from runtime.graph import nodes as graph
from runtime.graph.steps import bound_name
from runtime.graph.walk import inner_expressions, walk


def asks_the_gone(stack: graph.Graph) -> Iterator[Problem]:
    """Find steps that read the place of removed pieces."""
    for procedure in stack.procedures.values():
        for body in nested_blocks(procedure.body):
            for index, step in enumerate(body):
                match step:
                    case graph.Remove(graph.Var(name)) if asks := _step_reading_place(name, body[index + 1 :]):
                        yield AsksTheGone(*step_at(procedure, asks), name)
                    case graph.Move(graph.Var(name), graph.Var(to)) if asks := _step_reading_route(
                        name, to, body[index + 1 :]
                    ):
                        yield AsksTheGone(*step_at(procedure, asks), name, to)


def _step_reading_place(name: str, body: tuple[graph.Step, ...]) -> graph.Step | None:
    """Return the first step that reads the place of this piece, before its name is rebound or it is placed again.

    Else None.
    """
    for step in body:
        if any(_reads_place(expr, name) for expr in expressions_read(step)):
            return step
        if bound_name(step) == name or (isinstance(step, graph.Move) and step.subject == graph.Var(name)):
            return None
    return None


def _step_reading_route(name: str, to: str, body: tuple[graph.Step, ...]) -> graph.Step | None:
    """Return the first step with a question about the hex of a piece and the one it was moved to; else None."""
    for step in body:
        for node in walk(expressions_read(step)):
            if (
                isinstance(node, graph.Ask)
                and graph.Var(to) in node.arguments
                and any(
                    isinstance(each, graph.Get) and (each.base, each.name) == (graph.Var(name), "hex")
                    for each in node.arguments
                )
            ):
                return step
        if bound_name(step) in (name, to) or (isinstance(step, graph.Move) and step.subject == graph.Var(name)):
            return None
    return None


def _reads_place(expr: graph.Expr, name: str) -> bool:
    match expr:
        case graph.Get(graph.Var(subject_name), "given", _, "hex"):
            return subject_name == name
        case graph.Op("and" | "or" | "if", (first, *_)):
            return _reads_place(first, name)
        case graph.Fold(source=source):
            return _reads_place(source, name)
        case _:
            return any(_reads_place(part, name) for part in inner_expressions(expr))
