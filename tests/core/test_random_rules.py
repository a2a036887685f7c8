"""Random packages are played alike by the step reference, the machine and a compiled module."""

from pathlib import Path

import pytest

from compiler.compile import compile_stack
from runtime.graph import nodes as graph
from runtime.graph.answer_errors import Unanswered
from runtime.play.rule_faults import BrokenRules
from runtime.players.greedy import greedy_option
from runtime.players.lookahead import lookahead_player
from runtime.players.player import Player, uniform_option
from runtime.state import change
from runtime.state.position import State
from runtime.state.setup import from_position
from tests.analysis.planted import library_of
from tests.core.playing import Engines, differing_games, engines, side_by_side
from tests.core.random_rules import RandomRules
from tests.play.side_by_side import side_by_side as by_reference
from tests.sample import LONG

FEW, MANY = 8, 160
SEEDS = ("1", "action/2")
# The finding of packages that do not compile: folds nested too deep, or an `if` with equal branches.
REFUSED = "InvalidConstruct"


def draw_package(seed: str, folder: Path) -> graph.Graph | None:
    """Draw a package and compile it; return None if it is refused."""
    result = compile_stack(library_of(RandomRules(seed).files(), folder), "planted")
    assert {type(each).__name__ for each in result.problems if result.graph is None} <= {REFUSED}, seed
    return result.graph


def opening_of(rules: graph.Graph) -> State:
    """Set up the position of its example, with the fallback cart and the fallback hex."""
    opening = from_position(rules, rules.examples[0].position)
    change.set_fact(opening, "game.lead", 0)
    change.set_fact(opening, "game.base", opening.board.index["E"])
    return opening


def differences(rules: graph.Graph) -> tuple[int, list[str]]:
    """Play a package in all engines with each kind of player; count decisions, and return the differences."""
    engine_pair, opening, decisions, found = engines(rules, 24, 64), opening_of(rules), 0, list[str]()
    for seed in SEEDS:
        _, different = by_reference(engine_pair.game, opening, seed, 60)
        found += [f"{seed}, by the reference: {each}" for each in different]
        number, difference = side_by_side(engine_pair, opening, seed, 200)
        decisions += number
        if difference:
            found.append(f"{seed}, in the module: {difference}")
    found += (
        game_differences(engine_pair, opening, uniform_option)
        + game_differences(engine_pair, opening, greedy_option)
        + game_differences(engine_pair, opening, lookahead_player(5), 5)
    )
    return decisions, found


def game_differences(engine_pair: Engines, opening: State, player: Player, budget: int = 0) -> list[str]:
    """Play whole games; there are no differences if the machine cannot finish them."""
    try:
        return differing_games(engine_pair, opening, player, [*SEEDS], budget)
    except (BrokenRules, Unanswered):
        return []


def compare_packages(seeds: range, folder: Path) -> int:
    """Compare packages; return the number of compared decisions."""
    decisions = 0
    for seed in map(str, seeds):
        if (rules := draw_package(seed, folder / seed)) is not None:
            number, found = differences(rules)
            assert (seed, found) == (seed, [])
            decisions += number
    return decisions


def test_random_rules(tmp_path: Path) -> None:
    assert compare_packages(range(FEW), tmp_path) > 30 * FEW


@LONG
@pytest.mark.parametrize("part", range(4))
def test_many_random_rules(part: int, tmp_path: Path) -> None:
    size = MANY // 4
    assert compare_packages(range(FEW + part * size, FEW + (part + 1) * size), tmp_path) > 30 * size
