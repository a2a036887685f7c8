"""An `if` that does, or answers, the same either way: one of the two was to be changed, or nobody has to ask."""

from collections.abc import Iterator

from compiler.analysis.parties import Party, StepAt
from compiler.analysis.problems import Problem
from compiler.analysis.steps import asked_by, asked_by_rule, steps
from compiler.analysis.usage import step_at
from compiler.analysis.vain import SameEitherWay
from compiler.analysis.words import Writer
from runtime.graph import nodes as graph
from runtime.graph.walk import walk


def same_either_way(stack: graph.Graph) -> Iterator[Problem]:
    """Find conditions that decide nothing."""
    writer = Writer(stack.vocabulary)
    for party, step, condition in _asked(stack, writer):
        yield SameEitherWay(party, step, writer.text(condition))


def _asked(stack: graph.Graph, writer: Writer) -> Iterator[tuple[Party, StepAt | None, graph.Expr]]:
    """List who asks a condition that decides nothing."""
    for rule in stack.rules.values():
        for expr in asked_by_rule(rule):
            yield from ((writer.party(rule), None, each) for each in _idle(expr))
    for procedure in stack.procedures.values():
        for step in steps(procedure.body):
            if isinstance(step, graph.Branch) and step.then == step.orelse:
                yield *step_at(procedure, step), step.condition
            for expr in asked_by(step):
                yield from ((*step_at(procedure, step), each) for each in _idle(expr))


def _idle(expr: graph.Expr) -> Iterator[graph.Expr]:
    for node in walk(expr):
        match node:
            case graph.Op("if", (condition, then, orelse)) if then == orelse:
                yield condition
            case _:
                pass
