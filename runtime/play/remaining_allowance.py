"""What a piece has left when it has taken a step: the number that the account of an action tells of the piece alone.

In: the programs of a machine. Out: for each action whose account tells, after it, a number of nothing but one piece,
the expression behind it. It is evaluated in any position, so what a step costs is the difference between two of them.
"""

from collections.abc import Mapping
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.graph.free_names import free_names
from runtime.play.instructions import Program


class RemainingAllowance(NamedTuple):
    """What is left to a piece: what the account calls it, the piece's name in the action, the number and its type."""

    name: str
    piece: str
    value: graph.Expr
    type: graph.Number


def remaining_allowances(programs: Mapping[str, Program]) -> dict[str, RemainingAllowance]:
    """Find what is left after each action that tells of it, by the action's name; the first field that does counts."""
    return {
        program.procedure.name: found
        for program in programs.values()
        if program.procedure.what == "action" and (found := remaining_allowance(program)) is not None
    }


def remaining_allowance(program: Program) -> RemainingAllowance | None:
    """Find what is left after an action."""
    account = program.procedure.account
    pieces = piece_names(program)
    for field in account.fields if account else ():
        names = free_names(field.value)
        if field.moment == "after" and isinstance(field.type, graph.Number) and len(names) == 1 and names <= pieces:
            return RemainingAllowance(field.name, next(iter(names)), field.value, field.type)
    return None


def piece_names(program: Program) -> frozenset[str]:
    """Name the pieces that an action is about: its parameters, and its single choices."""
    given = (each.name for each in program.procedure.parameters if isinstance(each.type, graph.Piece))
    chosen = (
        step.name
        for step, member in zip(program.code, program.members, strict=True)
        if isinstance(step, graph.Choose) and not step.how and isinstance(member, graph.Piece)
    )
    return frozenset((*given, *chosen))
