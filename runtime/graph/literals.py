"""The value of a literal, as in the cells and keys of charts."""

from fractions import Fraction

from runtime.graph import nodes as graph
from runtime.graph.operators import plain


def literal_value(literal: graph.LiteralExpr) -> int | Fraction | str | bool:
    """Return the value of a literal; of a member its name, of a place on a scale its number."""
    match literal:
        case graph.Num(value):
            return plain(value)
        case graph.Truth(value):
            return value
        case graph.Member(_, name):
            return name
        case graph.Place(_, _, number):
            return number
