"""Which guards can never hold together, as far as their words show it.

In: two conditions. Out: whether something in one contradicts something in the other: `x = a` and `x = b`,
`x is f` and `x is not f`, `n < m` and `n >= m`. Rules that exclude each other need no comparing of what they say.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from runtime.answer.conditions import conjuncts
from runtime.graph import nodes as graph
from runtime.graph.walk import walk

# For each comparison, those of the same two that cannot hold beside it.
CONTRARY = {
    "=": {"!=", "<", ">"}, "!=": {"="}, "<": {"=", ">", ">="}, "<=": {">"}, ">": {"=", "<", "<="}, ">=": {"<"},
}  # fmt: skip


def are_exclusive(first: Iterable[graph.Expr], second: Collection[graph.Expr]) -> bool:
    """Return whether two rules can never both be live of which this is said."""
    return any(are_contradictory(one, other) for one in first for other in second)


def required_conditions(rule: graph.Rule) -> Iterator[graph.Expr]:
    """List what must hold for a rule that is said without names of its own."""
    own = {name for name, _ in rule.names}
    for part in conjuncts(rule.guard):
        if not any(isinstance(node, graph.Var) and node.name in own for node in walk(part)):
            yield part


def are_contradictory(one: graph.Expr, other: graph.Expr) -> bool:
    """Return whether two conditions cannot both hold."""
    if are_opposites(one, other):
        return True
    match one, other:
        case graph.Op(op, pair), graph.Op(against, same) if pair == same and against in CONTRARY.get(op, ()):
            return True
        case graph.Is(subject, tests, False), graph.Is(same, others, True) if subject == same:
            return set(tests) <= set(others)
        case graph.Is(subject, tests, True), graph.Is(same, others, False) if subject == same:
            return set(others) <= set(tests)
        case _:
            mine, theirs = choice_condition(one), choice_condition(other)
            return mine is not None and theirs is not None and mine[0] == theirs[0] and not mine[1] & theirs[1]


# For each comparison, the one that holds of the same two exactly where it does not.
OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def are_opposites(one: graph.Expr, other: graph.Expr) -> bool:
    """Return whether of two conditions exactly one holds, whatever the position."""
    match one, other:
        case graph.Op("not", (inner,)), _ if inner == other:
            return True
        case _, graph.Op("not", (inner,)) if inner == one:
            return True
        case graph.Op(op, pair), graph.Op(against, same):
            return pair == same and OPPOSITE.get(op) == against
        case (graph.Is(), graph.Is() as turned) | (graph.Has(), graph.Has() as turned):
            return one == replace(turned, negated=not turned.negated)
        case _:
            return False


def choice_condition(part: graph.Expr) -> tuple[object, frozenset[object]] | None:
    """Read a condition as a thing that must be one of a few written ones."""
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
