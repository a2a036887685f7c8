"""How much work one game may take that nobody watches, so that it comes to an end whatever its rules ask.

Each decision has a budget of its own (graph/budget.py); many that just keep to it would still take hours. In
members of sets and steps of procedures, as there, so a game goes alike on every machine.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from runtime.graph.budget import TooMuchWork, allow_members, budget_limit
from runtime.play.playthrough import Playthrough
from runtime.play.rule_faults import TooMuchToPlay

if TYPE_CHECKING:
    from runtime.play.machine import Machine

# A game may take as much as so many decisions that use all of their budget, and so much more with each decision. The
# largest shipped game, greedy players on both sides, takes more than 20,000,000 members in 4,500 decisions.
DECISIONS, MORE_EACH = 2, 8_000


class GameBudget:
    """What is left for one game."""

    def __init__(self, *, apart: bool = False) -> None:
        """Begin a game; one that is played `apart`, by a player who tries things out, takes nothing from another."""
        self.apart = apart
        self.whole = DECISIONS * budget_limit()
        self.left: float = self.whole

    @contextmanager
    def decision(self, machine: "Machine", playthrough: Playthrough) -> Iterator[None]:
        """Carry out what leads to a decision, or make it; `TooMuchToPlay` where the game has used up its budget."""
        self.left += MORE_EACH
        given = max(0.0, self.left)
        with allow_members(given, apart=self.apart) as used:
            try:
                yield
            except (TooMuchToPlay, TooMuchWork):
                if used() >= given:
                    raise machine.broken_rules(playthrough, self.used_up(), TooMuchToPlay) from None
                raise
            finally:
                self.left -= used()

    def used_up(self) -> str:
        """State that the budget is used up."""
        return (
            f"in the whole game sets are passed over with more than {self.whole:,} members, and {MORE_EACH:,} for each"
            " decision; `--steps` lets a decision have more, and a game with it"
        )
