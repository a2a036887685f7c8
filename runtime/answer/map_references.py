"""The places on the map that a condition refers to: members that an aggregate counted, sides that a line crosses.

In: a condition in one position, with its environment and types. Out: `MapReferences`. A condition that asks a term
leads on to the guards of that term's rules, down to a depth. Of an aggregate the members are taken that decide it (for
`every` those that fail), at most `ENOUGH`.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from runtime.answer.answer import live_labels
from runtime.answer.expressions import Environment, MemoizedBinding
from runtime.answer.interpreter import Interpreter, bindings_of
from runtime.board.sightline import Crossing
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rule_of_term
from runtime.graph.answer_errors import Unanswered
from runtime.graph.budget import SLOW, TooMuchWork, open_budget
from runtime.graph.conjuncts import conjuncts
from runtime.graph.predeclared_types import member_of
from runtime.graph.type_of import type_of
from runtime.graph.walk import inner_expressions
from runtime.state.position import State
from runtime.state.record import Value

# The members of one aggregate, or rules of one term, that are traversed at most.
ENOUGH = 12
Types = Mapping[str, graph.Type]


@dataclass(slots=True)
class MapReferences:
    """References of conditions to the map: indexes of hexes and pieces, sides as pairs of hexes, lines by their ends.

    `counted_hexes` and `counted_pieces` are the members that an aggregate selected, `hexes` and `pieces` the others.
    """

    hexes: dict[int, None] = field(default_factory=dict)
    pieces: dict[int, None] = field(default_factory=dict)
    counted_hexes: dict[int, None] = field(default_factory=dict)
    counted_pieces: dict[int, None] = field(default_factory=dict)
    sides: dict[tuple[int, int], None] = field(default_factory=dict)
    lines: dict[tuple[int, int], None] = field(default_factory=dict)


class ReferenceAnalysis:
    """A traversal of conditions in one state that accumulates `references`."""

    def __init__(self, answers: Interpreter, state: State) -> None:
        """Start without references."""
        self.answers, self.state, self.rules = answers, state, answers.graph
        self.references = MapReferences()
        self.visited_questions: set[tuple[str, tuple[Value, ...]]] = set()

    def follow_condition(self, condition: graph.Expr, names: Environment, types: Types, depth: int) -> None:
        """Traverse a condition, and the rules of its questions to a depth, without conjuncts that have no value."""
        for part in conjuncts(condition):
            with suppress(Unanswered, KeyError, TooMuchWork), open_budget(SLOW):
                self.follow_expression(part, names, types, depth)

    def follow_expression(self, expr: graph.Expr, names: Environment, types: Types, depth: int) -> None:
        """Traverse an expression."""
        match expr:
            case graph.Fold():
                self.follow_fold(expr, names, types, depth)
            case graph.Ask(term, arguments):
                for each in arguments:
                    self.follow_expression(each, names, types, depth)
                values = tuple(self.answers.evaluate(self.state, each, names) for each in arguments)
                self.follow_question(term, values, depth)
                self.note_reference(expr, names, types)
            case graph.Search(_, start, goal):  # Its gate and price speak of steps, of which there are many.
                for end in (start, goal):
                    if end is not None:
                        self.follow_expression(end, names, types, depth)
            case graph.Op("line", (first, second)):
                ends = (
                    self.answers.evaluate(self.state, first, names),
                    self.answers.evaluate(self.state, second, names),
                )
                self.references.lines[ends] = None
            case graph.Op("and" | "or" | "if"):
                self.follow_parts(expr, names, types, depth)
            case _:
                for inner in inner_expressions(expr):
                    self.follow_expression(inner, names, types, depth)
                self.note_reference(expr, names, types)

    def follow_parts(self, expr: graph.Op, names: Environment, types: Types, depth: int) -> None:
        """Traverse the operands that evaluation reaches: the others may have no value."""
        if expr.op == "if":
            condition, yes, no = expr.arguments
            self.follow_expression(condition, names, types, depth)
            holds = self.answers.evaluate(self.state, condition, names)
            self.follow_expression(yes if holds else no, names, types, depth)
            return
        for part in expr.arguments:
            self.follow_expression(part, names, types, depth)
            if bool(self.answers.evaluate(self.state, part, names)) == (expr.op == "or"):
                return

    def follow_fold(self, fold: graph.Fold, names: Environment, types: Types, depth: int) -> None:
        """Traverse an aggregate: its source, and the members that decide it."""
        if isinstance(fold.source, graph.Op | graph.Ask | graph.Fold):
            self.follow_expression(fold.source, names, types, depth)
        type_ = member_of(type_of(fold.source, types, self.rules))
        inner_types = {**types, fold.var: type_}
        decisive = fold.body if fold.op == "every" else None
        for member in list(self.fold_members(fold, names))[:ENOUGH]:
            bound = {**names, fold.var: member}
            if decisive is not None and self.answers.evaluate(self.state, decisive, bound):
                continue
            self.add_reference(member, type_, counted=True)
            for part in (fold.where, fold.body):
                if part is not None:
                    self.follow_expression(part, bound, inner_types, depth)

    def fold_members(self, fold: graph.Fold, names: Environment) -> Iterator[Value]:
        """Yield the members that satisfy the filter of an aggregate."""
        for member in self.answers.evaluate(self.state, fold.source, names) or ():
            bound = {**names, fold.var: member}
            if fold.where is None or self.answers.evaluate(self.state, fold.where, bound):
                yield member

    def follow_question(self, name: str, values: tuple[Value, ...], depth: int) -> None:
        """Traverse the guards of the rules that answer a question, or its default where none is live."""
        if depth <= 0 or (name, values) in self.visited_questions:
            return
        self.visited_questions.add((name, values))
        term = self.rules.terms[name]
        answer = self.answers.ask(self.state, name, values)
        live = [rule_of_term(self.rules, term, label) for label in live_labels(term, answer.mask)]
        types: dict[str, graph.Type] = {each.name: each.type for each in term.parameters}
        for rule in live[:ENOUGH]:
            bound = bindings_of(term, rule, values, MemoizedBinding)
            inner_types = dict(types)
            for each, expr in rule.names:
                inner_types[each] = type_of(expr, inner_types, self.rules)
            for part in (rule.guard, rule.value):
                if part is not None:
                    self.follow_expression(part, bound, inner_types, depth - 1)
        if not live and term.otherwise is not None:
            self.follow_expression(term.otherwise, bindings_of(term, None, values), types, depth - 1)

    def note_reference(self, expr: graph.Expr, names: Environment, types: Types) -> None:
        """Add the value of an expression, if it is a place or piece on the map."""
        type_ = type_of(expr, types, self.rules)
        if isinstance(type_, graph.Hex | graph.Piece | graph.Hexside | graph.Crossing):
            self.add_reference(self.answers.evaluate(self.state, expr, names), type_, counted=False)

    def add_reference(self, value: Value, type_: graph.Type, *, counted: bool) -> None:
        """Add a hex, piece or side to the references."""
        found = self.references
        match type_:
            case _ if value is None:
                pass
            case graph.Hex():
                (found.counted_hexes if counted else found.hexes)[value] = None
            case graph.Piece():
                (found.counted_pieces if counted else found.pieces)[value] = None
            case graph.Hexside():
                found.sides[value] = None
            case graph.Crossing() if isinstance(value, Crossing):
                found.sides[value.side] = None
