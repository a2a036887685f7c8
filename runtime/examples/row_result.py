"""What came of one row of an example: what failed and why, and what it leaned on."""

from runtime.examples.executed_instructions import Executed
from runtime.examples.failure import Failure, Refusal
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Run:
    """One row of an example as it came out, and what it leaned on.

    `left` counts the dice that were not thrown, and the forced draws that were not drawn; `unused_pins` are the numbers
    of lines that pin what nobody asks. `refusals` are acts refused for reasons that are not named. `procedures` are
    what lines name, `entered` what was carried out, `executed` the instructions of these.
    """

    example: graph.Example
    row: int
    checked: int
    failures: tuple[Failure, ...]
    rules: frozenset[str]
    rows: frozenset[graph.TableRow]
    terms: frozenset[str]
    procedures: frozenset[str]
    left: tuple[int, int]
    unused_pins: frozenset[int]
    refusals: tuple[Refusal, ...] = ()
    entered: frozenset[str] = frozenset()
    executed: Executed = frozenset()

    @property
    def follows_sequence(self) -> bool:
        """Return whether it follows the sequence of play."""
        return any(isinstance(line, graph.Order) for line in self.example.lines)

    @property
    def has_passed(self) -> bool:
        """Return whether every line came out as expected, and there was one."""
        return not self.failures and self.checked > 0
