"""Levels of victory that cannot be reached on a card, and special rules that never apply or contradict the game."""

from pathlib import Path

import pytest

from compiler.analysis.idle_card_lines import idle_lines
from compiler.analysis.special_rule_clashes import special_clashes
from compiler.compile import compile_stack
from compiler.report.diagnose import sentence_of
from rulewright.checks.confirming_witness import confirming_witness
from tests.analysis.planted import library_of

RULES = """
side north, south
kind cart has room: 0..4
kind marker
measure levels "levels"
scale prize in levels: 'none' = 0, 'half' = 1, 'whole' = 2
max reached(owner: side): prize otherwise 'none'
outcome reached from reached
track game.load: 0..9 = 0
track scenario.wet: yes_no = no
track scenario.pond: set of hex = {}
track scenario.shore: set of hex = {}
define held(owner: side, area: set of hex): 0..999 = count(h in area where some(u in cart at h where u.side = owner))
define carts_in(owner: side, area: set of hex): 0..999 = count(c in all cart where c.side = owner and c.hex in area)
verdict may_go(c: cart) default allowed
rule dry-only "Dry."  may_go forbidden  when scenario.wet
action go by player in moving "Go." {
  choose c from all cart
  legal may_go(c)
  if game.load > 3 { create marker at c.hex }
  set game.load to 4
  set scenario.shore to {c.hex}
}
sequence game { each turn in 1..scenario.turns { each player in {north, south} {
  phase moving "Moving" { offer go until yes } } } }
"""
BOARD = """
board: field
title: The Field
numbering: {style: letter_number, columns: 4, rows: 3}
---
scenario: heights
title: Heights
uses: planted
map: [[field]]
turns: 6
order: [north, south]
facts: {wet: no, pond: []}
regions: {heights: {hexes: [B2, C2]}, summit: {hexes: [C2]}}
forces:
  - {side: north, units: {dray: 2}, sets_up: {columns: 1..1}}
  - {side: south, units: {dray: 3}, sets_up: {columns: 4..4}}
victory:
  north: {half: "HALF", whole: "WHOLE"}
special: |
  rule SPECIAL
---
pieces: cart
cites: house
columns: [id, room]
rows: [[dray, 4]]
"""
CARTS = "count(c in all cart where c.side = {side}) >= {number}"
SPECIAL = 'wet-now "Wet."  may_go forbidden  when game.turn > 3'


def card_messages(
    folder: Path, half: str, whole: str = "game.load > 8", special: str = SPECIAL, south: str = ""
) -> list[str]:
    """Return the messages of the findings on a card with these conditions of victory and special rules."""
    board = BOARD.replace("HALF", half).replace("WHOLE", whole).replace("SPECIAL", special)
    board = board.replace("special: |", f'  south: {{half: "{south}"}}\nspecial: |') if south else board
    layer = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
    library = library_of({"layer.yaml": layer, "rules.rules": RULES, "board.yaml": board}, folder)
    compiled = compile_stack(library, "planted", library.scenarios.get("heights"))
    assert compiled.graph is not None, compiled.problems
    return [sentence_of(problem).message for problem in idle_lines(compiled.graph, laws=None)]


@pytest.mark.parametrize(
    "condition",
    [
        "held(north, scenario.heights) >= 3",
        CARTS.format(side="north", number=3),
        "count(c in all cart where c.side = south or c.side = north) > 5",
        "game.turn > 6",
        "game.load = 4 and scenario.wet",
        # The area `pond` is not defined on the card.
        "count(c in all cart where c.side = north and c.hex in scenario.pond) >= 1",
        "sum(c.room for c in all cart where c.side = north) > 8",
    ],
)
def test_a_level_that_cannot_be_reached_is_found(condition: str, tmp_path: Path) -> None:
    (message,) = card_messages(tmp_path, condition)
    assert message.startswith("north can never reach `half`: ")
    assert message.endswith("in this situation")


@pytest.mark.parametrize(
    "condition",
    [
        "held(north, scenario.heights) >= 2",
        CARTS.format(side="north", number=2),
        CARTS.format(side="south", number=3),
        "count(m in all marker) > 20",
        "game.turn = 6 and game.load > 3",
        "count(c in all cart where c.hex in scenario.shore) >= 1",
    ],
)
def test_a_level_that_may_be_reached_is_no_finding(condition: str, tmp_path: Path) -> None:
    assert card_messages(tmp_path, condition) == []


def test_a_level_that_implies_the_next_is_found(tmp_path: Path) -> None:
    (message,) = card_messages(tmp_path, "held(north, scenario.heights) >= 2", "held(north, scenario.heights) >= 1")
    assert message == "north never ends at `half`, as this always reaches `whole` as well"


@pytest.mark.parametrize(
    ("half", "whole", "idle"),
    [
        ("held(north, scenario.summit) >= 1", "held(north, scenario.heights) >= 1", True),
        ("held(north, scenario.heights) >= 1", "held(north, scenario.summit) >= 1", False),
        ("held(north, scenario.heights) >= 2", "held(north, scenario.summit) >= 1", False),
        ("carts_in(north, scenario.summit) >= 1", "carts_in(north, scenario.heights) >= 1", True),
        ("carts_in(north, scenario.heights) >= 1", "carts_in(north, scenario.summit) >= 1", False),
        ("carts_in(north, scenario.summit) >= 1", "carts_in(south, scenario.heights) < 1", False),
    ],
)
def test_a_level_on_an_area_within_that_of_the_next_is_found(half: str, whole: str, idle: bool, tmp_path: Path) -> None:
    message = "north never ends at `half`, as this always reaches `whole` as well"
    assert card_messages(tmp_path, half, whole) == [message] * idle


EVERY, SOME = "every(h in {} where {})", "count(h in {} where {}) >= {}"
HEIGHTS, SHORE, MANNED = "scenario.heights", "scenario.shore", "some(cart at h)"


def test_a_special_rule_that_never_applies_is_found(tmp_path: Path) -> None:
    (message,) = card_messages(
        tmp_path, "game.load > 3", special='wet-now "Wet."  may_go forbidden  when game.turn > 8'
    )
    assert message == "`wet-now` never applies: `game.turn > 8` can never be true"


LOADED = """
value weight(c: cart): 0..9
  reads "what {c} weighs"
rule bare "A cart weighs two."  weight is 2
"""


@pytest.mark.parametrize(
    ("special", "clashes"),
    [
        ('heavy "On this card it weighs five."  weight is 5', True),
        ('heavy "On this card it weighs five."  weight is 5  exception to bare', False),
        ('heavy "On this card it weighs five."  weight is 5  replaces bare', False),
        ('heavy "It weighs five where it is wet."  weight is 5  when scenario.wet', False),
        ('heavy "It weighs two here as well."  weight is 2', False),
    ],
)
def test_a_special_rule_that_contradicts_the_game_is_found(special: str, clashes: bool, tmp_path: Path) -> None:
    board = BOARD.replace("HALF", "game.turn > 2").replace("WHOLE", "game.load > 8").replace("SPECIAL", special)
    layer = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
    library = library_of({"layer.yaml": layer, "rules.rules": RULES + LOADED, "board.yaml": board}, tmp_path)
    stack = compile_stack(library, "planted", library.scenarios.get("heights")).graph
    assert stack is not None
    found = [
        sentence_of(problem)
        for problem in special_clashes(
            stack, lambda suspect: confirming_witness(stack, suspect), "a little", arithmetic=None, laws=None
        )
    ]
    assert [each.message for each in found] == ["two rules give different answers to `weight`"] * clashes
    assert {each.help for each in found} <= {"write `replaces bare` in `heavy`"}


@pytest.mark.parametrize(
    ("half", "whole", "south", "reported"),
    [
        # A quantity about a side: for or against the side that it names.
        (
            "held(north, scenario.heights) >= 1",
            "held(north, scenario.heights) >= 2",
            "held(north, scenario.summit) >= 1",
            "south",
        ),
        (
            "held(north, scenario.heights) >= 1",
            "held(north, scenario.heights) >= 2",
            "held(south, scenario.summit) >= 1",
            "",
        ),
        (
            "held(north, scenario.heights) >= 1",
            "held(south, scenario.summit) >= 1",
            "held(south, scenario.heights) >= 2",
            "north",
        ),
        (
            "held(north, scenario.heights) >= 1",
            "held(south, scenario.summit) < 1",
            "held(south, scenario.heights) >= 2",
            "",
        ),
        (
            "some(c in all cart where c.side = north and c.hex in scenario.summit)",
            "game.load > 8",
            "some(d in all cart where d.side = north and d.hex in scenario.heights)",
            "south",
        ),
        (
            "none(c in all cart where c.side = south and c.hex in scenario.summit)",
            "game.load > 8",
            "count(d in all cart where d.side = north and d.hex in scenario.heights) >= 1",
            "south",
        ),
        (
            "every(h in scenario.heights where held(north, {h}) > 0)",
            "game.load > 8",
            "held(north, scenario.summit) >= 1",
            "south",
        ),
        # A quantity about no side: one side wants more of it.
        ("game.load > 3", "game.load > 8", "game.load > 4", "south"),
        ("game.load > 3", "game.load > 8", "game.load < 4", ""),
        ("game.load > 3", "game.load < 1", "game.turn > 2", "north"),
        ("game.load > 3 and game.load < 6", "game.load > 8", "game.turn > 2", ""),
        ("game.load > 3 * held(north, scenario.heights) and game.load < 1", "game.load > 8", "game.turn > 2", "north"),
        ("9 - game.load > 3", "game.turn > 2", "2 * game.load < 7", "south"),
        (
            "held(north, scenario.heights) - held(south, scenario.heights) > 0",
            "game.load > 8",
            "held(south, scenario.heights) > 0",
            "",
        ),
    ],
)
def test_a_line_that_works_against_its_own_side_is_found(
    half: str, whole: str, south: str, reported: str, tmp_path: Path
) -> None:
    found = [each for each in card_messages(tmp_path, half, whole, south=south) if "favors the wrong side" in each]
    assert len(found) == bool(reported), found
    assert all(f"` of {reported} requires " in each.split(", but `")[0] for each in found)
