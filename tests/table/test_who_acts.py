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
