"""The conditions nested in an expression: filters of folds, conditions of an `if`, the sides of an `or`.

In: an expression, and its scope. Out: each condition with its scope: the types of the names, and the conditions that
hold wherever it is evaluated. A binder that shadows a name is renamed in its scope.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from compiler.analysis.budgets import spend_steps
from compiler.analysis.normal_form import normalize
from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.predeclared_types import member_of
from runtime.graph.type_of import type_of
from runtime.graph.walk import inner_expressions, walk

Part = tuple[graph.Expr, graph.Expr]  # A condition as written, and normalized.


@frozen_dataclass
class ConditionScope:
    """The names in scope at a condition, with their types; `facts` are conditions that hold there."""

    names: Mapping[str, graph.Expr]
    types: Mapping[str, graph.Type]
    facts: tuple[Part, ...] = ()

    def with_facts(self, *conditions: graph.Expr) -> "ConditionScope":
        """Return the scope with further conditions assumed."""
        parts = (part for condition in conditions for part in conjuncts(condition))
        return replace(self, facts=(*self.facts, *((part, normalize(part, self.names)) for part in parts)))

    def with_binding(self, name: str, bound_type: graph.Type) -> "ConditionScope":
        """Return the scope with a name bound; an outer name of the same spelling is shadowed."""
        fresh = name
        while fresh in self.types:
            fresh += "'"
        return replace(self, names={**self.names, name: graph.Var(fresh)}, types={**self.types, fresh: bound_type})


@frozen_dataclass
class NestedCondition:
    """A condition nested in an expression.

    `form`: "where", "if", "or" (one of its sides), "either" (all of it), "and", "part" (a conjunct).
    """

    form: str
    written: graph.Expr
    scope: ConditionScope


def nested_conditions(expr: graph.Expr, scope: ConditionScope, stack: graph.Graph) -> Iterator[NestedCondition]:
    """List the conditions nested in an expression, outer ones first; a top-level `and` is one of them."""
    if isinstance(expr, graph.Op) and expr.op == "and":
        yield NestedCondition("and", expr, scope)
    yield from conditions_inside(expr, scope, stack)


def conditions_inside(expr: graph.Expr, scope: ConditionScope, stack: graph.Graph) -> Iterator[NestedCondition]:
    """List the conditions nested in an expression that is itself listed as a condition already."""
    match expr:
        case graph.Op("and"):
            parts = tuple((part, normalize(part, scope.names)) for part in conjuncts(expr))
            for index, (part, _) in enumerate(parts):
                yield from part_of_all(part, scope)
                if _has_conditions(part):
                    spend_steps(len(parts))
                    others = (*scope.facts, *parts[:index], *parts[index + 1 :])
                    yield from nested_conditions(part, replace(scope, facts=others), stack)
        case graph.Op("or", parts):
            # Other conditions may make an `or` redundant; without them, one that is always true is an error.
            yield NestedCondition("either", expr, replace(scope, facts=()))
            for part in parts:
                yield NestedCondition("or", part, scope)
                yield from conditions_inside(part, scope, stack)
        case graph.Op("if", (condition, then, orelse)):
            yield NestedCondition("if", condition, scope)
            yield from conditions_inside(condition, scope, stack)
            yield from nested_conditions(then, scope.with_facts(condition), stack)
            yield from nested_conditions(orelse, scope.with_facts(graph.Op("not", (condition,))), stack)
        case graph.Fold():
            yield from _fold(expr, scope, stack)
        case _:
            for part in inner_expressions(expr):
                yield from nested_conditions(part, scope, stack)


def _has_conditions(expr: graph.Expr) -> bool:
    """Return whether an expression contains a fold, a connective or an `if`."""
    return any(
        isinstance(part, graph.Fold) or (isinstance(part, graph.Op) and part.op in {"and", "or", "if"})
        for part in walk(expr)
    )


def part_of_all(part: graph.Expr, scope: ConditionScope) -> Iterator[NestedCondition]:
    """Yield a conjunct, to be examined without its context; of `or` and `and`, the parts are listed instead."""
    if not (isinstance(part, graph.Op) and part.op in {"or", "and"}):
        yield NestedCondition("part", part, replace(scope, facts=()))


def _fold(fold: graph.Fold, scope: ConditionScope, stack: graph.Graph) -> Iterator[NestedCondition]:
    """List the conditions on the members of a collection, and those nested in what is computed of the selected ones."""
    yield from nested_conditions(fold.source, scope, stack)
    members = scope.with_binding(fold.var, member_of(type_of(normalize(fold.source, scope.names), scope.types, stack)))
    if isinstance(fold.source, graph.Pieces):
        members = members.with_facts(graph.Op("in", (graph.Var(fold.var), fold.source)))
    for condition in (fold.where, fold.body if fold.op == "every" else None):
        if condition is not None:
            yield NestedCondition("where", condition, members)
            yield from part_of_all(condition, members)
            yield from conditions_inside(condition, members, stack)
    if fold.body is not None and fold.op != "every":
        passed = members if fold.where is None else members.with_facts(fold.where)
        yield from nested_conditions(fold.body, passed, stack)
    if fold.otherwise is not None:
        yield from nested_conditions(fold.otherwise, scope, stack)
