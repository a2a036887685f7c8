"""Reading of VASSAL's formats: nested lists, pieces, saves in each of their encodings, grids and their numbers."""

import lzma
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulewright.adapters.vassal.archive import open_archive
from rulewright.adapters.vassal.board_sizes import picture_size
from rulewright.adapters.vassal.counter_conversion import piece_faces
from rulewright.adapters.vassal.grid_reading import read_grid
from rulewright.adapters.vassal.grids import CellNumbering, HexGrid
from rulewright.adapters.vassal.module_parts import read_module
from rulewright.adapters.vassal.piece_traits import read_piece
from rulewright.adapters.vassal.saved_game import BEGIN, END, read_commands
from rulewright.adapters.vassal.sequences import join_list, join_nested, split_list, split_nested
from rulewright.adapters.vassal.xml_tree import parse_xml
from rulewright.exchange.notes import Notes
from tests.vassal.invented import GRIDS, brook, counted, hex_grid, layer, marker, piece, png, save

# On a busy machine the duration of a case is no measure of its cost.
BUSY = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

TEXTS = st.text(alphabet="ab;,'\\\t/", max_size=8)


@BUSY
@given(st.lists(TEXTS, min_size=1, max_size=5))
def test_a_list_survives_joining_and_splitting(members: list[str]) -> None:
    # A member that ends with the escape character swallows the separator after it, in VASSAL too.
    whole = [each.rstrip("\\'") for each in members]
    assert split_list(join_list(whole, ";"), ";") == whole


@BUSY
@given(st.lists(st.text(alphabet="ab;,\t/", max_size=8), min_size=1, max_size=9))
def test_nested_lists_survive_joining_and_splitting(members: list[str]) -> None:
    members[-1] = members[-1].replace("\t", "")  # The innermost member, a basic piece, has no tabs.
    assert split_nested(join_nested(members), 9) == members
    assert len(members) < 2 or split_nested(join_nested(members), len(members) - 1) is None


def test_a_piece_has_traits_properties_and_faces() -> None:
    traits = [
        marker("Side", "Red"),
        counted("Shells", 4),
        layer("", "worn", name="Steps", level=2),
        layer("smoke", name="Smoke", always=False, level=-1),
        layer("flag", always=False, level=1),
    ]
    found = read_piece(piece("Rifle, old", *traits, gpid="12", place=("Main", 40, 50), number="77"))
    assert found
    assert (found.id, found.name, found.gpid, found.place) == ("77", "Rifle, old", "12", ("Main", 40, 50))
    assert found.properties() == {"Side": "Red"}
    assert found.notes() == {"Shells": (1, "4")}
    assert [*piece_faces(found)] == ["Steps/worn", "layer/flag"]
    assert found.command() == piece("Rifle, old", *traits, gpid="12", place=("Main", 40, 50), number="77")
    assert found.with_place("", 1, 2).place == ("", 1, 2)


def content(text: str, form: str) -> bytes:
    """Return a saved game in one of VASSAL's encodings."""
    raw = text.encode()
    match form:
        case "digits":
            return b"!VCSK2A" + bytes(byte ^ 0x2A for byte in raw).hex().upper().encode()
        case "bytes":
            return b"VOBS\x2a" + bytes(byte ^ 0x2A for byte in raw)
        case "packed":
            return lzma.compress(raw)
        case _:
            return raw


@pytest.mark.parametrize("form", ["digits", "bytes", "packed", "plain"])
def test_a_save_is_read_in_every_encoding(tmp_path: Path, form: str) -> None:
    inner = join_list(
        ["", piece("Rifle é", number="1"), join_list([piece("Gun", number="2"), "UNMASK\tnull"], "\x1b")], "\x1b"
    )
    text = join_list([BEGIN, inner, "PLAYER\tx\ty\tRed", END], "\x1b")
    with zipfile.ZipFile(tmp_path / "game.vsav", "w") as zipped:
        zipped.writestr("savedGame", content(text, form))
    notes = Notes()
    commands = read_commands(open_archive(tmp_path / "game.vsav"), notes)
    assert commands
    assert not notes.entries
    assert [each.text.partition("\t")[0][:3] for each in commands] == ["beg", "+/1", "+/2", "UNM", "PLA", "end"]
    rifle = read_piece(commands[1].text)
    assert rifle
    assert rifle.name == "Rifle é"


def test_a_save_is_written_obfuscated_and_reproducibly() -> None:
    command = piece("Rifle", marker("Side", "Red"), number="1")
    with zipfile.ZipFile(BytesIO(save(command))) as zipped:
        assert zipped.read("savedGame").startswith(b"!VCSK")
    assert save(command) == save(command)


def test_missing_numbers_are_those_of_vassal() -> None:
    """An editor of modules writes no attribute that it has not changed."""
    notes = Notes()
    element = parse_xml(f"<Board>{hex_grid(f'<{GRIDS}.mapgrid.HexGridNumbering/>')}</Board>".encode(), "x", notes)
    assert element is not None
    grid = read_grid(element, (330, 200), notes)
    assert isinstance(grid, HexGrid)
    assert (grid.name((0, 0)), grid.name((1, 0)), grid.name((10, 4))) == ("0101", "0202", "1105")


def numbering(**changed: object) -> CellNumbering:
    """Return a numbering of four digits, the column first, both from 1."""
    given = {
        "column_style": "N", "row_style": "N", "column_digits": 1, "row_digits": 1, "column_start": 1, "row_start": 1,
        "is_column_descending": False, "is_row_descending": False, "first": "H", "separator": "", "is_staggered": False,
        "format": "$gridLocation$",
    }  # fmt: skip
    return CellNumbering(**{**given, **changed})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changed", "is_reversed", "name"),
    [
        ({}, False, "0403"),
        ({"first": "V"}, False, "0304"),
        ({"is_staggered": True}, False, "0404"),
        ({"column_style": "A", "column_start": 0, "row_digits": 0}, False, "D3"),
        ({"column_style": "A", "column_start": 25, "separator": "-", "row_digits": 0}, False, "CC-3"),
        # VASSAL counts as many rows as hexes are wide: 200 / 60, rounded.
        ({"is_row_descending": True}, False, "0402"),
        ({"is_row_descending": True, "is_staggered": True}, False, "0401"),
        ({"format": "hex $gridLocation$ ($column$ by $row$)"}, False, "hex 0403 (04 by 03)"),
        ({"column_start": -3, "column_style": "A"}, False, "A03"),
    ],
)
def test_hexes_have_the_names_of_the_map(changed: dict[str, object], is_reversed: bool, name: str) -> None:
    grid = HexGrid(60.0, 40.0, (30, 19), is_reversed, numbering(**changed), (330, 200))
    assert grid.name((3, 2)) == name


@pytest.mark.parametrize("is_reversed", [False, True])
@pytest.mark.parametrize("odd", [(30, 19), (-2, -14)])
def test_points_near_a_center_are_in_its_hex(odd: tuple[int, int], is_reversed: bool) -> None:
    grid = HexGrid(55.4, 64.0, odd, is_reversed, None, (600, 500))
    cells = list(grid.cells((0, 0, 600, 500)))
    assert len(cells) == len(set(cells)) > 60
    for cell in cells:
        x, y = grid.middle(cell)
        assert all(grid.cell((x + a, y + b)) == cell for a, b in ((0, 0), (12, 0), (-12, 5), (0, 25), (3, -25)))


@pytest.mark.parametrize(
    ("head", "size"),
    [
        (png(330, 20), (330, 20)),
        (b"GIF89a\x40\x01\xf0\x00", (320, 240)),
        (b"\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x11\x08\x00\xf0\x01\x40\x03", (320, 240)),
        (b'<svg width="10cm" height="96px">', (378, 96)),
        (b'<?xml?><svg viewBox="0 0 640 480.4">', (640, 480)),
        (b"\xff\xd8\xff\xe0\xff\xff", (0, 0)),
        (b"", (0, 0)),
    ],
)
def test_the_size_of_a_picture_is_read_from_its_first_bytes(head: bytes, size: tuple[int, int]) -> None:
    assert picture_size(head) == size


def test_a_module_is_read_from_an_archive(tmp_path: Path) -> None:
    notes = Notes()
    module = read_module(open_archive(brook().write(tmp_path / "brook.vmod")), notes)
    assert module
    assert not notes.entries
    assert (module.name, module.sides, len(module.slots)) == ("Brook", ("Red", "Blue"), 7)
    (module_map,) = module.maps
    assert module_map.boards[0].size == (330, 260)
    assert [zone.name for zone in module_map.boards[0].zones] == ["Field", "Turn 1", "Turn 2"]
    assert [(each.name, each.is_deck, len(each.slots)) for each in module.stacks] == [
        ("North", False, 2), ("South", False, 1), ("Time", False, 1), ("Events", True, 2),
    ]  # fmt: skip
    # Prototypes are expanded.
    assert module.slots["7"].piece.properties() == {"Move": "4", "Side": "Red"}
