"""The driver of a game, from its first decision to its result.

In: a graph, and an evaluator of its expressions. Out: decisions, and at the end a `FinishedGame`.

    game = Game(graph, Interpreter(graph))
    playthrough = game.start("seed 7")
    while isinstance(now := game.advance(playthrough), Decision):
        game.apply(playthrough, now, player(game, playthrough, now, chance))

Same graph, seed and choices: same journal and same digest after every choice, in any process.
"""

from fractions import Fraction

from runtime.answer.evaluator import Evaluator
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.members import members_of
from runtime.graph.predeclared_types import SIDE
from runtime.play.machine import NOBODY_DRAWS, Drawing, Machine
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.state.position import State
from runtime.state.record import Value
from runtime.state.setup import from_card

SEQUENCE = "sequence"


@frozen_dataclass
class FinishedGame:
    """The result of a game. `winner` "" is a draw, or the loss of a side that plays alone.

    `level` is the winner's, None without a winner.
    """

    winner: str
    level: int | Fraction | None
    levels: tuple[tuple[str, Value], ...]
    turn: int
    choice_count: int


class Game(Machine):
    """A machine with the setup and the outcome of a whole game."""

    def __init__(self, rules: graph.Graph, evaluator: Evaluator, effect_evaluator: Evaluator | None = None) -> None:
        """Prepare the machine; the scenario is built when the first game starts."""
        super().__init__(rules, evaluator, effect_evaluator)
        self.opening: State | None = None
        # Evaluators memoize compiled expressions by identity: each side has one expression for all games.
        self.questions: dict[str, graph.Ask] = {}

    def start(self, seed: str | int | None, state: State | None = None, forced: tuple[int, ...] = ()) -> Playthrough:
        """Return a playthrough of the scenario (or of this state) before the first step of the sequence of play."""
        playthrough = Playthrough(state or self.set_up(), None if seed is None else str(seed), forced)
        playthrough.calls.append(self.frame(SEQUENCE, {"player": playthrough.state.player}))
        return playthrough

    def set_up(self) -> State:
        """Return the initial state of the scenario. All games share one map and its memos."""
        if self.opening is None:
            self.opening = from_card(self.graph)
        return self.opening.copy()

    def advance(self, playthrough: Playthrough, drawing: Drawing = NOBODY_DRAWS) -> Decision | FinishedGame:
        """Run to the next decision, or to the end; idempotent.

        A side in `drawing` has an option drawn at random, and `OPTION_DRAWN` is returned.

        With secret records all sides get decisions, as a random player must not use more than its view.
        """
        return self.run(playthrough, drawing=NOBODY_DRAWS if self.choices.secret else drawing) or self.finished_game(
            playthrough
        )

    def apply(self, playthrough: Playthrough, decision: Decision, index: int) -> None:
        """Apply option `index` of the decision that `advance` returned."""
        playthrough.mark()
        self.take(playthrough, decision.options[index])

    def finished_game(self, playthrough: Playthrough) -> FinishedGame:
        """Return the result: the side with the strictly greatest level wins; a side playing alone, with one above 0."""
        card = self.graph.scenario
        sides = card.order if card else members_of(self.graph.vocabulary, SIDE.name)
        levels = tuple((side, self.level_of(playthrough, side)) for side in sides) if self.graph.outcome else ()
        return self.game_result(levels, playthrough.state.turn, playthrough.choice_count)

    def game_result(self, levels: tuple[tuple[str, Value], ...], turn: int, choice_count: int) -> FinishedGame:
        """Return the result of a game by the levels of all sides."""
        best = max((level for _, level in levels), default=None)
        winners = [side for side, level in levels if level == best]
        won = len(winners) == 1 and (len(levels) > 1 or (best is not None and best > 0))
        return FinishedGame(winners[0] if won else "", best if won else None, levels, turn, choice_count)

    def level_of(self, playthrough: Playthrough, side: str) -> Value:
        """Return the level of a side: its answer to the outcome question."""
        if side not in self.questions:
            self.questions[side] = graph.Ask(self.graph.outcome, (graph.Member(SIDE.name, side),))
        return self.effect_evaluator.evaluate(playthrough.state, self.questions[side], {})
