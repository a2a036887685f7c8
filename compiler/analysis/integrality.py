"""Amounts that may be fractions: those that a quotient, or a written or printed fraction, flows into unrounded.

In: an expression with the values of the names in scope. Out: whether it may be a fraction. Parameters are assumed to be
whole: an argument is checked where it is passed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain

from compiler.analysis.step_reads import all_steps
from runtime.graph import nodes as graph
from runtime.graph.operators import OPERATORS
from runtime.graph.walk import walk

Names = Mapping[str, graph.Expr]


@dataclass(frozen=True, slots=True)
class IntegralityAnalysis:
    """A traversal of the questions and tracks of a stack, each at most once.

    A recursive definition adds no fraction.
    """

    stack: graph.Graph
    seen: set[str] = field(default_factory=set)

    def may_be_fraction(self, expr: graph.Expr | None, names: Names) -> bool:
        """Return whether an amount may be a fraction."""
        match expr:
            case graph.Num(value):
                return value.denominator != 1
            case graph.Var(name):
                rest = {other: value for other, value in names.items() if other != name}
                return name in names and self.may_be_fraction(names[name], rest)
            case graph.Get(_, "printed", _, name):
                printed = (each.printed for each in self.stack.counters.values())
                first = (each.first for each in self.stack.vocabulary.kinds.values())
                values = (value for each in chain(printed, first) for key, value in each if key == name)
                return any(self.may_be_fraction(value, {}) for value in values)
            case graph.Get(_, "track" | "record", owner, name) | graph.GameTrack(owner, name):
                return self._is_new(f"{owner}.{name}") and self._set_to(owner, name)
            case graph.Ask(name):
                return self._is_new(name) and self._has_fractional_answer(self.stack.terms[name])
            case graph.Cell(table):
                return any(self.may_be_fraction(row.value, {}) for row in self.stack.tables[table].rows)
            case graph.Op("/"):
                return True
            case graph.Op("if", (_, *branches)):
                return any(self.may_be_fraction(each, names) for each in branches)
            case graph.Op(op, parts):
                return OPERATORS[op].whole == "of whole numbers" and any(self.may_be_fraction(p, names) for p in parts)
            case graph.Fold("count"):
                return False
            case graph.Fold(body=body, otherwise=default):
                return self.may_be_fraction(body, names) or self.may_be_fraction(default, names)
            case _:
                return False

    def _is_new(self, name: str) -> bool:
        known = name in self.seen
        self.seen.add(name)
        return not known

    def _has_fractional_answer(self, term: graph.Term) -> bool:
        rules = (self.stack.rules[label] for label in term.rules)
        if any(self.may_be_fraction(rule.value, dict(rule.names)) for rule in rules):
            return True
        return self.may_be_fraction(term.otherwise, {})

    def _set_to(self, owner: str, name: str) -> bool:
        """Return whether a step or a new record sets a track or a field to a value that may be a fraction."""
        bound: dict[str, tuple[graph.Expr, ...]] = {}
        values: list[graph.Expr] = []
        for step in all_steps(self.stack):
            match step:
                case graph.Let(other, value):
                    bound[other] = (*bound.get(other, ()), value)
                case graph.Assign(graph.Get(owner=other, name=field_) | graph.GameTrack(other, field_), value):
                    values += [value] if (other, field_) == (owner, name) else []
                case _:
                    pass
        new_records = (node for node in walk((self.stack.procedures, self.stack.rules)) if isinstance(node, graph.New))
        values += [
            value for new in new_records if new.record == owner for field_, value in new.fields if field_ == name
        ]
        # A name that several procedures bind may have any of their values.
        names = {other: graph.Op("if", (graph.Truth(value=True), *each)) for other, each in bound.items()}
        return any(self.may_be_fraction(value, names) for value in values)
