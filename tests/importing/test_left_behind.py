"""Every part of a package that is not imported is in the report: odd files, odd names, and duplicates."""

import codecs
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.exchange import ImportReport, NoteSeverity, import_package
from rulewright.system.errors import UsageError
from tests.importing.invented import SITUATION, facts, module, written

SCENARIOS = "Modules/Test/Scenarios/PanzerLeader"


def shares(done: ImportReport) -> dict[str, tuple[int, int]]:
    """Return the number of items and of imported items, by kind."""
    return {share.plural: (share.total, share.imported) for share in done.shares}


def note_texts(done: ImportReport, *weights: NoteSeverity) -> list[str]:
    """Return the notes of some severities as text."""
    return [f"{note.subject}: {note.text}" for note in done.notes if note.weight in weights]


def altered(source: Path, change: Callable[[bytes], bytes]) -> Path:
    """Rewrite every text of a package with a function of its bytes."""
    for file in source.rglob("*"):
        if file.suffix in (".blk", ".yaml"):
            file.write_bytes(change(file.read_bytes()))
    return source


ENCODINGS: dict[str, Callable[[bytes], bytes]] = {
    "a mark": lambda raw: codecs.BOM_UTF8 + raw,
    "lines of Windows": lambda raw: raw.replace(b"\n", b"\r\n"),
    "both": lambda raw: codecs.BOM_UTF8 + raw.replace(b"\n", b"\r\n"),
    "lines of old Macs": lambda raw: raw.replace(b"\n", b"\r"),
}


@pytest.mark.parametrize("change", ENCODINGS.values(), ids=ENCODINGS)
@pytest.mark.parametrize("form", [facts, module])
def test_encodings_and_line_ends_do_not_change_the_import(
    tmp_path: Path, form: Callable[[Path], Path], change: Callable[[bytes], bytes]
) -> None:
    usual = import_package(form(tmp_path / "usual"), tmp_path / "one")
    other = import_package(altered(form(tmp_path / "other"), change), tmp_path / "two")
    assert shares(other) == shares(usual) == {"situations": (1, 1), "boards": (2, 2), "counters": (5, 3)}
    for name in usual.files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_a_text_of_another_encoding_is_reported(tmp_path: Path) -> None:
    source = module(tmp_path / "module")
    file = source / SCENARIOS / "Scenario_01.blk"
    file.write_bytes(SITUATION.replace("The Mill", "Die Mühle").encode("windows-1252"))
    done = import_package(source, tmp_path / "out")
    assert done.cards == ()
    assert any("Scenario_01.blk" in each and "UTF-8" in each for each in note_texts(done, NoteSeverity.BROKEN)), (
        done.notes
    )


def test_a_name_is_not_cut_at_a_dot(tmp_path: Path) -> None:
    source = module(tmp_path / "module")
    text = SITUATION.replace("old-mill", "st.-old.mill").replace(
        "unit-configurations.walker", "unit-configurations.8.8cm"
    )
    text = text.replace("{ Maps/board-01.map }", r"{ Maps\board-01.map }")
    written(source, {f"{SCENARIOS}/Scenario_01.5.blk": text})
    done = import_package(source, tmp_path / "out")
    assert set(done.cards) == {"opb_panzer_leader_01", "opb_panzer_leader_01_5"}
    assert shares(done)["counters"] == (6, 3)
    assert any("st.-old.mill" in each for each in note_texts(done, NoteSeverity.BROKEN, NoteSeverity.LOST))
    assert any(each.startswith("8.8cm: ") for each in note_texts(done, NoteSeverity.LOST))


# Files that are added to a module, and a part of the note that the report must have.
ODD: dict[str, tuple[dict[str, str], str]] = {
    "an empty file": ({f"{SCENARIOS}/Scenario_02.blk": ""}, "Scenario_02.blk: nothing stands in this file"),
    "a mark and nothing else": ({f"{SCENARIOS}/Scenario_02.blk": "\ufeff"}, "nothing stands in this file"),
    "something else": ({f"{SCENARIOS}/Scenario_02.blk": "map:_ { byte:wide { 3 } }"}, "map: no situation"),
    "words behind": ({f"{SCENARIOS}/Scenario_02.blk": f"{SITUATION} turn"}, "should stand here, not `turn`"),
    "capitals": ({f"{SCENARIOS}/SCENARIO_01.BLK": SITUATION}, "another situation has become `opb_panzer_leader_01`"),
    "rules of its own": (
        {f"{SCENARIOS}/Scenario_02.blk": SITUATION.replace("{", "{ scenario-rules:rules { bool:fog { true } }", 1)},
        "rules: this is not carried over",
    ),
    "a part twice": (
        {f"{SCENARIOS}/Scenario_02.blk": SITUATION.replace("byte:turns { 2 }", "byte:turns { 2 } byte:turns { 9 }")},
        "turns: stands twice in `_`; the first holds",
    ),
}


@pytest.mark.parametrize(("files", "wanted"), ODD.values(), ids=ODD)
def test_a_part_that_is_not_imported_is_noted(tmp_path: Path, files: dict[str, str], wanted: str) -> None:
    source = written(module(tmp_path / "module"), files)
    done = import_package(source, tmp_path / "out")
    assert any(wanted in each for each in note_texts(done, NoteSeverity.BROKEN, NoteSeverity.LOST)), done.notes
    assert done.is_incomplete
    assert "opb_panzer_leader_01" in done.cards


def test_the_name_of_a_file_sends_no_control_characters_to_a_terminal(tmp_path: Path) -> None:
    """Nor does it begin a line of its own, which could look like another note."""
    source = written(module(tmp_path / "module"), {f"{SCENARIOS}/\x1b[31mred\n.blk": SITUATION + "|"})
    done = import_package(source, tmp_path / "out")
    lines = [note.line() for note in done.notes]
    assert any("/·[31mred·.blk:" in each for each in lines), lines
    page = (tmp_path / "out" / "import-report.md").read_text(encoding="utf-8")
    assert all(each.isprintable() for each in (*lines, *page.splitlines()))


def test_an_unreadable_situation_is_counted_as_left_out(tmp_path: Path) -> None:
    source = written(module(tmp_path / "module"), {f"{SCENARIOS}/Scenario_02.blk": "scenario:_ {"})
    done = import_package(source, tmp_path / "out")
    assert shares(done)["situations"] == (2, 1)
    assert done.summary().startswith("1 of 2 situations, 2 of 2 boards")


def test_counts_of_a_unit_in_a_group_are_added(tmp_path: Path) -> None:
    source = module(tmp_path / "module")
    line = "unit-count:_ { !unit-configuration:unit-configuration { unit-configurations.m-5 } int:count { 2 } }"
    assert line in SITUATION
    written(source, {f"{SCENARIOS}/Scenario_01.blk": SITUATION.replace(line, f"{line}\n{line}")})
    done = import_package(source, tmp_path / "out")
    assert "{m5: 4}" in (tmp_path / "out" / "scenarios" / f"{done.cards[0]}.yaml").read_text()


def test_a_condition_with_an_unknown_part_is_not_imported(tmp_path: Path) -> None:
    source = module(tmp_path / "module")
    whole = "units-destroyed-objective:killed { bool:honestly { true } }"
    written(source, {f"{SCENARIOS}/Scenario_01.blk": SITUATION.replace("units-destroyed-objective:killed { }", whole)})
    done = import_package(source, tmp_path / "out")
    assert any("units-destroyed-objective with honestly" in each for each in note_texts(done, NoteSeverity.LOST))


def test_an_edited_import_is_not_overwritten(tmp_path: Path) -> None:
    source, out = facts(tmp_path / "from"), tmp_path / "out"
    card = out / "scenarios" / f"{import_package(source, out).cards[0]}.yaml"
    (out / "scenarios" / "mine.yaml").write_text("scenario: mine\n")
    import_package(source, out)
    assert (out / "scenarios" / "mine.yaml").exists()
    card.write_text(card.read_text() + "# mine\n")
    with pytest.raises(UsageError, match="was changed after it was imported"):
        import_package(source, out)
    assert card.read_text().endswith("# mine\n")
