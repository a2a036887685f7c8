"""The memos of a board: nested by key, and cleared when they exceed the limit."""

import pytest

from runtime.board import board as boards
from tests.toys.hares import hares


def test_memos_are_nested_by_key_and_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    card = hares().scenario
    assert card is not None
    board = boards.Board(card.board)
    assert board.keep("near", "sight", 1, 2) == "near"
    assert board.keep(None, "sight", 1, 3) is None
    board.keep(7, "cost", (1, 2, "road"))
    assert board.memo == {"sight": {1: {2: "near", 3: None}}, "cost": {(1, 2, "road"): 7}}
    monkeypatch.setattr(boards, "MEMORY", 3)
    board.keep("far", "sight", 4, 2)
    assert board.memo == {"sight": {4: {2: "far"}}}
