"""Operators on numbers and on places of scales.

Numbers are exact: an int, or a Fraction where halves occur. A scale is a line of numbers: its places are moved by
amounts of its measure.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from runtime.graph import interval, words
from runtime.graph import nodes as graph
from runtime.graph.interval import Interval, IntervalLimit
from runtime.graph.operators.record import (
    BoundsFunction,
    Call,
    Infix,
    Operands,
    Operator,
    Phrase,
    PhraseFunction,
    Prefix,
)

if TYPE_CHECKING:
    from runtime.graph.wording import Wording

Amount = int | Fraction

BARE = graph.Number(None, None, "")
HALF = graph.Num(Fraction(2), "")
OUT_OF_REACH = 99


def plain(number: Amount) -> Amount:
    """Return a number, a whole one as an int."""
    return number if type(number) is int or number.denominator != 1 else number.numerator


def divide(a: Amount, b: Amount) -> Amount:
    """Return the exact quotient, a whole one as an int. The checker has excluded a divisor of zero."""
    if type(a) is int and type(b) is int:
        return Fraction(a, b) if a % b else a // b
    return plain(Fraction(a) / b)


def add_up(numbers: Sequence[Amount]) -> Amount:
    """Return the sum of numbers; fractions share a common denominator, so that intermediate sums are not reduced."""
    broken = [number.denominator for number in numbers if type(number) is not int]
    if not broken:
        return sum(numbers)
    denominator = math.lcm(*broken)
    return divide(sum([number.numerator * (denominator // number.denominator) for number in numbers]), denominator)


def clamp(x: Amount, low: Amount, high: Amount) -> Amount:
    """Return the number from low to high that is nearest to x."""
    return max(low, min(high, x))


# Types.


def amount(type_: graph.Type) -> graph.Type:
    """Return an amount of the same measure, without its domain."""
    return graph.Number(None, None, type_.measure) if isinstance(type_, graph.Number) else type_


def _same(operands: Operands) -> graph.Type:
    """Return the scale among the arguments, else an amount of the measure of the first argument."""
    types = [operands.type(argument) for argument in operands.arguments]
    return amount(next((type_ for type_ in types if isinstance(type_, graph.Scale)), types[0]))


def _difference(operands: Operands) -> graph.Type:
    left, right = (operands.type(argument) for argument in operands.arguments)
    return _steps(left, operands) if isinstance(left, graph.Scale) and left == right else _same(operands)


def _product(operands: Operands) -> graph.Type:
    types = [operands.type(argument) for argument in operands.arguments]
    return amount(next((type_ for type_ in types if isinstance(type_, graph.Number) and type_.measure), BARE))


def _quotient(operands: Operands) -> graph.Type:
    left, right = (operands.type(argument) for argument in operands.arguments)
    return BARE if isinstance(right, graph.Number) and right.measure else amount(left)


def _number(operands: Operands) -> graph.Type:
    return _steps(operands.type(operands.arguments[0]), operands)


def _steps(type_: graph.Type, operands: Operands) -> graph.Type:
    """Return the amount in which steps along a scale are measured."""
    if not isinstance(type_, graph.Scale):
        return amount(type_)
    line = operands.vocabulary.scales.get(type_.name)
    return graph.Number(None, None, line.measure if line else "")


def _unknown(_: Operands) -> graph.Type:
    """Return no type: the scale of a place is not written."""
    return graph.Nothing()


# Bounds.


def _difference_within(parts: Sequence[Interval], _far: IntervalLimit) -> Interval:
    return interval.total([parts[0], interval.negative_of(parts[1])])


def _clamped_within(parts: Sequence[Interval], _far: IntervalLimit) -> Interval:
    inner, low, high = parts
    return interval.maximum_of([low, interval.minimum_of([inner, high])])


def _rounded_within(to: Callable[[Fraction], int]) -> BoundsFunction:
    def within(parts: Sequence[Interval], _far: IntervalLimit) -> Interval:
        return Interval(*(None if end is None else Fraction(to(end)) for end in (parts[0].low, parts[0].high)))

    return within


# Wording.


def _halved(wording: "Wording", expr: graph.Op) -> str:
    left, right = expr.arguments
    if right == HALF:
        return f"half of {wording.operand(expr, left, 0)}"
    return f"{wording.operand(expr, left, 0)} divided by {wording.operand(expr, right, 1)}"


def is_out_of_reach(bound: graph.Expr) -> bool:
    """Return whether a bound is the end of a range that only the computer needs, as 99: no play comes so far."""
    return isinstance(bound, graph.Num) and bound.value >= OUT_OF_REACH and {*str(bound.value)} == {"9"}


def _clamped(wording: "Wording", expr: graph.Op) -> str:
    value, low, high = expr.arguments
    subject = wording.operand(expr, value, 0)
    if is_out_of_reach(high):
        # What is computed may fall below its range; a note, as the turn, does not.
        least = f" (at least {wording.comparand_phrase(low, subject)})"
        return f"{subject}{least if isinstance(value, graph.Op) else ''}"
    most = f"at most {wording.comparand_phrase(high, subject)}"
    if isinstance(value, graph.Fold) and value.op == "count" and isinstance(low, graph.Num) and low.value <= 0:
        return f"{subject} ({most})"
    return f"{subject} (at least {wording.comparand_phrase(low, subject)}, {most})"


def _extreme(adjective: str) -> "Callable[[Wording, graph.Op], str]":
    def told(wording: "Wording", expr: graph.Op) -> str:
        within = [each for each in expr.arguments if adjective != "small" or not is_out_of_reach(each)]
        if len(within) == 1:
            return wording.operand(expr, within[0], 0)
        ending = "er" if len(expr.arguments) == 2 else "est"
        return f"the {adjective}{ending} of {words.list_text(wording.phrases(expr.arguments))}"

    return told


# Operators that compute a number from numbers and depend on nothing else.
_of_numbers = partial(
    Operator, takes=None, needs="", reads="", cost="look", large=False, of_hexes=False, beyond_rows=False,
)  # fmt: skip


NUMBERS = (
    _of_numbers(
        "+", ("number m, number m -> number m", "scale s, number of s -> scale s"),
        "the sum; a place on a scale so many steps further",
        result=_same, compute=lambda a, b: a + b, python="({0} + {1})", bounds=lambda parts, _: interval.total(parts),
        algebra="linear", whole="of whole numbers", commutes=True, notation=Infix("+", 5),
        phrase=Phrase("{0} plus {1}", 2, ""), alterations=("-",), first_alone=True,
    ),
    _of_numbers(
        "-", ("number m, number m -> number m", "scale s, number of s -> scale s", "scale s, scale s -> number of s"),
        "the difference; a place so many steps back; the steps between two places",
        result=_difference, compute=lambda a, b: a - b, python="({0} - {1})", bounds=_difference_within,
        algebra="linear", whole="of whole numbers", commutes=False, notation=Infix("-", 5),
        phrase=Phrase("{0} minus {1}", 2, ""), alterations=("+",), first_alone=True,
    ),
    _of_numbers(
        "*", ("number, number m -> number m", "number m, number -> number m"),
        "the product; one side is without a measure",
        result=_product, compute=lambda a, b: a * b, python="({0} * {1})",
        bounds=lambda parts, _: interval.product(*parts), algebra="computed", whole="of whole numbers", commutes=True,
        notation=Infix("*", 6), phrase=Phrase("{0} times {1}", 3, ""), alterations=("/",), first_alone=True,
    ),
    _of_numbers(
        "/", ("number m, number m -> number", "number m, number -> number m"),
        "the exact quotient; the divisor can't be zero",
        result=_quotient, compute=divide, python="divide({0}, {1})",
        bounds=lambda parts, _: interval.quotient(*parts), algebra="computed", whole="never sure", commutes=False,
        notation=Infix("/", 6), phrase=PhraseFunction(_halved, None, 3), alterations=("*",), first_alone=True,
    ),
    _of_numbers(
        "neg", ("number m -> number m",), "the negative, written `-x`",
        result=_same, compute=lambda a: -a, python="(-{0})", bounds=lambda parts, _: interval.negative_of(parts[0]),
        algebra="linear", whole="of whole numbers", commutes=False, notation=Prefix("-", 7),
        phrase=Phrase("minus {0}", 4, ""), alterations=(), first_alone=False,
    ),
    _of_numbers(
        "min", ("number m, ... -> number m", "scale s, ... -> scale s"), "the least of its arguments",
        result=_same, compute=lambda *xs: min(xs), python="min({*})",
        bounds=lambda parts, _: interval.minimum_of(parts),
        algebra="computed", whole="never sure", commutes=True, notation=Call(),
        phrase=PhraseFunction(_extreme("small"), None, None), alterations=("max",), first_alone=True,
    ),
    _of_numbers(
        "max", ("number m, ... -> number m", "scale s, ... -> scale s"), "the greatest of its arguments",
        result=_same, compute=lambda *xs: max(xs), python="max({*})",
        bounds=lambda parts, _: interval.maximum_of(parts),
        algebra="computed", whole="never sure", commutes=True, notation=Call(),
        phrase=PhraseFunction(_extreme("great"), None, None), alterations=("min",), first_alone=True,
    ),
    _of_numbers(
        "round_down", ("number m -> number m",), "the next whole number below, toward minus infinity",
        result=_same, compute=math.floor, python="floor({0})", bounds=_rounded_within(math.floor), algebra="computed",
        whole="always", commutes=False, notation=Call(), phrase=Phrase("{0}, rounded down", 1, ""),
        alterations=("round_up",), first_alone=False,
    ),
    _of_numbers(
        "round_up", ("number m -> number m",), "the next whole number above",
        result=_same, compute=math.ceil, python="ceil({0})", bounds=_rounded_within(math.ceil), algebra="computed",
        whole="always", commutes=False, notation=Call(), phrase=Phrase("{0}, rounded up", 1, ""),
        alterations=("round_down",), first_alone=False,
    ),
    _of_numbers(
        "clamp", ("number m, number m, number m -> number m", "scale s, scale s, scale s -> scale s"),
        "the first, but not below the second nor above the third",
        result=_same, compute=clamp, python="clamp({0}, {1}, {2})", bounds=_clamped_within, algebra="computed",
        whole="never sure", commutes=False, notation=Call(),
        phrase=PhraseFunction(_clamped, None, None), alterations=(), first_alone=True,
    ),
    _of_numbers(
        "place", ("number of s -> scale s", "number -> scale s"),
        "the place so many steps along a scale, written with the name of the scale: `odds(3)`",
        result=_unknown, compute=plain, python="plain({0})", bounds=lambda parts, _: parts[0], algebra="linear",
        whole="of whole numbers", commutes=False, notation=Call(), phrase=Phrase("{0}", None, ""), alterations=(),
        first_alone=False,
    ),
    _of_numbers(
        "number", ("scale s -> number of s",), "where a place lies on its scale, in the measure of the scale",
        result=_number, compute=plain, python="{0}", bounds=lambda parts, _: parts[0], algebra="linear",
        whole="of whole numbers", commutes=False, notation=Call(), phrase=Phrase("{0}", None, ""), alterations=(),
        first_alone=False,
    ),
)  # fmt: skip
