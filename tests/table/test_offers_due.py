"""What a phase still requires, as an overrun to resolve, is done before an act of a later phase."""

from pathlib import Path

import pytest

from tests.table.small_positions import answer_to, position

PIECES = ("P: panther at A", "R: rifle at A", "T: us_truck at B", "N: us_rifle at B")
RIDERS = "relations:\n  carries: [{carrier: P, passengers: R}]\n"
PHASE = "turn: 3, player: german, phase: movement"
STACK = "panzer_leader+panzerblitz_assault"


def test_an_overrun_is_resolved_before_the_next_phase(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    query = "may P set down R, overrun T and then R assault N"
    text = position(STACK, PHASE, ["A, B, C"], PIECES, RIDERS)
    found = answer_to(capsys, tmp_path, text, query)
    assert "Then, German, close assault: Nothing forbids it: the action is open (close assault)." in found["lines"]
