"""The work budget of an unattended game, so that it terminates for any rules.

Each decision has a budget of its own (graph/budget.py), but many decisions within it could still take hours. The units
are set members and procedure steps as there, so that the limit is the same on every machine.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from runtime.graph.budget import TooMuchWork, allow_members, budget_limit
from runtime.play.playthrough import Playthrough
from runtime.play.rule_faults import TooMuchToPlay

if TYPE_CHECKING:
    from runtime.play.machine import Machine

# The budget of a game: that of so many decisions, and so much more with each decision. The
# largest shipped game, greedy players on both sides, takes more than 20,000,000 members in 4,500 decisions.
DECISIONS, MORE_EACH = 2, 8_000


class GameBudget:
    """The remaining budget of one game."""

    def __init__(self, *, is_separate: bool = False) -> None:
        """Start a game; with `is_separate`, for trial games of a player, nothing is charged to an enclosing budget."""
        self.is_separate = is_separate
        self.total = DECISIONS * budget_limit()
        self.remaining_members: float = self.total

    @contextmanager
    def decision(self, machine: "Machine", playthrough: Playthrough) -> Iterator[None]:
        """Run a step to a decision, or a decision, within the budget; raises `TooMuchToPlay` once it is spent."""
        self.remaining_members += MORE_EACH
        limit = max(0.0, self.remaining_members)
        with allow_members(limit, is_separate=self.is_separate) as used:
            try:
                yield
            except (TooMuchToPlay, TooMuchWork):
                if used() >= limit:
                    raise machine.broken_rules(
                        playthrough, self.spent_message(machine, playthrough), TooMuchToPlay
                    ) from None
                raise
            finally:
                self.remaining_members -= used()

    def spent_message(self, machine: "Machine", playthrough: Playthrough) -> str:
        """Return the message for a spent budget, with the offers whose `must` took much of it."""
        searches = "".join(
            f"; at {offer.decisions:,} decisions a search for a way to meet the `must` of `{', '.join(offer.actions)}`"
            f" ended without a result ({offer.file}:{offer.line})"
            for offer in machine.obligations.unsettled_offers(playthrough)
        )
        return (
            f"in the whole game sets are passed over with more than {self.total:,} members, and {MORE_EACH:,} for each"
            f" decision{searches}; `--steps` lets a decision have more, and a game with it"
        )
