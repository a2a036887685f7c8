"""Targets: the relation that a value should have to a bound.

On the way down through arithmetic a target is inverted: `a - b > 2` requires `a > 2 + b`.
"""

from dataclasses import dataclass, replace
from fractions import Fraction

from runtime.graph.operators import MIRRORED as OF_SIGNS
from runtime.graph.operators import OPERATORS
from runtime.state.record import Value

MIRRORED = {**OF_SIGNS, "present": "present", "absent": "absent"}


@dataclass(frozen=True, slots=True)
class Target:
    """A value with this relation to a bound: `=`, `!=`, `<` and so on, or merely present or absent."""

    op: str
    bound: Value

    def admits(self, value: Value) -> bool:
        """Return whether a value meets the target."""
        if self.op in {"present", "absent"}:
            return (value is not None) == (self.op == "present")
        if value is None:
            return False
        try:
            return bool(OPERATORS[self.op].compute(value, self.bound))
        except TypeError:
            # A word beside a number, as in charts whose cells are of several kinds.
            return False

    def is_improvement(self, value: Value, than: Value) -> bool:
        """Return whether a value that does not meet the target is nearer to it than another: a small step."""
        if self.op not in {"<", "<=", ">", ">="} or value is None or than is None:
            return False
        try:
            return bool(value < than if self.op in {"<", "<="} else value > than)
        except TypeError:
            return False

    def offset_by(self, amount: Value) -> "Target":
        """Return the target for an operand that is smaller by this amount."""
        return replace(self, bound=self.bound + amount)

    def negated(self) -> "Target":
        """Return the target for the negated value."""
        return Target(MIRRORED[self.op], -self.bound)

    def divided_by(self, factor: Fraction) -> "Target":
        """Return the target for the other operand of a multiplication by a factor."""
        return Target(self.op if factor > 0 else MIRRORED[self.op], Fraction(self.bound) / factor)
