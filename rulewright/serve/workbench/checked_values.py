"""Checks of the values of a request: numbers as text, and options of successive decisions."""

from collections.abc import Sequence

from rulewright.system.errors import UsageError
from runtime.play.game import Game
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough

# Python refuses to convert numbers of thousands of digits.
LONGEST_NUMBER = 9


def whole_number(text: str) -> int | None:
    """Parse a whole number; None for other texts, and for numbers longer than any that is meant."""
    return int(text) if text.isdecimal() and len(text) <= LONGEST_NUMBER else None


def check_options(game: Game, playthrough: Playthrough, options: Sequence[int]) -> None:
    """Raise `UsageError` if one of the options of successive decisions is not open."""
    copied = playthrough.copy()
    for option in options:
        decision = game.advance(copied)
        if not isinstance(decision, Decision) or not 0 <= option < len(decision.options):
            raise UsageError("this option is not available here")
        game.apply(copied, decision, option)
