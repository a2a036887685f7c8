"""The one place where `<`, `+` and `round_down` get a meaning.

One row for everything that `Op` may name: how many arguments it takes, which types go in and
come out, what it means, and how generated Python writes it. The interpreter calls `compute`, the
generator fills in `python`. Of `forms` only the number of arguments is held against a graph; what fits
is checked in compiler/typed, whose rules for measures and domains no signature could say.

Numbers are exact: an int, or a Fraction where halves occur. A set is a tuple without repeats in
canonical order, so that equal sets are equal tuples; a span of integers is a `range`.

Forms: a lower-case letter stands for any measure or scale, `T` for any type; the same letter means
the same thing throughout. `number` without a letter is a bare number, `number m` carries measure m,
`number of s` the measure of scale s. `...` repeats the last argument.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Amount = int | Fraction


@dataclass(frozen=True, slots=True)
class Operator:
    """One built-in. `looks` says what it needs beside its arguments: "", "board" or "state"."""

    name: str
    forms: tuple[str, ...]
    compute: Callable[..., Any]
    python: str
    looks: str = ""

    def takes(self, count: int) -> bool:
        """Tell whether some form has so many arguments."""
        given = [form.partition(" -> ")[0].split(", ") for form in self.forms]
        return any(count >= len(each) - 1 if each[-1] == "..." else count == len(each) for each in given)


def plain(number: Amount) -> Amount:
    """Write a whole number as an int."""
    return number if type(number) is int or number.denominator != 1 else number.numerator


def divide(a: Amount, b: Amount) -> Amount:
    """Divide exactly. The checker has excluded a divisor of zero."""
    if type(a) is int and type(b) is int:
        return Fraction(a, b) if a % b else a // b
    return plain(Fraction(a) / b)


def add_up(numbers: Sequence[Amount]) -> Amount:
    """Add numbers. Fractions are added over one denominator: those on the way would be reduced for nothing."""
    broken = [number.denominator for number in numbers if type(number) is not int]
    if not broken:
        return sum(numbers)
    whole = math.lcm(*broken)
    return divide(sum([number.numerator * (whole // number.denominator) for number in numbers]), whole)


def round_down(x: Amount) -> int:
    """Drop the fraction, toward minus infinity."""
    return math.floor(x)


def round_up(x: Amount) -> int:
    """Go up to the next whole number."""
    return math.ceil(x)


def clamp(x: Amount, low: Amount, high: Amount) -> Amount:
    """Keep x between low and high."""
    return max(low, min(high, x))


def span(low: Amount, high: Amount) -> range:
    """List the whole numbers from low to high, both included."""
    return range(math.ceil(low), math.floor(high) + 1)


def contains(x: Any, collection: Any) -> bool:
    """Say whether x is a member; in a span, anything between its ends is (5/2 in 2..3)."""
    if isinstance(collection, range):
        return bool(collection.start <= x <= collection.stop - 1)
    return bool(x in collection)


def united(state: Any, a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    """Make one set of two."""
    made: tuple[Any, ...] = state.frame.ordered((*a, *b))
    return made


def flat(state: Any, sets: tuple[tuple[Any, ...], ...]) -> tuple[Any, ...]:
    """Make one set of many."""
    made: tuple[Any, ...] = state.frame.ordered(member for each in sets for member in each)
    return made


def without(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    """Keep the members of a that b has not."""
    left = frozenset(b)
    return tuple(member for member in a if member not in left)


def choose(condition: bool, yes: Any, no: Any) -> Any:  # noqa: FBT001 - it is the operator `if`.
    """Take one of two values. Evaluators must not evaluate the other one."""
    return yes if condition else no


_TABLE = (
    # Numbers and scales. A scale is a line of numbers: places move by amounts of its measure.
    Operator(
        "+", ("number m, number m -> number m", "scale s, number of s -> scale s"), lambda a, b: a + b, "({0} + {1})"
    ),
    Operator(
        "-",
        ("number m, number m -> number m", "scale s, number of s -> scale s", "scale s, scale s -> number of s"),
        lambda a, b: a - b,
        "({0} - {1})",
    ),
    Operator("*", ("number, number m -> number m", "number m, number -> number m"), lambda a, b: a * b, "({0} * {1})"),
    Operator("/", ("number m, number m -> number", "number m, number -> number m"), divide, "divide({0}, {1})"),
    Operator("neg", ("number m -> number m",), lambda a: -a, "(-{0})"),
    Operator("min", ("number m, ... -> number m", "scale s, ... -> scale s"), lambda *xs: min(xs), "min({*})"),
    Operator("max", ("number m, ... -> number m", "scale s, ... -> scale s"), lambda *xs: max(xs), "max({*})"),
    Operator("round_down", ("number m -> number m",), round_down, "floor({0})"),
    Operator("round_up", ("number m -> number m",), round_up, "ceil({0})"),
    Operator(
        "clamp",
        ("number m, number m, number m -> number m", "scale s, scale s, scale s -> scale s"),
        clamp,
        "clamp({0}, {1}, {2})",
    ),
    Operator("place", ("number of s -> scale s", "number -> scale s"), plain, "plain({0})"),
    Operator("number", ("scale s -> number of s",), plain, "{0}"),
    # Comparison. Sets compare as sets because they are canonical; records only to themselves.
    Operator("=", ("T, T -> yes_no",), lambda a, b: a == b, "({0} == {1})"),
    Operator("!=", ("T, T -> yes_no",), lambda a, b: a != b, "({0} != {1})"),
    Operator("<", ("number m, number m -> yes_no", "scale s, scale s -> yes_no"), lambda a, b: a < b, "({0} < {1})"),
    Operator("<=", ("number m, number m -> yes_no", "scale s, scale s -> yes_no"), lambda a, b: a <= b, "({0} <= {1})"),
    Operator(">", ("number m, number m -> yes_no", "scale s, scale s -> yes_no"), lambda a, b: a > b, "({0} > {1})"),
    Operator(">=", ("number m, number m -> yes_no", "scale s, scale s -> yes_no"), lambda a, b: a >= b, "({0} >= {1})"),
    # Logic stops early: evaluators look at one argument after the other.
    Operator("and", ("yes_no, ... -> yes_no",), lambda *xs: all(xs), "({and})"),
    Operator("or", ("yes_no, ... -> yes_no",), lambda *xs: any(xs), "({or})"),
    Operator("not", ("yes_no -> yes_no",), lambda a: not a, "(not {0})"),
    Operator("if", ("yes_no, T, T -> T",), choose, "({1} if {0} else {2})"),
    # Collections.
    Operator("in", ("T, set T -> yes_no", "T, list T -> yes_no"), contains, "contains({0}, {1})"),
    Operator("union", ("set T, set T -> set T",), united, "s.frame.ordered((*{0}, *{1}))", "state"),
    Operator(
        "flat", ("set set T -> set T",), flat, "s.frame.ordered([member for each in {0} for member in each])", "state"
    ),
    Operator("without", ("set T, set T -> set T",), without, "without({0}, {1})"),
    Operator("span", ("number m, number m -> list number m",), span, "span({0}, {1})"),
    # The map.
    Operator(
        "distance", ("hex, hex -> number hexes",), lambda b, x, y: b.distance(x, y), "{b}.far[{0}][{1}]", "board"
    ),
    Operator(
        "adjacent", ("hex, hex -> yes_no",), lambda b, x, y: b.adjacent(x, y), "({1} in {b}.beside[{0}])", "board"
    ),
    Operator("neighbors", ("hex -> set hex",), lambda b, h: b.around[h], "{b}.around[{0}]", "board"),
    Operator(
        "within", ("hex, number hexes -> set hex",), lambda b, h, n: b.within(h, n), "{b}.within({0}, {1})", "board"
    ),
    Operator("between", ("hex, hex -> hexside",), lambda b, x, y: b.side(x, y), "{b}.side({0}, {1})", "board"),
    Operator("beyond", ("hex, hex -> set hex",), lambda b, x, y: b.beyond(x, y), "{b}.beyond({0}, {1})", "board"),
    Operator("toward", ("hex, number m -> list hex",), lambda b, h, n: b.toward(h, n), "{b}.toward({0}, {1})", "board"),
    Operator("line", ("hex, hex -> list crossing",), lambda b, x, y: b.line(x, y), "{b}.line({0}, {1})", "board"),
    Operator("touching", ("hexside -> set hexside",), lambda b, s: b.touching(s), "{b}.touching({0})", "board"),
    Operator("ends", ("hexside -> set hex",), lambda b, s: b.ends(s), "{b}.ends({0})", "board"),
    Operator(
        "linked", ("set hex, set hex -> set hex",), lambda b, xs, ys: b.linked(xs, ys), "{b}.linked({0}, {1})", "board"
    ),
    Operator("edge", ("hex -> yes_no",), lambda b, h: b.is_edge(h), "{b}.is_edge({0})", "board"),
    # The position. The first argument is not a value but names what is looked at: related and
    # payload a relation, reserve the kinds of piece; evaluators hand compute the relation or kinds themselves.
    Operator("related", ("relation, piece, piece -> yes_no",), lambda s, r, a, b: s.related(r, a, b), "", "state"),
    Operator("payload", ("relation, piece, piece -> payload",), lambda s, r, a, b: s.payload(r, a, b), "", "state"),
    Operator("reserve", ("set piece -> set piece",), lambda s, kinds: s.reserve(kinds), "", "state"),
)  # fmt: skip

OPERATORS: dict[str, Operator] = {operator.name: operator for operator in _TABLE}
