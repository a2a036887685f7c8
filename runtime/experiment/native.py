"""Play games of a series in a compiled module, and count of each what an experiment counts.

In: a program that was made of a game's graph, and who plays. Out: an `Outcome` a seed, equal to what the machine would
have come to. A game that a module cannot play to its end (what has no code, numbers that do not fit, a limit) is None:
the machine plays it, and says what is wrong if something is. `why` says why the module did not.
"""

from collections.abc import Mapping
from typing import Final

from runtime.answer.answer import Unanswered
from runtime.answer.work import TooMuchWork
from runtime.engine.game import DRAWS, DRAWS_LISTED, GREEDY, NativeGame
from runtime.engine.terms import Program, TrapError
from runtime.engine.values import NotRepresentableError
from runtime.experiment.outcome import Outcome, UsesOf, losses, none_counted, outcome_of
from runtime.play.broken import BrokenRules
from runtime.play.course import Course
from runtime.play.game import Game
from runtime.trial.reenact import OtherGameError, reenact

PLAYERS: Final = ("random", "greedy")
SAID: Final[Mapping[str, str]] = {
    "absent": "a question had no answer in the module",
    "gap": "no rule answered a question in the module",
    "clash": "two rules answered a question otherwise in the module",
    "outside": "an answer was outside the range of its type in the module",
    "unrepresentable": "a number did not fit into the memory of the module",
    "exhausted": "a game took more steps or memory than a module has",
    "geometry": "the map has a place that the module cannot work with",
    "unsupported": "a game came to a step that has no compiled code yet",
    "broken": "the rules could not go on in the module",
}
# What the machine may raise where it carries out what a module played.
NOT_THE_SAME: Final = (OtherGameError, BrokenRules, Unanswered, TooMuchWork, NotRepresentableError)


def plays_natively(game: Game, players: Mapping[str, str]) -> str:
    """Say why players cannot play in a module; "" if they can."""
    if others := sorted(set(players.values()) - set(PLAYERS)):
        return f"{', '.join(others)} has no compiled code"
    if game.choices.secret and "greedy" in players.values():
        return "a greedy player in a module would see what the other side keeps secret"
    return ""


class NativeSeries:
    """Games from the opening of a card, one after the other in the memory of one module."""

    def __init__(self, game: Game, program: Program, players: Mapping[str, str], *, logs: bool = False) -> None:
        """Write the opening into the module. With `logs`, games can be carried out in the machine again."""
        self.game = game
        card = game.graph.scenario
        self.sides = card.order if card else tuple(players)
        draws = DRAWS_LISTED if game.choices.secret else DRAWS
        how = {side: GREEDY if name == "greedy" else draws for side, name in players.items()}
        self.native = NativeGame(program, game.set_up(), how, logs=logs)
        self.why = ""  # Why the last game that the module did not play to its end stopped.

    def play(self, seed: str) -> Outcome | None:
        """Play one game; nobody counts which rules were live."""
        if not self._played(seed):
            return None
        native, rules = self.native, self.game.graph
        try:
            levels = tuple((side, native.ask(rules.outcome, (side,))) for side in self.sides) if rules.outcome else ()
            state = native.position()
        except (TrapError, NotRepresentableError) as stopped:
            self._stopped(stopped)
            return None
        end = self.game.judged(levels, state.turn, native.choices)
        return Outcome(
            seed=seed, winner=end.winner, level=end.level, levels=end.levels, turn=end.turn, choices=end.choices,
            losses=losses(state), fired=(), fault="",
        )  # fmt: skip

    def carried_out(self, seed: str, uses: UsesOf = none_counted) -> Outcome | None:
        """Play one game, and carry it out again in the machine of the series, to which somebody may listen."""
        course = self.course(seed)
        if course is None:
            return None
        try:
            end = self.game.finished(course)
        except NOT_THE_SAME as other:
            self._parted(other)
            return None
        return outcome_of(course, end, seed, "", uses)

    def course(self, seed: str) -> Course | None:
        """Play one game, and give its course as the machine carries it out."""
        if not self._played(seed):
            return None
        try:
            return reenact(self.game, self.native, seed)
        except NOT_THE_SAME as other:
            self._parted(other)
            return None

    def _played(self, seed: str) -> bool:
        """Play a game to its end; False where the module stops before."""
        try:
            self.native.start(seed)
            if self.native.run():
                self.why = "somebody is asked who does not play"
                return False
        except (TrapError, NotRepresentableError) as stopped:
            self._stopped(stopped)
            return False
        return True

    def _stopped(self, stopped: TrapError | NotRepresentableError) -> None:
        said = str(stopped)
        self.why = SAID.get(said) or f"the module stopped: {said}"

    def _parted(self, other: Exception) -> None:
        said = "it took more work than a decision may" if isinstance(other, TooMuchWork) else str(other)
        self.why = f"the machine could not carry out what the module played: {said}"
