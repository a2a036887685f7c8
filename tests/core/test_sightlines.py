"""Lines of sight of a module equal those of the board, for every pair of hexes of maps with holes."""

import random
from dataclasses import replace

import pytest

from compiler.core.ir import Apply, Function, Local, Primitive
from compiler.core.representation import CROSSING, HEX, List
from compiler.wasm.module import write_module
from runtime.engine.module import CompiledModule, ModuleInstance
from runtime.graph import nodes as graph
from runtime.state.setup import from_card
from tests.sample import sampled
from tests.toys.build import HEX as A_HEX
from tests.toys.build import term
from tests.toys.hares import hares

LINES = graph.Many("list", graph.Crossing())


def lines_module(seed: int, wide: int, high: int) -> ModuleInstance:
    """Make a module that returns lines, on a map without a sixth of its hexes."""
    rules = hares()
    assert rules.scenario
    scenario_board = rules.scenario.board
    chance = random.Random(seed)
    cells = {f"{column:02}{row:02}": (column, row, ()) for column in range(wide) for row in range(high)}
    remaining = {name: cell for name, cell in cells.items() if chance.random() > 1 / 6}
    board = replace(
        scenario_board,
        hexes=scenario_board.hexes | {f"H{name}": (cell[0] + 7, cell[1] + 3, ()) for name, cell in remaining.items()},
    )
    given = (Local("a", HEX), Local("b", HEX))
    parameters = tuple(graph.Parameter(each.name, A_HEX) for each in given)
    rules = replace(
        rules,
        scenario=replace(rules.scenario, board=board),
        terms={"f": term("value", "f", LINES, parameters)},
    )
    body = Apply(Primitive.LINE, given, List(CROSSING))
    text, layout = write_module({"f": Function("f", given, body)}, rules, frozenset(), 16, len(board.hexes))
    return ModuleInstance(CompiledModule(rules, text, layout), from_card(rules))


@sampled(1)
@pytest.mark.parametrize(("seed", "wide", "high"), [(1, 9, 8), (2, 3, 21), (3, 30, 2)])
def test_every_pair(seed: int, wide: int, high: int) -> None:
    """Lines cross the same hexsides at the same places in the same order."""
    module = lines_module(seed, wide, high)
    board = module.state.board
    for a in range(-1, board.size):
        for b in range(-1, board.size):
            assert module.ask("f", (a, b)) == board.line(a, b), (board.names[a], board.names[b])
