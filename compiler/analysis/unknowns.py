"""The unknowns of a term's rules: expressions with equal texts are one unknown, of a known domain.

In: normalized expressions. Out: unknowns of the space, each with what facts.py needs of it: the piece whose printed
factor it is, the pieces and hexes that are mentioned, the collection that is counted.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from compiler.analysis import charts
from compiler.analysis.domain import Types, domain_of
from compiler.analysis.expression_text import ExpressionWriter
from compiler.analysis.formula import Amount, Choice, Unknown
from compiler.analysis.intervals import Intervals
from compiler.analysis.linear import Linear
from compiler.analysis.space import YES_NO_OPTIONS, Domain, NumberInterval, Space, UnknownSubject
from compiler.analysis.stated_sides import SideExpressions, substitute_equals
from runtime.graph import nodes as graph
from runtime.graph.interval import interval_of
from runtime.graph.type_of import type_of

Pair = tuple[graph.Expr, graph.Expr]


class Unknowns:
    """The unknowns of one term, numbered in its space."""

    def __init__(self, stack: graph.Graph, types: Types, intervals: Intervals | None) -> None:
        """Start without unknowns; `intervals` bounds amounts whose type has no ends."""
        self.intervals = intervals
        self.stack = stack
        self.types = types
        self.space = Space()
        self.subjects: dict[str, graph.Expr] = {}
        self.exprs: dict[int, graph.Expr] = {}
        self.counts: dict[int, graph.Fold] = {}
        # Unknowns about the hexside between two hexes, and about the equality of two hexes.
        self.different_pairs: dict[int, Pair] = {}
        self.equal_pairs: dict[int, Pair] = {}
        self.text = ExpressionWriter(stack.vocabulary).text
        # Returns whether an expression is known to be whole beyond what its type states.
        self.is_whole: Callable[[graph.Expr], bool] = lambda _: False

    def identify(self, stated: SideExpressions) -> None:
        """Identify expressions with those that they are stated to equal: both become one unknown."""
        write = self.text
        self.text = lambda expr: write(substitute_equals(expr, stated))

    def expression_type(self, expr: graph.Expr) -> graph.Type:
        """Return the type of an expression."""
        return type_of(expr, self.types, self.stack)

    def answer_domain(self, expr: graph.Expr) -> Domain | None:
        """Return the domain of an expression; None if its values can be neither listed nor bounded."""
        found = domain_of(expr, self.expression_type(expr), self.stack)
        if isinstance(found, NumberInterval) and not found.is_whole and self.is_whole(expr):
            found = replace(found, is_whole=True)
        if self.intervals is None or not isinstance(found, NumberInterval):
            return found
        if None not in (found.low, found.high) and self.intervals.card_invariants is None:
            return found
        names = {name: interval_of(value_type) for name, value_type in self.types.items()}
        known = self.intervals.interval_of(expr, names)
        low = found.low if known.low is None else known.low.__floor__()
        high = found.high if known.high is None else known.high.__ceil__()
        return NumberInterval(low, high, found.is_whole)

    def opaque_condition(self, expr: graph.Expr) -> Unknown:
        """Return an unknown truth value for an expression that is not decomposed."""
        unknown = Unknown(self.space.add_unknown(self.text(expr), YES_NO_OPTIONS))
        self.exprs[unknown.number] = expr
        match expr:
            case graph.Has(graph.Op("between", (first, second)), "path") | graph.Op(
                "in", (second, graph.Op("neighbors", (first,)))
            ):
                self.different_pairs[unknown.number] = first, second
            case graph.Op("=", (first, second)) if isinstance(self.expression_type(first), graph.Hex):
                self.equal_pairs[unknown.number] = first, second
        return unknown

    def flag_unknown(self, subject: graph.Expr, test: graph.Test, expr: graph.Expr) -> Unknown:
        """Return the unknown for a printed or marked flag."""
        self.subjects.setdefault(self.text(subject), subject)
        about = UnknownSubject(self.text(subject), test.owner, test.what, test.name)
        unknown = Unknown(self.space.add_unknown(self.text(expr), YES_NO_OPTIONS, about))
        self.exprs[unknown.number] = expr
        match subject:
            case graph.Op("between", (first, second)):
                self.different_pairs[unknown.number] = first, second
            case _:
                pass
        return unknown

    def value_unknown(self, expr: graph.Expr, domain: Domain) -> Unknown:
        """Return the unknown for an amount or a word, with its subject."""
        about = None
        if isinstance(expr, graph.Get):
            self.subjects.setdefault(self.text(expr.base), expr.base)
            if expr.what == "printed" or expr.name == "kind":
                about = UnknownSubject(self.text(expr.base), expr.owner, expr.what, expr.name)
        number = self.space.add_unknown(self.text(expr), domain, about)
        self.exprs[number] = expr
        if isinstance(expr, graph.Fold) and expr.op == "count":
            self.counts[number] = expr
        return Unknown(number)

    def unknown_sum(self, sides: Linear) -> Unknown:
        """Return the unknown for a sum; its bounds are computed from those of its parts."""
        low, high, is_whole = Fraction(0), Fraction(0), True
        open_low, open_high = False, False
        for _, factor, expr in sides.parts:
            domain = self.answer_domain(expr)
            if not isinstance(domain, NumberInterval):
                domain = NumberInterval(None, None)
            first, last = (domain.low, domain.high) if factor > 0 else (domain.high, domain.low)
            open_low, open_high = open_low or first is None, open_high or last is None
            low, high = low + factor * (first or 0), high + factor * (last or 0)
            is_whole = is_whole and domain.is_whole and factor.denominator == 1
        ends = NumberInterval(None if open_low else low.__floor__(), None if open_high else high.__ceil__(), is_whole)
        if len(sides.parts) == 1:
            return self.value_unknown(sides.parts[0][2], ends)
        return Unknown(self.space.add_unknown(sides.text(), ends))

    def add_chart_cuts(self, table: graph.Table, key_index: int, key: Amount) -> None:
        """Add cuts to a number that is a key of a chart, where rows begin and end; it is whole if all of these are."""
        borders = charts.boundary_numbers(table, key_index)
        is_whole = all(border.denominator == 1 for border in borders)
        for number in _equal_unknowns(key):
            question = self.space.unknowns[number]
            if isinstance(question.domain, NumberInterval):
                if is_whole:
                    question.domain = NumberInterval(question.domain.low, question.domain.high, is_whole=True)
                for border in borders:
                    self.space.add_cut(number, border)


def _equal_unknowns(amount: Amount) -> tuple[int, ...]:
    """Return the unknowns that an amount may be equal to."""
    match amount:
        case Unknown(number):
            return (number,)
        case Choice(_, then, orelse):
            return (*_equal_unknowns(then), *_equal_unknowns(orelse))
        case _:
            return ()
