"""A player that takes any option, all alike."""

from runtime.play.choices import Decision
from runtime.play.course import Course
from runtime.play.dice import Stream
from runtime.play.game import Game


def uniform(_: Game, __: Course, decision: Decision, chance: Stream) -> int:
    """Take any option."""
    return chance.draw(len(decision.options))
