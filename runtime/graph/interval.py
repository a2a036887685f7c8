"""Intervals of numbers, and interval arithmetic (Moore, Interval Analysis, 1966).

In: the intervals of arguments. Out: an interval that contains every result. None is an infinite bound.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass

IntervalLimit = Fraction | None

# Bounds beyond this are treated as infinite: repeated squares would exhaust memory.
FARTHEST = 10**60


@frozen_dataclass
class Interval:
    """Numbers from low to high, both included."""

    low: IntervalLimit
    high: IntervalLimit

    def is_within(self, other: "Interval") -> bool:
        """Return whether all of this lies in the other one."""
        low = other.low is None or (self.low is not None and self.low >= other.low)
        return low and (other.high is None or (self.high is not None and self.high <= other.high))

    def intersection(self, other: "Interval") -> "Interval":
        """Return the intersection; the other interval where it is empty."""
        low = max((end for end in (self.low, other.low) if end is not None), default=None)
        high = min((end for end in (self.high, other.high) if end is not None), default=None)
        return other if low is not None and high is not None and low > high else Interval(low, high)

    def with_(self, other: "Interval") -> "Interval":
        """Return the hull of both."""
        low = None if self.low is None or other.low is None else min(self.low, other.low)
        high = None if self.high is None or other.high is None else max(self.high, other.high)
        return Interval(low, high)


ANY = Interval(None, None)
COUNTED = Interval(Fraction(0), None)


def interval_of(type_: graph.Type | None) -> Interval:
    """Return the interval of a type's numbers."""
    if not isinstance(type_, graph.Number):
        return ANY
    return Interval(*(None if end is None else Fraction(end) for end in (type_.low, type_.high)))


def hull(found: Iterable[Interval]) -> Interval:
    """Return the hull of several intervals."""
    first, *rest = [*found] or [ANY]
    for each in rest:
        first = first.with_(each)
    return first


def summed_ends(ends: Iterable[IntervalLimit]) -> IntervalLimit:
    """Return the sum of bounds; infinite if one of them is."""
    total = Fraction(0)
    for end in ends:
        if end is None:
            return None
        total += end
    return total


def total(parts: Sequence[Interval]) -> Interval:
    """Return the interval of a sum."""
    return Interval(summed_ends(each.low for each in parts), summed_ends(each.high for each in parts))


def negative_of(part: Interval) -> Interval:
    """Return the interval of a negation."""
    return Interval(*(None if end is None else -end for end in (part.high, part.low)))


def product(left: Interval, right: Interval) -> Interval:
    """Return the interval of a product."""
    a, b, c, d = left.low, left.high, right.low, right.high
    if a is not None and b is not None and c is not None and d is not None:
        corners = (a * c, a * d, b * c, b * d)
        if all(max(abs(end.numerator), end.denominator) < FARTHEST for end in corners):
            return Interval(min(corners), max(corners))
    return COUNTED if a is not None and a >= 0 and c is not None and c >= 0 else ANY


def quotient(left: Interval, right: Interval) -> Interval:
    """Return the interval of a quotient; unbounded where the divisor may be zero."""
    if right.high is not None and right.high < 0:
        return quotient(negative_of(left), negative_of(right))
    if right.low is None or right.low <= 0:
        return ANY
    return product(left, Interval(Fraction(0) if right.high is None else 1 / right.high, 1 / right.low))


def minimum_of(parts: Sequence[Interval]) -> Interval:
    """Return the interval of a minimum."""
    lows, highs = [part.low for part in parts], [part.high for part in parts]
    known = [low for low in lows if low is not None]
    low = min(known) if len(known) == len(lows) else None
    return Interval(low, min((high for high in highs if high is not None), default=None))


def maximum_of(parts: Sequence[Interval]) -> Interval:
    """Return the interval of a maximum."""
    return negative_of(minimum_of([*map(negative_of, parts)]))
