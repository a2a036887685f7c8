"""Guards as formulas over few unknowns, and their partial evaluation.

In: formulas built by translate.py. Out: yes, no, or the first unknown that the value depends on.

Three-valued evaluation (Kleene, *Introduction to Metamathematics*, 64) that returns the missing unknown is all that a
proof by cases needs: solve.py evaluates, tries the values of that unknown one after the other, and evaluates again.
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import ceil, floor
from typing import assert_never

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass

# A value of an unknown, represented as in runtime/graph/nodes/types.py.
PlainValue = bool | int | Fraction | str


@frozen_dataclass
class Constant:
    """A known value."""

    value: PlainValue


@frozen_dataclass
class Unknown:
    """A question whose value the position determines, by its number in the space."""

    number: int


@frozen_dataclass
class Choice:
    """A conditional amount: `then` if the condition holds, else `orelse`."""

    condition: "Formula"
    then: "Amount"
    orelse: "Amount"


@frozen_dataclass
class Lookup:
    """A lookup in a chart: `cells` returns kind and value for plain keys, None outside the chart."""

    cells: Callable[..., tuple[str, PlainValue] | None]
    keys: tuple["Amount", ...]
    component: str  # "kind" or "value"
    table: graph.Table


@frozen_dataclass
class Sum:
    """A linear combination: factors times amounts, plus a constant."""

    parts: tuple[tuple[Fraction, "Amount"], ...]
    constant: Fraction


@frozen_dataclass
class Product:
    """A product of two amounts; a proof by cases has none, as it represents products as unknowns."""

    left: "Amount"
    right: "Amount"


@frozen_dataclass
class Extreme:
    """The minimum (`op` min) or maximum (max) of amounts."""

    op: str
    parts: tuple["Amount", ...]


@frozen_dataclass
class Rounding:
    """An amount rounded down or up, by `op`."""

    op: str
    inner: "Amount"


Amount = Constant | Unknown | Choice | Lookup | Sum | Product | Extreme | Rounding


@frozen_dataclass
class Conjunction:
    """A conjunction."""

    parts: tuple["Formula", ...]


@frozen_dataclass
class Disjunction:
    """A disjunction."""

    parts: tuple["Formula", ...]


@frozen_dataclass
class Negation:
    """A negation."""

    inner: "Formula"


@frozen_dataclass
class Holds:
    """A test of TESTS applied to an amount."""

    amount: Amount
    test: str


@frozen_dataclass
class Equality:
    """The equality of two amounts."""

    left: Amount
    right: Amount


@frozen_dataclass
class OneOf:
    """The constraint that the unknowns together have the values of one row; None in a row matches any value."""

    numbers: tuple[int, ...]
    rows: frozenset[tuple[PlainValue | None, ...]]


Formula = Constant | Unknown | Conjunction | Disjunction | Negation | Holds | Equality | OneOf

# The tests of one amount: its comparison with zero, or its truth.
TESTS: dict[str, Callable[[PlainValue], bool]] = {
    "=": lambda difference: difference == 0,
    "<": lambda difference: Fraction(difference) < 0,
    "<=": lambda difference: Fraction(difference) <= 0,
    ">": lambda difference: Fraction(difference) > 0,
    ">=": lambda difference: Fraction(difference) >= 0,
    "yes": bool,
}

TRUE, FALSE = Constant(value=True), Constant(value=False)


@frozen_dataclass
class MissingUnknown:
    """The unknown that a value depends on."""

    number: int


class _OutsideChart:
    """The value of a cell outside of its chart; equal to no other value, and failing every test."""


Values = Mapping[int, PlainValue]


def evaluate_formula(formula: Formula, values: Values) -> bool | MissingUnknown:
    """Return whether a formula holds under the known values; `MissingUnknown` if they do not determine it."""
    match formula:
        case Unknown(number):
            return bool(values[number]) if number in values else MissingUnknown(number)
        case Conjunction(parts):
            return _first(parts, values, stop=False)
        case Disjunction(parts):
            return _first(parts, values, stop=True)
        case Negation(inner):
            answer = evaluate_formula(inner, values)
            return answer if isinstance(answer, MissingUnknown) else not answer
        case Holds(amount, test):
            value = _evaluate_amount(amount, values)
            if isinstance(value, MissingUnknown):
                return value
            return not isinstance(value, _OutsideChart) and TESTS[test](value)
        case Equality(left, right):
            first, second = _evaluate_amount(left, values), _evaluate_amount(right, values)
            if isinstance(first, MissingUnknown):
                return first
            return second if isinstance(second, MissingUnknown) else first == second
        case Constant(value):
            return bool(value)
        case OneOf(numbers, rows):
            return _matches_row(numbers, rows, values)
        case _:
            assert_never(formula)


def _first(parts: tuple[Formula, ...], values: Values, *, stop: bool) -> bool | MissingUnknown:
    """Evaluate a conjunction (`stop` False) or disjunction (`stop` True).

    A later part may decide it while an earlier one is undetermined.
    """
    missing: MissingUnknown | None = None
    for part in parts:
        answer = evaluate_formula(part, values)
        if answer is stop:
            return stop
        if missing is None and isinstance(answer, MissingUnknown):
            missing = answer
    return missing or not stop


def simplified_formula(formula: Formula, values: Values) -> tuple[bool | MissingUnknown, Formula]:
    """Evaluate a formula, and return it without the parts that the known values determine."""
    match formula:
        case Conjunction(parts):
            answer, left = _narrowed(parts, values, stop=False)
            return answer, left[0] if len(left) == 1 else Conjunction(left)
        case Disjunction(parts):
            answer, left = _narrowed(parts, values, stop=True)
            return answer, left[0] if len(left) == 1 else Disjunction(left)
        case Negation(inner):
            answer, remainder = simplified_formula(inner, values)
            return (answer, Negation(remainder)) if isinstance(answer, MissingUnknown) else (not answer, formula)
        case _:
            return evaluate_formula(formula, values), formula


def _narrowed(
    parts: tuple[Formula, ...], values: Values, *, stop: bool
) -> tuple[bool | MissingUnknown, tuple[Formula, ...]]:
    """Return the result of `_first`, and the parts that are undetermined."""
    missing: MissingUnknown | None = None
    left: list[Formula] = []
    for part in parts:
        answer, remainder = simplified_formula(part, values)
        if answer is stop:
            return stop, ()
        if isinstance(answer, MissingUnknown):
            missing = missing or answer
            left.append(remainder)
    return missing or not stop, tuple(left)


def formula_size(part: Formula | Amount, most: int | None) -> int:
    """Count the parts of a formula or an amount that its evaluation visits; stop as soon as the count exceeds `most`.

    A shared subformula is counted at each occurrence: a formula may have more parts than can be counted. A lookup,
    product, extreme or rounding counts as one part, without its operands.
    """
    count, left = 0, [part]
    while left and (most is None or count <= most):
        match left.pop():
            case Conjunction(parts) | Disjunction(parts):
                count += 1
                left.extend(parts)
            case Negation(inner):
                count += 1
                left.append(inner)
            case Equality(first, second):
                count += 1
                left += (first, second)
            case Holds(amount):
                count += 1
                left.append(amount)
            case Choice(condition, then, orelse):
                count += 1
                left += (condition, then, orelse)
            case Sum(members):
                count += len(members)
                left.extend(amount for _, amount in members if not isinstance(amount, Unknown))
            case OneOf(_, rows):
                count += len(rows)
            case _:
                count += 1
    return count


def _matches_row(
    numbers: tuple[int, ...], rows: frozenset[tuple[PlainValue | None, ...]], values: Values
) -> bool | MissingUnknown:
    """Return whether a row still matches, or the first unknown that distinguishes the rows."""
    known = [(index, values[number]) for index, number in enumerate(numbers) if number in values]
    matching_rows = [row for row in rows if all(row[place] is None or row[place] == value for place, value in known)]
    if not matching_rows:
        return False
    if len(known) == len(numbers) or any(
        all(row[index] is None for index, number in enumerate(numbers) if number not in values) for row in matching_rows
    ):
        return True
    return MissingUnknown(next(number for number in numbers if number not in values))


def _evaluate_amount(amount: Amount, values: Values) -> PlainValue | MissingUnknown | _OutsideChart:
    """Evaluate an amount under the known values."""
    match amount:
        case Unknown(number):
            return values[number] if number in values else MissingUnknown(number)
        case Constant(value):
            return value
        case Choice(condition, then, orelse):
            answer = evaluate_formula(condition, values)
            return (
                answer if isinstance(answer, MissingUnknown) else _evaluate_amount(then if answer else orelse, values)
            )
        case Lookup(cells, keys, component):
            found = _weigh_all(keys, values)
            if not isinstance(found, list):
                return found
            cell = cells(*found)
            return _OutsideChart() if cell is None else cell[0] if component == "kind" else cell[1]
        case Sum(parts, constant):
            terms = _weigh_all([part for _, part in parts], values)
            if not isinstance(terms, list):
                return terms
            total = constant
            for (factor, _), term in zip(parts, terms, strict=True):
                total += Fraction(term) if factor == 1 else factor * Fraction(term)
            return total
        case Product() | Extreme() | Rounding():
            return _weigh_computed(amount, values)
        case _:
            assert_never(amount)


def _weigh_computed(
    amount: Product | Extreme | Rounding, values: Values
) -> PlainValue | MissingUnknown | _OutsideChart:
    """Evaluate an amount of a form that only exact arithmetic represents."""
    match amount:
        case Product(left, right):
            operands: tuple[Amount, ...] = (left, right)
        case Extreme(_, operands):
            pass
        case Rounding(_, inner):
            operands = (inner,)
        case _:
            assert_never(amount)
    found = _weigh_all(operands, values)
    if not isinstance(found, list):
        return found
    numbers = [Fraction(number) for number in found]
    match amount:
        case Product():
            return numbers[0] * numbers[1]
        case Extreme(op):
            return min(numbers) if op == "min" else max(numbers)
        case Rounding(op):
            return Fraction(floor(numbers[0]) if op == "round_down" else ceil(numbers[0]))
        case _:
            assert_never(amount)


def _weigh_all(amounts: Iterable[Amount], values: Values) -> list[PlainValue] | MissingUnknown | _OutsideChart:
    """Evaluate several amounts, or return the first that has no value."""
    found: list[PlainValue] = []
    for amount in amounts:
        value = _evaluate_amount(amount, values)
        if isinstance(value, (MissingUnknown, _OutsideChart)):
            return value
        found.append(value)
    return found


def unknowns_in(part: Formula | Amount) -> frozenset[int]:
    """Return the unknowns of a formula or an amount."""
    match part:
        case Unknown(number):
            return frozenset({number})
        case Conjunction(parts) | Disjunction(parts):
            inner: tuple[Formula | Amount, ...] = parts
        case Lookup(_, keys):
            inner = keys
        case Extreme(_, amounts):
            inner = amounts
        case Sum(parts):
            inner = tuple(amount for _, amount in parts)
        case Negation(operand) | Holds(operand) | Rounding(_, operand):
            inner = (operand,)
        case Equality(left, right) | Product(left, right):
            inner = (left, right)
        case Choice(condition, then, orelse):
            inner = (condition, then, orelse)
        case OneOf(numbers):
            return frozenset(numbers)
        case Constant():
            inner = ()
        case _:
            assert_never(part)
    return frozenset().union(*map(unknowns_in, inner))
