"""Plain words that suppose a piece elsewhere, the pronoun I, and questions about the turn and about clear ground."""

from pathlib import Path

import pytest

from tests.sample import sampled
from tests.table.small_positions import answer_to, position

Capture = pytest.CaptureFixture[str]
PLAIN = position(
    "panzer_leader",
    "turn: 3, player: allied, phase: movement",
    ["A, B, C woods, D, E", "F, G, H, I, J"],
    [
        "T: us_truck of allied at A",
        "G1: at57_us of allied at A",
        "M: m4 of allied at F",
        "P: panther of german at E",
        "S: rifle of german at I",
    ],
)
ABOARD = f"{PLAIN}relations:\n  carries: [{{carrier: T, passengers: G1}}]\n"


@sampled(1)
@pytest.mark.parametrize(
    ("query", "supposed", "line"),
    [
        (
            "can M fire at P from D",
            "M is in D, and not in F;",
            "Nothing forbids it: the action is open (fire at one unit).",
        ),
        (
            "if M were in D, could it fire at P?",
            "M is in D",
            "Nothing forbids it: the action is open (fire at one unit).",
        ),
        (
            "could M fire at P if it were in D",
            "P is in D",
            "Nothing forbids it: the action is open (fire at one unit).",
        ),
        ("with M in D, can it fire at P", "M is in D", "Nothing forbids it: the action is open (fire at one unit)."),
        ("can M be hit in D", "M is in D", "open with S:"),
        ("can M be fired at in D", "M is in D", "open to German against M:"),
        ("can M fire at P in D", "P is in D", "Nothing forbids it: the action is open (fire at one unit)."),
        ("can P see M in D", "M is in D", ""),
        ("can P hit M in D", "M is in D", "Nothing forbids it: the action is open (fire at one unit)."),
        ("can M go from G to H", "M is in G", "M goes H: 1 movement point, 7 left"),
    ],
)
def test_a_piece_is_supposed_where_the_words_put_it(
    capsys: Capture, tmp_path: Path, query: str, supposed: str, line: str
) -> None:
    answer = answer_to(capsys, tmp_path, PLAIN, query)
    assert next(iter(answer["lines"]), "") == line, answer
    assert f"This supposes that {supposed}" in answer["note"]


@sampled(3)
@pytest.mark.parametrize(
    "query", ["can M go from F to G", "can T load G1 from A", "may M fire at P", "how far is M from B", "who is in D"]
)
def test_nothing_is_supposed_of_what_is_so(capsys: Capture, tmp_path: Path, query: str) -> None:
    assert "supposes" not in answer_to(capsys, tmp_path, PLAIN, query).get("note", "")


@sampled(1)
@pytest.mark.parametrize("query", ["can T drop G1 in B", "fire at G1 in B"])
def test_a_wrong_place_is_no_silent_one(capsys: Capture, tmp_path: Path, query: str) -> None:
    assert "G1 is in A, and not in B." in answer_to(capsys, tmp_path, PLAIN, query)["note"]


@sampled(0)
def test_harm_is_told_of_each_phase_in_which_it_may_be_done(capsys: Capture, tmp_path: Path) -> None:
    lines = answer_to(capsys, tmp_path, PLAIN, "can M be hit in D")["lines"]
    assert lines[0] == "open with S:"
    assert [each for each in lines if each.endswith("combat:")] == ["German, combat:"]


def test_what_is_tied_to_it_goes_along(capsys: Capture, tmp_path: Path) -> None:
    answer = answer_to(capsys, tmp_path, ABOARD, "if T were in D, could P fire at T")
    assert "T is in D with G1, and not in A;" in answer["note"]


def test_a_supposition_is_about_all_questions_behind_it(capsys: Capture, tmp_path: Path) -> None:
    answer = answer_to(capsys, tmp_path, PLAIN, "if M were in D, can P see it and what is in B?")
    assert str(answer).count("This supposes that M is in D") == 2


def test_a_place_that_is_entered_from_another_is_the_one_entered(capsys: Capture, tmp_path: Path) -> None:
    found = answer_to(capsys, tmp_path, PLAIN, "what does it cost M to enter H from G")
    assert "This supposes that M is in G, and not in F" in found["note"]
    assert found["lines"][0] == "M goes H: 1 movement point, 7 left"


@sampled(2)
@pytest.mark.parametrize("query", ["can I fire at P with M", "could I load G1", "I want to fire at P with M"])
def test_who_asks_is_no_place(capsys: Capture, tmp_path: Path, query: str) -> None:
    assert "S" not in str(answer_to(capsys, tmp_path, PLAIN, query)["lines"]).replace("Sherman", "").split()


def test_a_place_may_have_the_name_of_a_pronoun(capsys: Capture, tmp_path: Path) -> None:
    assert "S: I; attack" in str(answer_to(capsys, tmp_path, PLAIN, "what is in I")["lines"])


@sampled(2)
@pytest.mark.parametrize(
    "query",
    ["whose turn is it?", "whose move is it?", "which phase is it", "what turn is it now", "what is the next phase?"],
)
def test_the_turn_is_told(capsys: Capture, tmp_path: Path, query: str) -> None:
    first, second = answer_to(capsys, tmp_path, PLAIN, query)["lines"]
    assert first == "Turn 3, Allied, movement."
    assert second.startswith("The phases in the order of play: set-up, combat,")


@sampled(2)
@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("is A clear?", "A is clear terrain."),
        ("is C clear?", "C is woods."),
        ("is M in the clear", "F is clear terrain."),
    ],
)
def test_ground_without_features_is_clear(capsys: Capture, tmp_path: Path, query: str, line: str) -> None:
    assert answer_to(capsys, tmp_path, PLAIN, query)["lines"][0] == line


def test_a_question_about_the_side_of_two_pieces_is_told_once(capsys: Capture, tmp_path: Path) -> None:
    pieces = ["R1: rifle41 of russian at B", "R2: rifle41 of russian at B"]
    text = position("panzerblitz", "turn: 2, player: russian, phase: movement", ["A, B, C"], pieces)
    questions = answer_to(capsys, tmp_path, text, "are R1 and R2 stacked too high")["questions"]
    assert [each["call"] for each in questions] == ["limit(russian)"]
    assert not any("" in each["same_with"] for each in questions)
