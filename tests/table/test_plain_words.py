"""Who acts on what in plain words, what words describe pieces, and that no answer is about another action."""

import json
from pathlib import Path
from typing import Any

import pytest

from rulewright.cli.app import run
from tests.sample import sampled

Capture = pytest.CaptureFixture[str]
DUEL = """\
position: duel
stack: panzer_leader
game: {turn: 4, player: german, phase: combat}
board:
  rows:
    - [A1, A2 woods, A3, A4 slope, A5 hilltop, A6]
    - [B1, B2, B3 town, B4, B5, B6 woods]
    - [C1, C2 stream, C3, C4, C5 woods, C6]
    - [D1, D2 stream, D3, D4, D5, D6]
  paths: {road: [D1-C2-C3-B3-B4-B5-B6]}
pieces:
  - {name: Tiger, type: tiger, at: B2}
  - {name: gun1, type: pak88, at: C3}
  - {name: gun2, type: pak88, at: D4}
  - {name: truck_1_1, type: truck, side: german, at: D4}
  - {name: truck_1_2, type: truck, side: german, at: D4}
  - {name: pioneers, type: pioneer, side: german, at: C3}
  - {name: mortar, type: mortar81, side: german, at: D1}
  - {name: sherman1, type: m4, side: allied, at: B4}
  - {name: sherman2, type: m4, side: allied, at: B5}
  - {name: GIs, type: us_rifle, side: allied, at: B3, fired: yes}
  - {name: halftrack, type: m3, at: B5}
  - {name: riders, type: armored_rifle, side: allied, at: B5}
  - {name: shaken, type: us_rifle, side: allied, at: A6, dispersed: yes}
  - {name: scouts, type: us_rifle, side: allied, at: A4}
  - {name: minefield, type: mines, at: C4, side: german}
  - {name: jug, type: thunderbolt, at: B6}
relations:
  carries: [{carrier: halftrack, passengers: riders}]
"""
OPEN = "Nothing forbids it: the action is open"


@pytest.fixture
def duel(tmp_path: Path) -> Path:
    file = tmp_path / "duel.yaml"
    file.write_text(DUEL, encoding="utf-8")
    return file


def answered(capsys: Capture, query: str, file: Path) -> dict[str, Any]:
    """Return the answer to a query as data."""
    assert run(["ask", "panzer_leader", "-p", str(file), query, "--format", "json"]) == 0
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    return data


@sampled(1)
@pytest.mark.parametrize(
    ("query", "side", "line"),
    [
        # Who acts is the subject, or what one does it with, and not what it is done to.
        ("why can I not fire at sherman1 with gun2", "german", f"{OPEN} (fire at one unit)."),
        ("what are the odds if I fire at sherman1 with gun1", "german", "fire at one unit (target sherman1) -- "),
        (
            "can the mortar still move after shooting at sherman1",
            "german",
            "mortar may not do it alone, but with others:",
        ),
        ("can jug strafe D4", "allied", "Raid a hex: Jug may not strafe D4."),
        # A verb names who does it, before other actions that search phrases or choices name: *drop off*, *drop bridge*.
        ("why may jug not drop on D4", "allied", "Raid a hex: Jug may not drop"),
        # Words describe pieces: a nickname, a status, a place, whose they are.
        ("what are the odds if both my 88s fire at sherman1", "german", "fire at one unit (target sherman1) -- "),
        ("may the dispersed us rifle fire", "allied", "Fire at one unit: Shaken may not take part in the attack."),
        ("can the trucks in D4 pick up gun2", "german", f"truck_1_1 and gun2: {OPEN} (load)."),
        ("can truck 1.1 load gun2", "german", f"{OPEN} (load)."),
        ("can the Tiger in B2 move", "german", f"{OPEN} (move a vehicle)."),
        # A piece stands for its carrier, and the place where it is need not be named.
        ("can the riders dismount in B5", "allied", f"{OPEN} (unload)."),
        # A verb before a place is no word for what has fired there.
        ("can gun1 fire at B3", "german", f"{OPEN} (fire at "),
        # What is acted on stands for its place.
        ("can the pioneers clear the minefield", "german", f"{OPEN} (begin engineer work)."),
        # What a layer declares for a word.
        ("can the scouts charge gun2", "allied", "Overrun: Scouts are not vehicular."),
        # Where something goes then.
        ("can truck_1_1 tow gun2 to D5", "german", f"{OPEN} (load)."),
        ("take Tiger to C1", "german", "Tiger goes B1, C1: "),
        ("how many points does Tiger need to get to C1", "german", "Tiger goes B1, C1: "),
        ("how far can sherman2 go", "allied", "sherman2 can get to:"),
        ("where can the shermans go", "allied", "sherman1 can get to:"),
        ("can sherman2 get next to gun1", "allied", "sherman2 goes "),
        ("can sherman1 and halftrack get to A5", "allied", "sherman1 and A5: "),
        # Who can do something.
        ("who can get to C1", "german", "Tiger goes B1, C1: "),
        ("who can fire at B3", "german", "open with "),
        ("who can fire at gun1", "allied", "open to Allied against gun1:"),
        ("what happens if sherman1 drives into the minefield", "allied", f"{OPEN} (go on)."),
    ],
)
def test_pieces_have_the_roles_of_the_words(capsys: Capture, duel: Path, query: str, side: str, line: str) -> None:
    found = answered(capsys, query, duel)
    assert found["lines"][0].startswith(line), found
    assert found["side"] == side
    assert all(each["call"].startswith("may_") for each in found["questions"])


@sampled(1)
@pytest.mark.parametrize(
    ("query", "note"),
    [
        ("can the Tiger camouflage in B1", "names answers “camouflage”"),
        ("can Tiger ambush sherman1", "names answers “ambush”"),
        ("can the grasshopper see gun1", ""),
        ("can the Panther fire at sherman1", "No “Panther” is on the map."),
        ("what is Tiger's favorite", "names answers “favorite”"),
    ],
)
def test_what_is_not_understood_is_said(capsys: Capture, duel: Path, query: str, note: str) -> None:
    found = answered(capsys, query, duel)
    assert note in found.get("note", "")
    assert not found["lines"] or not note


@pytest.mark.parametrize("gun", ["25-pounder", "anti-tank gun"])
def test_a_piece_is_described_by_a_word_with_a_hyphen(capsys: Capture, duel: Path, gun: str) -> None:
    guns = "  - {name: field, type: pounder25, at: B4}\n  - {name: light, type: at57, at: B4}\n"
    duel.write_text(DUEL.replace("relations:", f"{guns}relations:"), encoding="utf-8")
    found = answered(capsys, f"can the {gun} fire at Tiger", duel)
    assert found["lines"], found
    assert found.get("note", "") == ""


def test_what_happens_is_told_by_the_piece_afterwards(capsys: Capture, duel: Path) -> None:
    lines = answered(capsys, "what happens if sherman1 drives to A3", duel)["lines"]
    assert any(line.startswith("Then: sherman1: ") for line in lines)
    assert any(line.strip().startswith("A3;") for line in lines)


def test_a_piece_without_odds_is_not_passed_over(capsys: Capture, duel: Path) -> None:
    """The mortar is out of reach of sherman2: it is said, beside the odds of the gun."""
    lines = answered(capsys, "what are the odds of gun1 and Tiger against sherman2", duel)["lines"]
    assert any("An 88mm Pak in C3" in line for line in lines)
    assert any(line.startswith("Tiger: ") for line in lines)


@sampled(0)
def test_a_piece_that_may_not_move_is_not_passed_over(capsys: Capture, duel: Path) -> None:
    lines = answered(capsys, "can GIs and sherman1 get to A3", duel)["lines"]
    assert "GIs and A3: Move a dismounted unit: GIs may not move." in lines
    assert any(line.startswith("sherman1 and A3: sherman1 goes ") for line in lines)


def test_questions_below_an_action_are_those_that_it_asks(capsys: Capture, duel: Path) -> None:
    found = answered(capsys, "can Tiger move to B1", duel)
    assert found["lines"]
    assert not found["questions"]
    assert [each["call"] for each in answered(capsys, "can jug strafe D4", duel)["questions"]] in (
        [],
        ["may_strafe(jug, D4)"],
    )


def test_a_passive_question_is_about_its_subject(capsys: Capture, duel: Path) -> None:
    calls = [each["call"] for each in answered(capsys, "why is Tiger not spotted by GIs", duel)["questions"]]
    assert "spotted(Tiger, allied)" in calls


def test_a_question_is_asked_of_each_of_several_pieces(capsys: Capture, duel: Path) -> None:
    found = answered(capsys, "can the trucks see sherman1", duel)
    calls = [each["call"] for each in found["questions"]]
    assert {"can_see(truck_1_1, B4)", "can_see(truck_1_2, B4)"} <= {*calls}
    assert not found["lines"]


@sampled(1)
@pytest.mark.parametrize(
    ("query", "starts", "note"),
    [
        ("can Tiger leave B2", ["Tiger can get to:"], ""),
        ("can Tiger move out of B2", ["Tiger can get to:"], ""),
        (
            "what is the defense of sherman1 against gun1",
            ["sherman1: m4, Allied", "  B4;", "fire at one unit (target"],
            "",
        ),
        (
            "can the riders get off after driving to A5",
            ["halftrack goes ", "it is open", "Then, Allied, movement: "],
            "",
        ),
        ("may gun1 fire at sherman1 next turn", [OPEN], "“next turn” is not foreseen"),
        ("may gun1 fire at sherman1 while dispersed", [OPEN], "names answers “dispersed”"),
        ("may Tiger overrun anything", ["Nothing that could be chosen besides is open to it", "Overrun: "], ""),
    ],
)
def test_places_left_defenses_and_other_times(
    capsys: Capture, duel: Path, query: str, starts: list[str], note: str
) -> None:
    found = answered(capsys, query, duel)
    assert all(line.startswith(start) for line, start in zip(found["lines"], starts, strict=False)), found["lines"]
    assert found["lines"]
    assert note in found.get("note", "")


def test_who_sees_a_place_is_each_piece_for_which_it_holds(capsys: Capture, duel: Path) -> None:
    found = answered(capsys, "which units can see B4", duel)
    assert {"can_see(gun1, B4)", "can_see(sherman1, B4)"} <= {each["call"] for each in found["questions"]}
    assert all(each["value"] for each in found["questions"])


# A road between trees: a vehicle may come onto B, and from there nowhere else.
LANE = """\
position: lane
stack: STACK
game: {turn: 4, player: german, phase: movement}
board:
  rows: [[A, B woods, C, D]]
  sides: {A/B: green, B/C: green}
  paths: {road: [A-B-C]}
pieces:
  - {name: first, type: pz4, at: A}
  - {name: second, type: pz4, at: B}
  - {name: men, type: rifle, side: german, at: D}
"""


@sampled(1)
@pytest.mark.parametrize(
    ("stack", "query", "line"),
    [
        ("panzerblitz", "can second go to D", "second goes C, D: "),
        ("panzerblitz", "can first go to C", "Go on: First may not enter C from B."),
        ("panzer_leader+quick_time", "can men move to B", "  go at quick time (C, B)"),
        ("panzer_leader+quick_time", "may men move to B and then fire at D", "  go at quick time (C, B)"),
    ],
)
def test_every_way_to_a_distant_place_is_tried(
    capsys: Capture, tmp_path: Path, stack: str, query: str, line: str
) -> None:
    file = tmp_path / "lane.yaml"
    file.write_text(LANE.replace("STACK", stack), encoding="utf-8")
    assert run(["ask", stack, "-p", str(file), query]) == 0
    printed = capsys.readouterr().out
    assert f"\n  {line}" in printed
    assert "not among the neighbors" not in printed
    assert "is not carried out" not in printed
