"""Words for acts at a table: what attacks there are when none is open, acts together, sentences one after the other."""

from pathlib import Path

import pytest

from rulewright.library.stacks import load_stack
from rulewright.table.plain_questions import LEFT_OUT
from runtime.graph.step_questions import step_parameters
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


@sampled(1)
@pytest.mark.parametrize(
    ("text", "query", "lines"),
    [
        # That a tank is no plane does not tell why it may not attack.
        (TANKS, "may T1 attack S1", ["Fire at one unit: The attack may not be made."]),
        (TANKS, "may H1 destroy S1", ["Fire at one unit: H1 may not take part in the attack."]),
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


@sampled(1)
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


GROVE = position(
    "low_tide",
    "turn: 2, player: north, phase: foraging",
    ["A north_beach, B, C mud, D bed, E south_beach", "F, G, H channel, I bed, J"],
    [
        "W1: elder of north at A, laden: yes",
        "W2: child of north at C",
        "W3: elder of north at D",
        "S1: elder of south at I",
    ],
)


@sampled(2)
@pytest.mark.parametrize(
    ("query", "line", "note"),
    [
        ("may W2 climb onto B", "W2 goes B: 1 step, 3 left", ""),
        ("may S1 climb onto D", "Take one step: S1 may not step onto D.", "answers “climb”"),
        ("may W1 drop its basket", "Bring a basket to the beach of the walker's family: it is open.", "answers “drop”"),
        ("can W3 jump", "", "“What can W3 do” lists what is open to it, and what is not."),
    ],
)
def test_a_verb_of_no_action_is_told_beside_what_has_the_other_words(
    capsys: Capture, tmp_path: Path, query: str, line: str, note: str
) -> None:
    found = answer_to(capsys, tmp_path, GROVE, query)
    assert not line or line in found["lines"], found["lines"]
    assert note in found.get("note", "")
    assert bool(note) == ("note" in found)


SHOTS = position(
    "panzer_leader+opportunity_fire",
    "turn: 3, player: german, phase: movement",
    ["A, B woods, C, D town, E", "F, G, H, I, J"],
    [
        "T1: panther of german at A",
        "H1: truck of german at F",
        "G1: pak75 of german at F",
        "S1: m4 at D",
        "R1: us_rifle at D",
    ],
)


@sampled(1)
@pytest.mark.parametrize(
    ("query", "line"),
    [
        (
            "T1 moves to C. May it then fire at S1?",
            "Then, German, combat: not in this turn, in which that phase comes first.",
        ),
        (
            "T1 moves to C. May it fire at S1?",
            "Then, German, combat: not in this turn, in which that phase comes first.",
        ),
        ("Can T1 move to C? And then to H?", "Then, German, movement: T1 goes H: 1 movement point, 7 left"),
        ("H1 loads G1. Can it then drive to I?", "Then, German, movement: H1 goes G, H, I: 6 movement points, 0 left"),
        # In the turn of the other side it is about the fire that is offered now, by any word for it.
        (
            "T1 moves to C; can R1 then shoot at it",
            "Then, Allied, movement in the turn of the German side: Fire at what stays",
        ),
        ("may S1 fire at T1", "Fire at what stays: S1 may not take a shot at T1 in passing."),
        ("can S1 shoot at T1 as it moves", "Fire at what stays: S1 may not take a shot at T1 in passing."),
    ],
)
def test_sentences_follow_each_other_and_others_react(capsys: Capture, tmp_path: Path, query: str, line: str) -> None:
    lines = answer_to(capsys, tmp_path, SHOTS, query)["lines"]
    assert any(each.startswith(line) for each in lines), lines


def test_questions_in_one_text_are_answered_one_by_one(capsys: Capture, tmp_path: Path) -> None:
    found = answer_to(capsys, tmp_path, SHOTS, "Can T1 move to C? Can it fire at S1?")
    first, second = found["answers"]
    assert first["lines"][0].startswith("T1 goes B, C")
    assert (second["question"], second["phase"]) == ("Can T1 fire at S1?", "combat")


CLANS = """\
position: clans
stack: two_clans
game: {turn: 1, player: ash, phase: marching}
board:
  spaces: {Glen: {is: [pasture], at: [0, 0]}, Town: {is: [town], at: [20, 0]}}
  connections: [Glen-Town]
pieces:
  - {name: D1, type: drovers, side: ash, at: Glen}
  - {name: E1, type: drovers, side: birch, at: Town}
  - {name: E2, type: guard, side: birch, at: Town}
"""


@sampled(2)
@pytest.mark.parametrize(
    ("text", "query", "lines", "figures"),
    [
        (CLANS, "is Town full", ["2 in Town: E1 and E2.", "No more than two bands of a clan are in an area."], ""),
        (CLANS, "how many bands may be in Glen", ["1 in Glen: D1.", "No more than two bands"], ""),
        (TANKS, "is D full", ["1 in D: S1.", "A hex holds at most four units"], "is 1, needs at least 4."),
        (ARMIES, "is E full", ["1 in E: R1."], "The number of armies of the Guard in E is 1, needs at least 2."),
    ],
)
def test_how_many_are_in_a_place_and_how_many_may_be(
    capsys: Capture, tmp_path: Path, text: str, query: str, lines: list[str], figures: str
) -> None:
    found = answer_to(capsys, tmp_path, text, query)
    for line in lines:
        assert any(each.startswith(line) for each in found["lines"]), found["lines"]
    assert any(figures in each.get("figures", "") for each in found["questions"]) or not figures


def test_a_question_answers_before_an_action_that_takes_other_things(capsys: Capture, tmp_path: Path) -> None:
    found = answer_to(capsys, tmp_path, CLANS, "how many orders does D1 need to reach Town")
    assert [each["call"] for each in found["questions"]] == ["price(D1, Glen, Town)"]
    assert not found["lines"]
    assert "note" not in found


def test_a_question_is_about_the_named_piece_and_who_sees_is_a_piece(capsys: Capture, tmp_path: Path) -> None:
    supplied = answer_to(capsys, tmp_path, ARMIES, "is P2 in supply")["questions"]
    assert [each["call"] for each in supplied] == ["in_supply(P2)"]
    seeing = answer_to(capsys, tmp_path, TANKS, "who can see S1")["questions"]
    assert {each["call"].partition("(")[0] for each in seeing} <= {"can_see", "spotted"}


@pytest.mark.parametrize(
    ("stack", "term", "step"),
    [
        ("panzer_leader", "may_enter", ("from", "to")),
        ("panzer_leader", "may_overrun", ("target", "exit")),
        ("panzer_leader", "blocks", None),  # A line of sight leads to distant hexes.
        ("panzer_grenadier", "may_enter", ("from", "to")),
        ("two_clans", "price", ("from", "to")),
    ],
)
def test_a_question_about_a_step_is_one_by_what_its_rules_read(
    stack: str, term: str, step: tuple[str, str] | None
) -> None:
    rules = load_stack(stack, ()).graph
    assert rules
    assert step_parameters(rules, term) == step


def test_an_offer_that_names_the_active_side_is_an_offer_to_it(tmp_path: Path, capsys: Capture) -> None:
    """The sequence of `frost_pressure` says whom compulsory attacks are offered to."""
    pressed = position(
        "long_frost+frost_pressure",
        "turn: 1, player: raiders, phase: combat",
        ["A, B, C, D"],
        ["P: panzers of raiders at B", "T: tanks of keepers at C"],
    )
    found = answer_to(capsys, tmp_path, pressed, "may P attack T")
    assert "open" in str(found)
    assert "nothing is offered" not in str(found)


@pytest.mark.parametrize(("turn", "is_left_out"), [(1, True), (2, False)])
def test_a_phase_that_is_left_out_is_said_to_be(
    turn: int, *, is_left_out: bool, tmp_path: Path, capsys: Capture
) -> None:
    """In snow, which falls in turn 1, `frost_short_days` withdraws the phase in which armies pursue."""
    snowy = position(
        "long_frost+frost_short_days",
        f"turn: {turn}, player: raiders, phase: movement, snow_turns: [1]",
        ["A, B, C, D"],
        ["P: panzers of raiders at B", "T: tanks of keepers at C"],
    )
    found = answer_to(capsys, tmp_path, snowy, "can P pursue")
    assert found["lines"][0].startswith(LEFT_OUT) == is_left_out
