"""The steps of procedures, and the expressions that rules and steps read, apart from what they write."""

from collections.abc import Iterator
from typing import assert_never

from runtime.graph import nodes as graph
from runtime.graph.steps import inner_bodies, nested_steps


def nested_blocks(body: tuple[graph.Step, ...]) -> Iterator[tuple[graph.Step, ...]]:
    """List a block and the blocks inside of it."""
    yield body
    for step in nested_steps(body):
        yield from inner_bodies(step)


def expressions_read(step: graph.Step) -> tuple[graph.Expr, ...]:  # noqa: C901 -- one arm a step
    """Return the expressions that a step reads: of a write, the value and the base of the target."""
    match step:
        case graph.Let(_, value) | graph.Loop(_, value) | graph.Each(_, value) | graph.Legal(value):
            return (value,)
        case graph.Choose(_, _, source, decider, preferring, least, most):
            return tuple(part for part in (source, decider, preferring, least, most) if part is not None)
        case graph.Draw(_, _, source, count):
            return (source,) if count is None else (source, count)
        case graph.Offer(actions, decider, until, keeping=keeping):
            operands = tuple(argument for _, arguments in actions for argument in arguments)
            return (*operands, *(part for part in (decider, until, keeping) if part is not None))
        case graph.Branch(condition):
            return (condition,)
        case graph.Do(_, arguments) | graph.Tell(_, arguments):
            return arguments
        case graph.Assign(target, value) | graph.Add(value, target):
            return (value, target.base) if isinstance(target, graph.Get) else (value,)
        case graph.Mark(subject) | graph.Flip(subject) | graph.Remove(subject) | graph.Strike(subject):
            return (subject,)
        case graph.Move(subject, to):
            return (subject, to)
        case graph.Create(_, _, place, owner):
            return (place,) if owner is None else (place, owner)
        case graph.Pair(_, left, right, payload):
            return (left, right) if payload is None else (left, right, payload)
        case graph.Write(_, record):
            return (record,)
        case graph.Roll() | graph.Phase() | graph.End() | graph.Stop() | graph.BeginAccount():
            return ()
        case _:
            assert_never(step)


def expressions_of_account(procedure: graph.Procedure) -> tuple[graph.Expr, ...]:
    """Return the expressions in the account of a procedure."""
    if procedure.account is None:
        return ()
    conditions = (text.condition for text in procedure.account.texts)
    return tuple(part for part in (*(each.value for each in procedure.account.fields), *conditions) if part is not None)


def expressions_of_rule(rule: graph.Rule) -> tuple[graph.Expr, ...]:
    """List the expressions of a rule: its names, its guard, its conclusion."""
    return tuple(part for part in (*(value for _, value in rule.names), rule.guard, rule.value) if part is not None)


def expressions_of_term(term: graph.Term, stack: graph.Graph) -> tuple[graph.Expr, ...]:
    """Return the expressions of the rules of a term, and its default."""
    expressions = tuple(expr for label in term.rules for expr in expressions_of_rule(stack.rules[label]))
    return expressions if term.otherwise is None else (*expressions, term.otherwise)


def all_steps(stack: graph.Graph) -> Iterator[graph.Step]:
    """List every step of every procedure."""
    for procedure in stack.procedures.values():
        yield from nested_steps(procedure.body)
