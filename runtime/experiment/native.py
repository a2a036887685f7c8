"""Play games of a series in a compiled module, and count of each what an experiment counts.

In: a program that was made of a game's graph, and who plays. Out: an `Outcome` a seed, equal to what the machine would
have come to. A game that a module cannot play to its end (what has no code, numbers that do not fit, a limit) is None:
the machine plays it, and says what is wrong if something is.
"""

from collections.abc import Mapping
from typing import Final

from runtime.engine.game import DRAWS, DRAWS_LISTED, GREEDY, NativeGame
from runtime.engine.terms import Program, TrapError
from runtime.engine.values import NotRepresentableError
from runtime.experiment.outcome import Outcome, losses
from runtime.play.game import Game

PLAYERS: Final = ("random", "greedy")


def plays_natively(game: Game, players: Mapping[str, str]) -> str:
    """Say why players cannot play in a module; "" if they can."""
    if others := sorted(set(players.values()) - set(PLAYERS)):
        return f"{', '.join(others)} has no code in a module"
    if game.choices.secret and "greedy" in players.values():
        return "a greedy player in a module would see what the other side keeps secret"
    return ""


class NativeSeries:
    """Games from the opening of a card, one after the other in the memory of one module."""

    def __init__(self, game: Game, program: Program, players: Mapping[str, str]) -> None:
        """Write the opening into the module."""
        self.game = game
        card = game.graph.scenario
        self.sides = card.order if card else tuple(players)
        draws = DRAWS_LISTED if game.choices.secret else DRAWS
        how = {side: GREEDY if name == "greedy" else draws for side, name in players.items()}
        self.native = NativeGame(program, game.set_up(), how)
        self.why = ""  # Why the last game that the module did not play to its end stopped.

    def play(self, seed: str) -> Outcome | None:
        """Play one game."""
        native, rules = self.native, self.game.graph
        try:
            native.start(seed)
            if native.run():
                self.why = "somebody is asked who does not play"
                return None
            levels = tuple((side, native.ask(rules.outcome, (side,))) for side in self.sides) if rules.outcome else ()
            state = native.position()
        except (TrapError, NotRepresentableError) as stopped:
            self.why = str(stopped)
            return None
        end = self.game.judged(levels, state.turn, native.choices)
        return Outcome(
            seed=seed, winner=end.winner, level=end.level, levels=end.levels, turn=end.turn, choices=end.choices,
            losses=losses(state), fired=(), fault="",
        )  # fmt: skip
