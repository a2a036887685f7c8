"""Boards are imported hex by hex; the report lists what is lost or broken, with its location."""

import json
import os
import sys
import zipfile
from pathlib import Path

import pytest

from rulewright.exchange import ImportReport, NoteSeverity, import_package
from rulewright.exchange.notes import TransferCount
from rulewright.games.scenarios import load_scenario
from rulewright.serve.cli.app import run
from rulewright.system.errors import UsageError
from tests.importing.invented import board, facts

CARD = (
    "scenario: meeting\nuses: panzerblitz\nmap: [[pb_1, pl_a]]\nturns: 1\norder: [german, russian]\n"
    "facts: {aggressors: [russian]}\nforces: []\n"
)


@pytest.fixture
def done(tmp_path: Path) -> ImportReport:
    """Import the invented package."""
    return import_package(facts(tmp_path / "from"), tmp_path / "out")


def test_hexes_sides_paths_and_regions_are_imported(done: ImportReport, tmp_path: Path) -> None:
    assert done.boards == ("pb_1", "pl_a")
    (tmp_path / "out" / "card.yaml").write_text(CARD)
    stack = load_scenario("meeting", None, [tmp_path / "out"])
    assert stack.graph is not None, [each.message for each in stack.diagnostics]
    assert stack.graph.scenario is not None
    joined_board = stack.graph.scenario.board
    grounds = {name: set(features) - {"half"} for name, (_, _, features) in joined_board.hexes.items()}
    assert grounds["1A1"] == {"woods"}
    assert grounds["1A2"] == {"woods", "town", "ford"}
    assert grounds["A-A2"] == {"woods", "town", "ford"}
    assert grounds["1C1"] == {"swamp"}
    assert grounds["1C2"] == {"slope"}
    assert ("1A1", "1A2", ("green",)) in joined_board.sides
    # The boards are joined: hexsides and roads at the edge belong to the hexes of both.
    assert ("1A2", "A-A1", ("gray",)) in joined_board.sides
    assert {("road", "1C2", "A-C1"), ("road", "1B2", "1B3"), ("gully", "1A2", "1B2")} <= set(joined_board.paths)
    assert joined_board.regions["old_mill"]


def test_lost_parts_of_a_board_are_in_the_report(done: ImportReport, tmp_path: Path) -> None:
    labels = {(note.weight, note.subject, note.text) for note in done.notes if note.span.file == "boards/board-01.yaml"}
    assert {(weight, subject) for weight, subject, _ in labels} == {
        (NoteSeverity.LOST, "C3"),  # an unprinted hex
        (NoteSeverity.LOST, "C2"),  # its shore and its second level
    }
    assert len(labels) == 3, labels
    page = (tmp_path / "out" / "import-report.md").read_text()
    assert all(text in page for _, _, text in labels)
    data = json.loads((tmp_path / "out" / "import-report.json").read_text())
    lost = [note for note in done.notes if note.weight is NoteSeverity.LOST]
    assert (data["counts"]["broken"], data["counts"]["lost"]) == (0, len(lost))
    assert {"weight", "file", "line", "column", "subject", "text"} == set(data["notes"][0])


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("width: 3", "width: wide", 2, "whole number"),
        ("width: 3", "width: 3000", 1, "is none"),
        ("base: swamp", "base: lava", 12, "does not know the base `lava`"),
        ("col: 0, row: 2", "col: 0, row: 0", 12, "outside the board, or on another"),
        ("paths: [none, none, none, none, none, none]", "paths: [none]", 7, "six words"),
        ("hexes:", "hexes: [", 5, "YAML"),
        ("board:", "bord:", 1, "a word should stand here"),
        ("board: '01'", "board: 'a/../../../../../evil'", 1, "a board's name should stand here"),
        ("board: '01'", "board: /evil", 1, "a board's name should stand here"),
    ],
)
def test_bad_boards_are_located(tmp_path: Path, old: str, new: str, line: int, message: str) -> None:
    source = facts(tmp_path / "from")
    (source / "boards" / "board-01.yaml").write_text(board("01").replace(old, new, 1))
    done = import_package(source, tmp_path / "out")
    broken = [
        note for note in done.notes if note.weight is NoteSeverity.BROKEN and note.span.file == "boards/board-01.yaml"
    ]
    assert any(message in note.text and note.span.line == line for note in broken), broken
    assert "pl_a" in done.boards


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_nothing_outside_is_read_or_written(tmp_path: Path) -> None:
    source = facts(tmp_path / "inner" / "from")
    (source / "boards" / "board-01.yaml").write_text(board("01").replace("'01'", "'x/../../../../evil'"))
    (tmp_path / "secret.yaml").write_text("secret\n")
    (source / "boards" / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    (source / "scenarios" / "link.yaml").symlink_to("/etc/passwd")
    os.mkfifo(source / "boards" / "pipe.yaml")
    before = {file for file in tmp_path.rglob("*") if file.is_file()}
    done = import_package(source, tmp_path / "inner" / "out")
    assert not list(tmp_path.rglob("evil*"))
    new = {file for file in tmp_path.rglob("*") if file.is_file()} - before
    assert all(file.is_relative_to(tmp_path / "inner" / "out") for file in new)
    text = (tmp_path / "inner" / "out" / "import-report.md").read_text()
    assert "root:" not in text
    assert "`secret" not in text
    links = [note.span.file for note in done.notes if "outside the package" in note.text]
    assert links == ["boards/link.yaml", "scenarios/link.yaml"]
    assert [note.text for note in done.notes if note.span.file == "boards/pipe.yaml"] != []


def test_only_a_folder_of_an_import_is_overwritten(tmp_path: Path) -> None:
    source, out = facts(tmp_path / "from"), tmp_path / "out"
    import_package(source, out)
    (source / "boards" / "board-a.yaml").unlink()
    assert import_package(source, out).boards == ("pb_1",)
    assert not (out / "boards" / "pl_a.yaml").exists()
    (out / "import-report.json").unlink()
    with pytest.raises(UsageError, match="no import wrote it"):
        import_package(source, out)
    with pytest.raises(UsageError, match="none of these"):
        import_package(out / "boards", tmp_path / "other")


def test_another_mapping_is_applied_and_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, mapping = facts(tmp_path / "from"), tmp_path / "mine.yaml"
    mapping.write_text(
        "mapping: mine\nnames: {digits: {board: 'n_{}', hexes: '{}'}, letters: {board: 'x_{}', hexes: ''}}\n"
    )
    assert import_package(source, tmp_path / "out", mapping).boards == ("n_1", "x_a")
    mapping.write_text("mapping: mine\nnames: [a]\n")
    assert run(["import", str(source), "--out", str(tmp_path / "out"), "--mapping", str(mapping)]) == 2
    assert "mine.yaml:2:8: names: keys and values should stand here" in capsys.readouterr().err


def test_large_numbers_of_a_summary_are_grouped() -> None:
    assert TransferCount("counter", "counters", 4217, 1200).text() == "1,200 of 4,217 counters"


def test_the_summary_counts_what_is_lost_and_broken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = facts(tmp_path / "from")
    assert run(["import", str(source), "--out", str(tmp_path / "out")]) == 1
    first = capsys.readouterr().out.splitlines()[0]
    assert first == (
        "1 of 1 situation, 2 of 2 boards, 3 of 5 counters brought over; left behind: 2 counters; "
        "10 things lost or broken; 1 changed"
    )
    (source / "boards" / "board-01.yaml").write_bytes(b"\xff")
    assert run(["import", str(source), "--out", str(tmp_path / "out"), "--format", "json"]) == 1
    # The board and the card that uses it.
    data = json.loads(capsys.readouterr().out)
    assert data["counts"]["broken"] == 2
    assert data["summary"].startswith("0 of 1 situation, 1 of 2 boards")
    assert data["imported"]["boards"] == {"found": 2, "imported": 1}
    assert [(each["subject"], each["text"]) for each in data["left"]] == [
        ("panzer-leader-01", "this board is not in the package; the card was left out")
    ]


def test_the_summary_of_a_complete_import(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "from" / "boards"
    source.mkdir(parents=True)
    paths = "paths: [road, none, none, road, none, none]"
    hexes = f"A1: {{col: 0, row: 0, base: clear, edges: [none, none, none, none, none, none], {paths}}}"
    (source / "board-01.yaml").write_text(f"board: '01'\nwidth: 2\nheight: 1\nhexes:\n  {hexes}\n")
    assert run(["import", str(source.parent), "--out", str(tmp_path / "out")]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first == "0 of 0 situations, 1 of 1 board, 0 of 0 counters brought over; nothing left behind"


def test_an_empty_source_is_not_called_complete(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module = tmp_path / "empty.vmod"
    with zipfile.ZipFile(module, "w") as zipped:
        zipped.writestr("buildFile.xml", '<VASSAL.build.GameModule name="Empty" version="1"/>')
    assert run(["import", str(module), "--out", str(tmp_path / "out")]) == 1
    first = capsys.readouterr().out.splitlines()[0]
    assert first.endswith("brought over; none of these is in the source")
