"""Advice on mistakes that the pages of the codes do not show."""

from pathlib import Path

import pytest

from tests.commands.planting import say


@pytest.mark.parametrize(
    ("written", "changed", "advice"),
    [
        (
            "preferring way_left(mover, mover.hex)",
            "preferring 1 + mover.movement",
            "divide it by `1 MP`, or write `number(..)`",
        ),
        (
            "preferring way_left(mover, mover.hex)",
            "preferring none",
            "write `none(x in SET where CONDITION)`, "
            'or for an action that no player prefers `preferring none "REASON"`',
        ),
    ],
)
def test_advice(tmp_path: Path, written: str, changed: str, advice: str) -> None:
    say(["new", "game", "ferry", "--dir", str(tmp_path)])
    rules = tmp_path / "ferry" / "playing.rules"
    text = rules.read_text("utf-8")
    assert written in text
    rules.write_text(text.replace(written, changed), encoding="utf-8")
    data = say(["check", str(tmp_path / "ferry"), "--format", "json"])
    assert data.data["diagnostics"][0]["help"] == advice
