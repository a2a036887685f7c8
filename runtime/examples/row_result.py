"""The result of one case of an example: its failures, its read set, and the instructions that it executed."""

from runtime.examples.failure import FailedLine
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import dataclass
from runtime.play.game import SEQUENCE
from runtime.play.machine import Machine

# Instructions by the key of their procedure and their index.
ExecutedSteps = frozenset[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Run:
    """The result of one case of an example, with the rules, chart lines and terms that it read.

    `unused_counts` counts the forced dice that were not thrown and the forced draws that were not drawn.
    `procedures` are those that lines name, `entered` those that were executed, `executed` their instructions.
    """

    example: graph.Example
    row: int
    checked: int
    failures: tuple[FailedLine, ...]
    rules: frozenset[str]
    rows: frozenset[graph.TableRow]
    terms: frozenset[str]
    procedures: frozenset[str]
    unused_counts: tuple[int, int]
    entered: frozenset[str]
    executed: ExecutedSteps

    @property
    def follows_sequence(self) -> bool:
        """Return whether the example follows the sequence of play."""
        return any(isinstance(line, graph.Order) for line in self.example.lines)

    @property
    def has_passed(self) -> bool:
        """Return whether every check holds, and there was at least one."""
        return not self.failures and self.checked > 0


def executed_instructions(machine: Machine | None, follower: Machine | None) -> ExecutedSteps:
    """Return the instructions that `machine` executed, and those of the sequence of play that `follower` executed.

    `follower` followed the sequence of play for an `order` line, which expects nothing of the rest of that game.
    """
    found = [] if machine is None else list(machine.closures.items())
    if follower is not None and SEQUENCE in follower.closures:
        found.append((SEQUENCE, follower.closures[SEQUENCE]))
    return frozenset(
        (key, number) for key, closures in found for number, each in enumerate(closures) if each is not None
    )
