"""Compute the fitness of a candidate as a number from 0 (far) to 1 (met).

The input is a yes-or-no expression, a state, names; the output is its fitness. That of an `and` is the mean of its
operands, that of an `or` the maximum, that of a comparison of numbers grows with their proximity; so that a search
makes the conjuncts true one after the other.
"""

from runtime.answer.answer import Unanswered
from runtime.answer.expressions import Environment, LazyBinding
from runtime.answer.interpreter import Interpreter, bindings_of
from runtime.graph import nodes as graph
from runtime.graph.verbs import rule_answer
from runtime.state.position import State
from runtime.state.record import Value
from runtime.witness.fast_interpreter import FastInterpreter

# Errors of evaluation in an incomplete position, which all count as "no".
NO_ANSWER = (Unanswered, ArithmeticError, LookupError, ValueError, TypeError)

# Terms in guards are expanded to their rules up to this depth; below it only the answer counts.
DEEPEST = 4


class Fitness:
    """The fitness of expressions in one state."""

    def __init__(self, answers: Interpreter, state: State) -> None:
        self.answers = answers
        self.state = state
        self._depth = 0
        self._live_rules: dict[tuple[str, tuple[Value, ...]], frozenset[str]] = {}

    def value(self, expr: graph.Expr, names: Environment) -> Value:
        """Evaluate an expression, None if that fails."""
        try:
            return self.answers.evaluate(self.state, expr, names)
        except NO_ANSWER:
            return None

    def fitness_of(self, expr: graph.Expr, names: Environment, *, want: bool) -> float:
        """Return the proximity of an expression to the wanted answer."""
        match expr:
            case graph.Op("and" | "or" as op, parts):
                grades = [self.fitness_of(part, names, want=want) for part in parts]
                return sum(grades) / len(grades) if want == (op == "and") else max(grades)
            case graph.Op("not", (inner,)):
                return self.fitness_of(inner, names, want=not want)
            case graph.Op("=" | "<" | "<=" | ">" | ">=", (left, right)):
                return self._comparison_fitness(
                    expr, self.value(left, names), self.value(right, names), names, want=want
                )
            case graph.Fold("some" | "none" | "every"):
                return self._quantifier_fitness(expr, names, want=want)
            case graph.Ask(term, arguments) if self._depth < DEEPEST:
                return self._term_fitness(self.answers.graph.terms[term], expr, arguments, names, want=want)
            case graph.Var(name) if isinstance(delayed := names.get(name), LazyBinding):
                return self.fitness_of(delayed.expr, delayed.names, want=want)
            case _:
                return self._truth_fitness(expr, names, want=want)

    def fitness_of_live(self, term: graph.Term, rule: graph.Rule, arguments: tuple[Value, ...], *, want: bool) -> float:
        """Return the proximity of a rule to being live, or to being silent."""
        live_labels = self.live_rules(term, arguments)
        if live_labels is not None and (rule.label in live_labels) == want:
            return 1.0
        names = bindings_of(term, rule, arguments)
        own_fitness = float(want) if rule.guard is None else self.fitness_of(rule.guard, names, want=want)
        defeaters = [other for label in term.rules if rule.label in (other := self.answers.graph.rules[label]).defeats]
        others = [self.fitness_of_live(term, other, arguments, want=not want) for other in defeaters]
        if want:
            return (3 * own_fitness + sum(others)) / (3 + len(others))
        return max((own_fitness, *others))

    def live_rules(self, term: graph.Term, arguments: tuple[Value, ...]) -> frozenset[str] | None:
        """Return the live rules of a term as the fast interpreter finds them.

        None if each has to be evaluated separately.
        """
        if not isinstance(self.answers, FastInterpreter):
            return None
        try:
            values = tuple(
                self.value(each.expr, each.names) if isinstance(each, LazyBinding) else each for each in arguments
            )
            key = term.name, values
            if key not in self._live_rules:
                mask = self.answers.ask(self.state, term.name, values).mask
                self._live_rules[key] = frozenset(label for bit, label in enumerate(term.rules) if mask >> bit & 1)
            return self._live_rules[key]
        except NO_ANSWER:
            return None

    def _truth_fitness(self, expr: graph.Expr, names: Environment, *, want: bool) -> float:
        value = self.value(expr, names)
        return float(value is not None and bool(value) == want)

    def _comparison_fitness(
        self, expr: graph.Expr, left: Value, right: Value, names: Environment, *, want: bool
    ) -> float:
        if self._truth_fitness(expr, names, want=want):
            return 1.0
        if left is None or right is None:
            return 0.0
        try:
            return 0.8 / (1.0 + abs(float(left - right)))
        except TypeError:
            # Words are equal or not: there is no distance.
            return 0.2

    def _quantifier_fitness(self, fold: graph.Fold, names: Environment, *, want: bool) -> float:
        """Compute the fitness of `some`, `none` and `every` from the relevant members."""
        members = self.value(fold.source, names)
        if members is None:
            return 0.0
        wants_one = want == (fold.op == "some")
        if not len(members):
            return 0.0 if wants_one else 1.0
        grades = [self._member_fitness(fold, {**names, fold.var: member}, want=want) for member in members]
        return 0.2 + 0.8 * max(grades) if wants_one else sum(grades) / len(grades)

    def _member_fitness(self, fold: graph.Fold, names: Environment, *, want: bool) -> float:
        if fold.op == "every":
            excused = 0.0 if fold.where is None else self.fitness_of(fold.where, names, want=not want)
            body_fitness = 0.0 if fold.body is None else self.fitness_of(fold.body, names, want=want)
            return max(excused, body_fitness) if want else (excused + body_fitness) / 2
        found = want == (fold.op == "some")
        return float(found) if fold.where is None else self.fitness_of(fold.where, names, want=found)

    def _term_fitness(
        self, term: graph.Term, ask: graph.Ask, arguments: tuple[graph.Expr, ...], names: Environment, *, want: bool
    ) -> float:
        """Compute the fitness of a condition or verdict from the rules with the wanted answer."""
        if self._truth_fitness(ask, names, want=want):
            return 1.0
        values = tuple(self.value(argument, names) for argument in arguments)
        speaks = any(self.answers.graph.rules[label].verb for label in term.rules)
        if any(value is None for value in values) or not speaks:
            return 0.0
        self._depth += 1
        found = self.fitness_of_verdict(term, values, want=want)
        self._depth -= 1
        return 0.9 * found

    def fitness_of_verdict(self, term: graph.Term, values: tuple[Value, ...], *, want: bool) -> float:
        """Compute the fitness of a yes-or-no term from its rules."""
        rules = [rule for label in term.rules if (rule := self.answers.graph.rules[label]).verb]
        if term.form == "value":
            concluded = [
                (
                    self.fitness_of_live(term, rule, values, want=True)
                    + self.fitness_of(rule.value, bindings_of(term, rule, values), want=want)
                )
                / 2
                for rule in rules
                if rule.value is not None
            ]
            return max(concluded, default=0.0)
        grants = [rule for rule in rules if rule_answer(rule)]
        denials = [rule for rule in rules if rule not in grants]
        if want:
            needed = [self.fitness_of_live(term, rule, values, want=False) for rule in denials]
            if not term.default:
                needed.append(
                    max((self.fitness_of_live(term, rule, values, want=True) for rule in grants), default=0.0)
                )
            return sum(needed) / max(1, len(needed))
        refused = [self.fitness_of_live(term, rule, values, want=True) for rule in denials]
        if not term.default:
            refused.append(min((self.fitness_of_live(term, rule, values, want=False) for rule in grants), default=1.0))
        return max(refused, default=0.0)
