"""A damaged, huge or hostile part of a module is reported with its place, and the rest is imported."""

import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.adapters.vassal import archive, atlas
from rulewright.adapters.vassal.save_file import export_state
from rulewright.adapters.vassal.saved_game import BEGIN, END, write_commands
from rulewright.exchange.notes import ImportReport, NoteSeverity
from rulewright.serve.cli.exported_state import state_of
from rulewright.system.errors import UsageError
from runtime.state.position import State
from tests.vassal.invented import (
    RIFLE,
    Packed,
    board,
    brook,
    build_file,
    hex_grid,
    import_vassal_module,
    layer,
    marker,
    numbers,
    palette,
    piece,
    prototype,
    prototypes,
    regions,
    roster,
    save,
    slot,
    window,
    zone,
    zoned,
)


def import_losses(done: ImportReport) -> list[str]:
    """Return the lost and broken parts with their places."""
    return [note.line() for note in done.notes if note.weight in {NoteSeverity.LOST, NoteSeverity.BROKEN}]


ENTITIES = "".join(f'<!ENTITY e{n} "{"".join(f"&e{n - 1};" for _ in range(10))}">' for n in range(1, 10))


@pytest.mark.parametrize(
    ("build", "message"),
    [
        ("", "no element found"),
        ("<a", "unclosed token"),
        ("<a><b></a>", "b.vmod/buildFile.xml:1:9: XML: mismatched tag"),
        (f'<!DOCTYPE a [<!ENTITY e0 "e">{ENTITIES}]><a>&e9;</a>', "declares entities"),
        ('<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>', "declares entities"),
        ("<a>" * 5_000, "an element inside of 400 others"),
        (
            f'<a>\n<b c="{"d" * 1_000_001}"/></a>',
            "b.vmod/buildFile.xml:2:1: XML: the attribute `c` has more than 1,000,000",
        ),
        ("<html/>", "no module of VASSAL begins so"),
        ("<VASSAL.build.module.ModuleExtension/>", "this extends a module"),
        ('<?xml version="1.0" encoding="nonsense"?><a/>', "unknown encoding"),
    ],
)
def test_an_invalid_build_file_is_reported_with_its_place(tmp_path: Path, build: str, message: str) -> None:
    with pytest.raises(UsageError, match=message.replace(".", "\\.")):
        import_vassal_module(Packed(build).write(tmp_path / "b.vmod"), [], tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("member", "message"),
    [
        ("notes.txt", "buildFile.xml: is not in this archive$"),
    ],
)
def test_a_build_file_in_another_place_is_named(tmp_path: Path, member: str, message: str) -> None:
    with zipfile.ZipFile(tmp_path / "b.vmod", "w") as zipped:
        zipped.writestr(member, brook().build)
    with pytest.raises(UsageError, match=message):
        import_vassal_module(tmp_path / "b.vmod", [], tmp_path / "out")


def cut(content: bytes) -> bytes:
    """Truncate to the first half."""
    return content[: len(content) // 2]


@pytest.mark.parametrize("spoil", [cut, lambda _: b"", lambda _: b"PK\3\4", lambda content: content[100:]])
def test_a_damaged_archive_is_reported(tmp_path: Path, spoil: Callable[[bytes], bytes]) -> None:
    path = brook().write(tmp_path / "b.vmod")
    path.write_bytes(spoil(path.read_bytes()))
    with pytest.raises(UsageError, match=r"b\.vmod"):
        import_vassal_module(path, [], tmp_path / "out")


def test_an_archive_with_a_huge_member_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "LARGEST_MEMBER", 2_000_000)
    bomb = tmp_path / "bomb.vsav"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as zipped:
        zipped.writestr("savedGame", b"\0" * 100_000_000)
    source = brook().write(tmp_path / "b.vmod")
    # The first import builds the tables of the parser, whose memory must not be measured.
    import_vassal_module(source, [], tmp_path / "first")
    tracemalloc.start()
    done = import_vassal_module(source, [bomb], tmp_path / "out")
    assert tracemalloc.get_traced_memory()[1] < 30_000_000
    tracemalloc.stop()
    assert any("bomb.vsav:1:1: savedGame: has more than 2,000,000 bytes" in each for each in import_losses(done))
    assert done.boards == ("brook", "brook_boxes")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_compression_than_that_of_vassal_is_refused(tmp_path: Path, method: int) -> None:
    """Python would decompress such a member as a whole: two kilobytes to gigabytes."""
    with zipfile.ZipFile(tmp_path / "b.vmod", "w", method) as zipped:
        zipped.writestr("buildFile.xml", brook().build)
    with pytest.raises(UsageError, match=f"buildFile.xml: cannot be read: it is compressed by method {method}"):
        import_vassal_module(tmp_path / "b.vmod", [], tmp_path / "out")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_member_that_comes_twice_is_reported(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "b.vmod", "w") as zipped:
        zipped.writestr("buildFile.xml", brook().build)
        zipped.writestr("buildFile.xml", build_file(name="Other"))
    done = import_vassal_module(tmp_path / "b.vmod", [], tmp_path / "out")
    assert "b.vmod:1:1: buildFile.xml: is more than once in this archive; the last one is read" in import_losses(done)


def test_boards_beyond_the_cells_of_a_module_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atlas, "MOST_ATLAS_CELLS", 10)
    build = build_file(roster("Red"), window("Main", [board("One", hex_grid()), board("Two", hex_grid())]))
    done = import_vassal_module(Packed(build).write(tmp_path / "b.vmod"), [], tmp_path / "out")
    assert done.boards == ("one_map",)
    assert any("Two: its module has more than 10 cells before it" in each for each in import_losses(done))


def test_names_cannot_lead_out_of_a_module(tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(brook().members["images/brook.png"])
    build = build_file(window("Main", [board("One", hex_grid(), image="../../secret.png")]))
    done = import_vassal_module(Packed(build).write(tmp_path / "module.vmod"), [], tmp_path / "out")
    assert any("`../../secret.png` is missing" in each for each in import_losses(done))
    assert not any("secret" in each.name for each in (tmp_path / "out").rglob("*"))
    with zipfile.ZipFile(tmp_path / "b.vmod", "w") as zipped:
        zipped.writestr("../../evil.txt", "x")
        zipped.writestr("buildFile.xml", build.replace('name="Brook"', 'name="../../evil"'))
    import_vassal_module(tmp_path / "b.vmod", [], tmp_path / "other")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["b.vmod", "module.vmod", "other", "out", "secret.png"]
    assert [each.name for each in (tmp_path / "other" / "layers").iterdir()] == ["evil"]


@pytest.mark.parametrize(
    ("grid", "size", "message"),
    [
        (hex_grid(numbers(), dx=4.5, dy=4.5), 150_000, "more than 12,000 cells"),
        (hex_grid(numbers(), dx="nan"), 300, "has cells of nan by 40.0 pixels"),
        (hex_grid(numbers(), dx=0), 300, "has cells of 0 by 40.0 pixels"),
        (hex_grid(numbers(), dx="1e400", dy="-3"), 300, "has cells of 1e400 by -3 pixels"),
        (hex_grid(numbers(), dx=10, dy=40), 2_000, "more than 120 columns or rows"),
        (regions(**{f"R{n}": (n, n) for n in range(6_000)}), 300, "has 6,000 regions"),
        (hex_grid(numbers(hOff="9" * 400)), 300, ""),
        (zone("Odd", "1,2;3"), 300, ""),
        (zoned(*(zone(f"Z{n}", "1,2;3,4;5,7") for n in range(2_001))), 300, "more than 2,000 zones"),
        (zoned(zone("Long", ";".join(f"{n},{n * n % 90}" for n in range(10_001)))), 300, "or 10,000 corners of zones"),
    ],
)
def test_huge_and_invalid_grids_are_left_out_with_their_place(
    tmp_path: Path, grid: str, size: int, message: str
) -> None:
    counters = palette(slot("Rifle", *RIFLE, gpid="1"))
    build = build_file(
        roster("Red"), prototypes(Unit=piece("")), counters, window("Main", [board("One", grid, width=size)])
    )
    done = import_vassal_module(Packed(build).write(tmp_path / "b.vmod"), [], tmp_path / "out")
    assert not message or any(message in each and "b.vmod/buildFile.xml:6:" in each for each in import_losses(done)), (
        import_losses(done)
    )
    assert "rifle" in (tmp_path / "out" / "layers" / "brook" / "counters.yaml").read_text()


def test_invalid_pieces_are_reported_and_the_others_imported(tmp_path: Path) -> None:
    deep = [marker(f"M{n}", n) for n in range(400)]
    loop = {"A": piece("", prototype("B")), "B": piece("", prototype("A")), "C": "+/null/what"}
    slots = [
        slot("Deep", *deep, gpid="1"), slot("Loop", prototype("A"), prototype("Z"), gpid="2"), slot("Rifle", gpid="3"),
        slot("Wide", layer(*(f"l{n}" for n in range(200)), name="Many"), gpid="4"),
        slot("", gpid=""), slot("Ω", gpid="5"), slot("a\tb\x1bc".replace("\x1b", " "), gpid="6"),
    ]  # fmt: skip
    build = build_file(roster("Red"), prototypes(**loop), palette(*slots), window("Main", [board("One", hex_grid())]))
    done = import_vassal_module(Packed(build).write(tmp_path / "b.vmod"), [], tmp_path / "out")
    lines = import_losses(done)
    assert any("Deep: this counter cannot be read" in each for each in lines)
    assert any("A: it holds itself, or too many others" in each for each in lines)
    assert any("C: this prototype cannot be read" in each for each in lines)
    assert any("Many: this layer has 200 levels" in each for each in lines)
    assert done.record()["imported"]["counters"] == {"found": 7, "imported": 6}


def test_prototypes_that_double_are_left_out(tmp_path: Path) -> None:
    doubling = {f"P{n}": piece("", prototype(f"P{n + 1}"), prototype(f"P{n + 1}")) for n in range(40)}
    slots = [slot("Rifle", prototype("P0"), gpid="1")]
    build = build_file(
        roster("Red"), prototypes(**doubling), palette(*slots), window("Main", [board("One", hex_grid())])
    )
    done = import_vassal_module(Packed(build).write(tmp_path / "b.vmod"), [], tmp_path / "out")
    assert any("it holds itself, or too many others" in each for each in import_losses(done))


def truncated() -> bytes:
    """Return a saved game that ends in its second piece."""
    return write_commands([BEGIN, piece("Rifle", *RIFLE, gpid="1", place=("Main", 40, 29), number="1"), "+/2/pie"], {})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (truncated(), "breaks off after 3 commands, before `end_save`"),
        (truncated(), "dawn.vsav/savedGame:3:1: a piece: this command is cut off"),
        (save("+/9/stack/Main;x;y;1;2"), ""),
        (save("+/9/deck;a/Main;1;2;false;1,2,3"), ""),
        (save("MainBoardPicker\tNowhere\t99999999999\t-3"), "Nowhere: `Main` has no board of this name"),
        (save("\x1b".join(["x"] * 10)), ""),
        (write_commands(["hello"], {}), "does not begin with `begin_save`"),
    ],
)
def test_a_damaged_save_is_reported_and_its_readable_part_imported(
    tmp_path: Path, content: bytes, message: str
) -> None:
    (tmp_path / "dawn.vsav").write_bytes(content)
    done = import_vassal_module(brook().write(tmp_path / "b.vmod"), [tmp_path / "dawn.vsav"], tmp_path / "out")
    assert not message or any(message in each for each in import_losses(done)), import_losses(done)
    if "breaks off" in message:
        assert 'type: rifle, at: "0101"' in (tmp_path / "out" / "positions" / "dawn.yaml").read_text()


@pytest.mark.parametrize(
    "raw", [b"!VCSK", b"!VCSKzz", b"!VCSK5A5", b"!VCSK5Aabcg", b"VOBS", b"\xfd7zXZ\x00junk", b"\xff" * 40]
)
def test_bytes_that_are_no_saved_game_are_reported(tmp_path: Path, raw: bytes) -> None:
    with zipfile.ZipFile(tmp_path / "dawn.vsav", "w") as zipped:
        zipped.writestr("savedGame", raw)
    done = import_vassal_module(brook().write(tmp_path / "b.vmod"), [tmp_path / "dawn.vsav"], tmp_path / "out")
    assert any("dawn.vsav/savedGame:1:1" in each for each in import_losses(done)), import_losses(done)
    assert done.is_incomplete


@pytest.mark.parametrize("content", [b"no archive", save()])
def test_a_save_that_no_set_up_names_is_reported(tmp_path: Path, content: bytes) -> None:
    module = brook().write(tmp_path / "b.vmod", {"dusk.vsav": content})
    done = import_vassal_module(module, [], tmp_path / "out")
    assert any("dusk.vsav: no set-up of the module names this save" in each for each in import_losses(done))
    assert done.is_incomplete


def test_the_steps_of_a_log_are_reported(tmp_path: Path) -> None:
    rifle = piece("Rifle", *RIFLE, gpid="1", place=("Main", 40, 29), number="1")
    log = tmp_path / "dawn.vlog"
    log.write_bytes(write_commands([BEGIN, rifle, END, "LOG\tCHAT<one>", "LOG\tCHAT<two>"], {}))
    done = import_vassal_module(brook().write(tmp_path / "b.vmod"), [log], tmp_path / "out")
    assert any("the 2 steps of this log are left out: the position is its beginning" in x for x in import_losses(done))


@pytest.mark.parametrize("name", ["Brook", "", "Creek"])
def test_a_save_of_another_module_is_reported(tmp_path: Path, name: str) -> None:
    """Its ids name other counters here; a save without a module name is not reported."""
    data = f"<data><name>{name}</name></data>".encode()
    content = write_commands([BEGIN, piece("Rifle", gpid="1", place=("Main", 100, 89)), END], {"moduledata": data})
    module, save_file, package = brook().write(tmp_path / "b.vmod"), tmp_path / "day.vsav", tmp_path / "package"
    save_file.write_bytes(content)
    notice = (
        "day.vsav:1:1: moduledata: this save is of the module `Creek`: its pieces are taken for counters of `Brook`"
    )
    losses = import_losses(import_vassal_module(module, [save_file], package))
    assert any(each.startswith(notice) for each in losses) == (name == "Creek")
    state = state_of(str(package / "positions" / "day.yaml"), None, (package,))
    assert isinstance(state, State)
    written = export_state(state, module, package / "mapping.yml", save_file)
    assert any(each.line().startswith(notice) for each in written.notes.entries) == (name == "Creek")
