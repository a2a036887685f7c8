"""The result of one case of an example: its failures, and what it read and executed."""

from runtime.examples.failure import FailedLine
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class Run:
    """The result of one case of an example, with the rules, chart lines and terms that it read.

    `unused_counts` counts the forced dice that were not thrown and the forced draws that were not drawn.
    `procedures` are those that lines name, `entered` those that were executed.
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

    @property
    def follows_sequence(self) -> bool:
        """Return whether the example follows the sequence of play."""
        return any(isinstance(line, graph.Order) for line in self.example.lines)

    @property
    def has_passed(self) -> bool:
        """Return whether every check holds, and there was at least one."""
        return not self.failures and self.checked > 0
