"""Who acts and on what in plain words: what is seen from where, prices, room, what one must do, and what several do."""

from pathlib import Path
from typing import Any

import pytest

from tests.sample import sampled
from tests.table.small_positions import answer_to, position
from tests.table.test_records_of_pieces import AT_WORK

Capture = pytest.CaptureFixture[str]
FARM = position(
    "panzer_leader", "turn: 4, player: german, phase: combat",
    ["A1, A2, A3, A4 slope, A5, A6", "B1, B2, B3 town, B4, B5, B6", "C1, C2, C3, C4, C5 woods, C6"],
    ["Cat: tiger at B2", "Pak: pak88 at C3", "Tank: m4 at B4", "Track: m3 at B5", "Men: us_rifle of allied at A4"],
)  # fmt: skip
FRONT = position(
    "panzerblitz", "turn: 2, player: german, phase: movement",
    ["A, B, C, D town, E", "F, G swamp, H, I, J"],
    ["Panzer: pz4 at F", "Rifles: rifle of german at B", "T34: t34 at D", "Guards: guards of russian at D"],
)  # fmt: skip
ARMIES = position(
    "long_frost", "turn: 1, player: raiders, phase: movement, depots: [A]",
    ["A, B, C, D, E", "F, G forest, H, I town, J", "K, L, M, N, O"],
    ["N1: foot at A", "N2: panzers at O", "N3: worn_foot at H", "Q1: rifles at I", "Q2: tanks at J"],
    "",
)  # fmt: skip
LAIRS = position(
    "panzer_leader", "turn: 3, player: german, phase: combat", ["A, B, C, D", "E, F, G, H"],
    [f"P{number}: sdkfz250_10 at {place}" for number, place in ((0, "A"), (2, "A"), (3, "E"))]
    + ["Fort: fort of allied at C, defense: 50", "Tank: m4 at H"],
)  # fmt: skip
CHARGE = position(
    "panzer_leader", "turn: 3, player: german, phase: movement", ["A, B, C, D", "E, F, G, H"],
    ["T1: tiger at A", "T2: tiger at A", "Men: us_rifle of allied at B", "Truck: us_truck at B"],
)  # fmt: skip


def calls(found: dict[str, Any]) -> dict[str, Any]:
    """Return the answers of the questions of the rules by their calls."""
    return {each["call"]: each.get("value") for each in found["questions"]}


@sampled(5)
@pytest.mark.parametrize(
    ("query", "expected", "note"),
    [
        # What is seen is no watcher, whoever is in the place from which it is.
        ("can Track be seen from B2", {"can_see(Cat, B5)": "forbidden", "still_sees(Cat, Track)": False}, ""),
        ("is Track visible from C3", {"can_see(Pak, B5)": "allowed"}, ""),
        (
            "is Tank in view of Cat",
            {"can_see(Cat, B4)": "forbidden", "sighted_by(german, Tank)": False, "still_sees(Cat, Tank)": False},
            "",
        ),
        ("can B2 see B4", {"can_see(Cat, B4)": "forbidden"}, ""),
        ("is the line of sight from B2 to B4 clear", {"can_see(Cat, B4)": "forbidden"}, ""),
        ("is there a line of sight between B2 and A4", {"can_see(Cat, A4)": "allowed"}, ""),
        ("does B3 block the view from B2 to B4", {"can_see(Cat, B4)": "forbidden"}, "not about B3 alone"),
        ("is C2 visible from A1", {"can_see(Cat, C2)": "allowed"}, "Nobody is in A1: this supposes that Cat is."),
    ],
)
def test_the_piece_that_sees_is_the_one_that_the_words_name(
    capsys: Capture, tmp_path: Path, query: str, expected: dict[str, Any], note: str
) -> None:
    found = answer_to(capsys, tmp_path, FARM, query)
    assert calls(found) == expected
    assert note in found.get("note", "")


def test_the_side_that_sees_is_that_of_the_piece(capsys: Capture, tmp_path: Path) -> None:
    found = calls(answer_to(capsys, tmp_path, FARM, "can Cat be seen by Track"))
    assert found["can_see(Track, B2)"] == "forbidden"
    assert {"spotted(Track, german)", "exposed(B5, german)"}.isdisjoint(found)
    assert "exposed(B2, allied)" not in calls(answer_to(capsys, tmp_path, FARM, "does Men see Cat"))


@sampled(2)
@pytest.mark.parametrize(
    "query", ["what does Cat see", "what can Cat see", "whom can Cat see", "does Cat see anything"]
)
def test_what_a_piece_sees_is_listed(capsys: Capture, tmp_path: Path, query: str) -> None:
    found = answer_to(capsys, tmp_path, FARM, query)
    assert "can_see(Cat, ..): yes for A4 (Men); no for B4 (Tank) and B5 (Track)." in found["note"]
    assert "spotted(.., german): " in found["note"]
    assert "spotted(Cat, allied)" not in calls(found)


def test_what_blocks_a_line_is_named(capsys: Capture, tmp_path: Path) -> None:
    (entry,) = answer_to(capsys, tmp_path, FARM, "can B2 see B4")["questions"]
    assert entry["witnesses"] == ": B2/B3"


@sampled(3)
@pytest.mark.parametrize(
    ("text", "query", "lines"),
    [
        (FARM, "what does it cost to go from B4 to B5", ["Tank goes B5: 1 movement point, 7 left"]),
        (FARM, "how much does the slope cost Tank", ["Tank goes A4: 3 movement points, 5 left"]),
        (FARM, "how many movement points does it cost Tank to enter the woods", ["Tank goes C5: 1 movement point"]),
        (
            FARM,
            "what does it cost to enter B6",
            ["What it costs depends on who goes; name a piece: “"],
        ),
        (FARM, "what does it cost to go from A1 to A2", ["Nobody is in A1. What it costs depends on who goes;"]),
        (FRONT, "what does Panzer pay to enter the swamp", ["Go on: Panzer may not enter G from F."]),
        # How many may be in a place is answered by who is there and what limits that.
        (FRONT, "how many units can stack in D", ["2 in D: T34 and Guards.", "Russian units stack two to a hex"]),
        (FRONT, "may another German enter B", ["1 in B: Rifles.", "Russian units stack two to a hex"]),
        (FRONT, "is there room for Rifles in D", ["2 in D: T34 and Guards."]),
        (FARM, "how many units fit in A1", ["Nothing is in A1.", "A hex holds at most four units"]),
        # What one must do is no permission.
        (FARM, "does Cat have to fire", ["It need not: its side may end its choices without it.", "open with Cat:"]),
        (FARM, "what must Cat do", ["It need not:", "open with Cat:"]),
        (FRONT, "must Panzer move", ["It need not:", "Nothing forbids it"]),
        (FRONT, "is Panzer forced to move", ["It need not:", "Nothing forbids it"]),
        (ARMIES, "does N3 have to attack", ["It need not:", "Nothing forbids it"]),
        # A piece that may fire at something may fire, whatever it may not fire at.
        (FARM, "can Cat fire", ["open with Cat:", "  fire at one unit (target Men)"]),
        (FARM, "does Cat outrange Tank", ["Cat: range 12 hexes, as printed.", "Tank: range 8 hexes, as printed."]),
        (FARM, "who has the longer range, Cat or Tank", ["Cat: range 12 hexes", "Tank: range 8 hexes"]),
        # What is open to several, or as it is begun, is told before what refuses it to one now.
        (
            LAIRS,
            "can P0 fire at Fort",
            ["P0 may not do it alone, but with others:", "open with P0:", "  fire at "],
        ),
        (LAIRS, "can P0, P2 and P3 fire at Fort", ["Together: Two SdKfz 250/10s in A and a SdKfz 250/10 in E fire at"]),
        (
            AT_WORK,
            "can Digger blow the bridge",
            ["Nothing forbids it: the action is open (step off and try)."],
        ),
        (ARMIES, "is anyone worn", ["1: N3."]),
    ],
)
def test_what_is_told_first(capsys: Capture, tmp_path: Path, text: str, query: str, lines: list[str]) -> None:
    found = answer_to(capsys, tmp_path, text, query)["lines"]
    assert all(line.startswith(start) for line, start in zip(found, lines, strict=False)), found
    assert len(found) >= len(lines)


@sampled(2)
@pytest.mark.parametrize(
    ("text", "query", "call"),
    [
        (FRONT, "how many units can stack in D", "room(D, russian)"),
        (ARMIES, "may another army enter H", "full(H, raiders)"),
        (ARMIES, "can N3 retreat to C", "may_retreat(N3, H, C)"),
        (ARMIES, "what does it cost N3 to enter the forest", "entry_cost(N3, H, G)"),
        (FARM, "how far can Tank shoot", "farthest(Tank)"),
        (FARM, "how many movement points does Tank have left", "allowance(Tank)"),
        (FRONT, "does Rifles have to stop in C", "may_go_on(Rifles, C)"),
    ],
)
def test_the_question_that_is_meant_is_answered(
    capsys: Capture, tmp_path: Path, text: str, query: str, call: str
) -> None:
    found = calls(answer_to(capsys, tmp_path, text, query))
    assert found.get(call) is not None, found


@pytest.mark.parametrize("query", ["is anything cut off", "which armies are cut off"])
def test_those_of_which_the_denial_is_so_are_listed(capsys: Capture, tmp_path: Path, query: str) -> None:
    found = calls(answer_to(capsys, tmp_path, ARMIES, query))
    assert "in_supply(N2)" in found
    assert {"in_supply(N1)", "in_supply(N3)"}.isdisjoint(found)


def test_the_results_of_overruns_that_are_one_attack_are_told(capsys: Capture, tmp_path: Path) -> None:
    lines = answer_to(capsys, tmp_path, CHARGE, "what are the odds if T1 and T2 overrun Men")["lines"]
    (together,) = [each for each in lines if each.startswith("Together: ")]
    assert "30 factors against 7 factors, 4-1" in together
    assert "6 in 6: The US rifle and the US truck are eliminated." in together


def test_an_open_act_is_told_with_no_refusal_of_another(capsys: Capture, tmp_path: Path) -> None:
    found = answer_to(capsys, tmp_path, CHARGE, "can T1 overrun B")
    assert found["lines"][0] == "Nothing forbids it: the action is open (overrun)."
    assert "forbidden" not in calls(found).values()
