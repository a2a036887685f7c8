"""A distance of a position from a goal condition: the number of members that violate its parts.

In: a condition. Out: a `GoalDistance`, a function of positions; 0 where the condition holds. The distance of `none(x in
S where P)` is the number of members of S that satisfy P, that of a conjunction the sum over its parts, that of any
other condition 0 or 1. It orders a best-first search and does not affect its completeness.
"""

from collections.abc import Callable
from fractions import Fraction

from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts
from runtime.play.option_evaluator import ValueFunction
from runtime.play.playthrough import Names
from runtime.state.position import State

ZERO = graph.Num(Fraction(0), "")


class GoalDistance:
    """The distance function of a condition."""

    __slots__ = ("conditions", "counts")

    def __init__(self, goal: graph.Expr, value_function: Callable[[graph.Expr], ValueFunction]) -> None:
        """Split the condition into conjuncts; `value_function` compiles an expression."""
        parts = list(conjuncts(goal))
        folds = [(part, obstacle_fold(part)) for part in parts]
        self.counts = [value_function(fold) for _, fold in folds if fold is not None]
        self.conditions = [value_function(part) for part, fold in folds if fold is None]

    def __call__(self, state: State, names: Names) -> int:
        """Return the distance of a state."""
        unmet = sum(not holds(state, names) for holds in self.conditions)
        return unmet + sum(int(count(state, names)) for count in self.counts)


def obstacle_fold(part: graph.Expr) -> graph.Expr | None:
    """Return the aggregate that counts the members which violate a condition; None where it is not about a set."""
    match part:
        case graph.Fold("none", var, source, condition) | graph.Op(
            "not", (graph.Fold("some", var, source, condition),)
        ):
            return graph.Fold("count", var, source, condition, None, None)
        case graph.Fold("every", var, source, condition, body) if body is not None:
            fails: graph.Expr = graph.Op("not", (body,))
            others = fails if condition is None else graph.Op("and", (condition, fails))
            return graph.Fold("count", var, source, others, None, None)
        case graph.Op("=", (graph.Fold("count") as fold, number)) if number == ZERO:
            return fold
        case _:
            return None
