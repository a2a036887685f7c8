"""A test whether a precondition with a `when` certainly governs a step.

In: the access path of a step, and the condition with the action's arguments substituted. Out: yes where each conjunct
is a guard on the path, or follows from one syntactically: distinct constants differ, a neighbor is
another hex, a piece whose hex is read is on the map, one chosen from a reserve is not, and a piece is of the kinds of
its type. An exception (`not t(..)`, where `t` is a condition that is false by default) is assumed not to apply. Of all
other steps nothing is concluded.
"""

from collections.abc import Mapping

from compiler.analysis.access_paths import SymbolicPath
from compiler.analysis.exclusion import are_distinct_constants
from compiler.analysis.normal_form import NEXT, normalize
from compiler.analysis.term_queries import implied_conditions, substitution_of
from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjuncts
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.type_of import type_of
from runtime.graph.walk import nodes_of


@frozen_dataclass
class _PathKnowledge:
    """The facts that hold at the end of a path: its guards, the pieces certainly on the map, the types of names."""

    conditions: frozenset[graph.Expr]
    on_map: frozenset[graph.Expr]
    types: Mapping[str, graph.Type]
    stack: graph.Graph


def certainly_holds(
    condition: graph.Expr, path: SymbolicPath, types: Mapping[str, graph.Type], stack: graph.Graph
) -> bool:
    """Return whether a condition, with all names substituted, certainly holds at the end of a path."""
    names = substitution_of(path)
    conditions = frozenset(part for guard in path.guards for part in implied_conditions(normalize(guard, names)))
    accesses = nodes_of(graph.Get, (tuple(conditions), condition))
    on_map = frozenset(each.base for each in accesses if (each.what, each.name) == ("given", "hex"))
    known = _PathKnowledge(conditions, on_map, types, stack)
    return all(_part_holds(part, known) for part in conjuncts(condition))


def _part_holds(part: graph.Expr, known: _PathKnowledge) -> bool:
    """Return whether one conjunct of a condition certainly holds."""
    if part in known.conditions:
        return True
    match part:
        case graph.Op("=", (first, second)):
            return first == second
        case graph.Op("not", (graph.Op("=", (first, second)),)):
            next_to = normalize(graph.Op("=", (graph.Op("distance", (first, second)), NEXT)), {})
            return next_to in known.conditions or are_distinct_constants(first, second)
        case graph.Op("not", (graph.Is(subject, (graph.Test("off" | "gone"),)),)):
            return subject in known.on_map
        case graph.Op("not", (graph.Ask(term),)):
            callee = known.stack.terms.get(term)
            return callee is not None and callee.form == "condition" and not callee.default
        case graph.Op("or", parts):
            return any(_part_holds(each, known) for each in parts) or _is_one_of(parts, known)
        case graph.Is():
            return _is_one_of((part,), known)
        case _:
            return False


def _is_one_of(parts: tuple[graph.Expr, ...], known: _PathKnowledge) -> bool:
    """Return whether the conditions list kinds that include every kind of a piece's type."""
    kinds: set[str] = set()
    subjects: set[graph.Expr] = set()
    for part in parts:
        match part:
            case graph.Is(subject, (graph.Test("kind", _, name),), negated=False):
                kinds.add(name)
                subjects.add(subject)
            case _:
                return False
    if len(subjects) != 1:
        return False
    match type_of(subjects.pop(), dict(known.types), known.stack):
        case graph.Piece(may_be) if may_be:
            return set(may_be) <= kinds
        case _:
            return False
