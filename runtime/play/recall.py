"""Remember answers until something happens that they rest on.

In: an evaluator. Out: the same answers, worked out once until an event changes what they read. A player
who weighs an offer, then a first choice, then a second, looks at one position three times, the
search for legal completions asks much of it again for every candidate, and most events change little.
Expressions have no effects, so an answer depends on the position and on the names that it uses: the
names are the key, and the memory is the state's own (`State.answers`).

A record made by `let` is remembered too, so two looks at one candidate meet the same record.
"""

from collections.abc import Callable, Iterator
from dataclasses import fields
from operator import itemgetter
from typing import Any, NamedTuple, Protocol

from runtime.answer.reads import Reads
from runtime.graph import nodes as graph
from runtime.play.course import Names
from runtime.state.memory import Question
from runtime.state.position import State
from runtime.state.record import Value

UNKNOWN = object()


class Evaluator(Protocol):
    """What play needs to know of answers: the interpreter and generated code both have it."""

    def evaluate(self, state: State, expr: graph.Expr, names: Names) -> Value:
        """Evaluate an expression with names bound."""

    def stream(self, state: State, expr: graph.Expr, names: Names) -> Iterator[Value]:
        """Pass over a set in its order, working out no more of it than is taken."""


class Known(NamedTuple):
    """An expression, what its answers are remembered under, and how to read the names that it uses."""

    expr: graph.Expr
    question: Question
    used: Callable[[Names], Value]


class Recall:
    """An evaluator with a memory. Expressions are known by identity; keeping them keeps that unique."""

    __slots__ = ("evaluator", "known", "reads")

    def __init__(self, evaluator: Evaluator, rules: graph.Graph) -> None:
        """Begin knowing nothing."""
        self.evaluator = evaluator
        self.reads = Reads(rules)
        self.known: dict[int, Known] = {}

    def evaluate(self, state: State, expr: graph.Expr, names: Names) -> Value:
        """Evaluate an expression, or remember what it was."""
        known = self.known.get(id(expr)) or self.learn(expr)
        memory = state.answers[known.question]
        key = known.used(names)
        value = memory.get(key, UNKNOWN)
        if value is UNKNOWN:
            value = memory[key] = self.evaluator.evaluate(state, expr, names)
        return value

    def knows(self, state: State, expr: graph.Expr, names: Names) -> bool:
        """Say whether an expression is remembered."""
        known = self.known.get(id(expr)) or self.learn(expr)
        return known.used(names) in state.answers[known.question]

    def learn(self, expr: graph.Expr) -> Known:
        """Find out what an expression reads and which names it uses."""
        used = sorted(free(expr))
        known = self.known[id(expr)] = Known(
            expr, Question(self.reads.of(expr)), itemgetter(*used) if used else no_names
        )
        return known


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
