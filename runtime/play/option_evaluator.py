"""Evaluate what options are made from: sets, conditions and names at the head of actions.

In: an evaluator. Out: its answers, prepared for those who ask the same expression in many positions. A record that an
expression makes is the same one as long as the position is, so what is chosen is what was listed.
"""

from collections.abc import Callable, Iterator
from functools import partial
from operator import itemgetter
from typing import Protocol

from runtime.answer.answer import Answer
from runtime.answer.reads import reads_of
from runtime.graph import nodes as graph
from runtime.graph.free_names import free_names
from runtime.play.playthrough import Names
from runtime.state.answers import MemoTable
from runtime.state.position import State
from runtime.state.record import Value

ValueFunction = Callable[[State, Names], Value]
IteratorFunction = Callable[[State, Names], Iterator[Value]]


class Evaluator(Protocol):
    """What play needs to know of answers: the interpreter and generated code both have it."""

    def evaluate(self, state: State, expr: graph.Expr, names: Names) -> Value:
        """Evaluate an expression with names bound."""

    def value_function(self, expr: graph.Expr) -> ValueFunction:
        """Return the function that evaluates an expression, for who evaluates it again and again."""

    def iterator_function(self, expr: graph.Expr) -> IteratorFunction:
        """Return the function that passes over a set in its order, working out no more of it than is taken."""

    def ask(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer:
        """Ask a term, and say which rules spoke."""


class PreparedExpression:
    """An expression as functions of a position and of the names around it; each is made when it is first called."""

    __slots__ = ("_iterator_function", "_value_function", "evaluate", "iterate")

    def __init__(self, value: Callable[[], ValueFunction], iterator: Callable[[], IteratorFunction]) -> None:
        """Make nothing yet: an example opens few of all actions."""
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
    """Evaluates what options are made from. Expressions are known by identity; keeping them keeps that unique."""

    __slots__ = ("_prepared", "evaluator", "reads")

    def __init__(self, evaluator: Evaluator, rules: graph.Graph) -> None:
        """Begin with nothing prepared."""
        self.evaluator = evaluator
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
        return memoized_function(expr, function) if self.reads.makes_newly(expr) else function


def memoized_function(expr: graph.Expr, function: ValueFunction) -> ValueFunction:
    """Make a function that evaluates an expression once in each position, for the values of the names it uses."""
    table, used = MemoTable(), tuple(sorted(free_names(expr)))
    key: Callable[[Names], Value] = itemgetter(*used) if used else no_names

    def ask(state: State, names: Names) -> Value:
        answers = state.answers[table]
        known = key(names)
        if known not in answers:
            answers[known] = function(state, names)
        return answers[known]

    return ask


def no_names(_: Names) -> Value:
    """Return the values of no names at all."""
    return ()
