"""Plays a game in the machine and in the reference at once, the same option at each decision, and compares both."""

import random
from collections.abc import Callable

from runtime.answer.answer import Unanswered
from runtime.play.choices import Decision
from runtime.play.game import FinishedGame, Game
from runtime.play.option_evaluator import Evaluator
from runtime.play.rule_faults import BrokenRules
from runtime.reference.choices import TooManyWays
from runtime.reference.game import ReferenceGame
from runtime.state.position import State
from runtime.state.record import Event


def side_by_side(
    game: Game, opening: State, seed: str, most: int, evaluator: Evaluator | None = None
) -> tuple[int, list[str]]:
    """Count the decisions compared, at most so many, and list the first difference, if there is one.

    `evaluator` is what the reference asks; None: the interpreter. The comparison ends early where the reference would
    have too many ways to go through: of so many possible firers, say, there are too many sets.
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
    """Run to the next decision; "" at the end, and what stops a game that cannot go on."""
    try:
        now = advance()
    except (BrokenRules, Unanswered) as stopped:
        return type(stopped).__name__
    return "" if now is None or isinstance(now, FinishedGame) else now


def _event_text(event: Event) -> tuple[str, str]:
    """Leave out of an event what is another object in each game; positions are compared besides."""
    return event.kind, event.key
