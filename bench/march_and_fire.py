"""A tenth of the rules of Panzer Leader in C (in_c/march_and_fire.c): the map and units that it plays with.

In: a situation, as the rules give it. Out: a battlefield as numbers in text. What lasts as long as the map is worked
out before, as one would by hand: lines of sight, distances, the price of every step in half points (-1: barred), and
the strength of each unit by target and distance in quarters.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from bench.leader_by_hand import Leader
from rulewright.games.scenarios import game_of
from runtime.answer.support import MemoizedChart
from runtime.board.board import OFF_MAP, Board
from runtime.graph import nodes as graph
from runtime.state.position import State

SOURCE = "march_and_fire"
CLASSES = ("foot", "vehicle")
TARGETS = ("soft", "hard")
RESULTS = ("o", "D", "DD", "X")
DICE, COLUMNS = range(1, 7), range(-3, 4)
WAYS = 6
BARRED = -1
HALVES, QUARTERS = 2, 4


def battlefield(rules: graph.Graph) -> str:
    """Write the map, the units and the table of results."""
    assert rules.scenario is not None
    opening = game_of(rules).set_up()
    charts = {name: MemoizedChart(rules.tables[name]) for name in ("tec", "weapons", "crt")}
    hexes = range(opening.board.size)
    lines = [[len(hexes), len(opening.sheets), rules.scenario.turns]]
    lines += [hex_line(opening, Leader(charts), h) for h in hexes]
    lines += unit_lines(opening, rules.scenario, charts["weapons"])
    lines += [[RESULTS.index(charts["crt"][die, column]) for column in COLUMNS] for die in DICE]
    return "\n".join(" ".join(map(str, line)) for line in lines) + "\n"


def hex_line(opening: State, leader: Leader, h: int) -> list[int]:
    """Give the column of a hex, whether it hides units and is a town, its neighbors, prices, distances and views."""
    board = opening.board
    features = board.features[h]
    neighbors = board.around[h]
    blank = [OFF_MAP] * (WAYS - len(neighbors))
    line = [column_of(board, h), bool(features & {"woods", "town"}), "town" in features, *neighbors, *blank]
    for mover in CLASSES:
        line.append(leader.terrain[leader.ground(opening, h), mover].kind == "cost")
        line += [price(opening, leader, mover, h, to) for to in neighbors] + blank
    for other in range(board.size):
        line += [board.distance(h, other), other == h or leader.sees(board, h, other)]
    return [int(number) for number in line]


def column_of(board: Board, h: int) -> int:
    """Return the column of a hex, the first half of its number."""
    return int(board.names[h][:2])


def price(opening: State, leader: Leader, mover: str, start: int, to: int) -> int:
    """Return what a step costs by road or over open ground, in half points."""
    side = opening.board.side(start, to)
    if side in opening.board.paths.get("road", ()):
        return 1
    cell = leader.terrain[leader.ground(opening, to), mover]
    hedged = mover != "foot" and "green" in opening.board.sides.get(side, ())
    return BARRED if hedged or cell.kind != "cost" else int(cell.value * HALVES)


def unit_lines(opening: State, card: graph.Scenario, weapons: Any) -> Iterator[list[int]]:
    """Give the side, class, range, defense, movement, armor, columns of set-up and strengths of each unit."""
    columns = {force.side: [int(name[:2]) for name in force.area] for force in card.forces}
    for unit, printed in enumerate(opening.printed):
        side = opening.side[unit]
        line = [card.order.index(side), CLASSES.index(printed["moves_as"]), printed["range"], printed["defense"]]
        line += [printed["movement"] * HALVES, "armored" in opening.traits[unit]]
        line += [min(columns[side]), max(columns[side])]
        for target in TARGETS:
            for away in range(printed["range"] + 1):
                factor = Fraction(weapons[printed["weapon"], target, away * 2 <= printed["range"], away])
                line.append(int(printed["attack"] * factor * QUARTERS))
        yield [int(number) for number in line]
