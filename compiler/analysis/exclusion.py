"""Rules that can never be live together, by the single words and numbers that their guards require.

In: rules of one term. Out: whether two of them exclude each other: one defeats the other, or their guards require one
expression to have two different values. This is so for most pairs of a long list of exceptions, and comparing two
dictionaries is a thousand times cheaper than a proof; the remaining pairs are left to the prover.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product

from compiler.analysis.normal_form import normalize, with_names
from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts

SMALL_GROUP = 8  # Below this number, all pairs are compared.

# The values that the guard of a rule requires of normalized expressions.
RequiredValues = Mapping[graph.Expr, graph.Expr]


def required_values(rule: graph.Rule) -> RequiredValues:
    """Collect the literals that a guard requires expressions to equal; for a test, whether it has to hold."""
    literals: dict[graph.Expr, graph.Expr] = {}
    guard = None if rule.guard is None else normalize(rule.guard, with_names(rule, {}))
    for part in conjuncts(guard):
        match part:
            case graph.Op("=", (expr, value)) if isinstance(value, graph.LiteralExpr):
                literals.setdefault(expr, value)
            case graph.Op("=", (value, expr)) if isinstance(value, graph.LiteralExpr):
                literals.setdefault(expr, value)
            case graph.Is():
                literals.setdefault(part, graph.Truth(value=True))
            case graph.Op("not", (graph.Is() as test,)):
                literals.setdefault(test, graph.Truth(value=False))
            case _:
                pass
    return literals


def unexcluded_rules(required: Mapping[str, RequiredValues]) -> dict[str, tuple[str, ...]]:
    """List for each rule the others that are not excluded with it, in the order of `required`.

    Rules are partitioned by the value that they require of an expression, and rules of different classes are never
    compared: a long list of exceptions for single cases takes time linear in its length, not in the number of its
    pairs.
    """
    counts = Counter(expr for each in required.values() for expr in each)
    overlaps: dict[str, set[str]] = {label: set() for label in required}
    for first, second in _unexcluded_pairs(tuple(required), required, [expr for expr, _ in counts.most_common()]):
        overlaps[first].add(second)
        overlaps[second].add(first)
    place = {label: index for index, label in enumerate(required)}
    return {label: tuple(sorted(others, key=place.__getitem__)) for label, others in overlaps.items()}


def _unexcluded_pairs(
    labels: Sequence[str], required: Mapping[str, RequiredValues], exprs: Sequence[graph.Expr]
) -> Iterator[tuple[str, str]]:
    """List the pairs that are not excluded, by partition on the first expression, then of each class on the next."""
    groups = [(labels, 0)]  # A list, since there may be more expressions than calls can be nested.
    while groups:
        group, level = groups.pop()
        if level == len(exprs) or len(group) < SMALL_GROUP:
            pairs: Iterable[tuple[str, str]] = combinations(group, 2)
        else:
            classes: dict[Hashable, list[str]] = {}
            for label in group:
                value = required[label].get(exprs[level])
                classes.setdefault(None if value is None else _distinguishing_part(value), []).append(label)
            groups += [(each, level + 1) for each in classes.values()]
            free = classes.pop(None, [])
            pairs = product(free, (label for each in classes.values() for label in each))
        yield from (pair for pair in pairs if not require_different_values(required[pair[0]], required[pair[1]]))


def require_different_values(first: RequiredValues, second: RequiredValues) -> bool:
    """Return whether two guards require different values of one expression."""
    few, many = (first, second) if len(first) <= len(second) else (second, first)
    return any(are_distinct_constants(value, many[expr]) for expr, value in few.items() if expr in many)


def are_distinct_constants(first: graph.Expr, second: graph.Expr) -> bool:
    """Return whether two literals are of one sort and certainly differ."""
    return (
        type(first) is type(second)
        and isinstance(first, graph.LiteralExpr)
        and _distinguishing_part(first) != _distinguishing_part(second)
    )


def _distinguishing_part(literal: graph.Expr) -> Hashable:
    """Return the part of a literal in which literals with different values differ."""
    match literal:
        case graph.Num(value) | graph.Truth(value) | graph.Member(_, value) | graph.Place(_, _, value):
            return value
        case _:
            return None


def are_mutually_exclusive(rule: graph.Rule, other: graph.Rule) -> bool:
    """Return whether one of two rules defeats the other."""
    return other.label in rule.defeats or rule.label in other.defeats
