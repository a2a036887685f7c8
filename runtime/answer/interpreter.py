"""The reference interpreter: the semantics of docs/language.md, sections 4 to 6, as readable Python.

In: a graph; then a state and a question. Out: an `Answer`. Nothing is optimized; every other evaluator has to agree
with it. (The reference for procedures is tests/reference.) Hooks record what evaluations read (evaluator.py).
"""

from collections.abc import Callable, Mapping, Sequence, Set
from typing import assert_never

from runtime.answer.answer import Answer
from runtime.answer.answer_memo import AnswerMemo
from runtime.answer.evaluator import AskFunction, EvaluatorHook, IteratorFunction, ValueFunction
from runtime.answer.expressions import Environment, LazyBinding, MemoizedBinding, evaluate_expression
from runtime.answer.flags import is_printed
from runtime.answer.tables import CellContent, look_up
from runtime.graph import nodes as graph
from runtime.graph.adopted_rules import rules_of_term
from runtime.graph.answer_errors import ClashError, GapError, OutsideError
from runtime.graph.operators import clamp
from runtime.graph.verbs import rule_answer, rule_polarity
from runtime.state.position import State
from runtime.state.ranges import check_ranges
from runtime.state.record import Value

PinnedAnswerMap = Mapping[tuple[str, tuple[Value, ...]], Value]
Conclusions = list[tuple[graph.Rule, Value]]
DefaultAnswer = Callable[[], Value]

NO_PINNED_ANSWERS: PinnedAnswerMap = {}


class Interpreter:
    """An interpreter of one graph.

    `pinned_answers` are answers that an example states. A question goes first to `elsewhere`, as generated code, which
    may leave it to the interpreter; with a `memo` the rules answer it once in each position. Of `hooks` the first is
    called first.
    """

    def __init__(
        self,
        rules: graph.Graph,
        pinned_answers: PinnedAnswerMap = NO_PINNED_ANSWERS,
        *,
        hooks: Sequence[EvaluatorHook] = (),
        memo: AnswerMemo | None = None,
        elsewhere: AskFunction | None = None,
    ) -> None:
        """Wrap a graph; nothing is precomputed."""
        self.graph = rules
        self.pinned_answers = pinned_answers
        self._hears_expressions = any(type(hook).on_expression is not EvaluatorHook.on_expression for hook in hooks)
        self.hooks = hooks
        self.memo = memo
        self.elsewhere = elsewhere

    def ask(self, state: State, name: str, arguments: tuple[Value, ...], *, in_search: bool = False) -> Answer:
        """Ask a term; `in_search`: about one step of a search on the map."""
        for hook in self.hooks:
            hook.on_question(name, arguments, in_search=in_search)
        if self.elsewhere is not None:
            answer = self.elsewhere(state, name, arguments)
            if answer is not None:
                return answer
        if self.memo is None:
            return self.apply_rules(state, name, arguments)
        return self.memo.answer(state, name, arguments, self.apply_rules)

    def apply_rules(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer:
        """Answer a question by the pinned answers, or else by the rules of its term."""
        if (name, arguments) in self.pinned_answers:
            answer = Answer(self.pinned_answers[name, arguments], 0)
        else:
            term = self.graph.terms[name]
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
        for hook in self.hooks:
            hook.on_answer(state, name, arguments, answer)
        return answer

    def evaluate(self, state: State, expr: graph.Expr, names: Environment) -> Value:
        """Evaluate an expression with names bound."""
        if not self._hears_expressions:
            return evaluate_expression(self, state, expr, names)
        try:
            value = evaluate_expression(self, state, expr, names)
        except Exception as error:
            for hook in self.hooks:
                hook.on_expression(state, expr, names, None, error)
            raise
        for hook in self.hooks:
            hook.on_expression(state, expr, names, value, None)
        return value

    def value_function(self, expr: graph.Expr) -> ValueFunction:
        """Return a function that evaluates an expression."""
        return lambda state, names: self.evaluate(state, expr, names)

    def iterator_function(self, expr: graph.Expr) -> IteratorFunction:
        """Return a function that iterates over a collection in its order."""
        return lambda state, names: iter(self.evaluate(state, expr, names))

    def without_hooks(self) -> "Interpreter":
        """Return an interpreter without hooks; it has what the memo of this one has, and adds nothing to that."""
        known = None if self.memo is None else self.memo.known_answer
        return Interpreter(self.graph, self.pinned_answers, memo=AnswerMemo(self.graph), elsewhere=known)

    def live_rules(self, state: State, term: graph.Term, arguments: tuple[Value, ...]) -> list[graph.Rule]:
        """Return the live rules: those whose guard holds and that no live rule defeats.

        Defeaters precede the rules that they defeat, so that one pass in order suffices.
        """
        live: list[graph.Rule] = []
        defeated: set[str] = set()
        parameters = bindings_of(term, None, arguments)
        for rule in rules_of_term(self.graph, term):
            if rule.label in defeated:
                continue
            names = bindings_of(term, rule, arguments, MemoizedBinding) if rule.names else parameters
            if rule.guard is None or self.evaluate(state, rule.guard, names):
                live.append(rule)
                defeated.update(rule.defeats)
        return live

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

    def cell(self, state: State, name: str, keys: tuple[Value, ...]) -> CellContent:
        """Read a cell of a chart."""
        known_cells = {} if self.memo is None else state.answers[self.memo.cells]
        cell: CellContent | None = known_cells.get((name, keys))
        if cell is None:
            found = look_up(self.graph.tables[name], keys)
            cell = known_cells[name, keys] = found[0]
            for hook in self.hooks:
                hook.on_cell(state, name, keys, found)
        return cell


def bindings_of(
    term: graph.Term, rule: graph.Rule | None, arguments: tuple[Value, ...], delayed: type[LazyBinding] = LazyBinding
) -> Environment:
    """Bind parameters, then the rule's `with` names, which are lazy."""
    names: Environment = {parameter.name: value for parameter, value in zip(term.parameters, arguments, strict=True)}
    for name, expr in rule.names if rule else ():
        names[name] = delayed(expr, names)
    return names


# ---------------------------------------------------------------- the combination of conclusions, for each form of term


def combine_conclusions(
    term: graph.Term, arguments: tuple[Value, ...], conclusions: Conclusions, default_answer: DefaultAnswer
) -> Value:
    """Combine the conclusions of live rules; `default_answer()` is the answer where there are none."""
    match term.form:
        case "value" | "flag":
            value = _agreed_value(term, arguments, conclusions, default_answer)
        case "sum":
            value = sum(value for _, value in conclusions)
        case "min" | "max":
            offers = [value for _, value in conclusions]
            value = (min if term.form == "min" else max)(offers) if offers else default_answer()
        case "set":
            return _unite_conclusions(conclusions)
        case "verdict" | "condition":
            return _combine_verdicts(term, {rule_answer(rule) for rule, _ in conclusions})
        case _:
            assert_never(term.form)
    if term.capped is not None:
        value = clamp(value, *term.capped)
    return _within_domain(term, arguments, value)


def _agreed_value(
    term: graph.Term, arguments: tuple[Value, ...], conclusions: Conclusions, default_answer: DefaultAnswer
) -> Value:
    """Return the common value of all conclusions; raises `ClashError` if they differ."""
    if not conclusions:
        return default_answer()
    first = conclusions[0][1]
    if any(value != first for _, value in conclusions):
        raise ClashError(term.name, arguments, tuple(rule.label for rule, _ in conclusions))
    return first


def _unite_conclusions(conclusions: Conclusions) -> Value:
    """Return the union of the included sets without the excluded ones, in the order of the conclusions."""
    included = dict.fromkeys(v for rule, value in conclusions if rule_polarity(rule) for v in value)
    excluded = {v for rule, value in conclusions if rule_polarity(rule) is False for v in value}
    return tuple(v for v in included if v not in excluded)


def _combine_verdicts(term: graph.Term, answers: Set[bool | None]) -> bool:
    """Return the answer of a verdict or condition: prohibitions override permissions, which override the default."""
    return False not in answers and (True in answers or bool(term.default))


def _within_domain(term: graph.Term, arguments: tuple[Value, ...], value: Value) -> Value:
    """Return a value after a check against the domain of its term; raises `OutsideError`."""
    match term.type:
        case graph.Number() as declared if not declared.contains(value):
            raise OutsideError(term.name, arguments)
        case _:
            return value
