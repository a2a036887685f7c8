"""The parts of a condition that decide that it fails.

In: a condition, the bound names, and a function that evaluates an expression with names. Out: its first failing
conjunct, and the body of an `every` with the first member that it fails for.
"""

from collections.abc import Callable, Mapping

from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts
from runtime.graph.free_names import variables_in
from runtime.graph.read_sets import reads_of
from runtime.graph.walk import walk
from runtime.state.record import Value

EvaluateFunction = Callable[[graph.Expr, dict[str, Value]], Value]


def first_failing(condition: graph.Expr | None, evaluate: Callable[[graph.Expr], Value]) -> graph.Expr | None:
    """Return the first conjunct of a condition that fails; None if none does."""
    return next((part for part in conjuncts(condition) if not evaluate(part)), None)


def counterexample(
    condition: graph.Expr, evaluate: EvaluateFunction, names: Mapping[str, Value]
) -> tuple[graph.Expr, dict[str, Value]] | None:
    """Return the body of an `every`, and the names with the first member that it fails for; None without one."""
    match condition:
        case graph.Fold("every", var, source, where, body) if body is not None:
            members = evaluate(graph.Fold("gather", var, source, where, None, None), {**names})
            instances = ({**names, var: member} for member in members)
            return next(((body, inner) for inner in instances if not evaluate(body, inner)), None)
        case _:
            return None


def first_failing_part(
    condition: graph.Expr | None, evaluate: EvaluateFunction, names: dict[str, Value]
) -> tuple[graph.Expr, dict[str, Value]] | None:
    """Return the innermost part by which a condition fails, and the names bound there; None if it holds."""
    failed = first_failing(condition, lambda part: evaluate(part, names))
    if failed is None:
        return None
    instance = counterexample(failed, evaluate, names)
    return first_failing_part(instance[0], evaluate, instance[1]) if instance else (failed, names)


def tests_fixed_property(rules: graph.Graph, condition: graph.Expr, types: Mapping[str, graph.Type]) -> bool:
    """Return whether a condition tests what a piece is, as its side or kind, which no play changes."""
    about_piece = any(isinstance(types.get(name), graph.Piece) for name in variables_in(condition))
    return about_piece and not reads_of(rules).reads_of_nodes(tuple(walk(condition)))
