"""Play one game in a compiled module, and record the trial that the machine would have recorded.

In: a game, the players, a seed. Out: a finished game, or why the module did not play it. The choices are those of
the module; the options of each decision, and the hashes of the trial, are computed by the machine.
"""

from collections.abc import Mapping
from typing import NamedTuple

from rulewright.many_games import series_of
from runtime.play.game import FinishedGame, Game
from runtime.play.options import Decision
from runtime.trial.interactive_game import InteractiveGame
from runtime.trial.reenact import LoggedChoices, OtherGameError


class NativeTrial(NamedTuple):
    """A finished game, and the lines of its trial."""

    interactive: InteractiveGame
    end: FinishedGame
    lines: tuple[str, ...]


def play_trial(game: Game, names: Mapping[str, str], seed: str) -> NativeTrial | str:
    """Play a game in a module; return the reason as a text if that is not possible."""
    series, reason = series_of(game, names, logs=True)
    if series is None:
        return reason
    if series.play_and_replay(game, seed) is None:
        return series.stop_reason
    lines: list[str] = []
    interactive = InteractiveGame(game, game.start(seed), lines.append)
    interactive.write_heading(names, seed)
    chosen = LoggedChoices(series.native)
    try:
        while isinstance(decision := interactive.ask(), Decision):
            interactive.choose(decision, chosen.index(game, interactive.playthrough, decision))
    except OtherGameError as other:
        return f"the machine could not carry out what the module played: {other}"
    interactive.close(decision)
    return NativeTrial(interactive, decision, tuple(lines))
