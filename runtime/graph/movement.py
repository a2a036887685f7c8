"""Dataflow analysis of movement: the choices of a procedure that determine a piece's destination.

In: the procedures of a graph, and the choices of one. Out: its `Movement`. A choice of a hex belongs to the piece that
is moved there: in the procedure itself, in one that it calls, or in an action that it offers.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.graph.effects import effects_of
from runtime.graph.effects.primitives import MovePiece
from runtime.graph.steps import nested_steps
from runtime.graph.walk import walk

# A piece and its destination, by names in the procedure; "" where a later choice determines the hex.
MovedPlaces = frozenset[tuple[str, str]]
LATER = ""
# The free names of the set of each loop variable.
MembersByName = Mapping[str, Collection[str]]


class Movement(NamedTuple):
    """The movement of pieces by a procedure, by the names of its choices.

    `mover`: for each chosen hex the piece that moves there, a parameter or an earlier choice. `at_once`: for each
    moving piece whether this procedure chooses the hex. `pieces`: all choices of a piece.
    """

    mover: Mapping[str, str]
    at_once: Mapping[str, bool]
    pieces: frozenset[str]


def movement_of_choices(parameters: tuple[str, ...], choices: Mapping[str, bool], moved: MovedPlaces) -> Movement:
    """Build the movement of a procedure; `choices` maps the names of its choices, in order, to whether they are pieces.

    A hex shared by several pieces belongs to the first by name.
    """
    known = [*parameters, *choices]
    hexes = {to: piece for piece, to in sorted(moved, reverse=True) if to in choices}
    return Movement(
        {to: piece for to, piece in hexes.items() if piece in known and known.index(piece) < known.index(to)},
        {piece: piece in hexes.values() for piece, _ in sorted(moved) if piece in choices},
        frozenset(name for name, is_piece in choices.items() if is_piece),
    )


def moves_by_procedure(procedures: Mapping[str, graph.Procedure]) -> dict[str, MovedPlaces]:
    """Compute the moves of all procedures as a fixed point, as actions offer each other."""
    found: dict[str, MovedPlaces] = dict.fromkeys(procedures, frozenset())
    fresh = True
    while fresh:
        fresh = False
        for key, procedure in procedures.items():
            moved = found[key].union(
                *(_moves_of_step(step, procedures, found) for step in nested_steps(procedure.body))
            )
            fresh = fresh or moved != found[key]
            found[key] = moved
    return found


def _moves_of_step(
    step: graph.Step, procedures: Mapping[str, graph.Procedure], found: Mapping[str, MovedPlaces]
) -> MovedPlaces:
    """Return the moves of one step."""
    match step:
        case graph.Do(resolution, arguments):
            return _forwarded_moves(f"resolution:{resolution}", arguments, procedures, found)
        case graph.Offer(actions):
            offered = (_forwarded_moves(f"action:{name}", arguments, procedures, found) for name, arguments in actions)
            return frozenset((piece, LATER) for moved in offered for piece, _ in moved)
        case _:
            moves = set()
            for effect in effects_of(step):
                match effect:
                    case MovePiece(_, graph.Var(piece), graph.Var(to)):
                        moves.add((piece, to))
                    case _:
                        pass
            return frozenset(moves)


def _forwarded_moves(
    key: str,
    arguments: tuple[graph.Expr, ...],
    procedures: Mapping[str, graph.Procedure],
    found: Mapping[str, MovedPlaces],
) -> MovedPlaces:
    """Return the moves of a called procedure in terms of the caller's names."""
    named = {
        parameter.name: argument.name
        for parameter, argument in zip(procedures[key].parameters, arguments, strict=True)
        if isinstance(argument, graph.Var)
    }
    return frozenset((named[piece], named.get(to, LATER)) for piece, to in found[key] if piece in named)


def moves_a_whole_way(rules: graph.Graph, key: str) -> bool:
    """Return whether a procedure chooses a destination among all hexes that a search reaches, instead of one step away.

    `key` is its key in the graph.
    """
    destinations = {to for _, to in moves_by_procedure(rules.procedures)[key]}
    return any(
        isinstance(step, graph.Choose) and step.name in destinations and _is_search_result(rules, step.source)
        for step in nested_steps(rules.procedures[key].body)
    )


def _is_search_result(rules: graph.Graph, source: graph.Expr, *visited_terms: str) -> bool:
    """Return whether a set contains the result of a search over the map, also by a rule of a term for a set."""
    for node in walk(source):
        if isinstance(node, graph.Search) and node.op == "reachable":
            return True
        if isinstance(node, graph.Ask) and node.term not in visited_terms:
            term = rules.terms[node.term]
            values = (rules.rules[label].value for label in term.rules if isinstance(term.type, graph.Many))
            visited_terms = (*visited_terms, node.term)
            if any(_is_search_result(rules, value, *visited_terms) for value in values if value is not None):
                return True
    return False
