"""A player that takes any option, all alike."""

from runtime.play.choices import Decision
from runtime.play.dice import Stream
from runtime.play.game import Game
from runtime.play.playthrough import Playthrough
from runtime.play.random_draw import draw_listed


def uniform_option(game: Game, playthrough: Playthrough, decision: Decision, chance: Stream) -> int:
    """Select an option uniformly: the one that is drawn where options are not listed (`Game.advance`)."""
    if game.choices.secret:
        return chance.draw(len(decision.options))
    return draw_listed(game.choices, playthrough, decision.options, chance)
