"""Interval analysis of amounts (Cousot, Cousot, *Abstract Interpretation*, 1977): bounds computed from the leaves up.

In: an expression of a stack. Out: an interval that contains every value; None is an open end. A term is bounded by its
declared range and the values of its rules, a chart by its cells, a printed factor by its declared type. Guards are
ignored: the analysis is cheap, and decides most ranges before a proof is needed.
"""

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from functools import partial

from compiler.analysis.card_invariants import CardInvariants
from compiler.analysis.recording_graph import RecordingGraph
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.interval import ANY, COUNTED, Interval, hull, interval_of, summed_ends
from runtime.graph.literals import literal_value
from runtime.graph.operators import OPERATORS
from runtime.graph.operators.record import unbounded
from runtime.graph.type_of import type_of


@frozen_dataclass
class _PositionDomain:
    """Bounds of the positions considered: members of a collection, distance between hexes in hexes, time in turns."""

    members: int
    greatest_distance: int
    greatest_turn: int


# About the size of the positions that runtime/witness builds: a search need not consider larger ones.
SMALL_POSITIONS = _PositionDomain(6, 4, 20)


@frozen_dataclass
class Intervals:
    """The intervals of one stack; those of terms are memoized."""

    stack: graph.Graph
    scope: "_PositionDomain | None" = None
    terms: dict[str, Interval] = field(default_factory=dict)
    card_invariants: CardInvariants | None = None  # What a situation card fixes.
    recording: RecordingGraph | None = None  # the memos of terms; None: `terms`

    def interval_of(self, expr: graph.Expr, names: Mapping[str, Interval]) -> Interval:
        """Return an interval for an expression; `names` has those of the names in scope."""
        match expr:
            case graph.Num(value):
                return Interval(value, value)
            case graph.Var(name):
                return names.get(name, ANY)
            case graph.Get(_, "printed", owner, name):
                return self._printed(owner, name)
            case graph.GameTrack() | graph.Ask() if (
                self.card_invariants and (settled := self.card_invariants.substituted_definition(expr)) is not None
            ):
                return self.interval_of(settled, names).intersection(
                    self.answer_interval(expr.term) if isinstance(expr, graph.Ask) else ANY
                )
            case graph.GameTrack("game" | "scenario", "turn" | "turns") | graph.Get(_, "given", _, "arrives"):
                return self._turn_interval()
            case graph.Get(_, "track" | "record") | graph.GameTrack():
                return interval_of(type_of(expr, {}, self.stack))
            case graph.Ask(term):
                return self.answer_interval(term)
            case graph.Cell(table, _, kind):
                return self._cells(self.stack.tables[table], kind)
            case graph.Op(op, arguments) if OPERATORS[op].bounds is not unbounded:
                return OPERATORS[op].bounds(
                    [self.interval_of(each, names) for each in arguments],
                    None if self.scope is None else Fraction(self.scope.greatest_distance),
                )
            case graph.Fold():
                return self._fold(expr, names)
            case _:
                return ANY

    def _turn_interval(self) -> Interval:
        """Return an interval for the number of a turn."""
        last = (
            self.scope.greatest_turn
            if self.scope is not None
            else self.card_invariants.turns
            if self.card_invariants is not None
            else None
        )
        return COUNTED if last is None else Interval(Fraction(1), Fraction(last))

    def _member_bound(self, fold: graph.Fold) -> int | None:
        """Return an upper bound for the number of members that a fold selects."""
        if self.scope is not None:
            return self.scope.members
        if self.card_invariants is None:
            return None
        return self.card_invariants.max_members(fold.source, fold.where, fold.var)

    def _sum_interval(self, body: Interval, most: int | None) -> Interval:
        """Return an interval for a sum over at most `most` members."""
        if most is None:
            low = Fraction(0) if body.low is not None and body.low >= 0 else None
            return Interval(low, Fraction(0) if body.high is not None and body.high <= 0 else None)
        low, high = body.low, body.high
        return Interval(
            None if low is None else min(Fraction(0), low * most),
            None if high is None else max(Fraction(0), high * most),
        )

    def always_holds(
        self, condition: graph.Expr, names: Mapping[str, Interval], *, expected_truth: bool = True
    ) -> bool:
        """Return whether a normalized comparison of numbers certainly has the truth value `expected_truth`."""
        match condition:
            case graph.Op("not", (inner,)):
                return self.always_holds(inner, names, expected_truth=not expected_truth)
            case graph.Op("<" | "<=" | ">" | ">=" | "=" as op, (left, right)):
                between = self.interval_of(graph.Op("-", (left, right)), names)
                low, high = between.low, between.high
                is_at_most_zero, is_at_least_zero = high is not None and high <= 0, low is not None and low >= 0
                is_negative, is_positive = is_at_most_zero and high != 0, is_at_least_zero and low != 0
                sure = {
                    "<": (is_negative, is_at_least_zero),
                    "<=": (is_at_most_zero, is_positive),
                    ">": (is_positive, is_at_most_zero),
                    ">=": (is_at_least_zero, is_negative),
                }
                yes, no = sure.get(op, (is_at_most_zero and is_at_least_zero, is_negative or is_positive))
                return yes if expected_truth else no
            case graph.Op("in", (member, graph.Op("span", (low, high)))):
                ends = (graph.Op(">=", (member, low)), graph.Op("<=", (member, high)))
                return (all if expected_truth else any)(
                    self.always_holds(end, names, expected_truth=expected_truth) for end in ends
                )
            case _:
                return False

    def answer_interval(self, name: str) -> Interval:
        """Return an interval for the values of a term."""
        term = self.stack.terms[name]
        if self.recording is not None:
            return self.recording.query("interval", term, partial(self._bounded_answers, term))
        if name not in self.terms:
            self.terms[name] = self._bounded_answers(term)
        return self.terms[name]

    def _bounded_answers(self, term: graph.Term) -> Interval:
        return self._answers(term).intersection(interval_of(term.type))

    def _answers(self, term: graph.Term) -> Interval:
        parameters = {part.name: interval_of(part.type) for part in term.parameters}
        intervals = [self.bounds_of_rule(term, rule) for label in term.rules if (rule := self.stack.rules[label]).verb]
        if term.otherwise is not None:
            intervals.append(self.interval_of(term.otherwise, parameters))
        if term.form == "sum":
            added = Interval(
                summed_ends(None if each.low is None else min(each.low, Fraction(0)) for each in intervals),
                summed_ends(None if each.high is None else max(each.high, Fraction(0)) for each in intervals),
            )
            return added if term.capped is None else added.intersection(Interval(*map(Fraction, term.capped)))
        return hull(intervals) if term.form in {"value", "min", "max"} else ANY

    def bounds_of_rule(self, term: graph.Term, rule: graph.Rule) -> Interval:
        """Return an interval for the value that one rule of a term concludes."""
        known = {part.name: interval_of(part.type) for part in term.parameters}
        for name, value in rule.names:
            known[name] = self.interval_of(value, known)
        return ANY if rule.value is None else self.interval_of(rule.value, known)

    def _printed(self, owner: str, name: str) -> Interval:
        kinds = [kind for kind in self.stack.vocabulary.kinds.values() if owner in {"", kind.name}]
        types = [part.type for kind in kinds for part in kind.printed if part.name == name]
        return hull(interval_of(value_type) for value_type in types) if types else ANY

    def _cells(self, table: graph.Table, kind: str) -> Interval:
        values = [literal_value(row.value) for row in table.rows if row.value is not None and kind in {"", row.kind}]
        numbers = [Fraction(value) for value in values if not isinstance(value, str)]
        if table.hit == "collect" or len(numbers) < len(values):
            return interval_of(dict(table.cells).get(kind))
        return Interval(min(numbers), max(numbers)) if numbers else ANY

    def _fold(self, fold: graph.Fold, names: Mapping[str, Interval]) -> Interval:
        body = ANY if fold.body is None else self.interval_of(fold.body, {**names, fold.var: ANY})
        most = self._member_bound(fold)
        match fold.op:
            case "count":
                return COUNTED if most is None else Interval(Fraction(0), Fraction(most))
            case "min" | "max":
                return body if fold.otherwise is None else body.with_(self.interval_of(fold.otherwise, names))
            case "sum":
                return self._sum_interval(body, most)
            case "least" | "greatest" | "some" | "none" | "every" | "gather" | "trailing" | "leading":
                return ANY
