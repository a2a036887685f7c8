"""The reference interpreter: the semantics of docs/language.md, sections 4 to 6, as readable Python.

In: a graph; then a state and a question. Out: an `Answer`. Nothing is memoized or optimized; every other evaluator has
to agree with it. (The reference for procedures is tests/reference.)

The reads of an evaluation are recorded in several places, each for another purpose:

- `listen` of this interpreter is called for every question answered and every cell read, with the result. It serves the
  comparison of two games or stacks (`AnswerTracer` of runtime/trial/divergence.py, `PairedEvaluation` of
  runtime/witness) and the collection of positions from examples (`CorpusRun` of runtime/witness).
- `RecordingInterpreter` (explain.py) records the direct questions of one rule, not nested ones, for explanations.
- `TracingInterpreter` (runtime/examples/tracing_interpreter.py) records sets of rules, rows and terms, for coverage. It
  memoizes, so that it has no order to compare.
- `DependencyTracer` (dependency_tracer.py) records the terms for which code was generated: the dependencies of a proof
  by play, without cost per question.
- `ReadState` (runtime/state/noted_reads.py) records parts of the position, not questions.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from runtime.answer.answer import Answer, GapError
from runtime.answer.expressions import Environment, LazyBinding, MemoizedBinding, evaluate
from runtime.answer.flags import is_printed
from runtime.answer.tables import Cell, look_up
from runtime.answer.terms import Conclusions, conclude
from runtime.graph import nodes as graph
from runtime.state.position import State
from runtime.state.ranges import check_ranges
from runtime.state.record import Value

Given = Mapping[tuple[str, tuple[Value, ...]], Value]
Found = Answer | tuple[Cell, list[graph.TableRow]]
Listen = Callable[[str, tuple[Value, ...], Found], None]

NOTHING_GIVEN: Given = {}


class Interpreter:
    """An interpreter of one graph. `pinned_answers` holds pinned answers, as examples state them."""

    def __init__(self, rules: graph.Graph, pinned_answers: Given = NOTHING_GIVEN, listen: Listen | None = None) -> None:
        """Wrap a graph; nothing is precomputed."""
        self.graph = rules
        self.pinned_answers = pinned_answers
        self.listen = listen

    def ask(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer:
        """Ask a term."""
        term = self.graph.terms[name]
        if (name, arguments) in self.pinned_answers:
            answer = Answer(self.pinned_answers[name, arguments], 0)
        else:
            check_ranges(term.parameters, name, arguments)
            live = self.live_rules(state, term, arguments)
            value = conclude(
                term,
                arguments,
                self.conclude(state, term, arguments, live),
                lambda: self.default_answer(state, term, arguments),
            )
            if term.form == "set":
                value = state.frame.ordered(value)
            answer = Answer(value, sum(1 << term.rules.index(rule.label) for rule in live))
        if self.listen:
            self.listen(name, arguments, answer)
        return answer

    def ask_step(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer:
        """Ask a term of a step of a search."""
        return self.ask(state, name, arguments)

    def evaluate(self, state: State, expr: graph.Expr, names: Environment) -> Value:
        """Evaluate an expression with names bound."""
        return evaluate(self, state, expr, names)

    def value_function(self, expr: graph.Expr) -> Callable[[State, Environment], Value]:
        """Return a function that evaluates an expression."""
        return lambda state, names: self.evaluate(state, expr, names)

    def iterator_function(self, expr: graph.Expr) -> Callable[[State, Environment], Iterator[Value]]:
        """Return a function that iterates over a collection in its order."""
        return lambda state, names: iter(self.evaluate(state, expr, names))

    def live_rules(self, state: State, term: graph.Term, arguments: tuple[Value, ...]) -> list[graph.Rule]:
        """Return the live rules: those whose guard holds and that no live rule defeats.

        Defeaters precede the rules that they defeat, so that one pass in order suffices.
        """
        live: list[graph.Rule] = []
        for label in term.rules:
            rule = self.graph.rules[label]
            defeated = any(label in defeater.defeats for defeater in live)
            if not defeated and self.guard_holds(state, rule, bind(term, rule, arguments, MemoizedBinding)):
                live.append(rule)
        return live

    def guard_holds(self, state: State, rule: graph.Rule, names: Environment) -> bool:
        """Evaluate a rule's guard; True for none."""
        return rule.guard is None or bool(self.evaluate(state, rule.guard, names))

    def conclude(
        self, state: State, term: graph.Term, arguments: tuple[Value, ...], live: list[graph.Rule]
    ) -> Conclusions:
        """Evaluate the conclusions of the live rules. Verdicts conclude by their verb alone."""
        return [
            (rule, rule.value and self.evaluate(state, rule.value, bind(term, rule, arguments, MemoizedBinding)))
            for rule in live
            if rule.verb
        ]

    def default_answer(self, state: State, term: graph.Term, arguments: tuple[Value, ...]) -> Value:
        """Return the answer of a term without a live rule: the printed value or `otherwise`; `GapError` without one."""
        if term.form == "flag":
            return is_printed(state, self.graph.vocabulary.flags[term.name], arguments[0])
        if term.otherwise is None:
            raise GapError(term.name, arguments, term.rules)
        return self.evaluate(state, term.otherwise, bind(term, None, arguments))

    def cell(self, state: State, name: str, keys: tuple[Value, ...]) -> Cell:  # noqa: ARG002
        """Read a cell of a chart. Interpreters that remember cells read the state."""
        found = look_up(self.graph.tables[name], keys)
        if self.listen:
            self.listen(name, keys, found)
        return found[0]


def bind(
    term: graph.Term, rule: graph.Rule | None, arguments: tuple[Value, ...], delayed: type[LazyBinding] = LazyBinding
) -> Environment:
    """Bind parameters, then the rule's `with` names, which are lazy."""
    names: Environment = {parameter.name: value for parameter, value in zip(term.parameters, arguments, strict=True)}
    for name, expr in rule.names if rule else ():
        names[name] = delayed(expr, names)
    return names


class TermEvaluator(Protocol):
    """An evaluator of terms with decision ids: generated code or an interpreter."""

    def ask(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer:
        """Ask a term."""


class DelegatingInterpreter(Interpreter):
    """An interpreter that delegates terms to a faster evaluator and itself evaluates only what is explained."""

    def __init__(self, answers: TermEvaluator, rules: graph.Graph) -> None:
        """Wrap an evaluator."""
        super().__init__(rules)
        self.answers = answers

    def ask(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer:
        """Delegate a question."""
        return self.answers.ask(state, name, arguments)
