"""Set up candidates: the state, the arguments of the question as values, and what expressions are there.

The input is a candidate and an interpreter; the output is an instance, None where the position cannot be set up or
could not stand on a table: every witness passes `may_stand`. A search tries positions that no game reaches, and graphs
without some of their changes; there a question may have no answer, a procedure cannot continue, or a value has another
type than the one that generated code was written for. An expression without a value is neither true nor false.
"""

from dataclasses import field
from functools import cached_property

from runtime.answer.answer import Answer
from runtime.answer.evaluator import ValueFunction
from runtime.answer.expressions import Environment, LazyBinding
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.interpreter import Interpreter
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.always_facts import facts_of_positions
from runtime.graph.answer_errors import ClashError, GapError, OutsideError, Unanswered
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.play.rule_faults import BrokenRules, NoOpenOption
from runtime.state.position import State
from runtime.state.record import Value
from runtime.state.setup import from_position
from runtime.witness.candidate import Candidate

# Errors of evaluation in an incomplete position, which all count as "no".
NO_ANSWER = (Unanswered, ArithmeticError, LookupError, ValueError, TypeError)


@frozen_dataclass
class Instance:
    """A candidate with its state, and the arguments as plain values."""

    candidate: Candidate
    state: State
    arguments: tuple[Value, ...]
    answers: Interpreter
    # The labels of live rules by term: a search asks for one rule after the other.
    live: dict[str, list[str]] = field(default_factory=dict, init=False, compare=False)

    def lazy_arguments(self) -> tuple[Value, ...]:
        """Bind the arguments such that a repairer can trace a name back to them."""
        return tuple(
            LazyBinding(graph.Var(f"@{index}"), {f"@{index}": value}) for index, value in enumerate(self.arguments)
        )

    def value(self, expr: graph.Expr, names: Environment) -> Value:
        """Evaluate an expression, None if that fails."""
        try:
            return self.answers.evaluate(self.state, expr, names)
        except NO_ANSWER:
            return None

    def holds(self, expr: graph.Expr, names: Environment, *, want: bool = True) -> bool:
        """Return whether an expression has the wanted truth value."""
        value = self.value(expr, names)
        return value is not None and bool(value) == want

    def live_labels(self, term: graph.Term) -> list[str]:
        """Return the labels of the live rules of a term about the arguments; none where a guard has no value."""
        if term.name not in self.live:
            try:
                rules = self.answers.live_rules(self.state, term, self.arguments)
            except NO_ANSWER:
                rules = []
            self.live[term.name] = [rule.label for rule in rules]
        return self.live[term.name]


def instance_of(answers: Interpreter, candidate: Candidate) -> Instance | None:
    """Return a candidate with its position set up; None if that is impossible."""
    try:
        state = from_position(answers.graph, candidate.position)
    except NO_ANSWER:
        return None
    return instance_in(answers, candidate, state)


def instance_in(answers: Interpreter, candidate: Candidate, state: State) -> Instance | None:
    """Evaluate the arguments in a state; None if that fails."""
    try:
        arguments = tuple(answers.evaluate(state, argument, {}) for argument in candidate.arguments)
    except NO_ANSWER:
        return None
    return Instance(candidate, state, arguments, answers)


def satisfies_invariants(instance: Instance) -> bool:
    """Return whether the position of an instance could stand on a table."""
    return may_stand(instance.answers, instance.candidate.position, instance.state)


def may_stand(answers: Interpreter, position: graph.Position, state: State) -> bool:
    """Return whether a position, set up as a state, could stand on a table: every witness has to pass this test.

    The `always` facts of the stack hold, and each counter is held by the side that the chart gives it to. A fact
    without a value, as where a piece lacks what is printed on every counter, does not hold.
    """
    charts = answers.graph.counters
    counters = [charts.get(piece.counter) for piece in position.pieces]
    for piece, counter in zip(position.pieces, counters, strict=True):
        if counter is not None and counter.owner not in {"", piece.owner}:
            return False
    are_counters = all(counters) and not any(piece.printed or piece.traits for piece in position.pieces)
    facts = facts_of_positions(answers.graph) if are_counters else answers.graph.always
    try:
        return all(answers.evaluate(state, fact.condition, {}) is True for fact in facts)
    except NO_ANSWER:
        return False


def may_be_set_up(answers: Interpreter, position: graph.Position) -> bool:
    """Return whether a position can be set up, and could stand on a table."""
    try:
        state = from_position(answers.graph, position)
    except NO_ANSWER:
        return False
    return may_stand(answers, position, state)


class SearchInterpreter(Interpreter):
    """An interpreter that leaves questions and `always` facts to generated code.

    Searches use stand-ins for values they cannot build; then there is no answer, but no failure. `code` may be that of
    a graph without some of the terms: their rules are interpreted.
    """

    def __init__(self, rules: graph.Graph, code: GeneratedEvaluator | None = None) -> None:
        super().__init__(rules, elsewhere=self._ask_code)
        self.code = code or GeneratedEvaluator(rules)

    @cached_property
    def _facts(self) -> dict[int, ValueFunction]:
        """Return the functions of the `always` facts, by the identity of their conditions."""
        return {id(fact.condition): self.code.value_function(fact.condition) for fact in self.graph.always}

    def _ask_code(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer | None:
        if name not in self.code.graph.terms:
            return None
        try:
            return self.code.ask(state, name, arguments)
        except AttributeError as misfit:
            raise TypeError(name) from misfit

    def evaluate(self, state: State, expr: graph.Expr, names: Environment) -> Value:
        """Evaluate a fact by its function, any other expression as it is written: most are evaluated once."""
        function = self._facts.get(id(expr))
        if function is None:
            return super().evaluate(state, expr, names)
        try:
            return function(state, names)
        except AttributeError as misfit:
            raise TypeError from misfit

    def live_rules(self, state: State, term: graph.Term, arguments: tuple[Value, ...]) -> list[graph.Rule]:
        """Return the live rules by the decision id of the answer; where there is none, evaluate their guards."""
        if term.name not in self.code.graph.terms:
            return super().live_rules(state, term, arguments)
        try:
            values = [value.value(self, state) if isinstance(value, LazyBinding) else value for value in arguments]
            mask = self.ask(state, term.name, tuple(values)).mask
        except NO_ANSWER:
            return super().live_rules(state, term, arguments)
        return [rule for bit, rule in enumerate(rules_of_term(self.graph, term)) if mask >> bit & 1]


# Why a question has no answer, by the error.
WITHOUT_ANSWER: dict[type[Unanswered], str] = {
    GapError: "no rule answers {}",
    ClashError: "rules on {} contradict each other",
    OutsideError: "the answer to {} lies outside its range",
}


def no_answer_text(unanswered: Unanswered) -> str:
    """Format why a question has no answer."""
    reason = WITHOUT_ANSWER.get(type(unanswered), "something is read that is not there").format(unanswered.callee)
    return f"no answer ({reason})"


def stop_text(error: Exception) -> str:
    """Return what stops a play where its rules are at fault; "" where the position or the given choices may be."""
    match error:
        case BrokenRules(fault=fault) if isinstance(error, NoOpenOption) or fault.out_of_range:
            return fault.message
        case Unanswered() if type(error) in WITHOUT_ANSWER:
            return no_answer_text(error)
        case _:
            return ""
