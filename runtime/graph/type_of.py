"""Type derivation for graph expressions.

In: an expression, and the types of its free names. Out: its type. Numbers have their unit and no domain. Pieces and
hexes are both integers at run time, so that printing requires types. Expressions do not store them: graphs would be
27 % longer and take 30 % longer to read, which is more than the cost of derivation (tests/consumers/test_types.py).
"""

from collections.abc import Iterable

from runtime.graph import nodes as graph
from runtime.graph.effects import effects_of
from runtime.graph.effects.primitives import created_by
from runtime.graph.expressions import EXPRESSIONS, TypeScope
from runtime.graph.expressions.record import Names
from runtime.graph.predeclared_types import UNKNOWN


def types_of_names(
    parameters: Iterable[graph.Parameter], bindings: Iterable[tuple[str, graph.Expr]], rules: graph.Graph
) -> dict[str, graph.Type]:
    """Return the types of parameters, and of names bound to values; a value may contain the names before it."""
    types = graph.parameter_types(parameters)
    for name, value in bindings:
        types[name] = type_of(value, types, rules)
    return types


def type_of(expr: graph.Expr, names: Names, rules: graph.Graph) -> graph.Type:
    """Return the type of an expression; `Nothing` where it is unknown."""
    found: graph.Type = EXPRESSIONS[expr.__class__].result(expr, TypeScope(names, rules, type_of))
    return found


def common_type(exprs: Iterable[graph.Expr | None], names: Names, rules: graph.Graph) -> graph.Type:
    """Return the common type of expressions: that of the first with a known member type."""
    found = [type_of(expr, names, rules) for expr in exprs if expr is not None]
    return next((each for each in found if each != UNKNOWN and getattr(each, "of", None) != UNKNOWN), found[0])


def bound_types(step: object) -> dict[str, graph.Type]:
    """Return the types of the names that a step binds."""
    match step:
        case graph.Roll(name, _, low, high):
            return {name: graph.Number(low, high, "")}
        case graph.Draw(name=name):
            return {name: drawn_type(step)}
        case _:
            return {name: type_ for effect in effects_of(step) for name, type_ in created_by(effect).items()}


def drawn_type(step: graph.Draw) -> graph.Type:
    """Return the type of a draw."""
    return graph.Many("list" if step.how == "order" else "set", step.of) if step.how else step.of
