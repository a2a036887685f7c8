"""Every part of a package that is not imported is in the report: odd files, odd names, and duplicates."""

import codecs
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.exchange import ImportReport, NoteSeverity, import_package
from rulewright.system.errors import UsageError
from tests.importing.invented import CARD, board, facts, written


def shares(done: ImportReport) -> dict[str, tuple[int, int]]:
    """Return the number of items and of imported items, by kind."""
    return {share.plural: (share.total, share.imported) for share in done.shares}


def note_texts(done: ImportReport, *weights: NoteSeverity) -> list[str]:
    """Return the notes of some severities as text."""
    return [f"{note.subject}: {note.text}" for note in done.notes if note.weight in weights]


def altered(source: Path, change: Callable[[bytes], bytes]) -> Path:
    """Rewrite every text of a package with a function of its bytes."""
    for file in source.rglob("*"):
        if file.suffix == ".yaml":
            file.write_bytes(change(file.read_bytes()))
    return source


ENCODINGS: dict[str, Callable[[bytes], bytes]] = {
    "a mark": lambda raw: codecs.BOM_UTF8 + raw,
    "lines of Windows": lambda raw: raw.replace(b"\n", b"\r\n"),
    "both": lambda raw: codecs.BOM_UTF8 + raw.replace(b"\n", b"\r\n"),
    "lines of old Macs": lambda raw: raw.replace(b"\n", b"\r"),
}


@pytest.mark.parametrize("change", ENCODINGS.values(), ids=ENCODINGS)
def test_encodings_and_line_ends_do_not_change_the_import(tmp_path: Path, change: Callable[[bytes], bytes]) -> None:
    usual = import_package(facts(tmp_path / "usual"), tmp_path / "one")
    other = import_package(altered(facts(tmp_path / "other"), change), tmp_path / "two")
    assert shares(other) == shares(usual) == {"situations": (1, 1), "boards": (2, 2), "counters": (5, 3)}
    for name in usual.files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_a_text_of_another_encoding_is_reported(tmp_path: Path) -> None:
    source = facts(tmp_path / "facts")
    (source / "scenarios" / "one.yaml").write_bytes(CARD.replace("The Mill", "Die Mühle").encode("windows-1252"))
    done = import_package(source, tmp_path / "out")
    assert done.cards == ()
    assert any("one.yaml" in each and "UTF-8" in each for each in note_texts(done, NoteSeverity.BROKEN)), done.notes


# Files that are added to a package, and a part of the note that the report must have.
ODD: dict[str, tuple[dict[str, str], str]] = {
    "an empty file": ({"scenarios/two.yaml": ""}, "two.yaml: nothing stands in this file"),
    "a mark and nothing else": ({"scenarios/two.yaml": "\ufeff"}, "nothing stands in this file"),
    "something else": ({"scenarios/two.yaml": "[wide, high]"}, "keys and values should stand here"),
    "another ending": ({"scenarios/TWO.YML": CARD}, "another situation has become `opb_panzer_leader_01`"),
    "a board twice": ({"boards/board-1.yaml": board("1")}, "there is another board `pb_1`, in boards/board-01.yaml"),
    "a mark of a group": (
        {
            "scenarios/two.yaml": CARD.replace("leader-01", "leader-02").replace(
                "name: Column", "name: Column\n    fog: 1"
            )
        },
        "fog: this mark of a group is not carried over",
    ),
}


@pytest.mark.parametrize(("files", "wanted"), ODD.values(), ids=ODD)
def test_a_part_that_is_not_imported_is_noted(tmp_path: Path, files: dict[str, str], wanted: str) -> None:
    source = written(facts(tmp_path / "facts"), files)
    done = import_package(source, tmp_path / "out")
    assert any(wanted in each for each in note_texts(done, NoteSeverity.BROKEN, NoteSeverity.LOST)), done.notes
    assert done.is_incomplete
    assert "opb_panzer_leader_01" in done.cards


def test_the_name_of_a_file_sends_no_control_characters_to_a_terminal(tmp_path: Path) -> None:
    """Nor does it begin a line of its own, which could look like another note."""
    source = written(facts(tmp_path / "facts"), {"scenarios/\x1b[31mred\n.yaml": "[wide"})
    done = import_package(source, tmp_path / "out")
    lines = [note.line() for note in done.notes]
    assert any("/·[31mred·.yaml:" in each for each in lines), lines
    page = (tmp_path / "out" / "import-report.md").read_text(encoding="utf-8")
    assert all(each.isprintable() for each in (*lines, *page.splitlines()))


def test_an_unreadable_situation_is_counted_as_left_out(tmp_path: Path) -> None:
    source = written(facts(tmp_path / "facts"), {"scenarios/two.yaml": "scenario: {"})
    done = import_package(source, tmp_path / "out")
    assert shares(done)["situations"] == (2, 1)
    assert done.summary().startswith("1 of 2 situations, 2 of 2 boards")


@pytest.mark.parametrize("seed", range(3))
def test_mutants_of_a_package_raise_no_exception(tmp_path: Path, seed: int) -> None:
    """Mutants of boards and situations are imported, or noted with their file."""
    dice, source = random.Random(seed), facts(tmp_path / "facts")
    whole = {name: (source / name).read_bytes() for name in ("boards/board-01.yaml", "scenarios/one.yaml")}
    for number in range(8):
        for name, content in whole.items():
            raw = bytearray(content)
            for _ in range(dice.randint(1, 6)):
                at = dice.randrange(len(raw))
                raw[at : at + dice.choice((0, 1, 1, 4))] = dice.randbytes(dice.choice((0, 1, 1, 4)))
            (source / name).write_bytes(raw)
        done = import_package(source, tmp_path / f"out{number}")
        assert all(note.span.file for note in done.notes)


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
