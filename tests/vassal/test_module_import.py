"""A module becomes boards, counters, positions and cards that compile, with the names of its mapping."""

import re
from pathlib import Path

import pytest

from compiler.report.diagnose import diagnose
from rulewright.adapters.vassal import texts
from rulewright.exchange.notes import ImportReport, NoteSeverity
from rulewright.explain.views.shown_scenes import Scene, load_scene
from rulewright.library.stacks import open_packages
from rulewright.system.errors import UsageError
from tests.vassal.invented import (
    GRIDS,
    GUN,
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
    predefined,
    prototype,
    prototypes,
    regions,
    roster,
    save,
    slot,
    stack,
    stack_at,
    tag,
    window,
    zone,
)


def scene_of(package: Path, position: str) -> Scene:
    """Compile a position of a package."""
    found = load_scene(str(package / "positions" / f"{position}.yaml"), None, (package,))
    assert found.scene, [each.message for each in found.diagnostics]
    return found.scene


def lost(done: ImportReport) -> list[tuple[str, str]]:
    """Return the lost and broken parts of an import."""
    heavy = {NoteSeverity.LOST, NoteSeverity.BROKEN}
    return [(note.subject, note.text) for note in done.notes if note.weight in heavy]


def test_a_module_becomes_a_package_that_compiles(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = import_vassal_module(brook().write(tmp_path / "brook.vmod"), [], out)
    assert done.summary().startswith("1 of 1 board, 7 of 7 counters, 1 of 1 set-up, 4 of 6 pieces brought over")
    assert lost(done) == [("Events", "a deck of 2: left out")]
    package_set = open_packages((out,))
    stack_ = package_set.compiled("brook")
    assert not stack_.problems, [each.message for each in diagnose(stack_.problems, stack_.texts)]
    assert stack_.graph
    assert {name: each.owner for name, each in stack_.graph.counters.items()} == {
        "truck": "red", "rifle": "red", "gun": "blue", "turn_counter": "", "rain": "", "fog": "",
    }  # fmt: skip
    scene = scene_of(out, "opening")
    assert sorted(scene.pieces) == [
        ("gun_1", "gun", "blue", "0302"), ("rifle_1", "rifle", "red", "0101"), ("rifle_2", "rifle", "red", "0101"),
        ("turn_counter_1", "turn_counter", "", "Turn_1"),
    ]  # fmt: skip
    assert "shells: 4" in (out / "positions" / "opening.yaml").read_text()
    card = load_scene("opening_card", None, (out,)).scene
    assert card
    assert [each[3] for each in card.pieces] == ["0101", "0101", "0302"]


@pytest.mark.parametrize(
    ("grid", "is_kept", "neighbors"),
    [
        (hex_grid(numbers()), True, {"0102", "0103", "0201", "0203", "0302", "0303"}),
        (hex_grid(numbers(stagger="true")), True, {"0102", "0103", "0202", "0204", "0302", "0303"}),
        (hex_grid(numbers(hType="A", hOff=0, vLeading=0)), True, {"A2", "A3", "B1", "B3", "C2", "C3"}),
        (hex_grid(numbers(hOff=15, vOff=0)), True, {"1501", "1502", "1600", "1602", "1701", "1702"}),
        (hex_grid(numbers(first="V")), True, {"0201", "0301", "0102", "0302", "0203", "0303"}),
        (hex_grid(numbers(sep=".")), False, set()),
        (hex_grid(numbers(hDescend="true")), False, set()),
        (hex_grid(), False, set()),
        (hex_grid(numbers(), sideways="true"), True, set()),
        (hex_grid(numbers(), x0=-30, y0=39), True, set()),
    ],
)
def test_hexes_keep_their_numbers_and_their_neighbors(
    tmp_path: Path, grid: str, is_kept: bool, neighbors: set[str]
) -> None:
    counter = slot("Rifle", *RIFLE, gpid="1")
    # The hex in the second column and second row, whose center is at 90, 79.
    start = stack_at("One", counter, board="Wood", x=90, y=79)
    build = build_file(roster("Red"), prototypes(Unit=piece("")), window("Main", [board("Wood", grid)], start))
    out = tmp_path / "out"
    done = import_vassal_module(Packed(build).write(tmp_path / "wood.vmod"), [], out)
    renamed = [note for note in done.notes if "another number" in note.text or "no numbers" in note.text]
    assert bool(renamed) is not is_kept, renamed
    scene = scene_of(out, "opening")
    (found,) = scene.pieces
    around = scene.opening().board
    beside = {around.names[each] for each in around.neighbors[around.index[found[3]]]}
    assert len(beside) == 6
    assert not neighbors or beside == neighbors


def test_zones_and_regions_are_points(tmp_path: Path) -> None:
    areas = tag(
        f"{GRIDS}.ZonedGrid",
        zone("The Fell", "0,0;100,0;100,100;0,100")
        + zone("Moor", "100,0;200,0;200,100;100,100")
        + zone("Fen", "0,100;200,100;200,200;0,200"),
    )
    points = regions(
        Home=(20, 20), Ärmelkanal=(80, 20), **{"S-1": (9, 9), "S 1": (9, 9), "S11": (8, 8), "S1_1": (7, 7)}
    )
    start = [stack_at("One", slot("Rifle", *RIFLE, gpid="1"), board="Areas", x=50, y=50)]
    more = [stack_at("Two", slot("Gun", *GUN, gpid="2"), board="Points", x=70, y=30)]
    build = build_file(
        roster("Red", "Blue"), prototypes(Unit=piece("")),
        window("Land", [board("Areas", areas)], *start), window("Sea", [board("Points", points)], *more),
    )  # fmt: skip
    out = tmp_path / "out"
    import_vassal_module(Packed(build).write(tmp_path / "fell.vmod"), [], out)
    assert "kind: points" in (out / "boards" / "areas.yaml").read_text()
    assert "kind: points" in (out / "boards" / "points.yaml").read_text()
    scene = scene_of(out, "opening")
    assert sorted(each[3] for each in scene.pieces) == ["Armelkanal", "The_Fell"]


def game(tmp_path: Path, *commands: str, name: str = "Second Day") -> Path:
    """Write a save."""
    (tmp_path / f"{name}.vsav").write_bytes(save(*commands))
    return tmp_path / f"{name}.vsav"


def test_a_save_becomes_a_position_with_faces(tmp_path: Path) -> None:
    where = ("Main", 100, 69)  # 0202, on a map with a margin of 10
    worn = [prototype("Unit"), marker("Side", "Red"), layer("", "worn", name="Steps", level=2)]
    commands = [
        piece("Rifle", *worn, gpid="1", place=where, number="1"),
        piece("Rifle", *RIFLE, gpid="2", place=where, number="2"),
        stack("9", where, "2", "1"),
        piece("Gun", *GUN[:-1], ("PROP;Shells;true,0,9,false;:", "2"), gpid="3", place=("Main", 40, 29), number="3"),
        piece("Rifle", *RIFLE, gpid="1", place=("Elsewhere", 40, 29), number="4"),
        piece("Rifle", *RIFLE, gpid="1", place=("Main", 4000, 29), number="5"),
        piece("Smoke", gpid="", place=("Main", 40, 29), number="6"),
        "MainBoardPicker\tBrook\t0\t0",
        "PLAYER\tx\tAnn\tRed",
    ]
    out = tmp_path / "out"
    done = import_vassal_module(brook().write(tmp_path / "brook.vmod"), [game(tmp_path, *commands)], out)
    assert {subject for subject, _ in lost(done)} == {"Events", "Rifle"}
    scene = scene_of(out, "second_day")
    assert [(each[1], each[3]) for each in scene.pieces] == [
        ("rifle", "0202"), ("rifle", "0202"), ("gun", "0101"), ("smoke", "0101"),
    ]  # fmt: skip
    text = (out / "positions" / "second_day.yaml").read_text()
    assert 'name: rifle_2, type: rifle, at: "0202", steps_worn: yes' in text
    assert "shells: 2" in text


def test_boards_of_a_map_are_placed_as_in_the_save(tmp_path: Path) -> None:
    grid = hex_grid(numbers())
    boards = [board("West", grid, width=240), board("East", grid, width=240)]
    build = build_file(
        roster("Red"), prototypes(Unit=piece("")), palette(slot("Rifle", *RIFLE, gpid="1")), window("Main", boards)
    )
    where = [("Main", 30, 19), ("Main", 240 + 30, 19)]
    pieces = [piece("Rifle", *RIFLE, gpid="1", place=each, number=str(n)) for n, each in enumerate(where)]
    picked = ["MainBoardPicker\tWest\t0\t0\tEast\t1\t0", "MainBoardPicker\tWest\t0\t0\tEast/rev\t0\t1"]
    out = tmp_path / "out"
    saves = [
        game(tmp_path, *pieces[:2], picked[0], name="two_wide"),
        game(tmp_path, pieces[0], picked[1], name="two_high"),
    ]
    import_vassal_module(Packed(build).write(tmp_path / "two.vmod"), saves, out)
    wide = scene_of(out, "two_wide")
    assert {each[3] for each in wide.pieces} == {"west.0101", "east.0101"}
    around = wide.opening().board
    beside = {around.names[each] for each in around.beside[around.index["east.0102"]]}
    assert beside == {"west.0401", "west.0402", "east.0101", "east.0103", "east.0201", "east.0202"}
    assert {each[3] for each in scene_of(out, "two_high").pieces} == {"0101"}


def test_a_mapping_renames_and_excludes_parts(tmp_path: Path) -> None:
    source, out = brook().write(tmp_path / "brook.vmod"), tmp_path / "out"
    import_vassal_module(source, [], out)
    mapping = out / "mapping.yml"
    text = mapping.read_text()
    changes = {
        '"1": rifle': '"1": old_guard', '"2": rifle': '"2": old_guard', '"4": turn_counter': '"4": "-"',
        '"Steps/worn": steps_worn': '"Steps/worn": back', '"Main/Brook": brook': '"Main/Brook": ford',
        '"Turn 1": Turn_1': '"Turn 1": First',
    }  # fmt: skip
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    mapping.write_text(text)
    import_vassal_module(source, [], out, mapping)
    assert mapping.read_text() == text
    scene = scene_of(out, "opening")
    assert sorted(each[1] for each in scene.pieces) == ["gun", "old_guard", "old_guard"]
    chart = (out / "layers" / "brook" / "counters.yaml").read_text()
    assert "back: old_guard_back" in chart
    assert (out / "boards" / "ford.yaml").exists()
    assert not (out / "boards" / "brook.yaml").exists()
    assert "First:" in (out / "boards" / "brook_boxes.yaml").read_text()
    # Another edited file is still not overwritten.
    (out / "boards" / "ford.yaml").write_text("board: mine\n")
    with pytest.raises(UsageError, match="was changed after it was imported"):
        import_vassal_module(source, [], out, mapping)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("mapping: vassal\nsides: [a]\n", "mapping.yml:2:8: sides: keys and values"),
        ("mapping: vassal\ncounter: {}\n", "mapping.yml:2:1: counter: a mapping of VASSAL has"),
        ("mapping: other\n", "mapping.yml:1:1: mapping: `vassal`"),
        ("mapping: vassal\nsides: {Red: [a]}\n", "mapping.yml:2:14: Red: a name"),
        ("a: [", "mapping.yml:1"),
        # The name becomes a file name.
        ("mapping: vassal\nstack: ../../etc\n", "mapping.yml:2:8: stack: `../../etc` is no name"),
        ("mapping: vassal\nstack: mine+yours\n", "mapping.yml:2:8: stack: `mine+yours` is no name"),
        ("mapping: vassal\nkind: a b\n", "mapping.yml:2:7: kind: `a b` is no name"),
        ("mapping: vassal\nboards: {Main/Brook: ../../x}\n", "mapping.yml:2:22: Main/Brook: `../../x` is no name"),
        ("mapping: vassal\nsides: {Red: röt}\n", "mapping.yml:2:14: Red: `röt` is no name"),
        ("mapping: vassal\nspaces: {brook: {A: /b}}\n", "mapping.yml:2:21: A: `/b` is no name"),
    ],
)
def test_an_error_in_a_mapping_is_located(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "mapping.yml").write_text(text)
    module = brook().write(tmp_path / "b.vmod")
    with pytest.raises(UsageError, match=re.escape(message)):
        import_vassal_module(module, [], tmp_path / "out", tmp_path / "mapping.yml")


def test_a_foreign_report_removes_no_file_outside_of_its_folder(tmp_path: Path) -> None:
    """The report lists the files of an import, which the next import replaces."""
    module, out, other = brook().write(tmp_path / "b.vmod"), tmp_path / "out", tmp_path / "other.txt"
    import_vassal_module(module, [], out)
    other.write_text("keep")
    report = out / "import-report.json"
    report.write_text(report.read_text().replace('"written": {', '"written": {"../other.txt": "0", '))
    with pytest.raises(UsageError, match=re.escape("`../other.txt` leads out of")):
        import_vassal_module(module, [], out)
    assert other.read_text() == "keep"


def test_set_ups_within_a_module_become_cards(tmp_path: Path) -> None:
    module = brook()
    module.build = module.build.replace("</VASSAL.build.GameModule>", "%s%s</VASSAL.build.GameModule>") % (
        predefined("First Day", "first.vsav"), predefined("Third Day", "third.vsav"),
    )  # fmt: skip
    module.members["first.vsav"] = save(piece("Gun", *GUN, gpid="3", place=("Main", 40, 29), number="3"))
    out = tmp_path / "out"
    done = import_vassal_module(module.write(tmp_path / "brook.vmod"), [], out)
    assert ("third.vsav", "this set-up is not in the module") in lost(done)
    assert done.cards == ("opening_card", "first_day_card")
    scene = load_scene("first_day_card", None, (out,)).scene
    assert scene
    assert [(each[1], each[3]) for each in scene.pieces] == [("gun", "0101")]


def test_pieces_beyond_the_limit_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "MOST_POSITION_PIECES", 3)
    out = tmp_path / "out"
    done = import_vassal_module(brook().write(tmp_path / "brook.vmod"), [], out)
    assert any("has 4 pieces: those after 3 are left out" in text for _, text in lost(done))
    assert sorted(each[1] for each in scene_of(out, "opening").pieces) == ["gun", "rifle", "rifle"]


@pytest.mark.parametrize(
    ("wanted", "reason"), [("Horse", "no prototype has this name"), ("Ring", "it holds itself, or too many others")]
)
def test_a_prototype_that_cannot_be_had_is_reported_at_the_first_counter_that_needs_it(
    tmp_path: Path, wanted: str, reason: str
) -> None:
    counters = [
        slot("Rifle", *RIFLE, gpid="1"),
        *(slot(name, prototype(wanted), gpid=name) for name in ("Lancer", "Hussar")),
    ]
    ring = "\n".join([prototypes(Unit=piece(""), Ring=piece("", prototype("Ring"))), *counters])
    build = build_file(roster("Red"), palette(ring), window("Main", [board("Wood", hex_grid())]))
    done = import_vassal_module(Packed(build).write(tmp_path / "horse.vmod"), [], tmp_path / "out")
    (note,) = (each for each in done.notes if each.subject == wanted)
    assert note.text.startswith(reason)
    assert "Lancer" in build.splitlines()[note.span.line - 1]
