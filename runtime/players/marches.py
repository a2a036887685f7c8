"""Which choices of a procedure move a piece, and where to: read off the rules once.

In: the programs of a game. Out: a `March` for every procedure. A choice of a hex belongs to the piece that is
put there, wherever that happens: in the procedure itself, in one that it runs, or in an action that it offers.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.play.instructions import Program

# A piece and the hex where it is put, by their names in the procedure; "" where a later choice names the hex.
Moved = frozenset[tuple[str, str]]
LATER = ""


class March(NamedTuple):
    """What a procedure does with pieces, by the names of its choices.

    `mover`: whom this hex is for. `at_once`: for each piece that moves, whether this procedure chooses the hex.
    `pieces`: all choices of a piece.
    """

    mover: Mapping[str, str]
    at_once: Mapping[str, bool]
    pieces: frozenset[str]


def marches(programs: Mapping[str, Program]) -> dict[str, March]:
    """Say of all procedures what they move."""
    moved = all_moved({key: program.procedure for key, program in programs.items()})
    return {key: march(program, sorted(moved[key])) for key, program in programs.items()}


def march(program: Program, moved: list[tuple[str, str]]) -> March:
    """Sort what is moved by the names of choices; who moves first in the alphabet has a hex that several share."""
    choices = {
        step.name: kind
        for step, kind in zip(program.code, program.members, strict=True)
        if isinstance(step, graph.Choose) and not step.how
    }
    hexes = {to: piece for piece, to in reversed(moved) if to in choices}
    known = {*choices, *(parameter.name for parameter in program.procedure.parameters)}
    return March(
        {to: piece for to, piece in hexes.items() if piece in known},
        {piece: piece in hexes.values() for piece, _ in moved if piece in choices},
        frozenset(name for name, kind in choices.items() if isinstance(kind, graph.Piece)),
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
            return handed(f"resolution:{resolution}", arguments, procedures, found)
        case graph.Offer(actions):
            offered = (handed(f"action:{name}", arguments, procedures, found) for name, arguments in actions)
            return frozenset((piece, LATER) for moved in offered for piece, _ in moved)
        case _:
            return frozenset()


def handed(
    key: str, arguments: tuple[graph.Expr, ...], procedures: Mapping[str, graph.Procedure], found: Mapping[str, Moved]
) -> Moved:
    """Give what a procedure moves the names that it has where the procedure is called."""
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
