"""Positions of a few pieces in which a human sees the sensible choice: what greedy players do in a turn of them."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from rulewright.games.scenarios import game_of, load_scenario
from runtime.play.game import Game
from runtime.play.options import Decision
from runtime.play.playthrough import Playthrough
from runtime.players.player import choose_option, seat_players
from runtime.players.player_names import PLAYERS
from runtime.state import change
from runtime.state.position import GONE, State

SEEDS = [str(seed) for seed in range(10)]
CARD = """\
scenario: blunder
title: A few pieces
uses: panzer_leader
cites: house
map: [[mill_valley]]
turns: 8
order: [allied, german]
facts: {{names_vehicles: no, attackers: [allied], open_set_up: yes, objectives: ["{objective}"]}}
forces:
  - {{side: german, group: Germans, units: {{{german}}}, sets_up: {{columns: 1..16}}}}
  - {{side: allied, group: Allies, units: {{{allied}}}, sets_up: {{columns: 1..16}}}}
victory:
  allied:
    marginal: "count(o in scenario.objectives where some(u in unit at o where u.side = allied)) >= 1"
"""


class Blunder(NamedTuple):
    """The pieces with their hexes, the Germans first, and what the Allies do in their first turn if they are sensible.

    `dispersed` and `carried` are numbers of pieces; what is carried is carried by the piece before it.
    """

    german: str
    allied: str
    hexes: tuple[str, ...]
    objective: str
    is_sensible: Callable[[Playthrough], bool]
    dispersed: tuple[int, ...] = ()
    carried: tuple[int, ...] = ()


def _is_destroyed(played: Playthrough) -> bool:
    """Return whether the first German unit is gone."""
    return played.state.hex[0] == GONE


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
    blunder = BLUNDERS[name]
    card = tmp_path / "blunder.yaml"
    card.write_text(
        CARD.format(german=blunder.german, allied=blunder.allied, objective=blunder.objective), encoding="utf-8"
    )
    rules = load_scenario(str(card), None).graph
    assert rules
    game = game_of(rules)
    opening = _opening(game, blunder)
    sensible = [seed for seed in SEEDS if blunder.is_sensible(_first_turn(game, opening, seed))]
    assert len(sensible) >= 8
