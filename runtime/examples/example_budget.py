"""How much work examples may take, one row of them and all together, so that a run of them comes to an end.

In members of sets and steps of procedures (graph/budget.py), so that they come out alike on every machine.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final

from runtime.graph import nodes as graph
from runtime.graph.budget import TooMuchWork, allow_members
from runtime.play.rule_faults import TooMuchToPlay

# A row may take so much, and all rows of a stack together so much, and so much for each. The largest row of the
# shipped games takes 28,000; the 1,296 rows of the largest stack take 106,000.
MOST_OF_ROW, MOST_OF_ALL, MORE_EACH = 200_000, 600_000, 500
# What a row fails with that is not played to its end, and what it is raised as.
PLAYED = "to be played to its end"
TOO_MUCH = (
    f"stopped: it passes over more members of sets, and takes more steps, than an example may, {MOST_OF_ROW:,} in all,"
    " or than those before it have left"
)
TooMuch: Final = (TooMuchWork, TooMuchToPlay)


def of_row() -> AbstractContextManager[object]:
    """Let one row take as much as a row may."""
    return allow_members(MOST_OF_ROW)


class ExampleBudget:
    """The work that all examples of a stack together may take; rows that come when it is used up stop."""

    def __init__(self, rules: graph.Graph) -> None:
        """Begin with so much, and so much for each row."""
        self.left: float = MOST_OF_ALL + MORE_EACH * sum(max(1, len(each.rows)) for each in rules.examples)

    @contextmanager
    def row(self) -> Iterator[None]:
        """Let a row take what it needs of that."""
        with allow_members(max(0, self.left)) as used:
            yield
            self.left -= used()
