"""The names by which sources address a chart: errors and `explain` tell them where the book prints other words."""

from pathlib import Path

import pytest

from rulewright.serve.cli.app import run
from rulewright.write.new_packages import new_game

Capture = pytest.CaptureFixture[str]
LAYER = "layer: sleds\ntitle: Sleds\nkind: variant\non: [toy]\ncites: house\n"
SLED = 'extend enum gait: sled "on runners"\n'


def check(folder: Path, capsys: Capture, rules: str, charts: str) -> str:
    new_game("toy", folder)
    (folder / "sleds").mkdir()
    for name, text in (("layer.yaml", LAYER), ("words.rules", rules), ("charts.yaml", charts)):
        (folder / "sleds" / name).write_text(text)
    assert run(["check", "sleds", "--path", str(folder)]) == 1
    return capsys.readouterr().out


def test_the_cells_beside_one_that_is_not_there_are_told(tmp_path: Path, capsys: Capture) -> None:
    output = check(tmp_path, capsys, "", "patch: price\nset: [{ground: bog, gait: foot, expect: 1, now: 2}]\n")
    assert "there is no cell `price[bog, foot]`" in output
    assert (
        "the cells that differ in one key are: `price[meadow, foot]`, `price[marsh, foot]` or `price[wood, foot]`"
        in output
    )


def test_a_cell_with_a_misspelled_key_is_found(tmp_path: Path, capsys: Capture) -> None:
    output = check(tmp_path, capsys, "", "patch: price\nset: [{ground: wod, gait: foot, expect: 1, now: 2}]\n")
    assert "did you mean `price[wood, foot]`?" in output


def test_a_chart_has_the_names_beside_the_words_of_the_book(tmp_path: Path, capsys: Capture) -> None:
    check(tmp_path, capsys, SLED, "patch: price\nadd columns: {sled: {meadow: 1}}\n")
    assert run(["explain", "sleds", "price", "--path", str(tmp_path)]) == 0
    output = capsys.readouterr().out
    assert 'sled "on runners"' in output
    assert 'foot "' not in output
