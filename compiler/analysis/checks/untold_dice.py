"""Procedures that roll dice and have no account, in a game whose other procedures do.

The player then reads numbers and losses without a sentence in between, and no preview before the dice. Games without
accounts are skipped, and draws of anything but numbers: a hand is secret.
"""

from collections.abc import Iterator

from compiler.analysis.omissions import DiceWithoutAccount
from compiler.analysis.parties import procedure_party
from compiler.analysis.problems import Problem
from runtime.graph import nodes as graph
from runtime.graph.steps import nested_steps


def untold_dice(stack: graph.Graph) -> Iterator[Problem]:
    """Find such procedures."""
    procedures = stack.procedures.values()
    if any(each.account is not None for each in procedures):
        yield from (
            DiceWithoutAccount(procedure_party(each))
            for each in procedures
            if each.account is None and throws_dice(each)
        )


def throws_dice(procedure: graph.Procedure) -> bool:
    """Return whether a procedure rolls a die by its own steps."""
    return any(
        isinstance(step, graph.Roll) or (isinstance(step, graph.Draw) and isinstance(step.of, graph.Number))
        for step in nested_steps(procedure.body)
    )
