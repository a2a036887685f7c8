"""Play the games of a series in a compiled module, and count what an experiment counts.

The input is a module compiled from a game's graph, and the players; the output is an `Outcome` for each seed, equal to
that of the machine. A game that a module cannot play to its end (unsupported constructs, numbers out of range, a limit)
is None: the machine plays it, and reports what is wrong, if anything. `why` is the reason why the module did not.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Final

from runtime.engine.game import DRAWS, DRAWS_LISTED, EXTERNAL, PLANS, NativeGame
from runtime.engine.module import CompiledModule
from runtime.engine.recount import CountReader
from runtime.engine.trap import TrapError
from runtime.engine.values import NotRepresentableError
from runtime.experiment.game_outcome import Outcome, outcome_of
from runtime.experiment.module_uses import module_uses
from runtime.play.game import Game
from runtime.players.native_planner import Planner
from runtime.players.player_names import LOOKAHEAD, SEARCH, budget_of
from runtime.players.thinking_budget import ClockFunction, ThinkingBudget
from runtime.state.record import Value

RANDOM, GREED = "random", "greedy"
SAID: Final[Mapping[str, str]] = {
    "absent": "a question had no answer in the module",
    "gap": "no rule answered a question in the module",
    "clash": "two rules answered a question otherwise in the module",
    "outside": "an answer was outside the range of its type in the module",
    "unrepresentable": "a number did not fit into the memory of the module",
    "exhausted": "a game took more than a module has",
    "geometry": "the map has a place that the module cannot work with",
    "unsupported": "a game came to a step that has no compiled code yet",
    "broken": "the rules could not go on in the module",
}


def why_not_native(players: Mapping[str, str]) -> str:
    """Explain why players cannot play in a module; "" if they can."""
    others = sorted({name for name in players.values() if name not in (RANDOM, GREED) and budget_of(name) is None})
    return f"{' and '.join(others)} {'has' if len(others) == 1 else 'have'} no compiled code" if others else ""


class NativeSeries:
    """Games from the opening of a card, one after the other in the memory of one module."""

    def __init__(self, game: Game, module: CompiledModule, *, logs: bool) -> None:
        """Write the opening into the module. With `logs`, games can be replayed, in a machine or to be counted."""
        self.game = game
        self.native = NativeGame(module, game.set_up(), {}, logs=logs)
        self.recount = CountReader(self.native) if module.layout.counts else None
        self.names: dict[str, str] = {}
        self.sides: tuple[str, ...] = ()
        self.planner: Planner | None = None
        # By the sides that plan and their players; their memory lasts as long as the module's.
        self.planners: dict[tuple[tuple[str, str], ...], Planner] = {}
        self.stop_reason = ""  # Why the last game that the module did not play to its end stopped.

    def seat(self, players: Mapping[str, str], clock: ClockFunction | None = None) -> None:
        """Set the players of the sides; `why_not_native` states which of them a module supports."""
        if self.names == players:
            return
        card = self.game.graph.scenario
        self.names = dict(players)
        self.sides = card.order if card else tuple(players)
        self.native.players = {side: self._player_code(name) for side, name in players.items()}
        self.native.seat(self.native.players)
        planning = tuple(sorted((side, name) for side, name in players.items() if name != RANDOM))
        if planning and planning not in self.planners:
            self.planners[planning] = self._make_planner(planning, clock)
        self.planner = self.planners[planning] if planning else None

    def _make_planner(self, planning: Iterable[tuple[str, str]], clock: ClockFunction | None) -> Planner:
        """Return the planner of these sides and players."""
        greedy = [side for side, name in planning if name == GREED]
        ahead: dict[str, float] = {}
        search: dict[str, ThinkingBudget] = {}
        for side, name in planning:
            match budget_of(name):
                case (kind, budget) if kind == LOOKAHEAD:
                    ahead[side] = budget.amount
                case (kind, budget) if kind == SEARCH:
                    search[side] = budget
        return Planner(self.game, self.native, ahead, search, clock, greedy)

    def _player_code(self, name: str) -> int:
        if name == RANDOM:
            return DRAWS_LISTED if self.game.choices.secret else DRAWS
        # Options of players that search are chosen by a planner, those of others in the module, by its plans.
        return EXTERNAL if name.partition(":")[0] == SEARCH else PLANS

    def play(self, seed: str, watched: Collection[str] = ()) -> Outcome | None:
        """Play one game, and count the use of these keys in a module that counts."""
        if not self._run_to_end(seed):
            return None
        native, rules = self.native, self.game.graph
        try:
            levels = self._levels()
            state = native.pieces_and_clock()
        except (TrapError, NotRepresentableError) as stopped:
            self._record_stop(stopped)
            return None
        end = self.game.game_result(levels, state.turn, native.choice_count)
        played = outcome_of(state, end, seed, native.unsettled_offers())
        if self.recount is None or not watched:
            return played
        try:
            self.recount.replay(seed)
            self._levels()  # The rules on the outcome are counted too.
        except (TrapError, NotRepresentableError) as stopped:
            self._record_stop(stopped)
            return None
        return replace(played, used=module_uses(rules, watched, self.recount, state))

    def _levels(self) -> tuple[tuple[str, Value], ...]:
        """Return the level of each side, of a game that is over."""
        outcome = self.game.graph.outcome
        return tuple((side, self.native.ask(outcome, (side,))) for side in self.sides) if outcome else ()

    def _run_to_end(self, seed: str) -> bool:
        """Play a game to its end; False if the module stops before."""
        try:
            playing = self.planner or self.native
            playing.start(seed)
            if playing.run():
                self.stop_reason = "somebody is asked who does not play"
                return False
        except (TrapError, NotRepresentableError) as stopped:
            self._record_stop(stopped)
            return False
        return True

    def _record_stop(self, stopped: TrapError | NotRepresentableError) -> None:
        self.stop_reason = SAID.get(str(stopped)) or f"the module stopped: {stopped}"
        if isinstance(stopped, TrapError):
            self.stop_reason += f": {stopped.exceeded}" if stopped.exceeded else ""
            self.stop_reason += f" (in {stopped.location})" if stopped.location else ""
