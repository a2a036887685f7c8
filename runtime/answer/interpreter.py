"""The reference interpreter: the semantics of docs/language.md, sections 4 to 6, as readable Python.

In: a graph; then a state and a question. Out: an `Answer`. Nothing is memoized or optimized; every other evaluator has
to agree with it. (The reference for procedures is tests/reference.)

The reads of an evaluation are recorded in several places, each for another purpose:

- `listen` of this interpreter is called for every question answered and every cell read, with the result. It serves the
  comparison of two games or stacks (`AnswerTracer` of runtime/trial/divergence.py, `PairedEvaluation` of
  runtime/witness) and the collection of positions from examples (`CorpusRun` of runtime/witness).
- `RecordingInterpreter` (recording.py) records the direct questions of one rule, not nested ones, for explanations.
- `TracingInterpreter` (runtime/examples/tracing_interpreter.py) records sets of rules, rows and terms, for coverage. It
  memoizes, so that it has no order to compare.
- `DependencyTracer` (dependency_tracer.py) records the terms for which code was generated: the dependencies of a proof
  by play, without cost per question.
- `ReadState` (runtime/state/noted_reads.py) records parts of the position, not questions.
"""

from collections.abc import Callable, Iterator, Mapping, Set
from functools import cached_property
from typing import Protocol, assert_never

from runtime.answer.answer import Answer
from runtime.answer.expressions import Environment, LazyBinding, MemoizedBinding, evaluate_expression
from runtime.answer.flags import is_printed
from runtime.answer.tables import CellContent, look_up
from runtime.board.answer_errors import ClashError, GapError, OutsideError
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.always_facts import printed_kinds
from runtime.graph.operators import clamp
from runtime.graph.verbs import rule_answer, rule_polarity
from runtime.state.position import State
from runtime.state.ranges import check_ranges
from runtime.state.record import Value

PinnedAnswerMap = Mapping[tuple[str, tuple[Value, ...]], Value]
AnswerOrCell = Answer | tuple[CellContent, list[graph.TableRow]]
AnswerListener = Callable[[str, tuple[Value, ...], AnswerOrCell], None]
Conclusions = list[tuple[graph.Rule, Value]]
DefaultAnswer = Callable[[], Value]

NO_PINNED_ANSWERS: PinnedAnswerMap = {}


class Interpreter:
    """An interpreter of one graph. `pinned_answers` holds pinned answers, as examples state them."""

    def __init__(
        self,
        rules: graph.Graph,
        pinned_answers: PinnedAnswerMap = NO_PINNED_ANSWERS,
        listen: AnswerListener | None = None,
    ) -> None:
        """Wrap a graph; nothing is precomputed."""
        self.graph = rules
        self.pinned_answers = pinned_answers
        self.listen = listen

    @cached_property
    def facts_of_positions(self) -> tuple[graph.Always, ...]:
        """Return the `always` facts that a position of counters may break: `check` tests the others on the charts."""
        return tuple(fact for fact in self.graph.always if not printed_kinds(fact))

    def ask(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer:
        """Ask a term."""
        term = self.graph.terms[name]
        if (name, arguments) in self.pinned_answers:
            answer = Answer(self.pinned_answers[name, arguments], 0)
        else:
            check_ranges(term.parameters, name, arguments)
            live = self.live_rules(state, term, arguments)
            value = combine_conclusions(
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
        return evaluate_expression(self, state, expr, names)

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
        for rule in rules_of_term(self.graph, term):
            defeated = any(rule.label in defeater.defeats for defeater in live)
            if not defeated and self.guard_holds(state, rule, bindings_of(term, rule, arguments, MemoizedBinding)):
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
            (rule, rule.value and self.evaluate(state, rule.value, bindings_of(term, rule, arguments, MemoizedBinding)))
            for rule in live
            if rule.verb
        ]

    def default_answer(self, state: State, term: graph.Term, arguments: tuple[Value, ...]) -> Value:
        """Return the answer of a term without a live rule: the printed value or `otherwise`; `GapError` without one."""
        if term.form == "flag":
            return is_printed(state, self.graph.vocabulary.flags[term.name], arguments[0])
        if term.otherwise is None:
            raise GapError(term.name, arguments, term.rules)
        return self.evaluate(state, term.otherwise, bindings_of(term, None, arguments))

    def cell(self, state: State, name: str, keys: tuple[Value, ...]) -> CellContent:  # noqa: ARG002
        """Read a cell of a chart. Interpreters that remember cells read the state."""
        found = look_up(self.graph.tables[name], keys)
        if self.listen:
            self.listen(name, keys, found)
        return found[0]


def bindings_of(
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


# ---------------------------------------------------------------- the combination of conclusions, for each form of term


def combine_conclusions(
    term: graph.Term, arguments: tuple[Value, ...], conclusions: Conclusions, default_answer: DefaultAnswer
) -> Value:
    """Combine the conclusions of live rules; `default_answer()` is the answer where there are none."""
    match term.form:
        case "value" | "flag":
            value = agreed_value(term, arguments, conclusions, default_answer)
        case "sum":
            value = sum(value for _, value in conclusions)
        case "min" | "max":
            offers = [value for _, value in conclusions]
            value = (min if term.form == "min" else max)(offers) if offers else default_answer()
        case "set":
            return unite_conclusions(conclusions)
        case "verdict" | "condition":
            return combine_verdicts(term, {rule_answer(rule) for rule, _ in conclusions})
        case _:
            assert_never(term.form)
    if term.capped is not None:
        value = clamp(value, *term.capped)
    return within_domain(term, arguments, value)


def agreed_value(
    term: graph.Term, arguments: tuple[Value, ...], conclusions: Conclusions, default_answer: DefaultAnswer
) -> Value:
    """Return the common value of all conclusions; raises `ClashError` if they differ."""
    if not conclusions:
        return default_answer()
    first = conclusions[0][1]
    if any(value != first for _, value in conclusions):
        raise ClashError(term.name, arguments, tuple(rule.label for rule, _ in conclusions))
    return first


def unite_conclusions(conclusions: Conclusions) -> Value:
    """Return the union of the included sets without the excluded ones, in the order of the conclusions."""
    included = dict.fromkeys(v for rule, value in conclusions if rule_polarity(rule) for v in value)
    excluded = {v for rule, value in conclusions if rule_polarity(rule) is False for v in value}
    return tuple(v for v in included if v not in excluded)


def combine_verdicts(term: graph.Term, answers: Set[bool | None]) -> bool:
    """Return the answer of a verdict or condition: prohibitions override permissions, which override the default."""
    return False not in answers and (True in answers or bool(term.default))


def within_domain(term: graph.Term, arguments: tuple[Value, ...], value: Value) -> Value:
    """Return a value after a check against the domain of its term; raises `OutsideError`."""
    match term.type:
        case graph.Number() as declared if not declared.contains(value):
            raise OutsideError(term.name, arguments)
        case _:
            return value
