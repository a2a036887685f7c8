"""Names that a step, or `with`, binds and nothing reads: the computed value, or the member of a loop, is unused.

A choice may have an effect by itself (whether there is an option at all), and a loop may repeat something a number of
times. A loop is reported only where its body is idempotent.
"""

from collections.abc import Iterable, Iterator

from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.idle_code import UnusedName
from compiler.analysis.problems import Problem
from compiler.analysis.readers_and_setters import step_at
from compiler.analysis.step_reads import expressions_of_account, expressions_read
from runtime.graph import nodes as graph
from runtime.graph.free_names import variables_in
from runtime.graph.steps import bound_name, nested_steps
from runtime.graph.walk import walk

# Idempotent steps.
IDEMPOTENT_STEPS = (graph.Mark, graph.Move, graph.Remove, graph.Strike, graph.Pair, graph.Legal, graph.Let)


def unused_name(stack: graph.Graph) -> Iterator[Problem]:
    """Find names that nothing reads."""
    for procedure in stack.procedures.values():
        account_names = (node.name for node in walk(expressions_of_account(procedure)) if isinstance(node, graph.Var))
        read_names = _read_names(procedure.body) | frozenset(account_names)
        for step in nested_steps(procedure.body):
            if isinstance(step, graph.Loop):
                name = step.name
                unused = name not in _read_names(step.body) and all(
                    isinstance(each, IDEMPOTENT_STEPS) for each in nested_steps(step.body)
                )
            else:
                name = bound_name(step)
                unused = name not in {"", *read_names} and not isinstance(step, graph.Choose)
            if unused:
                yield UnusedName(*step_at(procedure, step), name)
    writer = ExpressionWriter(stack.vocabulary)
    for rule in stack.rules.values():
        if rule.names:
            exprs = (*filter(None, (rule.guard, rule.value)), *(value for _, value in rule.names))
            read = variables_in(exprs)
            yield from (UnusedName(writer.rule_party(rule), None, name) for name, _ in rule.names if name not in read)


def _read_names(body: Iterable[graph.Step]) -> set[str]:
    """Return the names that steps read."""
    return variables_in(tuple(expr for step in nested_steps(tuple(body)) for expr in expressions_read(step)))
