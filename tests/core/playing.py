"""Play a game in a compiled module and in the machine, with the same option at each decision, and compare both."""

import random
from collections.abc import Mapping
from typing import NamedTuple

from compiler.wasm.module import write_game
from runtime.answer.generate import GeneratedEvaluator
from runtime.engine.game import DRAWS, DRAWS_LISTED, GREEDY, PLANS, NativeGame
from runtime.engine.module import CompiledModule
from runtime.engine.trap import TrapError
from runtime.experiment.game_outcome import steps_lost
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.graph.predeclared_types import SIDE
from runtime.play.game import FinishedGame, Game
from runtime.play.options import PICK, Decision
from runtime.play.playthrough import Playthrough
from runtime.play.rule_faults import BrokenRules, TooMuchToPlay
from runtime.players.greedy import greedy_option
from runtime.players.native_planner import Planner
from runtime.players.player import Player, play_out, seat_players
from runtime.state.digest import state_digest
from runtime.state.position import State
from runtime.state.record import Record


class Engines(NamedTuple):
    """The machine and a compiled module for the same rules."""

    game: Game
    program: CompiledModule

    def native(self, opening: State, players: Mapping[str, int] | None = None) -> NativeGame:
        """Load an opening into an instance of the module."""
        return NativeGame(self.program, opening, players or {}, logs=False)


def engines(rules: graph.Graph, pieces: int, hexes: int) -> Engines:
    """Make both engines, for openings of up to the given numbers of pieces and hexes."""
    return Engines(Game(rules, GeneratedEvaluator(rules)), CompiledModule(rules, *write_game(rules, pieces, hexes)))


def side_by_side(engine_pair: Engines, opening: State, seed: str, most: int) -> tuple[int, str]:
    """Play a game in both engines; return the number of compared decisions and the first difference, "" if none.

    A question without an answer ends the comparison, if it stops both engines. A trap at which the machine goes on is a
    difference: a series would leave such a game to the machine (runtime/experiment/native_series.py).
    """
    playthrough = engine_pair.game.start(seed, opening.copy())
    native = engine_pair.native(opening)
    native.start(seed)
    chance = random.Random(seed)
    for number in range(most):
        now = _advanced(engine_pair.game, playthrough)
        try:
            asks = native.run()
        except TrapError as trap:
            if isinstance(now, str):
                return number, ""
            return number, f"decision {number}: {trap}, and by the machine {now}"
        if isinstance(now, str) or asks != isinstance(now, Decision):
            return number, f"decision {number}: {now}, and the module {'asks' if asks else 'is over'}"
        if _contents(native.position()) != _contents(playthrough.state):
            return number, f"decision {number}: another position"
        if not isinstance(now, Decision):
            return number, ""
        if difference := _other_options(native, now):
            return number, f"decision {number}, {now.question}: {difference}"
        option_index = chance.randrange(len(now.options))
        engine_pair.game.apply(playthrough, now, option_index)
        native.choose(option_index)
    return most, ""


def _contents(state: State) -> tuple[str, list[int]]:
    """Return all of a position, and the steps that were lost on the way to it."""
    return state_digest(state), [steps_lost(state, piece) for piece in range(len(state.sheets))]


def _advanced(game: Game, playthrough: Playthrough) -> Decision | FinishedGame | str:
    """Run to the next decision, or return the name of the error that stopped the game."""
    try:
        return game.advance(playthrough)
    except (BrokenRules, Unanswered) as stopped:
        return type(stopped).__name__


def _other_options(native: NativeGame, decision: Decision) -> str:
    """Return how the options of a module differ from those of a decision, "" if they do not."""
    found = native.options()
    if len(found) != len(decision.options):
        return f"{len(found)} options, and {len(decision.options)} by the machine"
    reader = native.memory_reader()
    for raw, option in zip(found, decision.options, strict=True):
        if option.kind == PICK and decision.member is not None and not isinstance(option.value, Record):
            value = reader.decode(raw, decision.member, "")
            if value != option.value:
                return f"{value} in place of {option.value}"
    return ""


def differing_games(
    engine_pair: Engines, opening: State, player: Player, seeds: list[str], budget: int = 0
) -> list[str]:
    """Play games with one player for all sides in both engines; return a message for each that differs.

    With a budget the player looks ahead. A game that exceeds the budget of the machine is left out
    (runtime/play/game_budget.py); a module does not count this work.
    """
    sides = [member.name for member in engine_pair.game.graph.vocabulary.enums[SIDE.name].members]
    draws = DRAWS_LISTED if engine_pair.game.choices.secret else DRAWS
    how = PLANS if budget else GREEDY if player is greedy_option else draws
    native = engine_pair.native(opening, dict.fromkeys(sides, how))
    planner = Planner(engine_pair.game, native, dict.fromkeys(sides, budget), searches=None, clock=None)
    different = []
    for seed in seeds:
        playthrough = engine_pair.game.start(seed, opening.copy())
        try:
            play_out(engine_pair.game, playthrough, seat_players(dict.fromkeys(sides, player), seed))
        except TooMuchToPlay:
            continue
        planner.start(seed)
        try:
            assert not planner.run()
        except TrapError as trap:
            different.append(f"{seed}: {trap}")
            continue
        machine_result = playthrough.choice_count, len(playthrough.dice)
        other = native.choice_count, len(native.dice())
        if engine_pair.game.graph.outcome:
            machine_result += tuple(engine_pair.game.level_of(playthrough, side) for side in sides)
            other += tuple(native.ask(engine_pair.game.graph.outcome, (side,)) for side in sides)
        if machine_result != other or _contents(native.position()) != _contents(playthrough.state):
            different.append(f"{seed}: {other} choices and dice, {machine_result} by the machine")
    return different
