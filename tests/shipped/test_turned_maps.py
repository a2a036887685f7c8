"""Examples of shipped stacks hold on a map that is turned by 60 degrees, mirrored, or begins a row further down.

No rule of these games depends on the direction of a map, so neither answers nor play may. Examples with fixed dice are
left out, as shells scatter in the direction that a die gives, and those on a situation card, as it names edges.
"""

from collections.abc import Callable
from dataclasses import replace

import pytest

from rulewright.library.example_targets import all_targets
from rulewright.library.stacks import open_packages
from runtime.board.board import Board
from runtime.examples.run import run_row
from runtime.graph import nodes as graph
from tests.sample import sampled

PACKAGES = open_packages()
STACKS = [wanted.name for wanted in all_targets(PACKAGES) if not wanted.scenario]

# Maps of axial coordinates: along a row, and down a diagonal.
TURNS: dict[str, Callable[[int, int], tuple[int, int]]] = {
    "turned": lambda q, r: (-r, q + r),
    "mirrored": lambda q, r: (-q - r, r),
    "a row down": lambda q, r: (q, r + 1),
}


def with_turned_hexes(board: graph.Board, turn: Callable[[int, int], tuple[int, int]]) -> graph.Board:
    """Return the board with its hexes in other places; odd rows are half a hex to the right."""
    axial = {name: turn(column - row // 2, row) for name, (column, row, _) in board.hexes.items()}
    first_row = min(row for _, row in axial.values()) // 2 * 2
    columns = {name: q + row // 2 for name, (q, row) in axial.items()}
    first_column = min(columns.values())
    return replace(
        board,
        hexes={
            name: (columns[name] - first_column, row - first_row, board.hexes[name][2])
            for name, (_, row) in axial.items()
        },
    )


GAMES = ("long_frost", "low_tide", "panzer_grenadier", "panzer_leader", "panzerblitz", "two_clans")
# Games on all maps; a stack on a game on one, since it has the examples of its game beside its own.
ON_MAPS = [
    (stack, how)
    for index, stack in enumerate(STACKS)
    for number, how in enumerate(TURNS)
    if stack in GAMES or index % len(TURNS) == number
]


@sampled(4)
@pytest.mark.parametrize(("stack", "how"), ON_MAPS)
def test_examples_hold_on_a_turned_map(stack: str, how: str) -> None:
    rules = PACKAGES.compiled(stack).graph
    assert rules is not None
    for example in rules.examples:
        position = example.position
        if not position.board.hexes or example.dice or example.card:
            continue
        board = with_turned_hexes(position.board, TURNS[how])
        there = replace(example, position=replace(position, board=board))
        for row in range(max(1, len(example.rows))):
            failures = run_row(rules, there, row).failures
            assert not failures, f"{example.title}, {how}: {failures[0]}"


@pytest.mark.parametrize("how", TURNS)
def test_a_turned_map_has_other_places_and_the_same_distances(how: str) -> None:
    field = graph.Board("field", {f"{c}.{r}": (c, r, ()) for r in range(4) for c in range(3)}, (), (), {})
    other = with_turned_hexes(field, TURNS[how])
    assert other.hexes != field.hexes
    before, after = Board(field), Board(other)
    assert [before.distance(before.index[a], before.index[b]) for a in field.hexes for b in field.hexes] == [
        after.distance(after.index[a], after.index[b]) for a in field.hexes for b in field.hexes
    ]
