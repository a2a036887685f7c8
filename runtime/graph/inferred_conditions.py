"""Conditions of known values under which a condition has an answer, where some values are unknown.

In: a condition, and what is known of its names. Out: a condition of known values from which the answer follows.

An expression is evaluated symbolically. Names are bound to expressions, or to what is known of a value: a set that
contains a member, or an empty set. A value without a binding is unknown.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Union

from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import applicable_rules, rules_of_term
from runtime.graph.free_names import bound_names, free_names, substitute
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.literals import literal_value
from runtime.graph.operators import MIRRORED, OPERATORS
from runtime.graph.verbs import rule_answer
from runtime.graph.walk import inner_expressions, replace_children

# The depth of nested conditions and definitions beyond which nothing is inferred.
MOST_DEPTH = 60
YES = graph.Truth(value=True)
# Expressions that bind no names and whose value their parts determine.
WITHOUT_BINDERS = (graph.Get, graph.Is, graph.Has, graph.Ask, graph.Cell, graph.Op, graph.SetOf)
COMPLEMENTS = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "=": "!=", "!=": "="}


@frozen_dataclass
class NonemptySet:
    """A set that contains a member; the other members are unknown."""

    member: graph.Expr


@frozen_dataclass
class EmptySet:
    """The empty set."""


@frozen_dataclass
class _PartialRecord:
    """A record of which some fields are known."""

    fields: "Bindings"


@frozen_dataclass
class SuspendedExpression:
    """An expression with the bindings of its names."""

    expr: graph.Expr
    names: "Bindings"


KnownExpression = Union[graph.Expr, NonemptySet, EmptySet, _PartialRecord, SuspendedExpression, None]  # noqa: UP007 -- the nodes are a union.
Bindings = Mapping[str, KnownExpression]


class InferredConditions:
    """The conditions from which an answer follows, in one graph."""

    def __init__(self, rules: graph.Graph) -> None:
        """Index the rules by what they defeat."""
        self.rules = rules
        self._defeaters: dict[str, list[graph.Rule]] = {}
        for rule in rules.rules.values():
            for label in rule.defeats:
                self._defeaters.setdefault(label, []).append(rule)
        self._depth = 0

    def sufficient(self, condition: graph.Expr, names: Bindings, *, answer: bool) -> graph.Expr | None:
        """Return a condition of known values under which another has this answer; None if none is found."""
        self._depth += 1
        try:
            return self._sufficient(condition, names, answer=answer) if self._depth <= MOST_DEPTH else None
        finally:
            self._depth -= 1

    def _sufficient(self, condition: graph.Expr, names: Bindings, *, answer: bool) -> graph.Expr | None:
        match condition:
            case graph.Op("not", (inner,)):
                return self.sufficient(inner, names, answer=not answer)
            case graph.Op("and" | "or" as op, parts):
                found = [self.sufficient(part, names, answer=answer) for part in parts]
                return all_of(found) if (op == "and") == answer else any_of(found)
            case _:
                return self._sufficient_alone(condition, names, answer=answer)

    def _sufficient_alone(self, condition: graph.Expr, names: Bindings, *, answer: bool) -> graph.Expr | None:
        """Infer the answer of a condition that is not composed of others."""
        if isinstance(known := self.known(condition, names), graph.Expr):
            return _literal_condition(known if answer else graph.Op("not", (known,)))
        match condition:
            case graph.Op("in", (member, collection)):
                return self._membership(member, self.known(collection, names), names, answer=answer)
            case graph.Op(op, (left, right)) if op in COMPLEMENTS:
                return self._comparison(op if answer else COMPLEMENTS[op], left, right, names)
            case graph.Fold("some"):
                return self._existence(condition, names, answer=answer)
            case graph.Fold("none" | "every"):
                return self._existence(condition, names, answer=not answer)
            case graph.Ask(name) if self.rules.terms[name].form in ("verdict", "condition"):
                return self._verdict(self.rules.terms[name], self._arguments(condition, names), answer=answer)
            case _:
                unfolded = self._unfolded(condition, names)
                return None if unfolded is None else self.sufficient(unfolded.expr, unfolded.names, answer=answer)

    def known(self, expr: graph.Expr, names: Bindings) -> KnownExpression:
        """Return what is known of the value of an expression."""
        self._depth += 1
        try:
            return self._known(expr, names) if self._depth <= MOST_DEPTH else None
        finally:
            self._depth -= 1

    def _known(self, expr: graph.Expr, names: Bindings) -> KnownExpression:
        free = free_names(expr)
        exact = {name: value for name in free if isinstance(value := names.get(name), graph.Expr)}
        if len(exact) == len(free):
            captured = bound_names(expr) & {name for value in exact.values() for name in free_names(value)}
            return None if captured else substitute(expr, exact)
        if isinstance(expr, graph.Get) and isinstance(record := self.known(expr.base, names), _PartialRecord):
            return record.fields.get(expr.name)
        if isinstance(expr, graph.New):
            return _PartialRecord({name: self.known(value, names) for name, value in expr.fields})
        if isinstance(expr, graph.Var) and not isinstance(names.get(expr.name), SuspendedExpression):
            return names.get(expr.name)
        if isinstance(expr, WITHOUT_BINDERS) and (known := self._known_parts(expr, names)) is not None:
            return known
        unfolded = self._unfolded(expr, names)
        return None if unfolded is None else self.known(unfolded.expr, unfolded.names)

    def _known_parts(self, expr: graph.Expr, names: Bindings) -> graph.Expr | None:
        """Return an expression with all its parts replaced by known ones; None if one is unknown."""
        known = {part: self.known(part, names) for part in inner_expressions(expr)}
        values = {part: value for part, value in known.items() if isinstance(value, graph.Expr)}
        return None if len(values) < len(known) else replace_children(expr, values)

    def _unfolded(self, expr: graph.Expr, names: Bindings) -> SuspendedExpression | None:
        """Return the expression that a name or a definition represents."""
        match expr:
            case graph.Var(name) if isinstance(suspended := names.get(name), SuspendedExpression):
                return suspended
            case graph.Ask(name):
                term = self.rules.terms[name]
                if term.form == "value" and len(term.rules) == 1:
                    rule = self.rules.rules[term.rules[0]]
                    if rule.guard is None and rule.value is not None:
                        return SuspendedExpression(rule.value, self._with_names(rule, self._arguments(expr, names)))
            case _:
                pass
        return None

    def _arguments(self, ask: graph.Ask, names: Bindings) -> Bindings:
        return {
            parameter.name: self._value(argument, names)
            for parameter, argument in zip(self.rules.terms[ask.term].parameters, ask.arguments, strict=True)
        }

    def _with_names(self, rule: graph.Rule, names: Bindings) -> Bindings:
        inner = dict(names)
        for name, value in rule.names:
            inner[name] = self._value(value, dict(inner))
        return inner

    def _value(self, expr: graph.Expr, names: Bindings) -> KnownExpression:
        known = self.known(expr, names)
        return SuspendedExpression(expr, names) if known is None else known

    def _membership(
        self, member: graph.Expr, collection: KnownExpression, names: Bindings, *, answer: bool
    ) -> graph.Expr | None:
        value = self.known(member, names)
        if answer and isinstance(collection, NonemptySet) and isinstance(value, graph.Expr):
            return graph.Op("=", (value, collection.member))
        return YES if not answer and isinstance(collection, EmptySet) else None

    def _existence(self, fold: graph.Fold, names: Bindings, *, answer: bool) -> graph.Expr | None:
        """Infer whether a collection has a member that the filter admits, for `every` one that fails its test."""
        tests = [(fold.where, True)] if fold.where is not None else []
        if fold.op == "every" and fold.body is not None:
            tests.append((fold.body, False))

        def of_member(member: graph.Expr) -> graph.Expr | None:
            inner = {**names, fold.var: member}
            found = [self.sufficient(test, inner, answer=polarity == answer) for test, polarity in tests]
            return all_of(found) if answer else any_of(found)

        source = self.known(fold.source, names)
        if isinstance(source, EmptySet):
            return None if answer else YES
        if isinstance(source, NonemptySet):
            return of_member(source.member) if answer else None
        if not isinstance(source, graph.Expr) or fold.var in names_in(names):
            return None
        found = of_member(graph.Var(fold.var))
        if found is None:
            return None
        condition = found if answer else graph.Op("not", (found,))
        return graph.Fold("some" if answer else "none", fold.var, source, condition, None, None)

    def _comparison(self, op: str, left: graph.Expr, right: graph.Expr, names: Bindings) -> graph.Expr | None:
        for compared, other, comparison in ((left, right, op), (right, left, MIRRORED[op])):
            if isinstance(known := self.known(other, names), graph.Expr):
                return self._bound(comparison, compared, known, names)
        return None

    def _bound(self, op: str, left: graph.Expr, right: graph.Expr, names: Bindings) -> graph.Expr | None:
        """Infer the comparison of a value with a known one."""
        if isinstance(known := self.known(left, names), graph.Expr):
            return _literal_condition(graph.Op(op, (known, right)))
        if unfolded := self._unfolded(left, names):
            return self._bound(op, unfolded.expr, right, unfolded.names)
        match left:
            case graph.Fold("count" | "sum" as kind, var, source, where):
                match self.known(source, names):
                    case EmptySet() if isinstance(right, graph.Num):
                        return _literal_condition(graph.Op(op, (graph.Num(Fraction(0), right.measure), right)))
                    case NonemptySet(member) if kind == "count" and op in (">", ">=") and isinstance(right, graph.Num):
                        least = _literal_condition(graph.Op(op, (graph.Num(Fraction(1), right.measure), right)))
                        passes = where and self.sufficient(where, {**names, var: member}, answer=True)
                        return least if where is None else all_of([least, passes])
            case graph.Ask(name) if self.rules.terms[name].form == "value":
                term, arguments = self.rules.terms[name], self._arguments(left, names)
                if term.otherwise is not None:
                    silent = [self._live(self.rules.rules[label], arguments, answer=False) for label in term.rules]
                    return all_of([*silent, self._bound(op, term.otherwise, right, arguments)])
        return None

    def _verdict(self, term: graph.Term, names: Bindings, *, answer: bool) -> graph.Expr | None:
        rules = rules_of_term(self.rules, term)
        deciding = [rule for rule in rules if rule_answer(rule) is (not term.default)]
        if not term.default and any(rule_answer(rule) is False for rule in rules):
            return None
        found = [self._live(rule, names, answer=answer != term.default) for rule in deciding]
        return any_of(found) if answer != term.default else all_of([YES, *found])

    def _live(self, rule: graph.Rule, names: Bindings, *, answer: bool) -> graph.Expr | None:
        """Infer whether a rule is live: its guard holds, and no rule that defeats it is live."""
        guard = YES if rule.guard is None else rule.guard
        found = [self.sufficient(guard, self._with_names(rule, names), answer=answer)]
        defeaters = applicable_rules(self.rules, rule, self._defeaters.get(rule.label, ()))
        found += [self._live(other, names, answer=not answer) for other in defeaters]
        return all_of(found) if answer else any_of(found)


def _literal_condition(condition: graph.Expr) -> graph.Expr | None:
    """Return a condition, or None if it is a comparison of literals, or an answer of yes or no, that fails."""
    match condition:
        case graph.Op("not", (graph.Truth(value),)):
            return None if value else YES
        case graph.Truth(value):
            return YES if value else None
        case graph.Op("not", (graph.Op(op, parts),)) if op in COMPLEMENTS:
            return _literal_condition(graph.Op(COMPLEMENTS[op], parts))
        case graph.Op(op, (left, right)) if op in COMPLEMENTS:
            values = known_value(left), known_value(right)
            if None not in values:
                return YES if OPERATORS[op].compute(*values) else None
    return condition


def known_value(expr: graph.Expr) -> int | Fraction | str | bool | None:
    """Return the value of a literal, a number for a place of a scale; None for other expressions."""
    match expr:
        case graph.Op("place", (graph.Num() as number,)):
            return literal_value(number)
        case _:
            return literal_value(expr) if isinstance(expr, graph.LiteralExpr) else None


def names_in(names: Bindings) -> set[str]:
    """Return the free names of the expressions that names are bound to."""
    found: set[str] = set()
    for value in names.values():
        if isinstance(value, graph.Expr):
            found |= free_names(value)
        elif isinstance(value, NonemptySet):
            found |= free_names(value.member)
        elif isinstance(value, _PartialRecord):
            found |= names_in(value.fields)
        elif isinstance(value, SuspendedExpression):
            found |= names_in(value.names)
    return found


def all_of(parts: Iterable[graph.Expr | None]) -> graph.Expr | None:
    """Return the conjunction of conditions; None if one of them is unknown."""
    found = list(parts)
    conditions = tuple(dict.fromkeys(part for part in found if part is not None and part != YES))
    if None in found:
        return None
    return graph.Op("and", conditions) if len(conditions) > 1 else conditions[0] if conditions else YES


def any_of(parts: Iterable[graph.Expr | None]) -> graph.Expr | None:
    """Return the disjunction of the conditions that are known; None if there are none."""
    conditions = tuple(dict.fromkeys(part for part in parts if part is not None))
    if YES in conditions:
        return YES
    return graph.Op("or", conditions) if len(conditions) > 1 else conditions[0] if conditions else None
