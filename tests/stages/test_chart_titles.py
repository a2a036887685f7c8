"""Patches that change the title of a chart, alone or with cells."""

from pathlib import Path

import pytest

from compiler.report.diagnose import diagnose
from compiler.rulebook.booklet import Baseline
from compiler.rulebook.changes import compare_books
from tests.stages import test_added_lines
from tests.stages.test_added_lines import CHARTS, compiled_with

TITLED = CHARTS.replace("table: fare\n", "table: fare\ntitle: Fares\n")
PATCH = 'patch: fare\ncites: house\ntitle: {expect: "%s", now: "%s"}\n'


@pytest.fixture(autouse=True)
def _with_a_title(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(test_added_lines, "CHARTS", TITLED)


@pytest.mark.parametrize("also", ["", "set: [{row: fen, column: paw, expect: 3, now: 5}]\n"])
def test_a_patch_changes_the_title_of_a_chart(tmp_path: Path, also: str) -> None:
    compiled = compiled_with(tmp_path, PATCH % ("Fares", "Fares in the desert") + also)
    assert compiled.problems == ()
    assert compiled.graph
    assert compiled.graph.tables["fare"].title == "Fares in the desert"
    assert compiled.graph.tables["shade"].title == ""


@pytest.mark.parametrize(
    ("old", "now", "code"), [("Prices", "Fares in the desert", "R0311"), ("Fares", "Fares", "R0325")]
)
def test_a_title_that_is_not_expected_or_equal_is_reported(tmp_path: Path, old: str, now: str, code: str) -> None:
    [message] = diagnose(compiled_with(tmp_path, PATCH % (old, now)).problems, {})
    assert (message.code, "Fares" in message.message) == (code, True)


def test_a_patch_of_a_title_without_chart_or_card_is_reported(tmp_path: Path) -> None:
    [message] = diagnose(compiled_with(tmp_path, (PATCH % ("Fares", "Tolls")).replace("fare\n", "toll\n")).problems, {})
    assert "toll" in message.message


def test_the_page_of_changes_lists_a_new_title_and_no_cells(tmp_path: Path) -> None:
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
    base = compiled_with(tmp_path / "old", "patch: fare\ncites: house\nadd columns: {wing: {meadow: 1, fen: 1}}\n")
    new = compiled_with(
        tmp_path / "new", PATCH % ("Fares", "Fares by air") + "add columns: {wing: {meadow: 1, fen: 1}}\n"
    )
    assert base.graph
    assert new.graph
    [change] = (
        change for change in compare_books(new.graph, Baseline(base.graph, "")).changes if change.thing[0] == "chart"
    )
    assert (change.how, change.now) == ("changed", ("Titled “Fares by air” (was “Fares”).",))
