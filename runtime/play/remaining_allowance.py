"""The remaining allowance of a piece after a step: a number in the action's account that depends on the piece alone.

In: the programs of a machine. Out: for each action whose account has a field after it that is a number and depends on
one piece only, its expression. It can be evaluated in any position, so that the cost of a step is a difference.
"""

from collections.abc import Mapping
from typing import NamedTuple

from runtime.graph import nodes as graph
from runtime.graph.free_names import free_names
from runtime.play.instructions import Program


class RemainingAllowance(NamedTuple):
    """A remaining allowance: its field, the name of the piece in the action, the expression and its type."""

    name: str
    piece: str
    value: graph.Expr
    type: graph.Number


def remaining_allowances(programs: Mapping[str, Program]) -> dict[str, RemainingAllowance]:
    """Return the remaining allowance by action, for actions with such a field; the first one of each."""
    return {
        program.procedure.name: found
        for program in programs.values()
        if program.procedure.what == "action" and (found := remaining_allowance(program)) is not None
    }


def remaining_allowance(program: Program) -> RemainingAllowance | None:
    """Return the remaining allowance of an action; None without such a field."""
    account = program.procedure.account
    pieces = piece_names(program)
    for field in account.fields if account else ():
        names = free_names(field.value)
        if field.moment == "after" and isinstance(field.type, graph.Number) and len(names) == 1 and names <= pieces:
            return RemainingAllowance(field.name, next(iter(names)), field.value, field.type)
    return None


def piece_names(program: Program) -> frozenset[str]:
    """Return the names of pieces of an action: its parameters, and its single choices."""
    parameter_names = (each.name for each in program.procedure.parameters if isinstance(each.type, graph.Piece))
    chosen = (
        step.name
        for step, member in zip(program.code, program.members, strict=True)
        if isinstance(step, graph.Choose) and not step.how and isinstance(member, graph.Piece)
    )
    return frozenset((*parameter_names, *chosen))
