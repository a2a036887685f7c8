"""A player that follows a list of options, each given by label or by index."""

from collections.abc import Iterable

from runtime.play.dice import Stream
from runtime.play.game import Game
from runtime.play.labels import option_labels
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.players.player import Player


def script(lines: Iterable[str | int]) -> Player:
    """Make a player that takes these options in order, and the last open option when the list is exhausted.

    A label that is not among the options is a mistake of the script, and raises ValueError.
    """
    next_lines = iter(lines)

    def follow(game: Game, playthrough: Playthrough, decision: Decision, _: Stream) -> int:
        line = next(next_lines, len(decision.options) - 1)
        if isinstance(line, int):
            return line
        known = option_labels(playthrough.state, game.programs.entries, decision)
        if line not in known:
            raise ValueError(f"{decision.side} is told `{line}`; open for {decision.question}: {', '.join(known)}")
        return known.index(line)

    return follow
