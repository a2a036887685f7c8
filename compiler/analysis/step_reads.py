"""The steps of procedures, and the expressions that rules and steps read, apart from what they write."""

from collections.abc import Iterator

from runtime.graph import nodes as graph
from runtime.graph.effects import effects_of
from runtime.graph.effects.primitives import operands_of
from runtime.graph.steps import inner_bodies, nested_steps
from runtime.graph.walk import inner_expressions


def nested_blocks(body: tuple[graph.Step, ...]) -> Iterator[tuple[graph.Step, ...]]:
    """List a block and the blocks inside of it."""
    yield body
    for step in nested_steps(body):
        yield from inner_bodies(step)


def expressions_read(step: graph.Step) -> tuple[graph.Expr, ...]:
    """Return the expressions that a step reads: of one that changes the position, the operands of its effects."""
    match step:
        case _ if effects := effects_of(step):
            return tuple(operand for effect in effects for operand in operands_of(effect))
        case graph.Offer(actions):
            operands = (argument for _, arguments in actions for argument in arguments)
            return (*operands, *inner_expressions(step))
        case _:
            return tuple(inner_expressions(step))


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
