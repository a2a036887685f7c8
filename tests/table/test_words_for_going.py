"""Words for going, leaving and shelling, for grounds and places, and for several questions in one text."""

from pathlib import Path

import pytest

from rulewright.library.stacks import load_stack
from rulewright.position_questions import set_up_file
from rulewright.table.query_parts import separate_questions
from tests.sample import sampled
from tests.table.small_positions import answer_to, position

Capture = pytest.CaptureFixture[str]
FORD = position(
    "panzer_leader",
    "turn: 3, player: allied, phase: movement",
    ["A, B stream, C, D", "E, F town, G, H slope"],
    [
        "M1: m4 at A",
        "R1: us_rifle at E",
        "H1: halftrack of allied at E",
        "P1: panther at G",
        "N1: us_rifle at D, dispersed: yes",
    ],
)
ORDERED = position(
    "panzer_leader",
    "turn: 3, player: german, phase: combat",
    ["A, B, C, D, E"],
    ["M: mortar120 of german at A, laid: yes", "W: rifle of german at C", "K: us_rifle at D"],
    "records:\n  mission: [{by: german, firer: M, target: D, observers: [W], due: 3}]\n",
)
WOODS = position(
    "panzerblitz",
    "turn: 2, player: german, phase: movement",
    ["A, B, C woods, D, E town", "F, G swamp, H, I, J"],
    ["T1: truck at A", "G1: pak75 at A", "K: pz4 at F", "S1: t34 at I"],
    "",
).replace("\npieces:", "\n  paths: {road: [A-B-C-D-E]}\npieces:")
MUD = position(
    "long_frost",
    "turn: 2, player: raiders, phase: movement, mud_turns: [2], depots: [F, J], prizes: [E], goal: 1",
    ["A, B, C forest, D, E town", "F, G, H, I, J"],
    ["P1: panzers at B", "F1: foot at G", "F2: worn_foot at A", "K1: tanks at I"],
)
FLATS = position(
    "low_tide",
    "turn: 1, player: north, phase: foraging, water: 1",
    ["A north_beach, B mud, C, D bed", "E, F mud, G, H"],
    [
        "W1: elder of north at B",
        "W2: child of north at C, laden: yes",
        "V1: elder of south at D",
    ],
)
CLANS = """\
position: clans
stack: two_clans
game: {turn: 2, player: ash, phase: marching}
board: {spaces: {Glen: {at: [0, 0]}, Lea: pasture}, connections: [Glen to Lea]}
pieces:
  - {name: C1, type: guard, side: ash, at: Glen}
  - {name: B1, type: drovers, side: birch, at: Lea}
sides: {ash: {orders: 2}}
"""
SHOTS_IN_PASSING = position(
    "panzer_leader+opportunity_fire",
    "turn: 2, player: allied, phase: movement",
    ["A, B, C, D", "E, F, G, H"],
    ["S: m4 at A", "J: us_truck at E", "P: panther at D"],
)
TOWN = position(
    "panzer_grenadier",
    "turn: 2, player: axis, phase: action",
    ["A, B town, C, D woods, E"],
    ["L: truck of axis at A", "N: rifle of axis at A", "U: rifle of axis at C, disrupted: yes"],
)


@sampled(1)
@pytest.mark.parametrize(
    ("text", "query", "line"),
    [
        # A record stands for what is shelled; fire at a piece is at itself.
        (ORDERED, "may M shell K", "Nothing forbids it: the action is open (fire indirectly)."),
        (ORDERED, "can M fire at K", "Nothing forbids it: the action is open (fire at one unit)."),
        (ORDERED, "may M order fire on K", "Nothing forbids it: the action is open (order indirect fire)."),
        # Grounds, by the names of features and the words that a layer declares for them, near a piece or not.
        (MUD, "can P1 drive into the forest?", "P1 may not go from B to C."),
        (MUD, "can P1 go into woods", "P1 may not go from B to C."),
        (FLATS, "can W1 step into the mud?", "W1 goes F"),
        (FLATS, "can W2 step into the mud?", "W2 and F: W2 goes F"),
        (WOODS, "may K drive through the woods?", "K goes B, C"),
        (WOODS, "can K cross the swamp?", "Go on: K may not enter G from F."),
        (WOODS, "is K in the woods?", "F is not woods."),
        # The place of a piece.
        (FLATS, "may W2 walk onto V1's hex?", "Take one step: W2 may not step onto D."),
        # Ends of moves, and ways that cost too much.
        (MUD, "can F1 stop in D", "the cheapest way, G, C, D, costs"),
        (MUD, "can F1 go to D", "the cheapest way, G, C, D, costs"),
        # To a piece is to its place, and not aboard of it.
        (FORD, "can M1 drive to R1", "M1 goes E"),
        (FORD, "can M1 go to H1", "M1 goes E"),
        (FORD, "can R1 move to H1", "R1 is in E already."),
        (FORD, "can H1 drive to N1?", "H1 goes"),
        # Who is there, and who is not where he is said to leave.
        (FORD, "who is in F?", "Nothing is in F."),
        (FORD, "who is at D", "1 in D: N1."),
        (FORD, "is anyone in D", "1 in D: N1."),
        (FORD, "is E next to F", "E is next to F."),
        (FORD, "is M1 next to P1?", "M1 is not next to P1."),
        (FORD, "can M1 get into the town?", "M1 goes E, F"),
        (FORD, "can M1 leave the stream?", "M1 is in A, and not in B."),
        # What is done to a piece by its own side.
        (MUD, "can F2 be rebuilt now?", "The Column's number of replacements at hand is 0"),
        # Verbs of two words.
        (WOODS, "could T1 pick up G1 and drive off to D?", "T1 gets as far as A"),
        (FORD, "can R1 hop on H1 and get off at F?", "Unload: H1 may not set R1 down."),
        # Words that a layer declares for an action.
        (TOWN, "may N climb aboard L?", "Nothing forbids it"),
        (
            TOWN,
            "can U pull itself together?",
            "the action is open (a disrupted unit tries to recover)",
        ),
        # Conditions, acts one after the other, and places that are asked for.
        (SHOTS_IN_PASSING, "if S drives to C, may P fire at it?", "in the turn of the Allied side: Nothing forbids it"),
        (SHOTS_IN_PASSING, "can J get to F and still unload?", "Unload: J has no carrier and no passengers."),
        (SHOTS_IN_PASSING, "which hexes can S reach?", "S can get to:"),
        (SHOTS_IN_PASSING, "which hexes can S fire at?", "fire at one unit (target P)"),
    ],
)
def test_lines(text: str, query: str, line: str, tmp_path: Path, capsys: Capture) -> None:
    found = answer_to(capsys, tmp_path, text, query)
    assert any(line in each for each in found["lines"]), found
    assert "answers “" not in found.get("note", "")


@sampled(2)
@pytest.mark.parametrize(
    ("text", "query", "call"),
    [
        (MUD, "can F2 be supplied?", "in_supply(F2)"),
        (MUD, "is F2 out of supply", "in_supply(F2)"),
        (CLANS, "can C1 chase away B1?", "drives_off(C1, Lea, 1)"),
        (FORD, "how far can P1 shoot?", "farthest(P1)"),
        (FORD, "what does loading R1 cost H1?", "loading_price(H1, R1)"),
        (FORD, "what does it cost H1 to load R1?", "loading_price(H1, R1)"),
    ],
)
def test_questions(text: str, query: str, call: str, tmp_path: Path, capsys: Capture) -> None:
    """A word in the description of an action is none for what is done to a piece; one that a layer declares is one."""
    found = answer_to(capsys, tmp_path, text, query)
    assert (found["lines"], found["questions"][0]["call"]) == ([], call)


def test_how_long_is_not_answered_by_how_it_is(tmp_path: Path, capsys: Capture) -> None:
    found = answer_to(capsys, tmp_path, FORD, "how long does N1 stay dispersed?")
    assert found["lines"] == ["N1 is dispersed."]
    assert "how long, is not answered" in found["note"]
    assert "note" not in answer_to(capsys, tmp_path, FORD, "when may M1 move?")


def test_how_far_one_sees_is_not_how_far_one_gets(tmp_path: Path, capsys: Capture) -> None:
    assert "gets to" not in str(answer_to(capsys, tmp_path, FORD, "how far can M1 see?"))
    assert answer_to(capsys, tmp_path, FORD, "how far can M1 drive?")["lines"][0] == "M1 can get to:"


def test_a_way_that_is_named_is_said_to_be_left_out(tmp_path: Path, capsys: Capture) -> None:
    found = answer_to(capsys, tmp_path, WOODS, "can K go through C to D")
    assert found["lines"][0].startswith("K goes B, C, D")
    assert "The way through C is not taken into account." in found["note"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("can M1 fire at P1 and how far can it see?", ["can M1 fire at P1", "how far can M1 see?"]),
        ("can M1 fire at P1, and is it dispersed?", ["can M1 fire at P1", "is M1 dispersed?"]),
        ("who can fire at P1 and who can see it", ["who can fire at P1", "who can see P1"]),
        ("can M1 move and can R1 fire?", ["can M1 move", "can R1 fire?"]),
        # Acts of one question.
        ("can M1 fire and then move?", ["can M1 fire and then move?"]),
        ("can M1 move to C and may it fire then?", ["can M1 move to C and may it fire then?"]),
        ("M1 goes to C. May it fire?", ["M1 goes to C. May it fire?"]),
    ],
)
def test_questions_of_a_text(text: str, parts: list[str], tmp_path: Path) -> None:
    file = tmp_path / "position.yaml"
    file.write_text(FORD, encoding="utf-8")
    state = set_up_file(load_stack("panzer_leader", ()), file).state
    assert state
    assert separate_questions(state, text) == parts
