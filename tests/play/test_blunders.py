"""Positions of a few pieces in which a human sees the sensible choice: what players do in a turn, or in a game."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from rulewright.games.scenarios import game_of, load_scenario
from rulewright.library.compiled_modules import module_of
from runtime.engine.game import EXTERNAL, PLANS, NativeGame
from runtime.play.game import Game
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.players.native_planner import Planner
from runtime.players.player import choose_option, seat_players
from runtime.players.player_names import PLAYERS
from runtime.players.thinking_budget import ThinkingBudget
from runtime.state import change
from runtime.state.position import GONE, State
from tests.sample import sampled

SEEDS = [str(seed) for seed in range(10)]
CARD = """\
scenario: blunder
title: A few pieces
uses: panzer_leader
cites: house
map: [[mill_valley]]
turns: 5
order: [allied, german]
facts: {{names_vehicles: no, attackers: [allied], open_set_up: yes, objectives: ["{objective}"]}}
forces:
  - {{side: german, group: Germans, units: {{{german}}}, sets_up: {{columns: 1..16}}}}
  - {{side: allied, group: Allies, units: {{{allied}}}, sets_up: {{columns: 1..16}}}}
victory:
  allied:
    marginal: "some(u in all unit where u.side = allied and u.hex in scenario.objectives){also}"
"""
UNHARMED = " and losses(allied) = 0"


def _is_destroyed(played: Playthrough) -> bool:
    """Return whether the first German unit is gone."""
    return played.state.hex[0] == GONE


class Blunder(NamedTuple):
    """The pieces with their hexes, the Germans first, and what the Allies do in their first turn if they are sensible.

    `dispersed` and `carried` are numbers of pieces; what is carried is carried by the piece before it.
    """

    german: str
    allied: str
    hexes: tuple[str, ...]
    objective: str
    is_sensible: Callable[[Playthrough], bool] = _is_destroyed
    dispersed: tuple[int, ...] = ()
    carried: tuple[int, ...] = ()


def _has_attacked(played: Playthrough) -> bool:
    """Return whether the first German unit was attacked: dice were rolled."""
    return bool(played.dice)


def _is_unloaded(played: Playthrough) -> bool:
    """Return whether nobody is carried any more."""
    return not played.state.pairs["carries"].lefts


BLUNDERS = {
    # Three tanks eliminate by an overrun those whom they would only disperse by fire.
    "no overrun": Blunder("rifle: 1", "m4: 3", ("0903", "1003", "1003", "1003"), "0603", _is_destroyed),
    # The objective lies behind; the enemy who cannot fight back recovers in its own turn.
    "dispersed, not assaulted": Blunder(
        "rifle: 1", "us_rifle: 2", ("0903", "1103", "1103"), "1303", _has_attacked, dispersed=(0,)
    ),
    # The objective is too far for an infantryman to dismount; the gun has a target in range and view.
    "a gun that never fires": Blunder(
        "truck: 1", "m3: 1, at57: 1", ("1003", "1303", "1303"), "0103", _is_unloaded, carried=(2,)
    ),
}


def _game(folder: Path, blunder: Blunder, also: str = "") -> Game:
    """Return the game of a card in which the Allies win by holding the objective, under a condition."""
    card = folder / "blunder.yaml"
    values = {"german": blunder.german, "allied": blunder.allied, "objective": blunder.objective, "also": also}
    card.write_text(CARD.format(**values), encoding="utf-8")
    rules = load_scenario(str(card), None).graph
    assert rules
    return game_of(rules)


def _opening(game: Game, blunder: Blunder) -> State:
    """Return the position, in which nobody is left to be set up."""
    state = game.set_up()
    for piece, name in enumerate(blunder.hexes):
        change.move(state, piece, state.board.index[name])
    for piece in blunder.dispersed:
        change.mark(state, "unit.dispersed", piece)
    for piece in blunder.carried:
        change.relate(state, "carries", piece - 1, piece)
    return state


def _first_turn(game: Game, opening: State, seed: str) -> Playthrough:
    """Play up to the first decision after the first allied turn."""
    played = game.start(seed, opening.copy())
    seats = seat_players(dict.fromkeys(("allied", "german"), PLAYERS["greedy"]), seed)
    while isinstance(decision := game.advance(played), Decision):
        state = played.state
        if state.facts.get("game.drawn_up") and (state.turn > 1 or state.player == "german"):
            break
        game.apply(played, decision, choose_option(game, played, decision, seats))
    return played


@pytest.mark.parametrize("name", BLUNDERS)
def test_greedy_players_are_sensible_in_most_games(tmp_path: Path, name: str) -> None:
    game = _game(tmp_path, BLUNDERS[name])
    opening = _opening(game, BLUNDERS[name])
    sensible = [seed for seed in SEEDS if BLUNDERS[name].is_sensible(_first_turn(game, opening, seed))]
    assert len(sensible) >= 8


# Where greedy players lose units; the objective is held by one who is safe there.
DANGERS = {
    # Two half-tracks support the rifles, in the open and in range of two guns.
    "halting before guns": Blunder("pak75: 2", "us_rifle: 1, m3: 2", ("0904", "0904", "0908", "1410", "1410"), "0908"),
    # The half-track is nearer to the objective than the tank, which the gun hurts less.
    "empty half-tracks first": Blunder("pak75: 1", "m3: 1, m4: 1", ("0504", "1303", "1403"), "0903"),
}


@sampled(1)
@pytest.mark.parametrize("name", DANGERS)
def test_players_that_search_keep_out_of_danger(tmp_path: Path, name: str) -> None:
    game = _game(tmp_path, DANGERS[name], UNHARMED)
    native = NativeGame(module_of(game), _opening(game, DANGERS[name]), {}, logs=False)
    assert _wins(game, native, None) <= 5
    assert _wins(game, native, ThinkingBudget(8)) >= 8


def _wins(game: Game, native: NativeGame, budget: ThinkingBudget | None) -> int:
    """Return how many games the Allies win with a budget for search, or as greedy players."""
    sides = ("allied", "german")
    planner = Planner(game, native, {}, {"allied": budget} if budget else {}, None, sides)
    native.players = {"allied": EXTERNAL if budget else PLANS, "german": PLANS}
    native.seat(native.players)
    won = 0
    for seed in SEEDS:
        planner.start(seed)
        assert not planner.run()
        won += native.ask(game.graph.outcome, ("allied",)) > 0
    return won
