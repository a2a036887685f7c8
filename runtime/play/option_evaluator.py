"""Evaluation of the expressions that determine options: sets, conditions and bindings in the heads of actions.

In: an evaluator. Out: its values, from functions compiled once per expression. A record that an expression creates is
memoized until the position changes, so that the chosen record is the listed one.
"""

from collections.abc import Callable, Iterator
from functools import partial
from operator import itemgetter

from runtime.answer.evaluator import Evaluator, IteratorFunction, ValueFunction
from runtime.graph import nodes as graph
from runtime.graph.free_names import free_names
from runtime.graph.read_sets import reads_of
from runtime.play.playthrough import Names
from runtime.state.answers import MemoTable
from runtime.state.position import State
from runtime.state.record import Value


class PreparedExpression:
    """An expression as functions of a position and an environment, compiled at the first call."""

    __slots__ = ("_iterator_function", "_value_function", "evaluate", "iterate")

    def __init__(self, value: Callable[[], ValueFunction], iterator: Callable[[], IteratorFunction]) -> None:
        """Defer compilation: an example opens few actions."""
        self._value_function = value
        self._iterator_function = iterator
        self.evaluate: ValueFunction = self._first
        self.iterate: IteratorFunction = self._first_stream

    def _first(self, state: State, names: Names) -> Value:
        self.evaluate = self._value_function()
        return self.evaluate(state, names)

    def _first_stream(self, state: State, names: Names) -> Iterator[Value]:
        self.iterate = self._iterator_function()
        return self.iterate(state, names)


class OptionEvaluator:
    """The compiled expressions of options, by identity; a reference to each expression keeps its identity unique."""

    __slots__ = ("_prepared", "evaluator", "reads", "rules")

    def __init__(self, evaluator: Evaluator, rules: graph.Graph) -> None:
        """Start without compiled expressions."""
        self.evaluator = evaluator
        self.rules = rules
        self.reads = reads_of(rules)
        self._prepared: dict[int, tuple[graph.Expr, PreparedExpression]] = {}

    def evaluate(self, state: State, expr: graph.Expr, names: Names) -> Value:
        """Evaluate an expression."""
        return self.prepare_expression(expr).evaluate(state, names)

    def prepare_expression(self, expr: graph.Expr) -> PreparedExpression:
        """Prepare an expression."""
        found = self._prepared.get(id(expr))
        if found is None:
            prepared = PreparedExpression(
                partial(self._value_function, expr), partial(self.evaluator.iterator_function, expr)
            )
            found = self._prepared[id(expr)] = (expr, prepared)
        return found[1]

    def _value_function(self, expr: graph.Expr) -> ValueFunction:
        function = self.evaluator.value_function(expr)
        return memoized_function(expr, function) if self.reads.expression_creates_record(expr) else function


def memoized_function(expr: graph.Expr, function: ValueFunction) -> ValueFunction:
    """Return a function that memoizes an expression in each position, by the values of its free names."""
    table, used = MemoTable(), tuple(sorted(free_names(expr)))
    key: Callable[[Names], Value] = itemgetter(*used) if used else empty_key

    def ask(state: State, names: Names) -> Value:
        answers = state.answers[table]
        known = key(names)
        if known not in answers:
            answers[known] = function(state, names)
        return answers[known]

    return ask


def empty_key(_: Names) -> Value:
    """Return the key of an expression without free names."""
    return ()
