"""A solver of formulas by z3, which only this package imports, and only when a formula is to be solved.

In: a space and formulas. Out: an assignment of the relevant unknowns, None if the formulas are unsatisfiable, or
`TOO_MANY` where z3 gives up. An assignment is verified by evaluation of the formulas before it is used.

Numbers without fractions are integers, all others reals; words are numbered. An amount is a pair: its value, and
whether it has one, since a chart may be looked up outside of its rows. Effort is limited by counted steps instead of a
clock: the same query has the same result on a busy machine.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from compiler.analysis import charts
from compiler.analysis.budgets import EXACT, GIVEN_UP, remaining_steps, spend_steps
from compiler.analysis.formula import (
    Amount,
    Choice,
    Conjunction,
    Constant,
    Disjunction,
    Equality,
    Extreme,
    Formula,
    Holds,
    Lookup,
    Negation,
    OneOf,
    PlainValue,
    Product,
    Rounding,
    Sum,
    Unknown,
    evaluate_formula,
    formula_size,
)
from compiler.analysis.solve import TOO_MANY, Assignment, TooManyCases
from compiler.analysis.space import YES_NO_OPTIONS, Options, Space, UnknownDomain
from runtime.graph import nodes as graph

if TYPE_CHECKING:
    import z3

    # The z3 constants of unknowns, by number.
    Symbols = dict[int, z3.ExprRef]

PartT = TypeVar("PartT", Formula, Amount)
TermT = TypeVar("TermT")

# Guards of real games need some thousand steps; products with wide ranges may use up any number.
MOST_SOLVER_STEPS = 1_000_000


def is_installed() -> bool:
    """Return whether z3 is installed."""
    return find_spec("z3") is not None


def solve_exactly(space: Space, *formulas: Formula, example: bool = True) -> Assignment | TooManyCases | None:
    """Find an assignment under which all formulas hold; without `example` any satisfying assignment will do."""
    import z3  # noqa: PLC0415 -- an extra, and slow to load

    conjunction = Conjunction(formulas)
    spend_steps(EXACT + formula_size(conjunction, remaining_steps()))
    terms = Terms(space.unknowns)
    term, unknowns = terms.translate_with_unknowns(conjunction)
    solver = z3.Solver()
    solver.set("rlimit", MOST_SOLVER_STEPS)
    solver.add(term, *terms.domain_constraints(unknowns))
    found = solver.check()
    if found == z3.unsat:
        return None
    if found != z3.sat:
        spend_steps(GIVEN_UP)
        return TOO_MANY
    values = terms.read_assignment(solver.model(), unknowns)
    if evaluate_formula(conjunction, values) is not True:
        return TOO_MANY
    return _minimized_assignment(conjunction, values) if example else values


def _minimized_assignment(formula: Formula, values: Assignment) -> Assignment:
    """Return an assignment without the unknowns that the formula holds without."""
    for number in sorted(values, reverse=True):
        fewer = {other: value for other, value in values.items() if other != number}
        if evaluate_formula(formula, fewer) is True:
            values = fewer
    return values


class Terms:
    """The formulas of one query as z3 terms; its formulas share parts.

    Formulas are looked up by identity; a reference to each keeps its identity unique. Each has the symbols that occur
    in it; `used_symbols` collects those of the formula that is being translated.
    """

    def __init__(self, unknowns: Sequence[UnknownDomain]) -> None:
        self.unknowns = unknowns
        self.words: dict[str, int] = {}
        self.symbols: Symbols = {}
        self.used_symbols: Symbols = {}
        # By the identity of a part, which the entry keeps alive.
        self.known_terms: dict[int, tuple[Formula | Amount, Any, Symbols]] = {}

    def translate_with_unknowns(self, formula: Formula) -> "tuple[z3.BoolRef, Symbols]":
        """Translate a formula, and return its unknowns."""
        self.used_symbols = {}
        return self.translate_formula(formula), self.used_symbols

    def translate_formula(self, formula: Formula) -> "z3.BoolRef":
        """Return the memoized z3 term of a formula."""
        return self._memoized(formula, self._truth)

    def translate_amount(self, amount: Amount) -> "tuple[z3.ArithRef, z3.BoolRef]":
        """Return the memoized z3 terms of an amount: its value, and whether it has one."""
        return self._memoized(amount, self._amount)

    def _memoized(self, part: PartT, translate: Callable[[PartT], TermT]) -> TermT:
        known = self.known_terms.get(id(part))
        if known is None:
            outer_symbols, self.used_symbols = self.used_symbols, {}
            known = self.known_terms[id(part)] = part, translate(part), self.used_symbols
            self.used_symbols = outer_symbols
        self.used_symbols |= known[2]
        term: TermT = known[1]
        return term

    def _truth(self, formula: Formula) -> "z3.BoolRef":
        import z3  # noqa: PLC0415

        match formula:
            case Constant(value):
                return z3.BoolVal(bool(value))
            case Unknown(number):
                return self.symbol_of_unknown(number)
            case Conjunction(parts):
                return z3.And(*map(self.translate_formula, parts))
            case Disjunction(parts):
                return z3.Or(*map(self.translate_formula, parts))
            case Negation(inner):
                return z3.Not(self.translate_formula(inner))
            case Holds(amount, test):
                value, has_value = self.translate_amount(amount)
                return z3.And(has_value, _passes(value, test))
            case Equality(left, right):
                (first, has_first), (second, has_second) = self.translate_amount(left), self.translate_amount(right)
                return z3.And(has_first, has_second, first == second)
            case OneOf(numbers, rows):
                return z3.Or(*(self._row(numbers, row) for row in sorted(rows, key=repr)))

    def _amount(self, amount: Amount) -> "tuple[z3.ArithRef, z3.BoolRef]":
        import z3  # noqa: PLC0415

        match amount:
            case Constant(value):
                return self.numeral_of(value), z3.BoolVal(val=True)
            case Unknown(number):
                symbol = self.symbol_of_unknown(number)
                symbol_value = z3.If(symbol, 1, 0) if z3.is_bool(symbol) else symbol
                return symbol_value, z3.BoolVal(val=True)
            case Choice(condition, then, orelse):
                test, (first, has_first), (second, has_second) = (
                    self.translate_formula(condition),
                    self.translate_amount(then),
                    self.translate_amount(orelse),
                )
                return z3.If(test, first, second), z3.If(test, has_first, has_second)
            case Lookup():
                return self._lookup(amount)
            case Sum(parts, constant):
                found = [(factor, *self.translate_amount(part)) for factor, part in parts]
                total = self.numeral_of(constant)
                for factor, value, _ in found:
                    total = total + self.numeral_of(factor) * value
                return total, z3.And(*(has_value for _, _, has_value in found))
            case Product(left, right):
                (first, has_first), (second, has_second) = self.translate_amount(left), self.translate_amount(right)
                return first * second, z3.And(has_first, has_second)
            case Extreme(op, amounts):
                pairs = [self.translate_amount(part) for part in amounts]
                values = [value for value, _ in pairs]
                extremum = (lambda a, b: z3.If(a <= b, a, b)) if op == "min" else (lambda a, b: z3.If(a >= b, a, b))
                return reduce(extremum, values), z3.And(*(has_value for _, has_value in pairs))
            case Rounding(op, inner):
                value, has_value = self.translate_amount(inner)
                real = z3.ToReal(value) if z3.is_int(value) else value
                return z3.ToInt(real) if op == "round_down" else -z3.ToInt(-real), has_value

    def symbol_of_unknown(self, number: int) -> "z3.ExprRef":
        """Return the z3 constant of an unknown."""
        import z3  # noqa: PLC0415

        if number not in self.symbols:
            domain = self.unknowns[number].domain
            if domain == YES_NO_OPTIONS:
                self.symbols[number] = z3.Bool(f"u{number}")
            elif isinstance(domain, Options) or domain.is_whole:
                self.symbols[number] = z3.Int(f"u{number}")
            else:
                self.symbols[number] = z3.Real(f"u{number}")
        self.used_symbols[number] = self.symbols[number]
        return self.symbols[number]

    def domain_constraints(self, unknowns: "Symbols") -> "Iterator[z3.BoolRef]":
        """Yield the constraints of unknowns to their domains."""
        import z3  # noqa: PLC0415

        for number, symbol in unknowns.items():
            match self.unknowns[number].domain:
                case Options(values) if not z3.is_bool(symbol):
                    yield z3.Or(*(symbol == self.numeral_of(value) for value in values))
                case Options():
                    pass
                case interval:
                    if interval.low is not None:
                        yield symbol >= interval.low
                    if interval.high is not None:
                        yield symbol <= interval.high

    def read_assignment(self, model: "z3.ModelRef", unknowns: "Symbols") -> Assignment:
        """Return the values of unknowns in a model."""
        import z3  # noqa: PLC0415

        names = {code: word for word, code in self.words.items()}
        found: Assignment = {}
        for number, symbol in unknowns.items():
            value = model.eval(symbol, model_completion=True)
            if z3.is_bool(symbol):
                found[number] = z3.is_true(value)
                continue
            fraction = Fraction(str(value)) if not z3.is_algebraic_value(value) else Fraction(0)
            domain = self.unknowns[number].domain
            is_word = isinstance(domain, Options) and isinstance(domain.values[0], str)
            found[number] = names[int(fraction)] if is_word else fraction
        return found

    def numeral_of(self, value: PlainValue) -> "z3.ArithRef":
        """Return the z3 term of a plain value; words are numbered in order of occurrence."""
        import z3  # noqa: PLC0415

        if isinstance(value, str):
            return z3.IntVal(self.words.setdefault(value, len(self.words)))
        exact = Fraction(value)
        return z3.IntVal(int(exact)) if exact.denominator == 1 else z3.RealVal(str(exact))

    def _row(self, numbers: tuple[int, ...], row: tuple[PlainValue | None, ...]) -> "z3.BoolRef":
        import z3  # noqa: PLC0415

        pairs = [
            (self.symbol_of_unknown(number), value)
            for number, value in zip(numbers, row, strict=True)
            if value is not None
        ]
        return z3.And(
            *(symbol == (bool(value) if z3.is_bool(symbol) else self.numeral_of(value)) for symbol, value in pairs)
        )

    def _lookup(self, lookup: Lookup) -> "tuple[z3.ArithRef, z3.BoolRef]":
        """Translate a lookup in a chart: the value of the first row that matches, and whether one does."""
        import z3  # noqa: PLC0415

        keys = [self.translate_amount(key) for key in lookup.keys]
        value, has_value = self.numeral_of(0), z3.BoolVal(val=False)
        for row in reversed(lookup.table.rows):
            is_match = z3.And(
                *(self._matches_key(key, matches) for (key, _), matches in zip(keys, row.keys, strict=True) if matches)
            )
            row_value = charts.content_of(row) if lookup.component == "value" else row.kind
            value, has_value = z3.If(is_match, self.numeral_of(row_value), value), z3.Or(is_match, has_value)
        return value, z3.And(has_value, *(is_key for _, is_key in keys))

    def _matches_key(self, key: "z3.ArithRef", matches: tuple[graph.Match, ...]) -> "z3.BoolRef":
        import z3  # noqa: PLC0415

        found = []
        for match in matches:
            if isinstance(match.low, str) or match.low == match.high:
                found.append(key == self.numeral_of(match.low))
            else:
                found.append(z3.And(key >= self.numeral_of(match.low), key <= self.numeral_of(match.high)))
        return z3.Or(*found)


def _passes(value: "z3.ArithRef", test: str) -> "z3.BoolRef":
    match test:
        case "=":
            return value == 0
        case "<":
            return value < 0
        case "<=":
            return value <= 0
        case ">":
            return value > 0
        case ">=":
            return value >= 0
        case _:
            return value != 0
