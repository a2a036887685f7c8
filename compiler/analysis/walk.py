"""Walk over the nodes of the graph: the parts of an expression, the steps of a procedure.

One generic `children` for each kind of node is all the traversal there is.
"""

from collections.abc import Iterator
from typing import assert_never

from runtime.graph import nodes as graph


def children(expr: graph.Expr) -> tuple[graph.Expr, ...]:
    """List the expressions that stand directly inside one."""
    match expr:
        case graph.Op(_, arguments) | graph.Ask(_, arguments) | graph.SetOf(arguments):
            return arguments
        case graph.Get(base) | graph.Is(base) | graph.Has(base):
            return (base,)
        case graph.Cell(_, keys):
            return keys
        case graph.Pieces(_, at):
            return () if at is None else (at,)
        case graph.Fold(_, _, source, where, body, otherwise):
            return (source, *(part for part in (where, body, otherwise) if part is not None))
        case graph.New(_, fields):
            return tuple(value for _, value in fields)
        case graph.Num() | graph.Truth() | graph.Member() | graph.Place() | graph.Spot():
            return ()
        case graph.Var() | graph.GameTrack() | graph.All():
            return ()
        case _:
            assert_never(expr)


def parts(expr: graph.Expr) -> Iterator[graph.Expr]:
    """List an expression and everything inside it."""
    yield expr
    for child in children(expr):
        yield from parts(child)


def steps(body: tuple[graph.Step, ...]) -> Iterator[graph.Step]:
    """List the steps of a procedure, inner ones too."""
    for step in body:
        yield step
        match step:
            case graph.Loop() | graph.Each() | graph.Phase():
                yield from steps(step.body)
            case graph.Branch(_, then, orelse):
                yield from steps(then)
                yield from steps(orelse)
            case _:
                pass


def asked_by(step: graph.Step) -> tuple[graph.Expr, ...]:  # noqa: C901 -- one arm a step
    """List the expressions a step reads; what it writes to is not among them, but its base is."""
    match step:
        case graph.Let(_, value) | graph.Loop(_, value) | graph.Each(_, value) | graph.Legal(value):
            return (value,)
        case graph.Choose(_, _, source, by, preferring):
            return tuple(part for part in (source, by, preferring) if part is not None)
        case graph.Offer(actions, by, until):
            given = tuple(argument for _, arguments in actions for argument in arguments)
            return (*given, *(part for part in (by, until) if part is not None))
        case graph.Branch(condition):
            return (condition,)
        case graph.Do(_, arguments) | graph.Tell(_, arguments):
            return arguments
        case graph.Assign(target, value) | graph.Add(value, target):
            return (value, target.base) if isinstance(target, graph.Get) else (value,)
        case graph.Mark(subject) | graph.Remove(subject) | graph.Strike(subject):
            return (subject,)
        case graph.Move(subject, to):
            return (subject, to)
        case graph.Create(_, _, at, owner):
            return (at,) if owner is None else (at, owner)
        case graph.Pair(_, left, right, payload):
            return (left, right) if payload is None else (left, right, payload)
        case graph.Write(_, record):
            return (record,)
        case graph.Roll() | graph.Phase() | graph.Stop():
            return ()
        case _:
            assert_never(step)


def asked_by_rule(rule: graph.Rule) -> tuple[graph.Expr, ...]:
    """List the expressions of a rule: its names, its guard, its conclusion."""
    return tuple(part for part in (*(value for _, value in rule.names), rule.guard, rule.value) if part is not None)


def all_steps(stack: graph.Graph) -> Iterator[graph.Step]:
    """List every step of every procedure."""
    for procedure in stack.procedures.values():
        yield from steps(procedure.body)


def all_parts(stack: graph.Graph) -> Iterator[graph.Expr]:
    """List every expression that play may evaluate, inner ones too."""
    for rule in stack.rules.values():
        for expr in asked_by_rule(rule):
            yield from parts(expr)
    for term in stack.terms.values():
        if term.otherwise is not None:
            yield from parts(term.otherwise)
    for step in all_steps(stack):
        for expr in asked_by(step):
            yield from parts(expr)
