"""Who acts on a piece: in its own turn where the words say so, and nobody where no other side has a piece."""

from pathlib import Path

import pytest

from tests.table.small_positions import answer_to, position

MOVED = "path: [{from: A, to: B, paid: 3, rate: terrain, act: moving}]"
PHASE = "turn: 10, turns: 10, player: german, phase: movement"


STACK = "panzer_leader+opportunity_fire"


@pytest.mark.parametrize("query", ["who may fire at Truck as it moves", "who may fire at Truck"])
def test_who_fires_at_what_moves_is_another(capsys: pytest.CaptureFixture[str], tmp_path: Path, query: str) -> None:
    text = position(STACK, PHASE, ["A, B, C"], [f"Truck: truck at B, {MOVED}", "Tank: m4 at C"])
    found = answer_to(capsys, tmp_path, text, query)
    assert found["moment"] == "Allied, movement in the turn of the German side"
    assert any("(shooters Tank)" in each for each in found["lines"]), found["lines"]


@pytest.mark.parametrize("query", ["who can fire at Truck", "can Truck be fired at"])
def test_no_other_side_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path, query: str) -> None:
    text = position(STACK, PHASE, ["A, B, C"], [f"Truck: truck at B, {MOVED}"])
    assert answer_to(capsys, tmp_path, text, query)["lines"] == ["No piece of another side is here."]


COVERED = position(
    "panzer_leader",
    "turn: 3, player: german, phase: combat",
    ["A, B, C town, D"],
    ["Gun: hmg at A", "Men: us_rifle at C", "More: us_rifle at C"],
)


@pytest.mark.parametrize("query", ["who can fire at Men", "can anybody fire at Men", "why can nobody fire at Men"])
def test_friends_who_fire_together_with_it_do_not_fire_at_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, query: str
) -> None:
    found = answer_to(capsys, tmp_path, COVERED, query)
    assert (found["lines"][0], found.get("note", "")) == ("Nothing of the German side can do that to Men.", "")


def test_others_are_asked_as_it_moves_and_not_what_comes_then(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text = position(STACK, PHASE, ["A, B, C, D"], ["Men: smg at A", "Block: block at B", "Gun: us_mg at C"])
    lines = answer_to(capsys, tmp_path, text, "may Men enter B")["lines"]
    assert lines[0] == "Men goes B: 1 movement point, 0 left; others are asked as it moves"


def test_a_printed_value_is_told_with_what_it_is_by_rules(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = position("panzer_leader+quick_time", PHASE, ["A, B"], ["Men: us_rifle at A, hurried: yes"])
    found = answer_to(capsys, tmp_path, text, "what is the defense of Men")
    assert "defense 6" in found["lines"][1]
    assert [each["text"] for each in found["questions"]] == ["The defense of Men is 3 factors."]
