"""What plain words tell somebody to do, who carries what to where, and acts of several pieces after each other."""

from pathlib import Path

import pytest

from tests.sample import sampled
from tests.table.small_positions import answer_to, position

Capture = pytest.CaptureFixture[str]
ROAD = position(
    "panzer_leader",
    "turn: 3, player: allied, phase: movement",
    ["A, B, C, D, E"],
    ["T: us_truck of allied at A", "G: at57_us of allied at A", "P: panther of german at E"],
)
ABOARD = f"{ROAD}relations:\n  carries: [{{carrier: T, passengers: G}}]\n"
TANKS = position(
    "panzer_leader",
    "turn: 3, player: allied, phase: movement",
    ["A, B, C, D, E"],
    ["M: m4 of allied at C", "N: m4 of allied at C", "P: panther of german at D, dispersed: yes"],
)
STEPPE = position(
    "panzerblitz",
    "turn: 3, player: german, phase: movement",
    ["A, B, C, D"],
    ["wagon: sdkfz10 of german at A", "gun: pak37 of german at A", "men: rifle41 of russian at D"],
)
BY_T = ["open with T:", "  load (cargo G)"]
LOADED = "Nothing forbids it: the action is open (load)."
GOES = "Then, Allied, movement: T goes B, C, D: "


@sampled(1)
@pytest.mark.parametrize(
    "query", ["load G", "tow G", "carry G", "tow G to D", "can G be carried to D", "can G be towed"]
)
def test_what_is_acted_on_is_no_agent(capsys: Capture, tmp_path: Path, query: str) -> None:
    answer = answer_to(capsys, tmp_path, ROAD, query)
    assert answer["lines"] == BY_T
    assert ("goes to D then" in answer.get("note", "")) == ("D" in query)


@sampled(1)
@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("load T", LOADED),
        ("fire at P", "open to Allied against P:"),
        ("move T to D", "T goes B, C, D: "),
        ("can P be driven to D", "P goes D: "),
        ("can G be moved to D", "G gets as far as A"),
    ],
)
def test_others_are_about_the_piece_that_they_name(capsys: Capture, tmp_path: Path, query: str, line: str) -> None:
    answer = answer_to(capsys, tmp_path, ROAD, query)
    assert answer["lines"][0].startswith(line), answer


@sampled(1)
@pytest.mark.parametrize(
    "query",
    [
        "may T load G and carry it to D?",
        "can T load G and then tow it to D?",
        "can T load G? Can it then go to D?",
        "can T load G and can it go to D?",
        "can T pick up G and drive to D?",
    ],
)
def test_what_is_loaded_is_carried_on(capsys: Capture, tmp_path: Path, query: str) -> None:
    answer = answer_to(capsys, tmp_path, ROAD, query)
    assert answer["lines"][0] == LOADED
    assert answer["lines"][1].startswith(GOES), answer
    assert "note" not in answer


@sampled(1)
@pytest.mark.parametrize("query", ["can T carry G to D", "can T tow G to D"])
def test_what_is_aboard_goes_with_its_carrier(capsys: Capture, tmp_path: Path, query: str) -> None:
    answer = answer_to(capsys, tmp_path, ABOARD, query)
    assert answer["lines"][0].startswith("T goes B, C, D: "), answer


@sampled(1)
@pytest.mark.parametrize("query", ["can M overrun P and then N overrun P", "M overruns P, then N overruns P"])
def test_another_piece_acts_behind_the_end_of_an_act(capsys: Capture, tmp_path: Path, query: str) -> None:
    lines = answer_to(capsys, tmp_path, TANKS, query)["lines"]
    assert [each for each in lines if "the action is open (overrun)" in each] == [
        "Nothing forbids it: the action is open (overrun).",
        "Then, Allied, movement: Nothing forbids it: the action is open (overrun).",
    ]


def test_an_order_in_another_game(capsys: Capture, tmp_path: Path) -> None:
    answer = answer_to(capsys, tmp_path, STEPPE, "load gun")
    assert answer["lines"][0] == "open with wagon:", answer


@sampled(2)
@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("may P be overrun in D", "open with M:"),
        ("would P be shot at", "open to Allied against P:"),
    ],
)
def test_what_might_be_done_is_done_by_the_other_side(capsys: Capture, tmp_path: Path, query: str, line: str) -> None:
    assert answer_to(capsys, tmp_path, TANKS, query)["lines"][0] == line


def test_what_one_does_to_another_is_no_state_of_either(capsys: Capture, tmp_path: Path) -> None:
    lines = answer_to(capsys, tmp_path, TANKS, "does N block M")["lines"]
    assert not any("made its block" in each for each in lines), lines


FULL = position(
    "panzer_leader",
    "turn: 3, player: allied, phase: movement",
    ["A, B, C, D, E"],
    [*(f"{name}: m4 of allied at A" for name in "MN"), *(f"{name}: us_rifle of allied at C" for name in "RSV")],
)
CREW = position(
    "panzer_leader",
    "turn: 3, player: allied, phase: movement",
    ["A, B"],
    ["H: m3 of allied at A", *(f"{name}: us_rifle of allied at A" for name in ("I1", "I2"))],
)


@sampled(1)
@pytest.mark.parametrize(
    ("text", "query", "line"),
    [
        (FULL, "can M and N go to C", "Together: it is not open to N after M: N gets as far as B, "),
        (FULL, "can M and N go to D", "Together: one after the other it is open to M and N."),
        (
            FULL,
            "can M, N, R, S and V go to D",
            "Together: whether all of them could, one after the other, is not tried",
        ),
        (
            TANKS,
            "can M and N overrun P",
            "Together: no single action takes all of them; one after the other it is open",
        ),
        (CREW, "can H load I1 and I2", "Together: no single action takes all of them; it is not open to I2 after I1: "),
        (
            CREW,
            "can I1 and I2 board H",
            "Together: no single action takes all of them; it is not open to I2 after I1: ",
        ),
    ],
)
def test_acts_of_several_pieces_are_tried_in_turn(
    capsys: Capture, tmp_path: Path, text: str, query: str, line: str
) -> None:
    lines = answer_to(capsys, tmp_path, text, query)["lines"]
    assert any(each.startswith(line) for each in lines), lines


def test_what_is_off_the_map_is_asked_about_a_place(capsys: Capture, tmp_path: Path) -> None:
    text = position("panzer_leader", "turn: 1, player: german", ["A, B swamp"], ["TK: panther of german"])
    answer = answer_to(capsys, tmp_path, text, "may TK be set up in B")
    assert [each.partition(":")[0] for each in answer["lines"]] == ["Set up a unit"], answer
