"""Work budgets for one case of an example and for all examples of a stack, so that a run terminates.

The units are set members and procedure steps (graph/budget.py), so that the limit is the same on every machine.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from runtime.graph import nodes as graph
from runtime.graph.budget import TooMuchWork, allow_members
from runtime.play.rule_faults import TooMuchToPlay

# The limit of a case, the fixed part of a stack, and the part for each case. The largest case of the
# shipped games takes 28,000; the 1,296 cases of the largest stack take 106,000.
MOST_OF_ROW, MOST_OF_ALL, MORE_EACH = 200_000, 600_000, 500
# The failure of a case that exceeds its limit, and the exception that stops it.
PLAYED = "to be played to its end"
TOO_MUCH = (
    f"stopped: it passes over more members of sets, and takes more steps, than an example may, {MOST_OF_ROW:,} in all,"
    " or than those before it have left"
)
TooMuch: Final = (TooMuchWork, TooMuchToPlay)


class ExampleBudget:
    """The work budget that all examples of a stack share; a case that starts after it is spent stops."""

    def __init__(self, rules: graph.Graph) -> None:
        """Set the budget: a fixed part, and a part for each case."""
        self.remaining_members: float = MOST_OF_ALL + MORE_EACH * sum(max(1, len(each.rows)) for each in rules.examples)

    @contextmanager
    def row(self) -> Iterator[None]:
        """Run a case within the remaining budget and deduct what it used."""
        with allow_members(max(0, self.remaining_members)) as used:
            yield
            self.remaining_members -= used()
