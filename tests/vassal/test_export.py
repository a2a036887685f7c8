"""Positions and games are exported as saves that import as the same positions and keep all other content."""

import re
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from rulewright.adapters.vassal.archive import open_archive
from rulewright.adapters.vassal.piece_traits import read_piece
from rulewright.adapters.vassal.save_file import export_state
from rulewright.adapters.vassal.saved_game import read_commands
from rulewright.exchange import SaveResult
from rulewright.exchange.notes import Notes
from rulewright.serve.cli.app import run
from rulewright.serve.cli.exported_state import state_of
from rulewright.system.errors import UsageError
from runtime.state.position import State
from tests.vassal.invented import (
    GRIDS,
    GUN,
    RIFLE,
    UNIT,
    Packed,
    board,
    brook,
    build_file,
    counted,
    deck_of,
    hex_grid,
    import_vassal_module,
    layer,
    marker,
    numbers,
    palette,
    piece,
    prototype,
    prototypes,
    roster,
    save,
    slot,
    stack,
    tag,
    window,
    zone,
)

# Hex 0202 of the map, which has a margin of 10; and a point near its center.
HERE, BESIDE = ("Main", 100, 89), ("Main", 105, 92)
WORN = [prototype("Unit"), marker("Side", "Red"), layer("", "worn", name="Steps", level=2)]


def pieces_in(position: Path) -> Counter[str]:
    """Count the pieces of a position without their names."""
    lines = [line.partition(", type:")[2] for line in position.read_text().splitlines() if "type:" in line]
    return Counter(lines)


def exported(what: Path | str, package: Path, module: Path, base: Path | None = None) -> SaveResult:
    """Export a position or the end of a game of a package as a save."""
    state = state_of(str(what), None, (package,))
    assert isinstance(state, State)
    return export_state(state, module, package / "mapping.yml", base)


def first_game(folder: Path) -> Path:
    """Write a save with two rifles in a stack, a gun, a deck, and content that no position has."""
    commands = [
        piece("Rifle", *WORN, gpid="1", place=HERE, number="101"),
        piece("Rifle", *RIFLE, gpid="2", place=HERE, number="102"),
        piece("Rain", gpid="5", place=("Main", 310, 240), number="105"),
        stack("201", HERE, "102", "101"),
        piece("Gun", *GUN, gpid="3", place=BESIDE, number="103"),
        deck_of("301", "Events", ("Main", 310, 240), "105"),
        "MainBoardPicker\tBrook\t0\t0",
        "NOTES\tWe shall meet on Friday.",
        "PLAYER\tx\tAnn\tRed",
    ]
    (folder / "first.vsav").write_bytes(save(*commands))
    return folder / "first.vsav"


def commands_of(content: bytes, folder: Path) -> list[str]:
    """Read the commands of an exported save."""
    (folder / "again.vsav").write_bytes(content)
    notes = Notes()
    found = read_commands(open_archive(folder / "again.vsav"), notes)
    assert found
    assert not notes.entries
    return [each.text for each in found]


@pytest.mark.parametrize("based", [False, True])
def test_a_save_survives_import_and_export(tmp_path: Path, based: bool) -> None:
    module, base = brook().write(tmp_path / "brook.vmod"), first_game(tmp_path)
    package, second_package = tmp_path / "package", tmp_path / "again"
    import_vassal_module(module, [base], package)
    written = exported(package / "positions" / "first.yaml", package, module, base if based else None)
    (tmp_path / "second.vsav").write_bytes(written.content)
    done = import_vassal_module(module, [tmp_path / "second.vsav"], second_package, package / "mapping.yml")
    assert pieces_in(second_package / "positions" / "second.yaml") == pieces_in(package / "positions" / "first.yaml")
    assert written.piece_count == 3
    # A piece that did not move keeps its point in the hex.
    lines = commands_of(written.content, tmp_path)
    guns = [found for each in lines if each.startswith("+/") and (found := read_piece(each)) and found.name == "Gun"]
    assert [each.place for each in guns] == [BESIDE if based else HERE]
    assert ("NOTES\tWe shall meet on Friday." in lines) is based
    assert (any("/deck;" in each for each in lines)) is based
    assert any("laid out by VASSAL alone" in each.text for each in written.notes.entries) is not based
    assert done.record()["imported"]["set-ups"]["imported"] == 2
    left = [(each.span.file, each.subject) for each in done.notes if each.text == "a deck of 1: left out"]
    assert left == ([("second.vsav/savedGame", "Events")] if based else [])


@pytest.mark.parametrize("picker", [["MainBoardPicker\tWest\t0\t0"], []])
def test_a_board_that_the_base_lacks_is_put_on_its_map(tmp_path: Path, picker: list[str]) -> None:
    boards = [board(name, hex_grid(numbers()), width=240) for name in ("West", "East")]
    build = build_file(
        roster("Red"), prototypes(Unit=UNIT), palette(slot("Rifle", *RIFLE, gpid="1")), window("Main", boards)
    )
    module, package = Packed(build).write(tmp_path / "two.vmod"), tmp_path / "package"
    rifle = piece("Rifle", *RIFLE, gpid="1", place=("Main", 90, 79), number="1")
    for name, commands in (("first", [rifle, "MainBoardPicker\tEast\t0\t0"]), ("base", picker)):
        (tmp_path / f"{name}.vsav").write_bytes(save(*commands, "NOTES\tWe shall meet on Friday."))
    import_vassal_module(module, [tmp_path / "first.vsav"], package)
    position = package / "positions" / "first.yaml"
    written = exported(position, package, module, tmp_path / "base.vsav")
    assert (written.piece_count, written.notes.entries) == (1, [])
    pickers = [each for each in commands_of(written.content, tmp_path) if each.startswith("MainBoardPicker")]
    assert pickers == [f"{picker[0]}\tEast\t1\t0" if picker else "MainBoardPicker\tEast\t0\t0"]
    (tmp_path / "second.vsav").write_bytes(written.content)
    import_vassal_module(module, [tmp_path / "second.vsav"], tmp_path / "again", package / "mapping.yml")
    assert pieces_in(tmp_path / "again" / "positions" / "second.yaml") == pieces_in(position)


def test_pieces_that_move_flip_appear_and_disappear_are_written(tmp_path: Path) -> None:
    module, base, package = brook().write(tmp_path / "brook.vmod"), first_game(tmp_path), tmp_path / "package"
    import_vassal_module(module, [base], package)
    position = package / "positions" / "first.yaml"
    text = position.read_text()
    for old, new in (
        (
            'name: rifle_1, type: rifle, at: "0202"',
            'name: rifle_1, type: rifle, at: "0303", works: yes, steps_worn: yes',
        ),
        ('name: rifle_2, type: rifle, at: "0202", steps_worn: yes', 'name: rifle_2, type: rifle, at: "0202"'),
        ('  - {name: gun_1, type: gun, at: "0202", shells: 4}\n', '  - {name: lorry, type: truck, at: "0101"}\n'),
    ):
        assert old in text, text
        text = text.replace(old, new)
    position.write_text(text)
    lines = commands_of(exported(position, package, module, base).content, tmp_path)
    found = {each.id: each for line in lines if line.startswith("+/") and (each := read_piece(line))}
    assert {"101", "102", "105", "301"} <= set(found)
    assert "103" not in found
    assert found["102"].place == ("Main", 160, 109)
    assert [layer.level for _, layer in found["102"].layers()] == [1, 2]
    assert [layer.level for _, layer in found["101"].layers()] == [0, 1]
    (lorry,) = [each for each in found.values() if each.name == "Truck"]
    assert lorry.place == ("Main", 40, 29)
    assert lorry.gpid == "7"
    # The old stack is removed, and each place has one stack.
    stacks = [each for each in found.values() if each.kind == "stack"]
    assert sorted(each.traits[-1].states()[:3] for each in stacks) == [
        ["Main", "100", "89"], ["Main", "160", "109"], ["Main", "40", "29"],
    ]  # fmt: skip


def test_a_count_replaces_a_text_and_is_reported_if_no_slot_has_it(tmp_path: Path) -> None:
    """Without a base, pieces are made from slots; a slot's text stays where the position has no count."""
    gun = (prototype("Unit"), marker("Side", "Blue"), marker("Attack", 6))
    shells, text = counted("Shells", 4), (counted("Shells", 0)[0], "None")
    slots = palette(slot("Gun", *gun, gpid="3"), slot("Gun", *gun, text, gpid="8"))
    main = window("Main", [board("Brook", hex_grid(numbers()))])
    build = build_file(roster("Red", "Blue"), prototypes(Unit=UNIT), slots, main)
    module = Packed(build).write(tmp_path / "brook.vmod")
    place = ("Main", 90, 79)
    commands = [
        piece("Gun", *gun, shells, gpid="8", place=place, number="101"),
        piece("Gun", *gun, text, gpid="8", place=place, number="102"),
        piece("Gun", *gun, counted("Morale", 3), gpid="3", place=place, number="103"),
        stack("201", place, "101", "102", "103"),
        "MainBoardPicker\tBrook\t0\t0",
    ]
    (tmp_path / "first.vsav").write_bytes(save(*commands))
    package = tmp_path / "package"
    import_vassal_module(module, [tmp_path / "first.vsav"], package)
    position = package / "positions" / "first.yaml"
    assert position.read_text().count("type: gun") == 3, position.read_text()
    written = exported(position, package, module)
    lines = commands_of(written.content, tmp_path)
    guns = [found for each in lines if each.startswith("+/") and (found := read_piece(each)) and found.name == "Gun"]
    assert sorted(value for each in guns for _, value in each.notes().values()) == ["4", "None"]
    losses = [each.text for each in written.notes.entries if "its counter in the module has no" in each.text]
    assert losses == ["its counter in the module has no `morale`, which is 3: left out"]


def test_spaces_that_the_module_lacks_are_reported(tmp_path: Path) -> None:
    module, package = brook().write(tmp_path / "brook.vmod"), tmp_path / "package"
    import_vassal_module(module, [], package)
    position = tmp_path / "mine.yaml"
    position.write_text(
        "position: mine\nstack: brook\nboard: {rows: [[A, B]]}\npieces:\n  - {name: R, type: rifle, at: A}\n"
    )
    written = exported(position, package, module)
    assert written.piece_count == 0
    assert any("which is no space of the module" in each.text for each in written.notes.entries)
    (tmp_path / "bad.vsav").write_text("no")
    with pytest.raises(UsageError, match="no archive"):
        exported(package / "positions" / "opening.yaml", package, module, tmp_path / "bad.vsav")


RULES = """
action go by player [house] "Go on." preferring none "it shows a map" {
  choose u from {u in all unit where u.side = player}
  choose to from neighbors(u.hex)
  move u to to
}
sequence march [house] { each turn [house] in 1..2 { each player [house] in scenario.order {
  phase going "Going" [house] { offer go } } } }
"""


def test_the_end_of_a_recorded_game_becomes_a_save(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module, package = brook().write(tmp_path / "brook.vmod"), tmp_path / "package"
    import_vassal_module(module, [], package)
    layer_file = package / "layers" / "brook" / "layer.yaml"
    layer_file.write_text(layer_file.read_text() + "playable: yes\n")
    (package / "layers" / "brook" / "play.rules").write_text(RULES)
    reach = ["--path", str(package)]
    trial = str(tmp_path / "game.trial")
    assert run(["play", "opening_card", "--players", "random,random", "--seed", "5", "--record", trial, *reach]) == 0
    out = str(tmp_path / "end.vsav")
    given = ["--module", str(module), "--mapping", str(package / "mapping.yml"), *reach]
    # The deck of the module is only laid out by VASSAL, which is reported.
    assert run(["export", trial, "--out", out, *given]) == 1
    assert "3 pieces written" in capsys.readouterr().out
    # The exported final position imports as the final position of the trial.
    state = state_of(trial, None, (package,))
    assert isinstance(state, State)
    import_vassal_module(module, [Path(out)], tmp_path / "again", package / "mapping.yml")
    text = (tmp_path / "again" / "positions" / "end.yaml").read_text()
    stands = Counter(state.board.names[at] for at in state.hex)
    assert Counter(re.findall(r'type: (?:rifle|gun).*at: "([^"]*)"', text)) == stands
    assert run(["export", trial, "--out", str(tmp_path / "x.zip"), *given]) == 2


@pytest.mark.parametrize(
    ("trait", "stacked"),
    [("immob;;N;R;", False), ("immob;gn", False), ("immob;;N;L;", True), ("mat;Tray;", False)],
)
def test_pieces_that_do_not_stack_are_placed_on_the_map(tmp_path: Path, trait: str, stacked: bool) -> None:
    module, package = brook().write(tmp_path / "brook.vmod"), tmp_path / "package"
    first = piece("Rifle", (trait, ""), *RIFLE, gpid="1", place=HERE, number="101")
    (tmp_path / "day.vsav").write_bytes(save(first, "MainBoardPicker\tBrook\t0\t0"))
    import_vassal_module(module, [tmp_path / "day.vsav"], package)
    lines = commands_of(
        exported(package / "positions" / "day.yaml", package, module, tmp_path / "day.vsav").content, tmp_path
    )
    assert any("/stack/" in each and "101" in each for each in lines) is stacked


MASKED = ("obs;77,130;back.png;Mask;G", "null;")


def test_faces_that_cannot_be_written_are_reported(tmp_path: Path) -> None:
    slots = [slot("Rifle", MASKED, *RIFLE, gpid="1"), slot("Gun", MASKED, *GUN, gpid="3")]
    build = build_file(
        roster("Red", "Blue"),
        prototypes(Unit=UNIT),
        palette(*slots),
        window("Main", [board("Brook", hex_grid(numbers()))]),
    )
    module, package = Packed(build).write(tmp_path / "brook.vmod"), tmp_path / "package"
    first = piece("Gun", (MASKED[0], "Ann;"), *GUN, gpid="3", place=HERE, number="101")
    second = piece("Rifle", MASKED, *RIFLE, gpid="1", place=HERE, number="102")
    (tmp_path / "day.vsav").write_bytes(save(first, second, "MainBoardPicker\tBrook\t0\t0"))
    import_vassal_module(module, [tmp_path / "day.vsav"], package)
    position = package / "positions" / "day.yaml"
    text = position.read_text()
    assert re.findall(r"(\w+), at: .*masked: yes", text) == ["gun"]
    text = re.sub(r"(type: rifle.*)}", r"\1, masked: yes, works: yes}", text)
    position.write_text(re.sub(r"(type: gun.*)}", r"\1, steps_worn: yes}", text))
    written = exported(position, package, module, tmp_path / "day.vsav")
    # A player set the mask of the gun, so it stays.
    assert sorted((each.subject, each.text) for each in written.notes.entries) == [
        ("gun_1", "cannot be written as `steps_worn`: left out"),
        ("rifle_1", "cannot be written as `masked`: there a player does that: left out"),
    ]
    lines = commands_of(written.content, tmp_path)
    found = {each.id: each for line in lines if line.startswith("+/") and (each := read_piece(line))}
    assert [found[each].traits[0].state for each in ("101", "102")] == ["Ann;", "null;"]
    assert [layer.level for _, layer in found["102"].layers()] == [1, 1]


def test_a_piece_is_placed_in_its_zone_if_another_covers_the_center(tmp_path: Path) -> None:
    zones = zone("Reserve", "100,60;200,60;200,140;100,140") + zone("Ready", "20,20;280,20;280,180;20,180")
    window_tag = window("Main", [board("Brook", tag(f"{GRIDS}.ZonedGrid", zones), width=300)])
    build = build_file(roster("Red"), prototypes(Unit=UNIT), palette(slot("Rifle", *RIFLE, gpid="1")), window_tag)
    module, package = Packed(build).write(tmp_path / "brook.vmod"), tmp_path / "package"
    places = {"Reserve": (150, 100), "Ready": (30, 30)}
    first = [
        piece("Rifle", *RIFLE, gpid="1", place=("Main", x, y), number=f"10{x}") for x, y in places.values()
    ]  # fmt: skip
    (tmp_path / "day.vsav").write_bytes(save(*first, "MainBoardPicker\tBrook\t0\t0"))
    import_vassal_module(module, [tmp_path / "day.vsav"], package)
    position = package / "positions" / "day.yaml"
    # Without the save each piece is placed at a point from which its space is found.
    written = exported(position, package, module)
    (tmp_path / "day_again.vsav").write_bytes(written.content)
    import_vassal_module(module, [tmp_path / "day_again.vsav"], tmp_path / "again", package / "mapping.yml")
    assert pieces_in(tmp_path / "again" / "positions" / "day_again.yaml") == pieces_in(position)
    assert len(pieces_in(position)) == 2


def test_a_basic_name_trait_names_the_piece() -> None:
    found = read_piece(piece("", ("basicName;Old Guard", ""), *RIFLE))
    assert found is not None
    assert found.name == "Old Guard"


def test_a_piece_in_a_hex_under_a_zone_is_left_out_and_reported(tmp_path: Path) -> None:
    grid = tag(f"{GRIDS}.ZonedGrid", hex_grid(numbers()) + zone("Turn 1", "60,30;120,30;120,90;60,90"))
    build = build_file(
        roster("Red"), prototypes(Unit=UNIT), palette(slot("Rifle", *RIFLE, gpid="1")),
        window("Main", [board("Brook", grid)]),
    )  # fmt: skip
    module, package = Packed(build).write(tmp_path / "brook.vmod"), tmp_path / "package"
    import_vassal_module(module, [], package)
    position = tmp_path / "mine.yaml"
    text = "position: mine\nstack: brook\nboard: [[brook]]\npieces:\n"
    position.write_text(f'{text}  - {{name: R, type: rifle, at: "0202"}}\n  - {{name: S, type: rifle, at: "0101"}}\n')
    written = exported(position, package, module)
    assert written.piece_count == 1
    assert [(each.subject, each.text) for each in written.notes.entries] == [
        ("R", "stands in `0202`, and another zone of the module lies over that: left out")
    ]


def test_a_base_that_is_no_save_is_refused_with_the_reason(tmp_path: Path) -> None:
    module, package, base = brook().write(tmp_path / "brook.vmod"), tmp_path / "package", tmp_path / "bad.vsav"
    import_vassal_module(module, [], package)
    with zipfile.ZipFile(base, "w") as zipped:
        zipped.writestr("savedGame", "nothing")
    with pytest.raises(UsageError, match=r"can be read: bad\.vsav/savedGame:1:1: .* does not begin with `begin_save`"):
        exported(next((package / "positions").iterdir()), package, module, base)


def test_a_stack_is_written_after_its_pieces(tmp_path: Path) -> None:
    module, package = brook().write(tmp_path / "brook.vmod"), tmp_path / "package"
    first = piece("Rifle", *RIFLE, gpid="1", place=HERE, number="101")
    late = piece("Gun", *GUN, gpid="3", place=("Main", 40, 29), number="103")
    base = tmp_path / "day.vsav"
    base.write_bytes(save(first, stack("201", HERE, "101"), late, "MainBoardPicker\tBrook\t0\t0"))
    import_vassal_module(module, [base], package)
    position = package / "positions" / "day.yaml"
    text = position.read_text().replace('type: gun, at: "0101"', 'type: gun, at: "0202"')
    position.write_text(text + '  - {name: lorry, type: truck, at: "0202"}\n')
    lines = commands_of(exported(position, package, module, base).content, tmp_path)
    ids = [each.split("/")[1] for each in lines if each.startswith("+/")]
    lorry = next(each for each in ids if each not in {"101", "103", "201"})
    assert ids == ["101", "103", lorry, "201"]
    assert f"Main;100;89;101;103;{lorry};" in next(each for each in lines if "/stack/" in each)
