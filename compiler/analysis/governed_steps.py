"""Test whether a step surely is one that a precondition with a `when` governs.

In: the way to a step, and the condition with what is carried out filled in. Out: yes where each part of it is a guard
on the way, or follows from one word for word: members of one list are told apart, a neighbor is another hex, a piece
asked for its hex is on the map, one chosen from a reserve is not, and a piece is of the kinds that its type has.
That an exception (`not t(..)`, where `t` is a condition that ordinarily does not hold) is none is taken for granted.
Of all other steps nothing is said.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from compiler.analysis.normal_form import NEXT, conjuncts, normalize
from compiler.analysis.ranged_writes import Path
from compiler.analysis.term_queries import substitution_of
from runtime.graph import nodes as graph
from runtime.graph.type_of import type_of
from runtime.graph.walk import walk

OFF = (graph.Test("off", "piece", "off"),)


@dataclass(frozen=True, slots=True)
class PathKnowledge:
    """The facts that hold where a way ends: what its guards say, the pieces surely on the map, the types of names."""

    conditions: frozenset[graph.Expr]
    on_map: frozenset[graph.Expr]
    types: Mapping[str, graph.Type]
    stack: graph.Graph


def certainly_holds(condition: graph.Expr, path: Path, types: Mapping[str, graph.Type], stack: graph.Graph) -> bool:
    """Return whether a condition, all of whose names are written out, surely holds at the end of a way."""
    names = substitution_of(path)
    said = frozenset(part for guard in path.guards for part in implied_by(normalize(guard, names)))
    asked = (node for node in walk((tuple(said), condition)) if isinstance(node, graph.Get))
    on_map = frozenset(each.base for each in asked if (each.what, each.name) == ("given", "hex"))
    known = PathKnowledge(said, on_map, types, stack)
    return all(_part_holds(part, known) for part in conjuncts(condition))


def implied_by(guard: graph.Expr) -> Iterator[graph.Expr]:
    """List what follows from a guard, word for word."""
    for part in conjuncts(guard):
        yield part
        match part:
            case graph.Op("in", (member, graph.Fold("gather", var, source, where, None))):
                yield from implied_by(normalize(graph.Op("in", (member, source)), {}))
                if where is not None:
                    yield from implied_by(normalize(where, {var: member}))
            case graph.Op("in", (member, graph.Op("neighbors", (here,)))):
                yield normalize(graph.Op("adjacent", (here, member)), {})
            case graph.Op("in", (member, graph.Op("reserve"))):
                yield graph.Is(member, OFF, negated=False)
            case _:
                pass


def _part_holds(part: graph.Expr, known: PathKnowledge) -> bool:
    """Return whether one part of a condition surely holds."""
    if part in known.conditions:
        return True
    match part:
        case graph.Op("=", (one, other)):
            return one == other
        case graph.Op("not", (graph.Op("=", (one, other)),)):
            next_to = normalize(graph.Op("=", (graph.Op("distance", (one, other)), NEXT)), {})
            return next_to in known.conditions or (isinstance(one, graph.Member) and isinstance(other, graph.Member))
        case graph.Op("not", (graph.Is(subject, (graph.Test("off" | "gone"),)),)):
            return subject in known.on_map
        case graph.Op("not", (graph.Ask(term),)):
            asked = known.stack.terms.get(term)
            return asked is not None and asked.form == "condition" and not asked.default
        case graph.Op("or", parts):
            return any(_part_holds(each, known) for each in parts) or _is_one_of(parts, known)
        case graph.Is():
            return _is_one_of((part,), known)
        case _:
            return False


def _is_one_of(parts: tuple[graph.Expr, ...], known: PathKnowledge) -> bool:
    """Return whether these are kinds of which a piece surely is one."""
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
