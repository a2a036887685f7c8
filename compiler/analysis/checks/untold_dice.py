"""A procedure that throws dice and tells nothing of them, in a game whose other procedures do.

The player then reads of numbers and losses without a sentence in between, with no sheet before the dice. Silent in a
game without accounts, and of what is drawn that is no number: a hand is secret.
"""

from collections.abc import Iterator

from compiler.analysis.omissions import DiceWithoutAccount
from compiler.analysis.problems import Problem
from compiler.analysis.readers_and_setters import party_of
from compiler.analysis.step_reads import nested_steps
from runtime.graph import nodes as graph


def untold_dice(stack: graph.Graph) -> Iterator[Problem]:
    """Find them."""
    procedures = stack.procedures.values()
    if any(each.account is not None for each in procedures):
        yield from (
            DiceWithoutAccount(party_of(each)) for each in procedures if each.account is None and throws_dice(each)
        )


def throws_dice(procedure: graph.Procedure) -> bool:
    """Return whether a procedure throws a die by its own steps."""
    return any(
        isinstance(step, graph.Roll) or (isinstance(step, graph.Draw) and isinstance(step.of, graph.Number))
        for step in nested_steps(procedure.body)
    )
