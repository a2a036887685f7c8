"""How far a condition is from holding: of each part of it, how many members keep it from being so.

In: a condition. Out: a `GoalDistance`, which counts in any position; 0 where the condition holds. `none(x in S where
P)` is as far as S has members of which P is so, a conjunction as far as its parts together, any other condition 0 or 1.
A search that goes on first where this is least finds a way sooner; which ways there are does not rest on it.
"""

from collections.abc import Callable
from fractions import Fraction

from runtime.answer.conditions import conjuncts
from runtime.graph import nodes as graph
from runtime.play.option_evaluator import ValueFunction
from runtime.play.playthrough import Names
from runtime.state.position import State

ZERO = graph.Num(Fraction(0), "")


class GoalDistance:
    """Counts what keeps a condition from holding."""

    __slots__ = ("conditions", "counts")

    def __init__(self, goal: graph.Expr, value_function: Callable[[graph.Expr], ValueFunction]) -> None:
        """Take the condition apart; `value_function` makes the function that evaluates an expression."""
        parts = list(conjuncts(goal))
        folds = [(part, obstacle_fold(part)) for part in parts]
        self.counts = [value_function(fold) for _, fold in folds if fold is not None]
        self.conditions = [value_function(part) for part, fold in folds if fold is None]

    def __call__(self, state: State, names: Names) -> int:
        """Count."""
        unmet = sum(not holds(state, names) for holds in self.conditions)
        return unmet + sum(int(count(state, names)) for count in self.counts)


def obstacle_fold(part: graph.Expr) -> graph.Expr | None:
    """Return the fold that counts the members which keep a condition from holding; None where it is about no set."""
    match part:
        case graph.Fold("none", var, source, where) | graph.Op("not", (graph.Fold("some", var, source, where),)):
            return graph.Fold("count", var, source, where, None, None)
        case graph.Fold("every", var, source, where, body) if body is not None:
            fails: graph.Expr = graph.Op("not", (body,))
            others = fails if where is None else graph.Op("and", (where, fails))
            return graph.Fold("count", var, source, others, None, None)
        case graph.Op("=", (graph.Fold("count") as fold, number)) if number == ZERO:
            return fold
        case _:
            return None
