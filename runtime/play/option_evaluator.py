"""Evaluation of the expressions that determine options: sets, conditions and bindings in the heads of actions.

In: an evaluator. Out: its values, from functions compiled once per expression. A record that an expression creates is
memoized until the position changes, so that the chosen record is the listed one.
"""

from collections.abc import Callable
from functools import cached_property
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
    """An expression as functions of a position and an environment, each compiled when it is first used.

    An example opens few actions.
    """

    def __init__(self, expr: graph.Expr, evaluator: "OptionEvaluator") -> None:
        """Compile nothing yet; the reference to the expression keeps its identity unique."""
        self.expr = expr
        self.options = evaluator

    @cached_property
    def evaluate(self) -> ValueFunction:
        """Return the function of the value; memoized, if it may be a record that the expression creates."""
        function = self.options.evaluator.value_function(self.expr)
        is_record = self.options.reads.expression_creates_record(self.expr)
        return memoized_function(self.expr, function) if is_record else function

    @cached_property
    def iterate(self) -> IteratorFunction:
        """Return the function that iterates over the members."""
        return self.options.evaluator.iterator_function(self.expr)


class OptionEvaluator:
    """The compiled expressions of options, by identity."""

    __slots__ = ("_prepared", "evaluator", "reads", "rules")

    def __init__(self, evaluator: Evaluator, rules: graph.Graph) -> None:
        """Start without compiled expressions."""
        self.evaluator = evaluator
        self.rules = rules
        self.reads = reads_of(rules)
        self._prepared: dict[int, PreparedExpression] = {}

    def evaluate(self, state: State, expr: graph.Expr, names: Names) -> Value:
        """Evaluate an expression."""
        return self.prepare_expression(expr).evaluate(state, names)

    def prepare_expression(self, expr: graph.Expr) -> PreparedExpression:
        """Prepare an expression."""
        prepared = self._prepared.get(id(expr))
        if prepared is None:
            prepared = self._prepared[id(expr)] = PreparedExpression(expr, self)
        return prepared


def memoized_function(expr: graph.Expr, function: ValueFunction) -> ValueFunction:
    """Return a function that memoizes an expression in each position, by the values of its free names."""
    table, used = MemoTable(), tuple(sorted(free_names(expr)))
    key: Callable[[Names], Value] = itemgetter(*used) if used else _empty_key

    def ask(state: State, names: Names) -> Value:
        answers = state.answers[table]
        known = key(names)
        if known not in answers:
            answers[known] = function(state, names)
        return answers[known]

    return ask


def _empty_key(_: Names) -> Value:
    """Return the key of an expression without free names."""
    return ()
