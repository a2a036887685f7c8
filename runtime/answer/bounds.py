"""Interval analysis of numeric expressions.

In: an expression of a term. Out: (low, high), or None where no bound is known. Interval arithmetic over declared
domains and literals: a value that it shows to lie within the domain of its term needs no check at run time.
"""

from collections.abc import Mapping
from fractions import Fraction

from runtime.graph import nodes as graph
from runtime.graph.interval import ANY, Interval
from runtime.graph.operators import OPERATORS

ValueBounds = tuple[Fraction, Fraction] | None
Names = Mapping[str, graph.Type]


def bounds_of(expr: graph.Expr, names: Names, rules: graph.Graph) -> ValueBounds:
    """Return the interval of an expression."""
    match expr:
        case graph.Num(value, _):
            return value, value
        case graph.Place(_, _, number):
            return Fraction(number), Fraction(number)
        case graph.Ask(term, _):
            return _declared_bounds(rules.terms[term].type)
        case graph.Var(name) if name in names:
            return _declared_bounds(names[name])
        case graph.Get(_, "printed", kind, name) if kind in rules.vocabulary.kinds:
            return next(
                (_declared_bounds(p.type) for p in rules.vocabulary.kinds[kind].printed if p.name == name), None
            )
        case graph.Cell(table, _, kind):
            rows = [row.value for row in rules.tables[table].rows if row.kind == kind and row.value is not None]
            return common_bounds([bounds_of(value, {}, rules) for value in rows])
        case graph.Op(op, arguments):
            return _computed_bounds(op, [bounds_of(argument, names, rules) for argument in arguments])
        case _:
            return None


def is_within_domain(type_: graph.Type, known: ValueBounds, *, whole: bool) -> bool:
    """Return whether an interval is contained in the domain of a type; `whole`: its numbers are known to be whole."""
    match type_:
        case graph.Number(is_whole=True) if not whole:
            return False
        case graph.Number(low, high) if low is not None or high is not None:
            return known is not None and (low is None or low <= known[0]) and (high is None or known[1] <= high)
        case _:
            return True


def domain_test(declared: graph.Number, name: str) -> str:
    """Return the Python text of the test whether a number lies in a domain."""
    within = " <= ".join(str(end) for end in (declared.low, name, declared.high) if end is not None)
    return f"{within} and {name} % 1 == 0" if declared.is_whole else within


def _declared_bounds(type_: graph.Type) -> ValueBounds:
    """Return the interval of a declared domain; None if it is unbounded."""
    match type_:
        case graph.Number(int(low), int(high)):
            return Fraction(low), Fraction(high)
        case _:
            return None


def common_bounds(many: list[ValueBounds]) -> ValueBounds:
    """Return the hull of several intervals; None if one of them is unbounded."""
    known = [bounds for bounds in many if bounds is not None]
    if not known or len(known) < len(many):
        return None
    return min(low for low, _ in known), max(high for _, high in known)


def _computed_bounds(op: str, parts: list[ValueBounds]) -> ValueBounds:
    """Return the interval of an operator applied to intervals; None if it is unbounded."""
    known = [Interval(*part) if part is not None else ANY for part in parts]
    found = OPERATORS[op].bounds(known, None)
    return None if found.low is None or found.high is None else (found.low, found.high)


def is_whole(expr: graph.Expr) -> bool:
    """Return whether the value of an expression is known to be an integer."""
    match expr:
        case graph.Num(value, _):
            return value.denominator == 1
        case graph.Fold("count"):
            return True
        case graph.Op(op, parts):
            condition = OPERATORS[op].whole
            return condition == "always" or (condition == "of whole numbers" and all(map(is_whole, parts)))
        case _:
            return False
