"""An answer is about the action, the place and the order that the words of a question name, and about no other."""

from pathlib import Path

import pytest

from tests.sample import sampled
from tests.table.small_positions import answer_to

Capture = pytest.CaptureFixture[str]
HURRYING = """\
position: hurrying
stack: panzer_leader+quick_time
game: {turn: 3, player: allied, phase: movement}
board:
  rows:
    - [A, B woods, C, D slope, E]
    - [F, G stream, H town, I, J]
  paths: {road: [A-B-C]}
pieces:
  - {name: R, type: us_rifle, at: A}
  - {name: S, type: us_rifle, at: F}
  - {name: Y, type: m4, at: E}
  - {name: Q, type: pak75, at: H}
"""
SLIPPING = """\
position: slipping
stack: panzerblitz+panzerbitz_concealed
game: {turn: 2, player: russian, phase: movement}
board:
  rows:
    - [A, B woods, C, D]
    - [F, G town, H, I]
pieces:
  - {name: T, type: t34, at: A}
  - {name: Enemy, type: rifle, at: G}
"""


@sampled(1)
@pytest.mark.parametrize(
    ("position", "query", "line"),
    [
        # A way of going that the words name is no other way to the place.
        (HURRYING, "can S go at quick time to G", "Go at quick time: S may not enter G from F."),
        (HURRYING, "can R go to I at quick time", "Go at quick time: I is not among the neighbors of R's hex."),
        (HURRYING, "can R go at quick time to C", "  go at quick time (B, C)"),
        (HURRYING, "can R walk to B", "R goes B"),
        (HURRYING, "can Y walk to D", "Move a dismounted unit: Y is vehicular."),
        (SLIPPING, "can T slip into B", "Move one unit into cover, unseen: T may not enter B from A."),
        # What is refused at another place is no answer about the named one.
        (SLIPPING, "can T slip into C", "Move one unit into cover, unseen: C is not among the neighbors of T's hex."),
    ],
)
def test_no_other_way_answers_for_the_named_one(
    capsys: Capture, tmp_path: Path, position: str, query: str, line: str
) -> None:
    found = answer_to(capsys, tmp_path, position, query)
    assert any(each.startswith(line) for each in found["lines"]), found["lines"]
    assert not any(each.startswith("Then") for each in found["lines"]), "nothing follows what is refused"


def test_questions_below_a_refusal_are_about_what_is_refused(capsys: Capture, tmp_path: Path) -> None:
    """Whether it may go on from there answers with fewer words than the action has."""
    assert answer_to(capsys, tmp_path, HURRYING, "can S go at quick time to G")["questions"] == []


STANDOFF = """\
position: standoff
stack: panzer_leader
game: {turn: 3, player: allied, phase: movement}
board:
  rows:
    - [A, B, C, D]
pieces:
  - {name: Sappers, type: sapper, at: A}
  - {name: Panther, type: panther, at: D}
  - {name: Riders, type: rifle, at: D}
relations:
  carries: [{carrier: Panther, passengers: Riders}]
"""


@sampled(1)
@pytest.mark.parametrize(
    ("query", "side", "line"),
    [
        ("can Riders be fired at", "allied", "Fire at one unit: Sappers may not take part in the attack."),
        ("who can fire at Riders", "allied", "Fire at one unit: Sappers may not take part in the attack."),
        ("can Sappers be assaulted", "german", "Nothing of the German side can do that to Sappers."),
        ("who can load Riders", "german", "Load: Panther may not take Riders aboard."),
    ],
)
def test_what_nobody_can_do_is_refused_to_those_who_might(
    capsys: Capture, tmp_path: Path, query: str, side: str, line: str
) -> None:
    """An act without anybody who acts is refused by what they lack: the odds of nobody."""
    found = answer_to(capsys, tmp_path, STANDOFF, query)
    assert found["side"] == side
    assert line in found["lines"], found["lines"]
    assert not any("odds" in each for each in found["lines"])


MINED = """\
position: mined
stack: panzer_leader
game: {turn: 3, player: allied, phase: movement}
board:
  rows:
    - [A, B, C, D]
    - [E, F town, G, H]
  paths: {road: [A-B-C-D]}
pieces:
  - {name: Foot, type: us_rifle, at: A}
  - {name: Track, type: m3, at: A}
  - {name: Digger, type: sapper, at: C}
  - {name: Tank, type: m4, at: E}
  - {name: Mines, type: mines, side: german, at: B}
  - {name: Gun, type: pak75, at: F}
"""
ENDS = "Then, Allied, movement: Go on: Track must end its move in B."


@sampled(1)
@pytest.mark.parametrize(
    ("query", "line"),
    [
        # What follows within a move is offered in the middle of it, and to who makes it.
        ("may Track move to B and drive on", ENDS),
        ("Track goes to B and then it can go on", ENDS),
        ("may Track move to B and then move to C", ENDS),
        ("may Foot go to B and then go on to D", "Then, Allied, movement: Go on: Foot must end its move in B."),
        ("may Tank move to A and load Foot", "Then, Allied, movement: Load: Tank may not take Foot aboard."),
        ("may Tank move to A and then go to B", "Then, Allied, movement: Tank goes B"),
        # What is offered no longer, as another phase comes first.
        ("may Tank move to A and fire at Gun", "Then, Allied, combat: not in this turn, in which that phase comes"),
    ],
)
def test_what_follows_is_within_the_act_or_behind_its_end(
    capsys: Capture, tmp_path: Path, query: str, line: str
) -> None:
    found = answer_to(capsys, tmp_path, MINED, query)
    assert any(each.startswith(line) for each in found["lines"]), found["lines"]


@sampled(1)
@pytest.mark.parametrize("query", ["can Tank go to F", "can Tank go to G", "can Tank go to H"])
def test_a_refused_step_lists_no_other_act(capsys: Capture, tmp_path: Path, query: str) -> None:
    """An overrun of the same place is another act."""
    lines = answer_to(capsys, tmp_path, MINED, query)["lines"]
    assert not any(each.startswith("Overrun") for each in lines), lines


def test_who_sees_a_piece_is_of_another_side(capsys: Capture, tmp_path: Path) -> None:
    found = answer_to(capsys, tmp_path, MINED, "who can see Tank")
    calls = [each["call"] for each in found["questions"]]
    assert "can_see(Gun, E)" in calls
    assert not any(call.startswith(("can_see(Foot", "can_see(Track")) for call in calls)


def test_how_a_piece_is_is_told_where_its_place_stands_for_it(capsys: Capture, tmp_path: Path) -> None:
    text = MINED.replace("{name: Tank, type: m4, at: E}", "{name: Tank, type: m4, at: E, dispersed: yes}")
    found = answer_to(capsys, tmp_path, text, "can Gun see Tank")
    stands = "This is about E, where Tank is; Tank is dispersed."
    by_place = all("E" in each["call"] for each in found["questions"])
    assert (stands in found.get("note", "")) == by_place
    hidden = HIDDEN.replace("NAME", "Hider")
    assert "where Hider is; Hider is hidden." in answer_to(capsys, tmp_path, hidden, "who can see Hider")["note"]
    fired = hidden.replace("hidden: yes", "fired: yes")
    assert "where Hider is; Hider has fired." in answer_to(capsys, tmp_path, fired, "who can see Hider")["note"]


HIDDEN = """\
position: hidden
stack: panzer_grenadier
board: {rows: [[A, B, C]]}
pieces:
  - {name: K, type: tank, side: axis, at: A}
  - {name: NAME, type: rifle, side: allied, at: B, hidden: yes}
"""


def test_an_act_that_is_not_listed_adds_no_questions(capsys: Capture, tmp_path: Path) -> None:
    """Whether a side may destroy its own is no question about who attacks."""
    text = SLIPPING.replace("phase: movement", "phase: combat").replace("G town", "G")
    assert answer_to(capsys, tmp_path, text, "can Enemy be destroyed")["questions"] == []
    assert answer_to(capsys, tmp_path, text, "can Enemy be destroyed by its own side")["lines"] == []


@sampled(0)
def test_the_rule_behind_a_missed_permission_is_told(capsys: Capture, tmp_path: Path) -> None:
    text = MINED.replace("stack: panzer_leader", "stack: panzer_leader+opportunity_fire")
    lines = answer_to(capsys, tmp_path, text, "can Gun fire at Tank as it moves")["lines"]
    assert any("Not allowed by quarter-in-view" in each for each in lines), lines


NORTH = """\
position: north
stack: panssari_salama
game: {turn: 2, player: finnish, phase: movement}
board: {rows: [[A, B woods, C, D, E]]}
pieces:
  - {name: Ski, type: finnish_ski, at: A}
  - {name: Sled, type: finnish_truck, at: B, dispersed: yes}
  - {name: Enemy, type: rifle39, at: D}
"""
FROST = """\
position: frost
stack: long_frost
game: {turn: 2, player: raiders, phase: movement}
board: {rows: [[A, B, C forest, D]], paths: {rail: [A-B-C-D]}}
pieces:
  - {name: Foo, type: foot, at: A}
"""


@sampled(1)
@pytest.mark.parametrize(
    ("position", "query", "lines", "note"),
    [
        # Who acts is in the place *from* which something is done, and not the piece to which it is.
        (NORTH, "can Enemy be shot at from A", ["  fire at one unit (firers Ski)"], ""),
        (NORTH, "can Enemy be shot at from C", ["Nobody is in C."], ""),
        # A word for going adds nothing to the way in which one goes.
        (FROST, "can Foo go by train to D", ["Move an army by train"], ""),
        # Why nothing is reached, and why one cannot be acted on.
        (NORTH, "can Sled leave B", ["  not open: move a vehicle: Sled may not move"], ""),
        (
            HIDDEN.replace("NAME", "Hider"),
            "who can fire at Hider",
            ["One unit fires at one enemy in range: Hider is"],
            "",
        ),
        (STANDOFF, "can Panther be loaded", ["Nothing of the German side can do that to Panther."], ""),
        # A word that no action and no question has is told.
        (STANDOFF, "may Sappers attack Panther at night", ["Fire at one unit: Sappers may not take part"], "“night”"),
        (MINED, "can Digger clear B from C", ["Nothing forbids it: the action is open (begin engineer work)."], ""),
    ],
)
def test_who_acts_and_how_is_as_the_words_say(
    capsys: Capture, tmp_path: Path, position: str, query: str, lines: list[str], note: str
) -> None:
    found = answer_to(capsys, tmp_path, position, query)
    assert all(any(each.startswith(line) for each in found["lines"]) for line in lines), found["lines"]
    assert note in found.get("note", "")
    assert bool(note) == bool(found.get("note"))
    assert not any("Panther may not take Panther" in each for each in found["lines"])


def test_who_is_tied_to_nothing_cannot_be_untied(capsys: Capture, tmp_path: Path) -> None:
    """Who gets off is not read as who carries."""
    assert answer_to(capsys, tmp_path, MINED, "may Foot get off")["lines"] == [
        "Unload: Foot has no carrier and no passengers."
    ]
    found = answer_to(capsys, tmp_path, STANDOFF, "may Riders get off")["lines"]
    assert found[0].startswith("Nothing forbids it"), found
