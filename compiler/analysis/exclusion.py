"""Rules that can never be live together, by the single words and numbers that their guards require.

In: rules of one term. Out: whether two of them exclude each other: one defeats the other, or their guards require one
parameter to have two different values. This is so for most pairs of a long list of exceptions, and comparing two
dictionaries is a thousand times cheaper than a proof; the remaining pairs are left to the prover.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product

from compiler.analysis.normal_form import normalize, with_names
from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts

FEW = 8  # Below this number, all pairs are compared.

# The values that the guard of a rule requires of parameters.
Wants = Mapping[str, graph.Expr]


def required_values(rule: graph.Rule) -> Wants:
    """Collect the literals that a guard requires parameters to equal."""
    literals: dict[str, graph.Expr] = {}
    guard = None if rule.guard is None else normalize(rule.guard, with_names(rule, {}))
    for part in conjuncts(guard):
        match part:
            case graph.Op("=", (graph.Var(name), value)) | graph.Op("=", (value, graph.Var(name))) if isinstance(
                value, graph.LiteralExpr
            ):
                literals.setdefault(name, value)
            case _:
                pass
    return literals


def possible_overlaps(wants: Mapping[str, Wants]) -> dict[str, tuple[str, ...]]:
    """List for each rule the others that are not excluded with it, in the order of `wants`.

    Rules are partitioned by the value that they require of a parameter, and rules of different classes are never
    compared: a long list of exceptions for single cases takes time linear in its length, not in the number of its
    pairs.
    """
    name_counts = Counter(name for each in wants.values() for name in each)
    overlaps: dict[str, set[str]] = {label: set() for label in wants}
    for first, second in _unexcluded_pairs(tuple(wants), wants, [name for name, _ in name_counts.most_common()]):
        overlaps[first].add(second)
        overlaps[second].add(first)
    place = {label: index for index, label in enumerate(wants)}
    return {label: tuple(sorted(others, key=place.__getitem__)) for label, others in overlaps.items()}


def _unexcluded_pairs(
    labels: Sequence[str], wants: Mapping[str, Wants], names: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """List the pairs that are not excluded, by partition on the first parameter and recursion on the rest."""
    if not names or len(labels) < FEW:
        yield from (
            pair for pair in combinations(labels, 2) if not require_different_values(wants[pair[0]], wants[pair[1]])
        )
        return
    free: list[str] = []
    groups: dict[object, list[str]] = {}
    for label in labels:
        value = wants[label].get(names[0])
        (free if value is None else groups.setdefault(value, [])).append(label)
    for group in (free, *groups.values()):
        yield from _unexcluded_pairs(group, wants, names[1:])
    bound = [label for group in groups.values() for label in group]
    yield from (pair for pair in product(free, bound) if not require_different_values(wants[pair[0]], wants[pair[1]]))


def require_different_values(first: Wants, second: Wants) -> bool:
    """Return whether two guards require different values of one parameter."""
    few, many = (first, second) if len(first) <= len(second) else (second, first)
    return any(are_distinct_constants(value, many[name]) for name, value in few.items() if name in many)


def are_distinct_constants(first: graph.Expr, second: graph.Expr) -> bool:
    """Return whether two literals are of one sort and certainly differ."""
    match first, second:
        case (graph.Num(left), graph.Num(right)) | (graph.Truth(left), graph.Truth(right)):
            return left != right
        case graph.Member(_, left), graph.Member(_, right):
            return left != right
        case graph.Place(_, _, left), graph.Place(_, _, right):
            return left != right
        case _:
            return False


def are_mutually_exclusive(rule: graph.Rule, other: graph.Rule) -> bool:
    """Return whether one of two rules defeats the other."""
    return other.label in rule.defeats or rule.label in other.defeats
