"""Answers about positions in which rulings meet: the clauses that are cited, and the words that name an action."""

from pathlib import Path

import pytest

from rulewright.cli.app import run

ROOF = """\
position: roof
stack: panzer_leader
game: {turn: 3, player: allied, phase: movement}
board: {rows: [[A, B]]}
pieces:
  - {name: T, type: m4, at: A}
  - {name: F, type: fort20, at: B}
  - {name: R, type: rifle, at: B, in: inside}
"""
POST = """\
position: post
stack: panzerblitz+pb_indirect_fire
game: {turn: 3, player: german, phase: combat}
board: {rows: [[A, B, C, D town, E, F]]}
pieces:
  - {name: M, type: mortar120, at: A}
  - {name: P, type: cp, at: E}
  - {name: R, type: russian_smg, at: F}
"""


def answer_in(folder: Path, position: str, question: str, capsys: pytest.CaptureFixture[str]) -> str:
    file = folder / "position.yaml"
    file.write_text(position)
    stack = position.partition("stack: ")[2].partition("\n")[0]
    assert run(["ask", stack, "-p", str(file), question]) == 0
    return " ".join(capsys.readouterr().out.split())


def test_a_way_over_those_under_a_bridge_is_not_named_where_there_is_no_bridge(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = answer_in(tmp_path, ROOF, "may_enter(T, A, B, terrain, march)", capsys)
    assert "by onto-the-fort [" in answer
    assert "by over-their-heads [" not in answer
    assert "overruled by onto-the-fort " in answer


def test_shelling_is_the_call_for_indirect_fire(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = answer_in(tmp_path, POST, "can M shell R", capsys)
    assert answer.startswith("German, indirect fire (now it is German, combat): Nothing forbids it")
