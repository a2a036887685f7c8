"""Which instructions of procedures a row of an example carried out.

In: the machine that played the row, and the one that followed the sequence of play for it. Out: instructions by the key
of their procedure and their number. Of the game that an `order` line follows only the sequence itself counts: what
else is done in it nobody has asked for.
"""

from runtime.play.game import SEQUENCE
from runtime.play.machine import Machine

Executed = frozenset[tuple[str, int]]


def executed_instructions(machine: Machine | None, follower: Machine | None) -> Executed:
    """List the instructions that one machine carried out, and those of the sequence that the other one did."""
    found = [] if machine is None else list(machine.closures.items())
    if follower is not None and SEQUENCE in follower.closures:
        found.append((SEQUENCE, follower.closures[SEQUENCE]))
    return frozenset(
        (key, number) for key, closures in found for number, each in enumerate(closures) if each is not None
    )
