"""Adapters of other packages are found by their entry points, as those of Rulewright are."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.exchange.records import EXPORTERS, IMPORTERS
from rulewright.serve.cli.app import run
from rulewright.system import entry_points
from rulewright.system.entry_points import find_entry_points

# An adapter for a program whose boards are a column and a row in a text file.
ADAPTER = """
from rulewright.exchange import Exporter, ForeignPackage, Importer, SaveResult, TransferCount

def read_package(source, notes):
    wide, high = source.place.read_text().split()
    board = f"board: grid\\nnumbering: {{style: rrcc, columns: [{wide}, {wide}], rows: {high}, shift: left}}\\n"
    notes.add_changed(source_span(source), "units", "there are none")
    shares = (TransferCount("board", "boards", 1, 1),)
    return ForeignPackage("grid", {"boards/grid.yaml": board}, ("grid",), (), (), shares)

def source_span(source):
    from compiler.source.span import Span
    return Span(source.place.name, 1, 1, 1, 2)

def export_state(state, module, mapping, base):
    from rulewright.exchange import Notes
    return SaveResult(b"pieces", len(state.sheets), Notes())

IMPORTER = Importer("a grid (.grid)", lambda source: source.suffix == ".grid", read_package)
EXPORTER = Exporter(".save", export_state)
"""
NAMES = "[rulewright.importers]\ngrid = grid_adapter:IMPORTER\n[rulewright.exporters]\ngrid = grid_adapter:EXPORTER\n"
Install = Callable[[str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Return a function that puts the adapter with some entry points on the path, as an installer does."""
    packages = tmp_path / "packages"
    described = packages / "grid_adapter-1.0.dist-info"
    described.mkdir(parents=True)
    (packages / "grid_adapter.py").write_text(ADAPTER)
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: grid-adapter\nVersion: 1.0\n")
    monkeypatch.syspath_prepend(packages)
    monkeypatch.delitem(sys.modules, "grid_adapter", raising=False)

    def write_names(names: str) -> None:
        (described / "entry_points.txt").write_text(names)

    return write_names


@pytest.fixture
def grid(tmp_path: Path) -> Path:
    """Return a file of the other program."""
    (tmp_path / "field.grid").write_text("4 3")
    return tmp_path / "field.grid"


def test_an_importer_of_another_package_is_used(
    install: Install, grid: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install(NAMES)
    assert run(["import", str(grid), "--out", str(tmp_path / "mine"), "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["form"], data["boards"], data["complete"]) == ("grid", ["grid"], True)
    assert "units" in (tmp_path / "mine" / "import-report.md").read_text()
    assert (tmp_path / "mine" / "boards" / "grid.yaml").read_text().startswith("board: grid")


def test_without_its_package_a_source_is_refused_with_what_can_be_read(
    grid: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["import", str(grid), "--out", str(tmp_path / "mine")]) == 2
    error = capsys.readouterr().err
    assert "cannot be imported; it is none of these" in error
    assert "a module of VASSAL (a ZIP archive .vmod" in error
    assert "plain facts (a folder with boards/*.yaml, scenarios/*.yaml)" in error
    assert not (tmp_path / "mine").exists()


def test_an_exporter_of_another_package_is_used(
    install: Install, grid: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export = ["export", "ridge_farm", "--module", str(grid), "--out"]
    assert run([*export, str(tmp_path / "a.save")]) == 2
    assert "a.save should end with .vsav" in capsys.readouterr().err
    install(NAMES)
    assert run([*export, str(tmp_path / "a.save")]) == 0
    assert (tmp_path / "a.save").read_bytes() == b"pieces"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("nowhere_at_all:IMPORTER", "cannot be loaded: No module named 'nowhere_at_all'"),
        ("grid_adapter:NOTHING", "cannot be loaded: module 'grid_adapter' has no attribute 'NOTHING'"),
        ("grid_adapter:EXPORTER", "is no Importer"),
    ],
)
def test_a_broken_adapter_is_named(
    install: Install, grid: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], value: str, message: str
) -> None:
    install(f"[rulewright.importers]\nbroken = {value}\n")
    assert run(["import", str(grid), "--out", str(tmp_path / "mine")]) == 2
    error = " ".join(capsys.readouterr().err.split())
    assert f"`broken` ({value}), an entry point of `rulewright.importers`, {message}" in error


def test_saves_are_refused_by_an_importer_without_them(
    install: Install, grid: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install(NAMES)
    assert run(["import", str(grid), str(grid), "--out", str(tmp_path / "mine")]) == 2
    assert "is a grid (.grid), and there are no saves of that" in capsys.readouterr().err


@pytest.mark.parametrize("group", [IMPORTERS, EXPORTERS])
def test_an_installed_package_has_the_entry_points_of_a_clone(
    install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, group: str
) -> None:
    install(f"[{group}]\ngrid = grid_adapter:IMPORTER\n")
    in_clone = find_entry_points(group)
    assert in_clone[0].name == "grid"
    described = tmp_path / "packages" / "rulewright-9.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: rulewright\nVersion: 9\n")
    lines = "".join(f"{entry.name} = {entry.value}\n" for entry in in_clone[1:])
    (described / "entry_points.txt").write_text(f"[{group}]\n{lines}")
    assert find_entry_points(group) == in_clone
    monkeypatch.setattr(entry_points, "PYPROJECT", tmp_path / "pyproject.toml")
    assert [entry.value for entry in find_entry_points(group)] == [entry.value for entry in in_clone]
