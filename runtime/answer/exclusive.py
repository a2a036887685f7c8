"""Syntactic mutual exclusion of guards.

In: two conditions. Out: whether a conjunct of one contradicts one of the other: `x = a` and `x = b`, `x is f` and
`x is not f`, `n < m` and `n >= m`. The conclusions of mutually exclusive rules need no comparison at run time. Sound,
not complete: False where no contradiction is found.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts
from runtime.graph.walk import walk

# For each comparison, those of the same operands that contradict it.
CONTRARY = {
    "=": {"!=", "<", ">"}, "!=": {"="}, "<": {"=", ">", ">="}, "<=": {">"}, ">": {"=", "<", "<="}, ">=": {"<"},
}  # fmt: skip


def are_exclusive(first: Iterable[graph.Expr], second: Collection[graph.Expr]) -> bool:
    """Return whether some condition of the first contradicts one of the second."""
    return any(are_contradictory(condition, other) for condition in first for other in second)


def required_conditions(rule: graph.Rule) -> Iterator[graph.Expr]:
    """Yield the conjuncts of a guard that use no `with` name of the rule."""
    own_names = {name for name, _ in rule.names}
    for part in conjuncts(rule.guard):
        if not any(isinstance(node, graph.Var) and node.name in own_names for node in walk(part)):
            yield part


def are_contradictory(first: graph.Expr, second: graph.Expr) -> bool:
    """Return whether two conditions are known to be contradictory."""
    if are_opposites(first, second):
        return True
    match first, second:
        case graph.Op(op, pair), graph.Op(against, same) if pair == same and against in CONTRARY.get(op, ()):
            return True
        case graph.Is(subject, tests, False), graph.Is(same, others, True) if subject == same:
            return set(tests) <= set(others)
        case graph.Is(subject, tests, True), graph.Is(same, others, False) if subject == same:
            return set(others) <= set(tests)
        case _:
            first_choice, second_choice = choice_condition(first), choice_condition(second)
            return (
                first_choice is not None
                and second_choice is not None
                and first_choice[0] == second_choice[0]
                and not first_choice[1] & second_choice[1]
            )


# For each comparison, its negation.
OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def are_opposites(first: graph.Expr, second: graph.Expr) -> bool:
    """Return whether one condition is known to be the negation of the other."""
    match first, second:
        case graph.Op("not", (inner,)), _ if inner == second:
            return True
        case _, graph.Op("not", (inner,)) if inner == first:
            return True
        case graph.Op(op, pair), graph.Op(against, same):
            return pair == same and OPPOSITE.get(op) == against
        case (graph.Is(), graph.Is() as inverse) | (graph.Has(), graph.Has() as inverse):
            return first == replace(inverse, negated=not inverse.negated)
        case _:
            return False


def choice_condition(part: graph.Expr) -> tuple[object, frozenset[object]] | None:
    """Return the subject of a condition and the literals that it admits; None where it is no such condition."""
    match part:
        case graph.Op("=", (graph.Member() | graph.Num() | graph.Place() as value, subject)):
            return subject, frozenset((value,))
        case graph.Op("=", (subject, graph.Member() | graph.Num() | graph.Place() as value)):
            return subject, frozenset((value,))
        case graph.Op("in", (subject, graph.SetOf(values))) if all(isinstance(v, graph.Member) for v in values):
            return subject, frozenset(values)
        case graph.Is(subject, tests, False) if {test.what for test in tests} in ({"kind"}, {"cell"}):
            return ("kind of", subject), frozenset(test.name for test in tests)
        case _:
            return None
