"""Abstract games by the rules are those of C by hand: the same legal moves, and as many wins in as many moves."""

import shutil
from pathlib import Path

import pytest

from bench import c_by_hand
from bench.c_by_hand import COMPILER, compiled_program, output_of
from bench.compiled import METHODS, native_game, pace_in_c
from bench.leader_by_hand import Leader
from bench.march_and_fire import BARRED, CLASSES, SOURCE, price
from bench.playing import situation
from bench.playouts import (
    GAMES,
    AbstractGame,
    Outcomes,
    compared_positions,
    outcomes,
    outcomes_in_c,
    rules_of,
)  # fmt: skip
from bench.terms import SITUATION
from rulewright.games.scenarios import game_of
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.support import MemoizedChart
from runtime.engine.game import DRAWS

needs_compiler = pytest.mark.skipif(shutil.which(COMPILER) is None, reason="NOT COMPARED WITH C: there is no gcc here")

# Three hexes in a row; a rifle at either end sees the other, and destroys it whatever the die is.
FIELD = """
3 2 1
1 0 0 1 -1 -1 -1 -1 -1 1 2 -1 -1 -1 -1 -1 1 2 -1 -1 -1 -1 -1 0 1 1 1 2 1
2 0 0 0 2 -1 -1 -1 -1 1 2 2 -1 -1 -1 -1 1 2 2 -1 -1 -1 -1 1 1 0 1 1 1
3 0 0 1 -1 -1 -1 -1 -1 1 2 -1 -1 -1 -1 -1 1 2 -1 -1 -1 -1 -1 2 1 1 1 0 1
0 0 2 1 0 0 1 1 16 16 16 16 16 16
1 0 2 1 0 0 3 3 16 16 16 16 16 16
"""
EVERY_RESULT = "{0} {0} {0} {0} {0} {0} {0}\n"


@pytest.fixture(scope="module", params=GAMES, ids=lambda game: game.package)
def game(request: pytest.FixtureRequest) -> AbstractGame:
    found: AbstractGame = request.param
    return found


@needs_compiler
def test_the_rules_offer_the_moves_of_c(game: AbstractGame, tmp_path: Path) -> None:
    program = compiled_program(game.package, tmp_path)
    assert program is not None
    assert compared_positions(game, rules_of(game), program, range(3)) > 20


@needs_compiler
def test_playouts_end_as_those_of_c(game: AbstractGame, tmp_path: Path) -> None:
    program, rules = compiled_program(game.package, tmp_path), rules_of(game)
    assert program is not None
    found, spread = outcomes(rules, native_game(rules, DRAWS), 200)
    assert found.is_like(outcomes_in_c(program, 20_000), spread)


def test_other_winners_and_lengths_are_told_apart() -> None:
    found = Outcomes(1_000, 500, 450, 20_000)
    assert found.is_like(Outcomes(1_000, 510, 440, 20_100), 5.0)
    assert not found.is_like(Outcomes(1_000, 700, 250, 20_100), 5.0)
    assert not found.is_like(Outcomes(1_000, 510, 440, 25_000), 5.0)


@needs_compiler
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("result", "destroys"), [(0, False), (1, False), (3, True)])
def test_fire_by_hand_destroys_by_the_table(*, method: str, result: int, destroys: bool, tmp_path: Path) -> None:
    """Without points nobody moves; one of the two sides may hold its fire, so not every game has a unit destroyed."""
    program = compiled_program(SOURCE, tmp_path)
    assert program is not None
    text = FIELD + EVERY_RESULT.format(result) * 6
    _, decisions, lost = map(float, output_of(program, method, "100", text=text)[0].split())
    assert decisions >= 100
    assert (lost > 0) == destroys
    assert lost <= 100
    assert pace_in_c(program, method, text, 100) >= 0


def test_prices_for_c_are_those_of_the_rules() -> None:
    """The price of a step over open ground or by road is what the rules ask of a unit that may take it."""
    rules = situation(SITUATION)
    opening, evaluator = game_of(rules).set_up(), GeneratedEvaluator(rules)
    leader = Leader({name: MemoizedChart(rules.tables[name]) for name in ("tec", "weapons")})
    compared = 0
    for mover in CLASSES:
        unit = next(number for number, printed in enumerate(opening.printed) if printed["moves_as"] == mover)
        for start in range(0, opening.board.size, 5):
            for to in opening.board.around[start]:
                half_points = price(opening, leader, mover, start, to)
                by_road = opening.board.side(start, to) in opening.board.paths["road"]
                if half_points != BARRED:
                    question = (unit, start, to, "road" if by_road else "terrain", "march")
                    assert evaluator.value(opening, "entry_cost", question) * 2 == half_points
                    compared += 1
    assert compared > 100


def test_without_a_compiler_there_is_no_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(c_by_hand, "COMPILER", "a-compiler-that-nobody-has")
    assert compiled_program(GAMES[0].package, tmp_path) is None
