"""Words for acts at a table: what attacks there are when none is open, acts together, sentences one after the other."""

from pathlib import Path

import pytest

from tests.sample import sampled
from tests.table.small_positions import answer_to, position

Capture = pytest.CaptureFixture[str]
ARMIES = position(
    "long_frost",
    "turn: 1, player: raiders, phase: movement, depots: [F, J], prizes: [E], goal: 1",
    ["A, B, C forest, D, E town", "F, G, H, I, J", "K, L, M, N, O"],
    [
        "F1: foot at C",
        "F2: worn_foot at G",
        "P1: panzers at B",
        "P2: panzers at H",
        "R1: rifles at E",
        "K1: tanks at I",
    ],
)
TANKS = position(
    "panzer_leader",
    "turn: 3, player: german, phase: movement",
    ["A, B woods, C, D town, E", "F, G, H, I, J"],
    [
        "T1: panther of german at A",
        "H1: truck of german at F",
        "S1: m4 of allied at D",
        "J1: thunderbolt of allied at E",
    ],
)


@sampled(3)
@pytest.mark.parametrize(
    ("text", "query", "lines"),
    [
        # That a tank is no plane does not tell why it may not attack.
        (TANKS, "may T1 attack S1", ["Fire at one unit: The attack may not be made."]),
        (TANKS, "may H1 destroy S1", ["Fire at one unit: The attack may not be made."]),
        (TANKS, "must T1 attack", ["No act with results is open to T1.", "Acts with results are offered in: "]),
        # A march is no attack, and an attack on a hex no march to it.
        (ARMIES, "may F1 attack R1", ["Attack the armies in a hex with one to six armies next to it"]),
        (ARMIES, "must F1 attack", ["No act with results is open to F1.", "Attack the armies in a hex"]),
        (ARMIES, "must P2 attack K1", ["Nothing forbids it", "It need not: its side may end its choices without it."]),
    ],
)
def test_attacks_are_answered_by_attacks(
    capsys: Capture, tmp_path: Path, text: str, query: str, lines: list[str]
) -> None:
    found = answer_to(capsys, tmp_path, text, query)
    assert found["phase"] == "combat" or "must T1" in query
    assert not any("planes" in each or "Move an army" in each for each in found["lines"])
    for line in lines:
        assert any(each.startswith(line) for each in found["lines"]), found["lines"]


@sampled(3)
@pytest.mark.parametrize(
    ("query", "beginnings"),
    [
        (
            "may P2 attack K1 together with F1",
            ["P2 and K1: Nothing", "F1 and K1: Attack", "Together: no single action"],
        ),
        ("can P2 along with P1 attack K1", ["P2 and K1: Nothing forbids it", "P1 and K1: Attack"]),
        ("may P2 attack K1 with F1", ["P2 and K1: Nothing forbids it", "F1 and K1: Attack"]),
        (
            "may P2 march to A together with F1",
            ["P2 and A: P2 goes A", "F1 and A: F1 goes", "Together: no single action"],
        ),
    ],
)
def test_together_with_another_piece(capsys: Capture, tmp_path: Path, query: str, beginnings: list[str]) -> None:
    lines = answer_to(capsys, tmp_path, ARMIES, query)["lines"]
    for each in beginnings:
        assert any(line.startswith(each) for line in lines), lines
