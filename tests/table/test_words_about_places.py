"""Plain words about places and what is there: hexsides, room, zones, neighbors, forts; and who acts in them."""

from pathlib import Path

import pytest

from tests.sample import sampled
from tests.table.small_positions import answer_to, position
from tests.table.test_roles_in_words import ARMIES

Capture = pytest.CaptureFixture[str]
FRONT = position(
    "panzerblitz", "turn: 2, player: german, phase: movement",
    ["A, B woods, C, D town, E", "F, G swamp, H slope, I, J"],
    ["T1: truck at A", "G1: pak75 at A", "K: pz4 at F", "R: rifle of german at B", "S1: t34 at D",
     "S3: guards at I", "W: fort50 at E", "S4: russian_rifle at E, in: inside"],
).replace("  rows:", "  sides: {B/C: green}\n  paths: {road: [A-B-C-D]}\n  rows:")  # fmt: skip
BRIDGES = position(
    "panzer_leader", "turn: 3, player: allied, phase: movement",
    ["A, B stream, C stream permanent_bridge, D", "E, F stream permanent_bridge, G, H"],
    ["E1: sapper at G", "X: m4 at G", "T: us_truck at A", "Gun: at57_us at A", "Cat: panther at H",
     "Mortar: mortar81 of german at D"],
)  # fmt: skip
FELLS = """\
position: fells
stack: two_clans
game: {turn: 2, player: ash, phase: marching}
board: {spaces: {Lea: pasture, Fell: crag}, connections: [Lea-Fell]}
pieces: [{name: A1, type: guard, side: ash, at: Lea}]
sides: {ash: {orders: 3}}
"""


@sampled(4)
@pytest.mark.parametrize(
    ("text", "query", "lines"),
    [
        (FRONT, "green hexside between B and C", ["Between B and C: hexside green, path road."]),
        (FRONT, "is there a green hexside between A and B", ["Between A and B: hexside none, path road."]),
        (FRONT, "what is between A and F", ["Between A and F: hexside none, path none."]),
        (FRONT, "is there a road between A and D", ["A is not next to D."]),
        (FRONT, "is C next to H", ["C is next to H."]),
        (FRONT, "is R next to an enemy", ["Next to R: no such piece."]),
        (FRONT, "is S1 next to a friend", ["Next to S1: W, S4 and S3."]),
        (FRONT, "who is inside W", ["Inside W: S4."]),
        (FRONT, "is S4 inside W", ["S4 is inside a fort."]),
        (FRONT, "can R stack with G1", ["2 in A: T1 and G1.", "Russian units stack two to a hex, all others three."]),
        (FRONT, "how many more units may enter A", ["2 in A: T1 and G1.", "Russian units stack two to a hex"]),
        # What refuses it to all who might act is told, and not what the first one lacks.
        (
            FRONT,
            "can S4 be shot at while it is in W",
            ["Nothing of the German side can do that to S4.", "The attack may not be made, by nobody-shoots-through"],
        ),
        (BRIDGES, "can E1 destroy the bridge in F", ["Begin engineer work: E1 may not begin blowing a bridge in F."]),
        (
            BRIDGES,
            "can E1 destroy the bridge",
            ["Nothing that could be chosen", "Begin engineer work: There is nothing"],
        ),
        (BRIDGES, "can X bomb Cat", ["Raid a hex: X is not among planes."]),
        (BRIDGES, "how long does it take to load Gun", ["open with T:", "  load (cargo Gun)"]),
        (BRIDGES, "is there anything that Mortar can shell", ["open with Mortar:", "  order indirect fire (A)"]),
        (ARMIES, "may N1 enter G", ["N1 goes G"]),
        (FELLS, "may A1 climb the Fell", ["A1 goes Fell"]),
    ],
)
def test_places_and_who_is_there_are_told(
    capsys: Capture, tmp_path: Path, text: str, query: str, lines: list[str]
) -> None:
    found = answer_to(capsys, tmp_path, text, query)
    lines_left = iter(found["lines"])
    assert all(any(line.startswith(start) for line in lines_left) for start in lines), found


@pytest.mark.parametrize(
    ("query", "figures"),
    [("does Q1 control H", "H is among these."), ("is A in the zone of control of Q1", "A is not among these.")],
)
def test_a_place_may_be_one_of_those_that_a_question_lists(
    capsys: Capture, tmp_path: Path, query: str, figures: str
) -> None:
    found = answer_to(capsys, tmp_path, ARMIES, query)
    assert [(each["call"], each["figures"]) for each in found["questions"]] == [("zone(keepers)", figures)]
    assert "note" not in found
