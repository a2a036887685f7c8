"""Which choices of a procedure move a piece, and where to: read off the rules once.

In: the procedures of a graph, and the choices of one. Out: its `Movement`. A choice of a hex belongs to the piece that
is put there, wherever that happens: in the procedure itself, in one that it runs, or in an action that it offers.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from runtime.graph import nodes as graph

# A piece and the hex where it is put, by their names in the procedure; "" where a later choice names the hex.
Moved = frozenset[tuple[str, str]]
LATER = ""


class Movement(NamedTuple):
    """What a procedure does with pieces, by the names of its choices.

    `mover`: whom this hex is for, a parameter or an earlier choice. `at_once`: for each piece that moves, whether this
    procedure chooses the hex. `pieces`: all choices of a piece.
    """

    mover: Mapping[str, str]
    at_once: Mapping[str, bool]
    pieces: frozenset[str]


def movement_of_choices(parameters: tuple[str, ...], choices: Mapping[str, bool], moved: Moved) -> Movement:
    """Sort what is moved by the names of choices, in the order in which they are made: is it a piece that is chosen?

    Who moves first in the alphabet has a hex that several share.
    """
    known = [*parameters, *choices]
    hexes = {to: piece for piece, to in sorted(moved, reverse=True) if to in choices}
    return Movement(
        {to: piece for to, piece in hexes.items() if piece in known and known.index(piece) < known.index(to)},
        {piece: piece in hexes.values() for piece, _ in sorted(moved) if piece in choices},
        frozenset(name for name, is_piece in choices.items() if is_piece),
    )


def all_moved(procedures: Mapping[str, graph.Procedure]) -> dict[str, Moved]:
    """Go round until nothing new is found: actions offer each other."""
    found: dict[str, Moved] = dict.fromkeys(procedures, frozenset())
    fresh = True
    while fresh:
        fresh = False
        for key, procedure in procedures.items():
            moved = found[key].union(*(by_step(step, procedures, found) for step in every_step(procedure.body)))
            fresh = fresh or moved != found[key]
            found[key] = moved
    return found


def by_step(step: graph.Step, procedures: Mapping[str, graph.Procedure], found: Mapping[str, Moved]) -> Moved:
    """Say whom one step moves."""
    match step:
        case graph.Move(graph.Var(piece), graph.Var(to)):
            return frozenset({(piece, to)})
        case graph.Do(resolution, arguments):
            return forwarded_moves(f"resolution:{resolution}", arguments, procedures, found)
        case graph.Offer(actions):
            offered = (forwarded_moves(f"action:{name}", arguments, procedures, found) for name, arguments in actions)
            return frozenset((piece, LATER) for moved in offered for piece, _ in moved)
        case _:
            return frozenset()


def forwarded_moves(
    key: str, arguments: tuple[graph.Expr, ...], procedures: Mapping[str, graph.Procedure], found: Mapping[str, Moved]
) -> Moved:
    """Return what a procedure moves the names that it has where the procedure is called."""
    named = {
        parameter.name: argument.name
        for parameter, argument in zip(procedures[key].parameters, arguments, strict=True)
        if isinstance(argument, graph.Var)
    }
    return frozenset((named[piece], named.get(to, LATER)) for piece, to in found[key] if piece in named)


def every_step(body: tuple[graph.Step, ...]) -> Iterator[graph.Step]:
    """Yield all steps, those inside others too."""
    for step in body:
        yield step
        match step:
            case graph.Loop() | graph.Each() | graph.Phase():
                yield from every_step(step.body)
            case graph.Branch():
                yield from every_step(step.then)
                yield from every_step(step.orelse)
            case _:
                pass
