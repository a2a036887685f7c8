"""Amounts as linear combinations, so that `a > b - 1` and `a - b >= 0` are about one unknown.

In: a normalized expression. Out: coefficients by the text of the expressions that they multiply, and a constant.
"""

from collections.abc import Callable
from fractions import Fraction

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class Linear:
    """A linear combination: parts in the order of their texts, each with its coefficient, and a constant."""

    parts: tuple[tuple[str, Fraction, graph.Expr], ...]
    constant: Fraction

    def scaled_by(self, factor: Fraction) -> "Linear":
        """Return the product with a number."""
        parts = tuple(
            (text, coefficient * factor, expr) for text, coefficient, expr in self.parts if coefficient * factor
        )
        return Linear(parts, self.constant * factor)

    def sum_with(self, other: "Linear") -> "Linear":
        """Return the sum of two combinations; parts that cancel are removed."""
        found = {text: (factor, expr) for text, factor, expr in self.parts}
        for text, factor, expr in other.parts:
            before = found.get(text, (Fraction(0), expr))[0]
            found[text] = (before + factor, expr)
        parts = tuple((text, factor, expr) for text, (factor, expr) in sorted(found.items()) if factor)
        return Linear(parts, self.constant + other.constant)

    def text(self) -> str:
        """Format the parts, without the constant."""
        words = ""
        for text, factor, _ in self.parts:
            sign = "- " if factor < 0 else "+ " if words else ""
            words += f" {sign}" + ("" if abs(factor) == 1 else f"{abs(factor)} * ") + text
        return words.strip()


def linear_form(expr: graph.Expr, text: Callable[[graph.Expr], str]) -> Linear:
    """Convert an amount to a linear combination; a subexpression that is no sum, difference or multiple is one part."""
    match expr:
        case graph.Num(value):
            return Linear((), value)
        case graph.Place(_, _, index):
            return Linear((), Fraction(index))
        case graph.Op("neg", (inner,)):
            return linear_form(inner, text).scaled_by(Fraction(-1))
        case graph.Op("+", arguments):
            total = Linear((), Fraction(0))
            for argument in arguments:
                total = total.sum_with(linear_form(argument, text))
            return total
        case graph.Op("-", (left, right)):
            return linear_form(left, text).sum_with(linear_form(right, text).scaled_by(Fraction(-1)))
        case graph.Op("number" | "place", (inner,)):
            return linear_form(inner, text)
        case graph.Op("*" | "/" as op, (left, right)):
            first, second = linear_form(left, text), linear_form(right, text)
            if not second.parts and (op == "*" or second.constant):
                return first.scaled_by(second.constant if op == "*" else 1 / second.constant)
            if op == "*" and not first.parts:
                return second.scaled_by(first.constant)
            return Linear(((text(expr), Fraction(1), expr),), Fraction(0))
        case _:
            return Linear(((text(expr), Fraction(1), expr),), Fraction(0))
