"""Make core expressions: constants, connectives, and what two branches have in common."""

from collections.abc import Iterable
from fractions import Fraction
from functools import reduce

from compiler.core import ir
from compiler.core.ir import Apply, Const, Core, EnumConst, If, Primitive
from compiler.core.representation import BOOL, ENUM, INT, RATIO, List, Representation, Set

YES, NO = Const(1, BOOL), Const(0, BOOL)
EMPTY = ir.Members((), Set(None))


def wider_type(one: Representation, other: Representation) -> Representation:
    """Return the representation that values of two have in common."""
    if {one, other} == {INT, RATIO}:
        return RATIO
    match one, other:
        case (Set(None) | List(None), _):
            return other
        case (_, Set(None) | List(None)):
            return one
        case (Set(a), Set(b)) if a is not None and b is not None:
            return Set(wider_type(a, b))
        case (List(a), List(b)) if a is not None and b is not None:
            return List(wider_type(a, b))
        case _:
            return one


def number_constant(value: int | Fraction) -> Core:
    """Write a number."""
    if isinstance(value, int) or value.denominator == 1:
        return Const(int(value), INT)
    return Const((value.numerator, value.denominator), RATIO)


def to_ratio(value: Core) -> Core:
    """Write a whole number as a fraction."""
    if value.of == RATIO:
        return value
    if isinstance(value, Const) and isinstance(value.value, int):
        return Const((value.value, 1), RATIO)
    return Apply(Primitive.TO_RATIO, (value,), RATIO)


def rounded_to_whole(value: Core, rounding: Primitive) -> Core:
    """Round a fraction; anything else stays as it is."""
    return Apply(rounding, (value,), INT) if value.of == RATIO else value


def word_set_constant(names: Iterable[str]) -> Core:
    """Make a constant set of words."""
    return ir.Members(tuple(EnumConst(name, ENUM) for name in names), Set(ENUM))


def conjunction(operands: list[Core]) -> Core:
    """Join conditions; the first that fails decides."""
    return reduce(lambda rest, one: If(one, rest, NO, BOOL), reversed(operands[:-1]), operands[-1]) if operands else YES


def disjunction(operands: list[Core]) -> Core:
    """Join conditions; the first that holds decides."""
    return reduce(lambda rest, one: If(one, YES, rest, BOOL), reversed(operands[:-1]), operands[-1]) if operands else NO


def negated(value: Core, negate: bool) -> Core:  # noqa: FBT001 -- what `Is` and `Has` hold
    """Turn an answer round, if it is to be."""
    return Apply(Primitive.NOT, (value,), BOOL) if negate else value
