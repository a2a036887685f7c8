"""Plays a game in the machine and in the reference, with the same option at each decision, and compares both."""

import random
from collections.abc import Callable

from runtime.answer.evaluator import Evaluator
from runtime.graph.answer_errors import Unanswered
from runtime.play.game import FinishedGame, Game
from runtime.play.options import Decision
from runtime.play.rule_faults import BrokenRules
from runtime.state.position import State
from runtime.state.record import Event
from tests.reference.choices import TooManyWays
from tests.reference.game import ReferenceGame


def side_by_side(
    game: Game, opening: State, seed: str, most: int, evaluator: Evaluator | None = None
) -> tuple[int, list[str]]:
    """Return the number of compared decisions, at most `most`, and a list with the first difference or none.

    `evaluator` is the evaluator of the reference; None: the interpreter. The comparison ends where the reference raises
    `TooManyWays`, for instance because a choice of a set has too many candidates.
    """
    playthrough = game.start(seed, opening.copy())
    reference = ReferenceGame(game.graph, opening.copy(), seed, evaluator)
    chance = random.Random(seed)
    for number in range(most):
        now = _outcome(lambda: game.advance(playthrough))
        try:
            wanted = _outcome(reference.advance)
        except TooManyWays:
            return number, []
        if repr(now) != repr(wanted):  # Records are other objects in each game.
            return number, [f"decision {number}: {now}, and by the reference {wanted}"]
        if (playthrough.position_hash(), playthrough.dice) != (reference.position_hash(), reference.dice):
            return number, [f"decision {number}: another position, or other dice"]
        if list(map(_event_text, playthrough.journal)) != list(map(_event_text, reference.journal)):
            return number, [f"decision {number}: another journal"]
        if not isinstance(now, Decision):
            return number, []
        option_index = chance.randrange(len(now.options))
        game.apply(playthrough, now, option_index)
        assert isinstance(wanted, Decision)
        reference.take(wanted.options[option_index])
    return most, []


def _outcome(advance: Callable[[], Decision | FinishedGame | None]) -> Decision | str:
    """Advance to the next decision; return "" at the end, and the exception's name where the game cannot continue."""
    try:
        now = advance()
    except (BrokenRules, Unanswered) as stopped:
        return type(stopped).__name__
    return "" if now is None or isinstance(now, FinishedGame) else now


def _event_text(event: Event) -> tuple[str, str]:
    """Return kind and key of an event; its other values are separate objects in each game."""
    return event.kind, event.key
