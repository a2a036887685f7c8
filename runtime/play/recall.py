"""Remember answers until something happens.

In: an evaluator. Out: the same answers, worked out once between two events. A player
who weighs an offer, then a first choice, then a second, looks at one position three times, and the
search for legal completions asks much of it again for every candidate. Expressions have no effects,
so an answer depends on the position and on the names that it uses, and both are in the key: the
memory is the state's own, and every event empties it (`State.answers`).

A record made by `let` is remembered too, so two looks at one candidate meet the same record.
"""

from collections.abc import Callable, Iterator
from dataclasses import fields
from operator import itemgetter
from typing import Any, Protocol

from runtime.graph import nodes as graph
from runtime.play.course import Names
from runtime.state.position import State
from runtime.state.record import Value

UNKNOWN = object()


class Evaluator(Protocol):
    """What play needs to know of answers: the interpreter and generated code both have it."""

    def evaluate(self, state: State, expr: graph.Expr, names: Names) -> Value:
        """Evaluate an expression with names bound."""

    def stream(self, state: State, expr: graph.Expr, names: Names) -> Iterator[Value]:
        """Pass over a set in its order, working out no more of it than is taken."""


class Recall:
    """An evaluator with a memory. Expressions are known by identity; keeping them keeps that unique."""

    __slots__ = ("evaluator", "uses")

    def __init__(self, evaluator: Evaluator) -> None:
        """Begin knowing nothing."""
        self.evaluator = evaluator
        self.uses: dict[int, tuple[graph.Expr, Callable[[Names], Value]]] = {}

    def evaluate(self, state: State, expr: graph.Expr, names: Names) -> Value:
        """Evaluate an expression, or remember what it was."""
        key = self.key(expr, names)
        value = state.answers.get(key, UNKNOWN)
        if value is UNKNOWN:
            value = state.answers[key] = self.evaluator.evaluate(state, expr, names)
        return value

    def knows(self, state: State, expr: graph.Expr, names: Names) -> bool:
        """Say whether an expression is remembered."""
        return self.key(expr, names) in state.answers

    def key(self, expr: graph.Expr, names: Names) -> tuple[int, Value]:
        """Name an expression and the values of the names that it uses."""
        number = id(expr)
        known = self.uses.get(number)
        if known is None:
            used = sorted(free(expr))
            known = self.uses[number] = (expr, itemgetter(*used) if used else no_names)
        return number, known[1](names)


def no_names(_: Names) -> Value:
    """Give the values of no names at all."""
    return ()


def free(expr: Any) -> set[str]:
    """Collect the names that an expression uses but does not bind."""
    if isinstance(expr, graph.Var):
        return {expr.name}
    if isinstance(expr, tuple):
        return set().union(*(free(part) for part in expr))
    if not hasattr(expr, "__dataclass_fields__"):
        return set()
    if isinstance(expr, graph.Fold):
        inner = free((expr.where, expr.body)) - {expr.var}
        return inner | free((expr.source, expr.otherwise))
    return set().union(*(free(getattr(expr, field.name)) for field in fields(expr)))
