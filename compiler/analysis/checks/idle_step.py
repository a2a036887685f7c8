"""Steps without effect: they are repeated, undone by the next one, or applied to a piece that is removed.

Only consecutive steps of one block are compared, and only those without a question: its answer may have changed.
"""

from collections.abc import Iterator
from itertools import pairwise

from compiler.analysis.idle_code import IdleKind, IdleStep
from compiler.analysis.problems import Problem
from compiler.analysis.readers_and_setters import step_at
from compiler.analysis.step_reads import expressions_read, nested_blocks
from runtime.graph import nodes as graph
from runtime.graph.steps import bound_name
from runtime.graph.walk import walk

StepBlock = tuple[graph.Step, ...]
FoundStep = tuple[graph.Step, IdleKind]
# Expressions whose value any step may change.
ANSWERED = (graph.Ask, graph.Fold, graph.Pieces, graph.Is, graph.Has)


def idle_step(stack: graph.Graph) -> Iterator[Problem]:
    """Find the steps that change nothing."""
    for procedure in stack.procedures.values():
        for body in nested_blocks(procedure.body):
            for step, cause in _idle(body):
                yield IdleStep(*step_at(procedure, step), cause)


def _idle(body: StepBlock) -> Iterator[FoundStep]:
    for first, second in pairwise(body):
        if first == second and _is_idempotent(second):
            yield second, "again"
        else:
            match first, second:
                case graph.Mark(), graph.Mark() if not _is_idempotent(second):
                    pass
                case graph.Mark(), graph.Mark() if (first.subject, first.status) == (second.subject, second.status):
                    yield first, "undone"
                case graph.Assign(), graph.Assign() if first.target == second.target and _is_idempotent(second):
                    yield first, "undone"
    for index, step in enumerate(body):
        match step:
            case graph.Remove(graph.Var(name), for_good=True):
                yield from ((each, "gone") for each in _steps_changing(name, body[index + 1 :]))
            case _:
                pass


def _is_idempotent(step: graph.Step) -> bool:
    """Return whether a step is idempotent: it changes nothing that it reads."""
    nodes = [node for expr in expressions_read(step) for node in walk(expr)]
    if any(isinstance(node, ANSWERED) for node in nodes):
        return False
    match step:
        case graph.Mark():
            return True
        case graph.Move() | graph.Remove() | graph.Pair():
            return not any(isinstance(node, graph.Get) for node in nodes)
        case graph.Assign(target):
            return target not in nodes
        case _:
            return False


def _steps_changing(name: str, body: StepBlock) -> Iterator[graph.Step]:
    """List the steps of a block that change a piece, until its name is rebound."""
    for step in body:
        if bound_name(step) == name:
            return
        match step:
            case (
                graph.Mark(graph.Var(subject_name))
                | graph.Move(graph.Var(subject_name))
                | graph.Remove(graph.Var(subject_name))
                | (graph.Flip(graph.Var(subject_name)))
            ):
                found = subject_name == name
            case graph.Assign(graph.Get(graph.Var(subject_name))) | graph.Add(_, graph.Get(graph.Var(subject_name))):
                found = subject_name == name
            case graph.Pair(_, left, right, on=True):
                found = graph.Var(name) in (left, right)
            case _:
                found = False
        if found:
            yield step
