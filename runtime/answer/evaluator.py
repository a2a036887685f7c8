"""The protocol of evaluators, and the hooks by which others observe one.

In: a graph. Out: answers to questions with their decision ids, and values of expressions. There are two evaluators:
the interpreter (interpreter.py), which defines the meaning, and generated code (generate.py), which is faster. Whoever
wants to know what an answer was read from gives the interpreter an `EvaluatorHook`; no hook can change an answer.
"""

from collections.abc import Callable, Iterator
from typing import Protocol

from runtime.answer.answer import Answer
from runtime.answer.expressions import Environment
from runtime.answer.tables import FoundCell
from runtime.graph import nodes as graph
from runtime.state.position import State
from runtime.state.record import Value

# A question to an evaluator; None if it does not answer this one.
AskFunction = Callable[[State, str, tuple[Value, ...]], Answer | None]
ValueFunction = Callable[[State, Environment], Value]
IteratorFunction = Callable[[State, Environment], Iterator[Value]]


class Evaluator(Protocol):
    """The interface of evaluators: the interpreter and generated code implement it."""

    def ask(self, state: State, name: str, arguments: tuple[Value, ...]) -> Answer:
        """Ask a term, with the decision id."""

    def evaluate(self, state: State, expr: graph.Expr, names: Environment) -> Value:
        """Evaluate an expression with names bound."""

    def value_function(self, expr: graph.Expr) -> ValueFunction:
        """Return the function that evaluates an expression, for repeated evaluation."""

    def iterator_function(self, expr: graph.Expr) -> IteratorFunction:
        """Return the function that iterates over a collection in its order, lazily."""


class EvaluatorHook:
    """What an interpreter calls while it evaluates; a hook overrides the calls that it needs.

    A hook that raises an error stops the evaluation.
    """

    def on_question(self, name: str, arguments: tuple[Value, ...], *, in_search: bool) -> None:
        """Called before a question is answered, also by a memo; `in_search`: about one step of a search on the map."""

    def on_answer(self, state: State, name: str, arguments: tuple[Value, ...], answer: Answer) -> None:
        """Called after rules, or a pinned answer, have answered a question, so after the questions that it asked."""

    def on_cell(self, state: State, name: str, keys: tuple[Value, ...], found: FoundCell) -> None:
        """Called after a cell of a chart was looked up."""

    def on_expression(
        self, state: State, expr: graph.Expr, names: Environment, value: Value, error: Exception | None
    ) -> None:
        """Called after a guard, a conclusion or an expression of a procedure was evaluated, with its value or error."""
