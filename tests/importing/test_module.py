"""A module is imported to the same files as its plain facts; malformed files are located errors."""

import gzip
import random
import struct
from pathlib import Path

import pytest

from rulewright.exchange import ImportReport, NoteSeverity, import_package
from tests.importing.invented import SITUATION, board_bytes, facts, module


def package(folder: Path) -> dict[str, str]:
    """Read the files of an import, except its report."""
    return {p.relative_to(folder).as_posix(): p.read_text() for p in folder.rglob("*.yaml")}


def broken(done: ImportReport) -> list[tuple[str, int, str]]:
    """Return file, line and text of the errors of an import."""
    return [(note.span.file, note.span.line, note.text) for note in done.notes if note.weight is NoteSeverity.BROKEN]


@pytest.mark.parametrize("flagged", [True, False])
def test_a_module_and_its_facts_give_the_same_files(tmp_path: Path, flagged: bool) -> None:
    plain = import_package(facts(tmp_path / "facts"), tmp_path / "one")
    done = import_package(module(tmp_path / "module", flagged=flagged), tmp_path / "two")
    assert not broken(done)
    assert (done.form, plain.form) == ("module", "facts")
    assert done.cards == plain.cards == ("opb_panzer_leader_01",)
    assert package(tmp_path / "two") == package(tmp_path / "one")


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("{ The Mill: A Test }", "{ The Mill", 1, "does not end"),
        ("byte:turns { 2 }", "byte:turns { 2 } }", 92, "no block ends here"),
        ("byte:turns {", "turns {", 5, "`type:name`"),
        ("byte:turns { 2 }", "byte:turns { many }", 5, "whole number"),
        ("{ old-mill }", "{ new-mill }", 20, "has a region"),
        ("{ 0,0 2,0, 2,3 0,3 }", "{ 0,0 2 }", 75, "pairs of column and row"),
        ("board-a.map", "board-z.map", 10, "not in the package"),
    ],
)
def test_bad_situations_are_located(tmp_path: Path, old: str, new: str, line: int, message: str) -> None:
    source = module(tmp_path / "module")
    file = source / "Modules" / "Test" / "Scenarios" / "PanzerLeader" / "Scenario_01.blk"
    assert old in SITUATION
    file.write_text(SITUATION.replace(old, new, 1))
    found = broken(import_package(source, tmp_path / "out"))
    assert any(message in text and at == line and name.endswith("Scenario_01.blk") for name, at, text in found), found


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", "breaks off"),
        (struct.pack("<ii", 0, 3), "without hexes"),
        (struct.pack("<ii", 3, 2_000_000_000), "not between"),
        (struct.pack("<ii", 3, -1), "not between"),
        (board_bytes(flagged=True) + b"x", "the file does not"),
        (board_bytes(flagged=True)[:-1], "breaks off"),
    ],
)
def test_bad_boards_are_located(tmp_path: Path, raw: bytes, message: str) -> None:
    source = module(tmp_path / "module")
    (source / "Maps" / "board-01.map").write_bytes(gzip.compress(raw))
    found = broken(import_package(source, tmp_path / "out"))
    assert any(name == "Maps/board-01.map" and message in text and "at byte" in text for name, _, text in found), found


AREA = """\
\t\t\t\t\ttile-matches-all:matcher {
\t\t\t\t\t\ttile-within:_ { zone:zone { 0,0 2,0, 2,3 0,3 } }
\t\t\t\t\t\ttile-not:_ { tile-has-base:matcher { tile-base:base { swamp } } }
\t\t\t\t\t}
"""
FIRE = "line-of-fire-objective:prettier { bool:friendly { false } bool:break-through { true } byte:width { 3 } }"


def test_missing_parts_of_a_module_have_the_defaults_of_its_program(tmp_path: Path) -> None:
    source = module(tmp_path / "module")
    assert AREA in SITUATION
    text = SITUATION.replace(AREA, "").replace("furthest-advance-objective:prettier { }", FIRE)
    (source / "Modules" / "Test" / "Scenarios" / "PanzerLeader" / "Scenario_01.blk").write_text(text)
    done = import_package(source, tmp_path / "out")
    card = (tmp_path / "out" / "scenarios" / "opb_panzer_leader_01.yaml").read_text()
    assert "sets_up: {boards: [pb_1, pl_a]}" in card
    assert 'decisive: "way_through(german, scenario.west_edge, scenario.east_edge)"' in card
    assert not [note for note in done.notes if note.subject in ("Garrison", "allied decisive")]


def test_a_compression_bomb_is_refused(tmp_path: Path) -> None:
    source = module(tmp_path / "module")
    (source / "Maps" / "board-01.map").write_bytes(gzip.compress(b"\0" * 100_000_000))
    (source / "Maps" / "board-a.map").write_bytes(b"no board")
    texts = [text for _, _, text in broken(import_package(source, tmp_path / "out"))]
    assert any("the board is too large" in text for text in texts)
    assert any("this is no packed board" in text for text in texts)


@pytest.mark.parametrize("seed", range(3))
def test_mutants_of_a_module_raise_no_exception(tmp_path: Path, seed: int) -> None:
    """Mutants of boards and situations are imported, or noted with their file."""
    dice, source = random.Random(seed), module(tmp_path / "module")
    situation = source / "Modules" / "Test" / "Scenarios" / "PanzerLeader" / "Scenario_01.blk"
    whole = board_bytes(flagged=True)
    for number in range(8):
        raw, text = bytearray(whole), bytearray(SITUATION.encode())
        for part in (raw, text):
            for _ in range(dice.randint(1, 6)):
                at = dice.randrange(len(part))
                part[at : at + dice.choice((0, 1, 1, 4))] = dice.randbytes(dice.choice((0, 1, 1, 4)))
        (source / "Maps" / "board-01.map").write_bytes(gzip.compress(bytes(raw)))
        situation.write_bytes(bytes(text))
        done = import_package(source, tmp_path / f"out{number}")
        assert all(note.span.file for note in done.notes)
