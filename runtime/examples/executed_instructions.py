"""The procedure instructions that a case of an example executed.

In: the machine that ran the case, and the one that followed the sequence of play for it. Out: instructions, by the key
of their procedure and their index. Of the game that an `order` line follows only the sequence itself counts: the
example expects nothing of the rest.
"""

from runtime.play.game import SEQUENCE
from runtime.play.machine import Machine

Executed = frozenset[tuple[str, int]]


def executed_instructions(machine: Machine | None, follower: Machine | None) -> Executed:
    """Return the instructions that `machine` executed, and those of the sequence of play that `follower` executed."""
    found = [] if machine is None else list(machine.closures.items())
    if follower is not None and SEQUENCE in follower.closures:
        found.append((SEQUENCE, follower.closures[SEQUENCE]))
    return frozenset(
        (key, number) for key, closures in found for number, each in enumerate(closures) if each is not None
    )
