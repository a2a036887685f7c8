"""A wrong key of a data file is reported with a correction."""

from pathlib import Path

import pytest

from compiler.question import type_question
from compiler.report.diagnose import diagnose
from compiler.source import nodes as source
from compiler.source.package import read_document
from tests.analysis.planted import planted

RULES = """side north, south
kind cart has room: 0..4
status cart: lame until end of game
"""
POSITION = """position: here
stack: planted
board:
  rows: [[A, B]]
pieces:
  - {name: T, type: cart, side: north, at: A, lame: yes}
"""


def position_findings(folder: Path, before: str, after: str) -> list[tuple[str, str]]:
    """Read the position with one text replaced; return message and help of each finding."""
    layer = "layer: planted\ntitle: Planted\nkind: base\ncites: house\n"
    stack = planted({"layer.yaml": layer, "rules.rules": RULES}, folder)
    file = folder / "position.yaml"
    file.write_text(POSITION.replace(before, after))
    position, problems = read_document(file, source.Position)
    misfits = type_question(stack.typed.env, stack.library.boards, position, "yes").problems if position else ()
    found = diagnose((*problems, *misfits), {file.as_posix(): file.read_text()})
    return [(each.message, each.help) for each in found]


@pytest.mark.parametrize(
    ("before", "after", "message", "help_"),
    [
        ("at: A", "hex: A", "a piece has no `hex`", "did you mean `at`?"),
        ("side: north", "owner: north", "a piece has no `owner`", "did you mean `side`?"),
        ("lame: yes", "status: lame", "a piece has no `status`", "write `lame: yes`"),
        ("lame: yes", "lane: yes", "a cart cannot be `lane`", "did you mean `lame`?"),
        ("type: cart", "unit: cart", "this piece lacks `type`", "write `type: ..`"),
        ("name: T", "id: T", "this piece lacks `name`", "write `name: ..`"),
        ("pieces:", "units:", "a position has no key `units`", "did you mean `pieces`?"),
        ("rows:", "hexes:", "a small board has no key `hexes`", "did you mean `rows`?"),
        ("position: here", "title: here", "a file cannot begin with the key `title`", "did you mean `position`?"),
    ],
)
def test_a_wrong_key_has_a_correction(before: str, after: str, message: str, help_: str, tmp_path: Path) -> None:
    assert position_findings(tmp_path, before, after) == [(message, help_)]
