"""Questions that players ask at the table: who can, how many, what to roll, one act after another, of several games."""

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright.cli.app import run
from tests.sample import sampled

Capture = pytest.CaptureFixture[str]
HEADS = {
    "panzerblitz": """\
game: {turn: 2, player: german, phase: movement}
board: {rows: [[A, B woods, C, D town, E], [F, G swamp, H slope, I, J]], paths: {road: [A-B-C-D]}}
pieces:
  - {name: T1, type: truck, at: A}
  - {name: G1, type: pak75, at: A}
  - {name: K, type: pz4, at: F}
  - {name: R, type: rifle, side: german, at: B}
  - {name: S1, type: t34, at: D}
  - {name: S2, type: russian_rifle, at: D}
  - {name: S3, type: guards, at: I, dispersed: yes}
  - {name: W, type: fort50, at: E}
  - {name: S4, type: russian_rifle, at: E, in: inside}
""",
    "panzer_leader": """\
game: {turn: 3, player: allied, phase: movement}
board: {rows: [[A, B, C, D], [E, F, G, H town]], paths: {road: [A-E]}}
pieces:
  - {name: M1, type: m3, at: A}
  - {name: R1, type: us_rifle, at: A}
  - {name: E1, type: sapper, at: G}
  - {name: P1, type: panther, at: H}
  - {name: X1, type: german_block, at: H}
""",
    "long_frost": """\
game: {turn: 1, player: raiders, phase: movement}
board: {rows: [[A, B, C, D, E], [F, G, H, I town, J]], paths: {rail: [A-B-C-D-E]}}
pieces:
  - {name: N1, type: foot, at: A}
  - {name: N3, type: worn_foot, at: H}
  - {name: Q1, type: rifles, at: I}
""",
    "two_clans": """\
game: {turn: 2, player: ash}
board: {spaces: {Glen: {at: [0, 0]}, Lea: pasture}, connections: [Glen to Lea]}
pieces:
  - {name: C1, type: guard, side: ash, at: Glen}
  - {name: B1, type: drovers, side: birch, at: Lea}
sides: {ash: {orders: 2}}
""",
}


@sampled(1)
@pytest.mark.parametrize(
    ("stack", "query", "lines", "calls"),
    [
        # Pieces are described, counted and listed.
        ("panzerblitz", "how many units are in D?", ["2 in D: S1 and S2."], []),
        ("panzerblitz", "which enemy units are dispersed?", ["1: S3."], []),
        ("panzerblitz", "which German units can move?", ["It is open to T1, K and R, and not to G1."], []),
        ("panzerblitz", "which trucks can load G1?", ["open with T1:"], ["may_load(T1, G1)"]),
        ("panzerblitz", "who can see S1?", [], ["can_see(T1, D)"]),
        ("long_frost", "which armies are cut off?", [], ["in_supply(N1)", "in_supply(N3)"]),
        # Dice, and verbs for what attacks do.
        ("panzerblitz", "what does S1 have to roll to kill K?", ["  on 1, 2 or 3: The PzKpfw IV is eliminated"], []),
        ("panzerblitz", "what happens if K fires at S3 and rolls a 2?", ["  on 2: The Guards is dispersed"], []),
        ("panzerblitz", "can S1 destroy K?", ["fire at one unit (target K) -- 3 in 6"], []),
        ("panzerblitz", "is K in range of S1?", ["From S1 to K it is 3 hexes.", "fire at one unit (target K)"], []),
        ("two_clans", "can C1 drive B1 off?", [], ["drives_off(C1, Lea, 1)", "drives_off(C1, Lea, 3)"]),
        # Who acts on what.
        ("panzerblitz", "can W shoot at K?", ["Fire at one unit: W is not among units."], []),
        ("panzerblitz", "can S1 overrun R?", ["Overrun: B is not among the neighbors of S1's hex."], []),
        (
            "panzer_leader",
            "can E1 clear the block at H?",
            ["Begin engineer work: E1 may not begin clearing a"],
            [],
        ),
        # A relation names the action that brings it about; acts follow one another.
        (
            "panzer_leader",
            "may M1 carry R1?",
            ["Nothing forbids it: the action is open (load)."],
            ["may_carry(M1, R1)"],
        ),
        (
            "panzer_leader",
            "can M1 load R1, carry on to E and set it down?",
            ["Nothing forbids it", "Then, Allied, movement: M1 goes E", "Then, Allied, movement: Unload: M1 may not"],
            [],
        ),
        (
            "panzerblitz",
            "may T1 pick up G1 and drive to F?",
            ["Nothing forbids it", "Then, German, movement: Go on: T1 must end its move in A."],
            [],
        ),
        # What is done to the place of a piece is done to it; who enters a place goes there.
        ("long_frost", "which armies can attack Q1?", ["open with N3:"], []),
        ("panzerblitz", "who can enter F?", ["T1 goes F: ", "R goes F: "], []),
        ("panzer_leader", "which units are in town?", ["1: P1."], []),
        ("panzer_leader", "what is the movement allowance of M1?", ["M1: m3, Allied"], []),
        ("panzer_leader", "is there a line of sight from E1 to P1?", [], ["can_see(E1, H)"]),
        ("long_frost", "what's the weather?", [], ["sky()"]),
    ],
)
def test_what_players_ask(
    capsys: Capture, tmp_path: Path, stack: str, query: str, lines: list[str], calls: list[str]
) -> None:
    file = tmp_path / "table.yaml"
    file.write_text(f"position: table\nstack: {stack}\n{HEADS[stack]}", encoding="utf-8")
    assert run(["ask", stack, "-p", str(file), query, "--format", "json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert "note" not in found
    left = iter(found["lines"])
    assert all(any(line.startswith(start) for line in left) for start in lines), found["lines"]
    assert bool(lines) == bool(found["lines"])
    assert {*calls} <= {each["call"] for each in found["questions"]}
