"""A name that a step, or `with`, gives and nothing asks for: what is worked out, or gone through, serves nothing.

A choice may be made for its own sake (whether there is a way out at all), and a loop to do something so many times
over. A loop is suspicious only where each round does the same once more, with nothing new in the end.
"""

from collections.abc import Iterable, Iterator

from compiler.analysis.expression_text import Writer
from compiler.analysis.idle_code import UnusedName
from compiler.analysis.problems import Problem
from compiler.analysis.readers_and_setters import step_at
from compiler.analysis.step_reads import expressions_of_account, expressions_read, nested_steps
from runtime.graph import nodes as graph
from runtime.graph.walk import walk

# Steps that come out the same the second time.
SETTLED = (graph.Mark, graph.Move, graph.Remove, graph.Strike, graph.Pair, graph.Legal, graph.Let)


def unused_name(stack: graph.Graph) -> Iterator[Problem]:
    """Find names that nothing asks for."""
    for procedure in stack.procedures.values():
        told = (node.name for node in walk(expressions_of_account(procedure)) if isinstance(node, graph.Var))
        asked = _asked(procedure.body) | frozenset(told)
        for step in nested_steps(procedure.body):
            match step:
                case (
                    graph.Let(name) | graph.Roll(name) | graph.Draw(_, name) | graph.Write(name) | graph.Create(_, name)
                ):
                    unused = name not in asked and name != ""
                case graph.Loop(name, _, body):
                    unused = name not in _asked(body) and all(isinstance(each, SETTLED) for each in nested_steps(body))
                case _:
                    continue
            if unused:
                yield UnusedName(*step_at(procedure, step), name)
    writer = Writer(stack.vocabulary)
    for rule in stack.rules.values():
        if rule.names:
            exprs = (*filter(None, (rule.guard, rule.value)), *(value for _, value in rule.names))
            read = {node.name for expr in exprs for node in walk(expr) if isinstance(node, graph.Var)}
            yield from (UnusedName(writer.rule_party(rule), None, name) for name, _ in rule.names if name not in read)


def _asked(body: Iterable[graph.Step]) -> frozenset[str]:
    """List the names that steps ask for."""
    exprs = (expr for step in nested_steps(tuple(body)) for expr in expressions_read(step))
    return frozenset(node.name for expr in exprs for node in walk(expr) if isinstance(node, graph.Var))
