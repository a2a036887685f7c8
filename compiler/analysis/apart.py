"""Which rules can never be live together, told from what they say of single words and numbers.

In: rules of one term. Out: whether two of them are apart: one silences the other, or their guards want one
parameter to be two different things. Most pairs of a long list of exceptions are, and comparing two
dicts is a thousand times cheaper than a proof; what cannot be told here is left to the prover.
"""

from collections.abc import Mapping

from compiler.analysis.normal import conjuncts, normal, with_names
from runtime.graph import nodes as graph

WRITTEN = (graph.Num, graph.Member, graph.Place, graph.Truth)

# What the guard of a rule wants parameters to be.
Wants = Mapping[str, graph.Expr]


def wants_of(rule: graph.Rule) -> Wants:
    """Collect what a guard wants of parameters that it compares with a written value."""
    wanted: dict[str, graph.Expr] = {}
    guard = None if rule.guard is None else normal(rule.guard, with_names(rule, {}))
    for part in conjuncts(guard):
        match part:
            case graph.Op("=", (graph.Var(name), value)) | graph.Op("=", (value, graph.Var(name))) if isinstance(
                value, WRITTEN
            ):
                wanted.setdefault(name, value)
            case _:
                pass
    return wanted


def are_apart(one: Wants, other: Wants) -> bool:
    """Say whether two guards want one parameter to be different things."""
    few, many = (one, other) if len(one) <= len(other) else (other, one)
    return any(unlike(value, many[name]) for name, value in few.items() if name in many)


def unlike(one: graph.Expr, other: graph.Expr) -> bool:
    """Say whether two written values are different, for sure."""
    match one, other:
        case (graph.Num(left), graph.Num(right)) | (graph.Truth(left), graph.Truth(right)):
            return left != right
        case graph.Member(_, left), graph.Member(_, right):
            return left != right
        case graph.Place(_, _, left), graph.Place(_, _, right):
            return left != right
        case _:
            return False


def silences(one: graph.Rule, other: graph.Rule) -> bool:
    """Say whether either of two rules is silent wherever the other is live."""
    return other.label in one.defeats or one.label in other.defeats
