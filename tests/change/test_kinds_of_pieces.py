"""Terms and charts of kinds of pieces can be changed; an unknown kind is refused with the known ones."""

from pathlib import Path

import pytest

from rulewright.write.new_packages import new_game
from tests.commands.planting import say

SORTS = """
kind wagon has movement: 0..12 MP, gait: gait
value sort_of(u: unit): kind otherwise unit
  reads "what sort {u} is"
rule carts-are-wagons [TOY.1] "A cart goes for a wagon."
  sort_of is wagon
  when u.counter = cart
rule wagons-are-dear [TOY.1] "Who goes for a wagon pays by the chart."
  may_enter forbidden
  when fee[sort_of(mover)] > mover.movement - mover.spent
"""
FEE = (
    "table: fee\ncites: TOY.1\nkeys: {sort: kind}\ncell: MP\nrows:\n  - {sort: unit, is: 1}\n  - {sort: wagon, is: 2}\n"
)


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a game with a term and a chart of kinds, as a package in the current folder."""
    new_game("toy", tmp_path)
    (tmp_path / "toy" / "sorts.rules").write_text(SORTS, encoding="utf-8")
    (tmp_path / "toy" / "fee.yaml").write_text(FEE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--cell fee wagon 3", "wrote"),
        ("--cell fee boat 3", "there are unit, wagon"),
    ],
)
def test_a_kind_is_accepted_as_value_and_key(toy: Path, words: str, message: str) -> None:
    answer = say(("change", (toy / "toy").as_posix(), "mine", *words.split(), "--why", "house"))
    assert message in f"{answer.out}{answer.err}"
    assert answer.code == (0 if message == "wrote" else 2)
