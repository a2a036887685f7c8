"""Translation of guards into formulas with exact arithmetic.

In: expressions, as in translate.py. Out: formulas whose sums, products, extremes and roundings are decomposed into
their operands, so that `a > b`, `b > c` and `c > a` are about three unknowns instead of three differences.
"""

from fractions import Fraction

from compiler.analysis.domain import Types, is_compared_by_size
from compiler.analysis.formula import (
    Amount,
    Choice,
    Extreme,
    Formula,
    Holds,
    PlainValue,
    Product,
    Rounding,
    Sum,
    Unknown,
)
from compiler.analysis.intervals import SMALL_POSITIONS, Intervals
from compiler.analysis.laws import Laws
from compiler.analysis.linear import Linear, linear_form
from compiler.analysis.space import NumberInterval, Space
from compiler.analysis.translate import Translator
from runtime.graph import nodes as graph
from runtime.graph.interval import interval_of


class _ExactSpace(Space):
    """A space in which each number represents itself alone."""

    def representative_of(self, number: int, value: PlainValue) -> PlainValue | None:
        """Return the value itself; None if it lies outside the domain."""
        return value if super().representative_of(number, value) is not None else None

    def value_text(self, number: int, value: PlainValue) -> str:
        """Format the statement that an unknown has exactly this value."""
        question = self.unknowns[number]
        if isinstance(question.domain, NumberInterval):
            return f"{question.text} = {value}"
        return super().value_text(number, value)


class ExactTranslator(Translator):
    """A translator that decomposes amounts which case analysis represents by a single unknown."""

    def __init__(self, laws: Laws, types: Types, intervals: Intervals | None = None) -> None:
        super().__init__(laws, types, intervals or Intervals(laws.stack))
        self.unknowns.space = self.space = _ExactSpace()
        self._small_intervals = Intervals(laws.stack, SMALL_POSITIONS)

    def has_bounds(self, expr: graph.Expr) -> bool:
        """Return whether an expression is a number: every number can be compared with a range."""
        return is_compared_by_size(self.unknowns.expression_type(expr))

    def small_position_formulas(self) -> tuple[Formula, ...]:
        """Restrict counts, sums and distances to those of a small position."""
        names = {name: interval_of(value_type) for name, value_type in self.unknowns.types.items()}
        found: list[Formula] = []
        for number, expr in sorted(self.unknowns.exprs.items()):
            if isinstance(self.space.unknowns[number].domain, NumberInterval):
                ends = self._small_intervals.interval_of(expr, names)
                for op, end in ((">=", ends.low), ("<=", ends.high)):
                    found += [] if end is None else [Holds(Sum(((Fraction(1), Unknown(number)),), -end), op)]
        return tuple(found)

    def _numbers(self, op: str, sides: Linear) -> Formula:
        return Holds(self._sum(sides), op)

    def _sum(self, sides: Linear) -> Amount:
        return Sum(tuple((factor, self._quantity(expr)) for _, factor, expr in sides.parts), sides.constant)

    def _computed(self, expr: graph.Expr) -> Amount:
        """Translate an operand of an amount."""
        return self._sum(linear_form(self._unfolded(expr), self.unknowns.text))

    def _quantity(self, expr: graph.Expr) -> Amount:
        """Translate one summand."""
        expr = self._unfolded(expr)
        match expr:
            case graph.Op("*", (left, right)):
                return Product(self._computed(left), self._computed(right))
            case graph.Op("min" | "max" as op, parts):
                return Extreme(op, tuple(self._computed(part) for part in parts))
            case graph.Op("clamp", (inner, low, high)):
                capped = Extreme("min", (self._computed(inner), self._computed(high)))
                return Extreme("max", (capped, self._computed(low)))
            case graph.Op("round_down" | "round_up" as op, (inner,)):
                return Rounding(op, self._computed(inner))
            case graph.Op("if", (condition, then, orelse)):
                return Choice(self.translate_expression(condition), self._computed(then), self._computed(orelse))
            case graph.Op("+" | "-" | "neg" | "number" | "place") | graph.Num():
                return self._computed(expr)
            case _:
                found = self.translate_amount(expr)
                if found is not None:
                    return found
                return self.unknowns.value_unknown(expr, NumberInterval(None, None))
