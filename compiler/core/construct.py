"""Constructors of core expressions: constants, connectives, common representations."""

from collections.abc import Iterable
from fractions import Fraction
from functools import reduce

from compiler.core import ir
from compiler.core.ir import Apply, Const, Core, EnumConst, If, Primitive
from compiler.core.representation import BOOL, ENUM, INT, RATIO, List, Representation, Set

YES, NO = Const(1, BOOL), Const(0, BOOL)
EMPTY = ir.Members((), Set(None))


def wider_type(first: Representation, second: Representation) -> Representation:
    """Return the common representation of two."""
    if {first, second} == {INT, RATIO}:
        return RATIO
    match first, second:
        case (Set(None) | List(None), _):
            return second
        case (_, Set(None) | List(None)):
            return first
        case (Set(a), Set(b)) if a is not None and b is not None:
            return Set(wider_type(a, b))
        case (List(a), List(b)) if a is not None and b is not None:
            return List(wider_type(a, b))
        case _:
            return first


def number_constant(value: int | Fraction) -> Core:
    """Return a constant number."""
    if isinstance(value, int) or value.denominator == 1:
        return Const(int(value), INT)
    return Const((value.numerator, value.denominator), RATIO)


def to_ratio(value: Core) -> Core:
    """Convert an integer to a ratio."""
    if value.representation == RATIO:
        return value
    if isinstance(value, Const) and isinstance(value.value, int):
        return Const((value.value, 1), RATIO)
    return Apply(Primitive.TO_RATIO, (value,), RATIO)


def rounded_to_whole(value: Core, rounding: Primitive) -> Core:
    """Return a ratio, rounded; an integer is returned unchanged."""
    return Apply(rounding, (value,), INT) if value.representation == RATIO else value


def word_set_constant(names: Iterable[str]) -> Core:
    """Return a constant set of members."""
    return ir.Members(tuple(EnumConst(name, ENUM) for name in names), Set(ENUM))


def all_hold(operands: list[Core]) -> Core:
    """Return the short-circuiting conjunction of conditions."""
    return reduce(lambda rest, one: If(one, rest, NO, BOOL), reversed(operands[:-1]), operands[-1]) if operands else YES


def one_holds(operands: list[Core]) -> Core:
    """Return the short-circuiting disjunction of conditions."""
    return reduce(lambda rest, one: If(one, YES, rest, BOOL), reversed(operands[:-1]), operands[-1]) if operands else NO


def has_partner(relation: str, end: str, piece: Core) -> Core:
    """Return the test whether a piece has a partner at an end of a relation, "left" or "right"."""
    return ir.Bit(f"partner:{relation}.{end}", piece)


def negated_if(value: Core, negate: bool) -> Core:  # noqa: FBT001 -- what `Is` and `Has` hold
    """Return a boolean, negated if requested."""
    return Apply(Primitive.NOT, (value,), BOOL) if negate else value
