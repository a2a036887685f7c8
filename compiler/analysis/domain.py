"""Domains of unknowns: the values of an expression, from its type and its outermost operator.

None means that the values can be neither listed nor bounded; proofs then treat the question as an opaque truth value.
"""

from collections.abc import Mapping

from compiler.analysis.space import YES_NO_OPTIONS, Domain, NumberInterval, Options
from runtime.graph import nodes as graph
from runtime.graph.operators import OPERATORS

Types = Mapping[str, graph.Type]


def is_compared_by_size(found: graph.Type) -> bool:
    """Return whether values of this type are compared by size."""
    return isinstance(found, (graph.Number, graph.Scale))


def domain_of(expr: graph.Expr, value_type: graph.Type, stack: graph.Graph) -> Domain | None:
    """Return the domain of an expression of this type; None if its values can be neither listed nor bounded."""
    match value_type:
        case graph.YesNo():
            return YES_NO_OPTIONS
        case graph.Enum("kind"):
            return Options(tuple(stack.vocabulary.kinds))
        case graph.Enum("place"):
            return Options(places_of(stack))
        case graph.Enum(name):
            enum = stack.vocabulary.enums.get(name)
            return Options(tuple(word.name for word in enum.members)) if enum else None
        case graph.Scale(name):
            return NumberInterval(
                None, None, is_whole=all(type(index) is int for _, index in stack.vocabulary.scales[name].places)
            )
        case graph.Number(low, high):
            counts = isinstance(expr, graph.Fold) and expr.op == "count"
            low = 0 if counts else 1 if expr == graph.GameTrack("game", "turn") else low
            return NumberInterval(low, high, is_whole=counts or _is_whole(expr, value_type))
        case _:
            return None


def _is_whole(expr: graph.Expr, found: graph.Number) -> bool:
    """Return whether a number is always whole: by its operator, as a value of a declared domain, or as the turn."""
    if isinstance(expr, graph.Op) and OPERATORS[expr.op].whole == "always":
        return True
    return found.is_whole or expr == graph.GameTrack("game", "turn")


def places_of(stack: graph.Graph) -> tuple[str, ...]:
    """List the places that a piece can be in, `open` first."""
    flags = stack.vocabulary.flags.values()
    return ("open", *dict.fromkeys(flag.name for flag in flags if flag.what == "place"))
