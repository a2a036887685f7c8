"""Explanations of conditions in one position: why one holds or fails, what a set lacks, which way a search finds.

In: a condition, a set with a member, or a search over the map, with an interpreter. Out: a clause with values:
"the cart's weight is 3, needs at most 2". The clause is worded by conditions.py, and a search by route_explainer.py.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial

from runtime.answer.answer import live_labels
from runtime.answer.conditions import crossed_place, failing_clause, holding_clause, is_literal
from runtime.answer.expressions import Environment
from runtime.answer.failing_parts import counterexample, first_failing, tests_fixed_property
from runtime.answer.interpreter import Interpreter, bindings_of
from runtime.answer.route_explainer import RouteExplainer
from runtime.answer.single_expressions import sole_expression
from runtime.answer.value_text import names_text, value_as_name, value_text
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.budget import TooMuchWork
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.predeclared_types import member_of
from runtime.graph.type_of import type_of
from runtime.graph.wording import Wording
from runtime.state.position import State
from runtime.state.record import Value

# The members of a set that are compared to find the one that comes nearest.
MOST_MEMBERS = 200


@frozen_dataclass
class ConditionExplainer:
    """An explainer of conditions, memberships and routes in one state; `wording` has the bound names.

    `recording` evaluates what the text states, and records the questions behind it; `record_question` does so for one
    question. Other evaluations go to `answers`. `wording_of_term` returns the `Wording` for the parameters of a
    term. The cost of a route that is compared is stated as well (`with_costs`), unless the condition is `is_worded`,
    whose wording states it.
    """

    answers: Interpreter
    state: State
    names: Environment
    wording: Wording
    wording_of_term: Callable[[graph.Term, Environment], Wording]
    recording: Interpreter
    record_question: Callable[[str, tuple[Value, ...]], object]
    is_worded: bool = False
    with_costs: bool = False

    def value(self, expr: graph.Expr) -> Value:
        """Evaluate an expression."""
        return self.answers.evaluate(self.state, expr, self.names)

    def recorded_value(self, expr: graph.Expr) -> Value:
        """Evaluate an expression whose questions and cells belong to the explanation.

        Of a set of which some members meet a condition, those that do not are no reason.
        """
        match expr:
            case graph.Fold("some" | "gather", var, source, graph.Op() | graph.Ask() as condition) if self.value(expr):
                for member in self.recording.evaluate(self.state, source, self.names):
                    names = {**self.names, var: member}
                    if self.answers.evaluate(self.state, condition, names):
                        self.recording.evaluate(self.state, condition, names)
                return self.value(expr)
        return self.recording.evaluate(self.state, expr, self.names)

    def value_text(self, expr: graph.Expr) -> str:
        """Return the value of an expression as text."""
        return value_text(self.state, self.recorded_value(expr), type_of(expr, self.wording.names, self.answers.graph))

    # Sets.

    def explain_membership(self, member: Value, source: graph.Expr) -> str:
        """Return why a value is in a set or not; "" where no reason is known."""
        match source:
            case graph.Ask():
                expansion = self.expanded_question(source)
                if expansion is None:
                    return self.explain_gathered_set(member, source)
                return expansion[0].explain_membership(member, expansion[1])
            case graph.Fold("gather") | graph.Op("flat", (graph.Fold("gather"),)):
                return self.explain_gathered_member(member, source)
            case graph.Op("union", parts):
                # Why other parts lack a member of the union explains nothing.
                parts = tuple(part for part in parts if member in self.value(part)) or parts
                return "; ".join(filter(None, (self.explain_membership(member, part) for part in parts)))
            case graph.Op("without", (base, exclusions)):
                return self.explain_membership(member, base if member not in self.value(base) else exclusions)
            case graph.Search("linked", goal=ground) if ground is not None and member not in self.value(ground):
                return self.explain_absence(member, ground)
            case graph.Search("reachable" | "linked"):
                return RouteExplainer(self, source).explain((member,))
            case _:
                return ""

    def explain_gathered_member(self, member: Value, source: graph.Expr) -> str:
        """Return why a value is in a set of members with a condition, or of what is made of these; "" if unknown."""
        match source:
            case graph.Fold("gather", var, among, condition, None):
                if member not in self.value(among):
                    return self.explain_membership(member, among)
                return self.failed_filter(member, var, among, condition)
            case graph.Fold("gather", var, among, condition, body) | graph.Op(
                "flat", (graph.Fold("gather", var, among, condition, body),)
            ) if body is not None and member not in self.value(source):
                return self.explain_unmade(member, source, var, among, condition, body)
            case _:
                return ""

    def explain_gathered_set(self, member: Value, question: graph.Ask) -> str:
        """Return why no live rule of a set includes a value, and which rule excludes it."""
        term = self.answers.graph.terms[question.term]
        if term.form != "set":
            return ""
        arguments = tuple(self.value(each) for each in question.arguments)
        answer = self.answers.ask(self.state, question.term, arguments)
        if member in answer.value:
            return ""
        found: dict[str, None] = {}
        for label in live_labels(term, answer.mask):
            rule = self.answers.graph.rules[label]
            if rule.value is None:
                continue
            names = bindings_of(term, rule, arguments)
            explainer = replace(self, names=names, wording=self.wording_of_term(term, names))
            if rule.verb == "includes":
                found[explainer.explain_absence(member, rule.value)] = None
            elif member in explainer.value(rule.value):
                return f"{label} leaves it out"
        return "; ".join(filter(None, found))

    def excluded_from_source(self, member: Value, source: graph.Expr) -> str:
        """Return the source of a filtered set that does not contain a value; "" where it does, or without a filter."""
        match source:
            case graph.Ask():
                expansion = self.expanded_question(source)
                return expansion[0].excluded_from_source(member, expansion[1]) if expansion else ""
            case graph.Fold("gather", _, among, _, None) if member not in self.value(among):
                return replace(self, is_worded=False).members_instead_text(member, among)
            case _:
                return ""

    def members_instead_text(self, member: Value, source: graph.Expr) -> str:
        """Return the members of a computed set that lacks a value, as text; "" for a listed set, or one that has it."""
        members = self.value(source)
        if member in members or isinstance(source, graph.SetOf) or is_literal(source):
            return ""
        type_ = member_of(type_of(source, self.wording.names, self.answers.graph))
        listed = names_text([value_text(self.state, each, type_) for each in members])
        if self.is_worded:
            return f"only {listed} {'is' if len(members) == 1 else 'are'}" if listed else "there is none"
        named = value_text(self.state, member, type_)
        return f"{named} is not among {self.wording.phrase(source)}: {listed or 'there are none'}"

    def failed_filter(self, member: Value, var: str, among: graph.Expr, condition: graph.Expr | None) -> str:
        """Return the first conjunct of a filter that a member fails, as text; "" if none."""
        explainer = self.with_member(var, member, among)
        failed = explainer.first_failing(condition)
        return "" if failed is None else explainer.failing_text(failed)

    def with_member(self, var: str, member: Value, among: graph.Expr) -> "ConditionExplainer":
        """Return the explainer that has one more name, for a member of a set."""
        type_ = member_of(type_of(among, self.wording.names, self.answers.graph))
        wording = self.wording.with_name(var, value_as_name(self.state, member, type_), type_)
        return replace(self, names={**self.names, var: member}, wording=wording)

    def first_failing(self, condition: graph.Expr | None) -> graph.Expr | None:
        """Return the first conjunct of a condition that fails; None if none does."""
        return first_failing(condition, self.value)

    def explain_absence(self, member: Value, source: graph.Expr) -> str:
        """Return why a value is not in a set; "" where no reason is known within the work budget."""
        with suppress(Unanswered, TooMuchWork):
            return self.explain_membership(member, source)
        return ""

    def explain_unmade(
        self,
        member: Value,
        source: graph.Expr,
        var: str,
        among: graph.Expr,
        condition: graph.Expr | None,
        body: graph.Expr,
    ) -> str:
        """Explain a missing image of a set: the source member that comes nearest, and the condition that it fails."""
        nearest: tuple[ConditionExplainer, graph.Expr] | None = None
        for each in tuple(self.value(among))[:MOST_MEMBERS]:
            explainer = self.with_member(var, each, among)
            part = explainer.first_failing(condition)
            if part is None and (reason := explainer.explain_absence(member, body)):
                return reason
            if part is None or nearest is not None or not explainer.is_made_by(member, source, body):
                continue
            # What a piece is, as that it is of another side, is no reason: no play changes it.
            if not tests_fixed_property(self.answers.graph, part, explainer.wording.names):
                nearest = explainer, part
        return nearest[0].failing_text(nearest[1]) if nearest else ""

    def is_made_by(self, member: Value, source: graph.Expr, body: graph.Expr) -> bool:
        """Return whether a body evaluates to a value, or to a set that contains it; False where it has no value."""
        with suppress(Unanswered):
            value = self.value(body)
            return member in value if isinstance(source, graph.Op) else member == value
        return False

    def failing_text(self, condition: graph.Expr) -> str:
        """Return the clause of a failing condition; for a set with the reason, for a route with the blocked step."""
        return self.with_reason(failing_clause(condition, self.wording, self.value_text), condition)

    def holding_text(self, condition: graph.Expr) -> str:
        """Return the clause of a condition that holds; for a route with its hexes."""
        return self.with_reason(holding_clause(condition, self.wording, self.value_text), condition)

    def with_reason(self, clause: str, condition: graph.Expr) -> str:
        """Append the explanation of a condition about a set or a route to its clause."""
        return " — ".join(filter(None, (clause, replace(self, is_worded=True).explain_condition(condition))))

    def explain_condition(self, expr: graph.Expr) -> str:
        """Return the explanation of a condition or value about a set or a route; "" where there is none.

        Evaluation errors and the work budget end the explanation, not the answer.
        """
        with suppress(Unanswered, TooMuchWork):
            return self._condition_reason(expr)
        return ""

    def _condition_reason(self, expr: graph.Expr) -> str:
        match expr:
            case graph.Op("not", (inner,)):
                return self.explain_condition(inner)
            case graph.Op("in", (member, source)):
                value = self.value(member)
                reason = self.explain_membership(value, source) or self.excluded_from_source(value, source)
                return reason or self.members_instead_text(value, source)
            case graph.Ask():
                expansion = self.expanded_question(expr)
                return expansion[0].explain_condition(expansion[1]) if expansion else ""
            case graph.Fold("every", var, source):
                return self.counterexample_text(expr, var, source)
            case graph.Op("and" | "or", parts):
                return "; ".join(filter(None, map(self.explain_condition, self.deciding_operands(expr.op, parts))))
            case graph.Op(_, (left, right)):
                compared = replace(self, with_costs=not self.is_worded)
                return compared.route_text(left) or compared.route_text(right)
            case _:
                return self.route_text(expr)

    def counterexample_text(self, every: graph.Fold, var: str, source: graph.Expr) -> str:
        """Return the clause that fails for the first member that an `every` is false of; "" if it holds."""
        instance = counterexample(every, partial(self.answers.evaluate, self.state), self.names)
        if instance is None:
            return ""
        explainer = self.with_member(var, instance[1][var], source)
        failed = explainer.first_failing(instance[0]) or instance[0]
        explainer.recorded_value(failed)
        return explainer.failing_text(failed)

    def deciding_operands(self, op: str, parts: tuple[graph.Expr, ...]) -> tuple[graph.Expr, ...]:
        """Return the first operand that decides an `and` or `or`; all operands where none does."""
        settles = op == "or"
        return next(((part,) for part in parts if bool(self.value(part)) == settles), parts)

    def expanded_question(self, question: graph.Ask) -> "tuple[ConditionExplainer, graph.Expr] | None":
        """Expand a question that abbreviates an expression; None where it does not."""
        term = self.answers.graph.terms[question.term]
        if (definition := sole_expression(term, self.answers.graph)) is None:
            return None
        names = {p.name: self.value(each) for p, each in zip(term.parameters, question.arguments, strict=True)}
        return replace(self, names=names, wording=self.wording_of_term(term, names)), definition

    # Witnesses.

    def witnesses_text(self, conditions: Iterable[graph.Expr]) -> str:
        """Return the first pieces and places that make conditions true, by a `some` or a count; "" without any."""
        with suppress(Unanswered, TooMuchWork):
            holding = [each for each in conditions if self.value(each) is True]
            found = [*dict.fromkeys(name for each in holding for name in self.witnesses(each))]
            return names_text(found)
        return ""

    def witnesses(self, expr: graph.Expr) -> Iterator[str]:
        """Yield the names of the pieces and places that are counted, or of which some satisfies a condition."""
        match expr:
            case graph.Ask():
                if expansion := self.expanded_question(expr):
                    yield from expansion[0].witnesses(expansion[1])
            case graph.Fold("some" | "count"):
                yield from self.member_names(expr)
            case graph.Op("or", parts):
                for part in self.deciding_operands("or", parts):
                    yield from self.witnesses(part)
            case graph.Op("and" | "+", parts):
                for part in parts:
                    yield from self.witnesses(part)
            case graph.Op(">" | ">=", (most, _)) | graph.Op("<" | "<=", (_, most)):
                yield from self.witnesses(most)
            case _:
                pass

    def member_names(self, fold: graph.Fold) -> Iterator[str]:
        """Yield the names of the pieces or places that satisfy the condition of a fold; of a crossing, its hex."""
        member_type = member_of(type_of(fold.source, self.wording.names, self.answers.graph))
        if not isinstance(member_type, graph.Piece | graph.Hex | graph.Hexside | graph.Crossing):
            return
        named = crossed_place(fold.var, fold.where) if isinstance(member_type, graph.Crossing) else None
        for member in self.value(graph.Fold("gather", fold.var, fold.source, fold.where, named, None)):
            yield value_text(self.state, member, graph.Hex() if named else member_type)

    # Routes.

    def route_text(self, expr: graph.Expr) -> str:
        """Return the route of a search to its goal, or its blocked step, as text; "" for any other expression."""
        match expr:
            case graph.Ask():
                return self.explain_condition(expr)
            case graph.Search(goal=goal, op=op) if goal is not None and op != "linked":
                return RouteExplainer(self, expr).explain(tuple(self.value(goal)))
            case _:
                return ""
