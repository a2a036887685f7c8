"""Numbers passed where a range is declared: arguments of questions, fields of new records.

In: an expression with its scope. Out: each such number with its own scope: the names, and the conditions that hold
there, as `and`, `or` and `if` are evaluated from left to right, and bodies of folds only for members that pass the
filter. A question with an argument outside of its range has no answer, and rules rely on ranges: a divisor declared
1..9 is never zero.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from compiler.analysis.nested_conditions import ConditionScope
from compiler.analysis.normal_form import normalize
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.operators import OPERATORS
from runtime.graph.predeclared_types import member_of
from runtime.graph.type_of import type_of
from runtime.graph.walk import inner_expressions, walk

STEP_NAMES: Mapping[str, graph.Type] = {"step from": graph.Hex(), "step to": graph.Hex()}


@frozen_dataclass
class RangedArgument:
    """A number `value` that is passed as `target`, which has the range `declared`.

    `scope` has the conditions that hold there.
    """

    target: str
    declared: graph.Number
    value: graph.Expr
    scope: ConditionScope


def has_ranged_arguments(expr: object, stack: graph.Graph) -> bool:
    """Return whether an expression passes a number where a range is declared."""
    return any(
        ranged
        for part in walk(expr)
        if isinstance(part, graph.Ask | graph.New | graph.Op)
        for ranged in _arguments_of_expression(part, stack)
    )


def ranged_arguments(
    expr: graph.Expr, scope: ConditionScope, stack: graph.Graph, named: Mapping[str, graph.Expr]
) -> Iterator[RangedArgument]:
    """List the numbers that an expression passes where ranges are declared.

    `named` are evaluated lazily, where their name is read.
    """

    def arguments_in(part: graph.Expr, inner_scope: ConditionScope = scope) -> Iterator[RangedArgument]:
        return ranged_arguments(part, inner_scope, stack, named)

    match expr:
        case graph.Var(name) if name in named:
            earlier = {other: value for other, value in named.items() if other != name}
            yield from ranged_arguments(named[name], scope, stack, earlier)
        case graph.Op("and" | "or" as op, parts):
            for part in parts:
                yield from arguments_in(part, scope)
                scope = scope.with_facts(part if op == "and" else graph.Op("not", (part,)))
        case graph.Op("if", (condition, then, orelse)):
            yield from arguments_in(condition)
            yield from arguments_in(then, scope.with_facts(condition))
            yield from arguments_in(orelse, scope.with_facts(graph.Op("not", (condition,))))
        case graph.Fold():
            yield from _arguments_in_fold(expr, scope, stack, named)
        case graph.Search():
            stepping = replace(scope, types={**scope.types, **STEP_NAMES})
            for part in inner_expressions(expr):
                yield from arguments_in(part, stepping)
        case _:
            for part in inner_expressions(expr):
                yield from arguments_in(part)
            for target, declared, value in _arguments_of_expression(expr, stack):
                yield from single_values(RangedArgument(target, declared, value, scope), stack)


def _arguments_in_fold(
    fold: graph.Fold, scope: ConditionScope, stack: graph.Graph, named: Mapping[str, graph.Expr]
) -> Iterator[RangedArgument]:
    """List the numbers passed in a fold: in its collection, its filter, its body for selected members, its default."""

    def arguments_in(part: graph.Expr, inner_scope: ConditionScope = scope) -> Iterator[RangedArgument]:
        return ranged_arguments(part, inner_scope, stack, named)

    yield from arguments_in(fold.source)
    members = _members(fold, scope, stack)
    yield from () if fold.where is None else arguments_in(fold.where, members)
    yield from () if fold.body is None else arguments_in(fold.body, _filtered_scope(fold, members))
    yield from () if fold.otherwise is None else arguments_in(fold.otherwise)


def _members(fold: graph.Fold, scope: ConditionScope, stack: graph.Graph) -> ConditionScope:
    """Return the scope of the members of a fold's collection."""
    member_type = member_of(type_of(normalize(fold.source, scope.names), scope.types, stack))
    return scope.with_binding(fold.var, member_type).with_facts(graph.Op("in", (graph.Var(fold.var), fold.source)))


def _filtered_scope(fold: graph.Fold, members: ConditionScope) -> ConditionScope:
    """Return the scope of the members that pass the filter."""
    return members if fold.where is None else members.with_facts(fold.where)


def _arguments_of_expression(expr: graph.Expr, stack: graph.Graph) -> Iterator[tuple[str, graph.Number, graph.Expr]]:
    """List the arguments of a question, a new record or a function that have a declared range."""
    match expr:
        case graph.Ask(name, arguments):
            yield from arguments_of_step(name, stack.terms[name].parameters, arguments)
        case graph.New(record, fields):
            types = {part.name: part for part in stack.vocabulary.records[record].fields}
            yield from _ranged((f"{record}.{name}", types[name].type, value) for name, value in fields)
        case graph.Op(op, arguments) if takes := OPERATORS[op].takes:
            yield from _ranged((op, *pair) for pair in zip(takes, arguments, strict=True))


def arguments_of_step(
    name: str, parameters: Iterable[graph.Parameter], arguments: Iterable[graph.Expr]
) -> Iterator[tuple[str, graph.Number, graph.Expr]]:
    """List the arguments of a question or a procedure that have a declared range."""
    pairs = zip(parameters, arguments, strict=True)
    yield from _ranged((f"{name}({part.name})", part.type, value) for part, value in pairs)


def _ranged(arguments: Iterable[tuple[str, graph.Type, graph.Expr]]) -> Iterator[tuple[str, graph.Number, graph.Expr]]:
    for target, declared, value in arguments:
        number = declared.of if isinstance(declared, graph.Many) else declared
        if isinstance(number, graph.Number) and (number.low, number.high) != (None, None):
            yield target, number, value


def single_values(argument: RangedArgument, stack: graph.Graph) -> Iterator[RangedArgument]:
    """Yield the value itself, or each member of a collection."""
    match argument.value:
        case graph.SetOf(elements):
            yield from (replace(argument, value=each) for each in elements)
        case graph.Fold("gather", var, _, _, body) as fold:
            passed = _filtered_scope(fold, _members(fold, argument.scope, stack))
            yield replace(argument, value=graph.Var(var) if body is None else body, scope=passed)
        case value:
            value_type = type_of(normalize(value, argument.scope.names), argument.scope.types, stack)
            if not isinstance(value_type, graph.Many):
                yield argument
                return
            members = argument.scope.with_binding("member", member_of(value_type)).with_facts(
                graph.Op("in", (graph.Var("member"), value))
            )
            yield replace(argument, value=graph.Var("member"), scope=members)
