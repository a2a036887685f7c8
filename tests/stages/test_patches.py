"""Patches of several layers: the top layer is applied last, and expects the value of the layer below."""

from fractions import Fraction
from pathlib import Path

import pytest

from compiler.compile import compile_stack
from compiler.layered.findings.patches import NotAsExpected, PatchedTwice, UnknownCell
from compiler.source.package import discover_layers
from runtime.graph import nodes as graph

GAME = """
side north, south
kind cart has load: 0..9
value weight(d: 1..2): 0..9
rule weighed "As charted." weight is load[d]
"""
CHARTS = "table: load\ncites: house\nkeys: {d: 1..2}\ncell: 0..9\nrows:\n  - {d: 1, is: 3}\n  - {d: 2, is: 4}\n"
UNITS = "pieces: cart\ncites: house\ncolumns: [id, side, load]\nrows:\n  - [mule, north, 3]\n"
CELL = "patch: load\ncites: house\nset:\n  - {d: 1, expect: EXPECT, now: NOW}\n"
COUNTER = "patch: cart\ncites: house\nset:\n  - {id: mule, column: load, expect: EXPECT, now: NOW}\n"
RULE = 'rule anew "Anew."\n  replaces cell load[1] = EXPECT by NOW\n'
FOUR, SEVEN = (graph.Num(Fraction(number), "") for number in (4, 7))
WHERE = {"cell.yaml": CELL, "counter.yaml": COUNTER, "rule.rules": RULE}


def patched(
    folder: Path, file: str, patches: dict[str, tuple[str, int, int]], stack: str
) -> tuple[object, list[object]]:
    """Compile the game with layers that patch one number; return its value and the problems.

    `patches` maps a layer to the layer below, the expected value and the new one.
    """
    game = folder / "game"
    game.mkdir()
    (game / "layer.yaml").write_text("layer: game\ntitle: Game\nkind: base\ncites: house\n")
    (game / "game.rules").write_text(GAME)
    (game / "charts.yaml").write_text(CHARTS)
    (game / "units.yaml").write_text(UNITS)
    for name, (on, expect, now) in patches.items():
        place = folder / name
        place.mkdir()
        kind = "joint" if "," in on else "optional"
        (place / "layer.yaml").write_text(f"layer: {name}\ntitle: {name}\nkind: {kind}\non: [{on}]\ncites: house\n")
        text = WHERE[file].replace("EXPECT", str(expect)).replace("NOW", str(now)).replace("anew", f"anew-{name}")
        (place / file).write_text(text)
    library, problems = discover_layers([folder])
    assert not problems
    compiled_stack = compile_stack(library, stack)
    if compiled_stack.graph is None or compiled_stack.problems:
        return None, list(compiled_stack.problems)
    if file == "counter.yaml":
        return dict(compiled_stack.graph.counters["mule"].printed)["load"], []
    return compiled_stack.graph.tables["load"].rows[0].value, []


@pytest.mark.parametrize("file", WHERE)
def test_a_higher_layer_expects_the_value_of_the_lower_one(tmp_path: Path, file: str) -> None:
    value, problems = patched(tmp_path, file, {"wet": ("game", 3, 5), "wetter": ("wet", 5, 7)}, "wetter")
    assert (value, problems) == (SEVEN, [])


@pytest.mark.parametrize("file", WHERE)
def test_a_higher_layer_that_expects_the_printed_value_is_reported(tmp_path: Path, file: str) -> None:
    _, problems = patched(tmp_path, file, {"wet": ("game", 3, 5), "wetter": ("wet", 3, 7)}, "wetter")
    assert [type(each) for each in problems] == [NotAsExpected]


@pytest.mark.parametrize("file", WHERE)
def test_patches_of_independent_layers_clash(tmp_path: Path, file: str) -> None:
    _, problems = patched(tmp_path, file, {"wet": ("game", 3, 5), "dry": ("game", 3, 2)}, "game+wet+dry")
    assert [type(each) for each in problems] == [PatchedTwice]


@pytest.mark.parametrize("expect", [5, 2])
@pytest.mark.parametrize("file", WHERE)
def test_a_joint_layer_resolves_the_clash(tmp_path: Path, file: str, expect: int) -> None:
    layers = {"wet": ("game", 3, 5), "dry": ("game", 3, 2), "both": ("wet, dry", expect, 4)}
    value, problems = patched(tmp_path, file, layers, "game+wet+dry")
    assert (value, problems) == (FOUR, [])


@pytest.mark.parametrize("file", WHERE)
def test_a_joint_layer_must_expect_the_value_of_a_layer_below(tmp_path: Path, file: str) -> None:
    layers = {"wet": ("game", 3, 5), "dry": ("game", 3, 2), "both": ("wet, dry", 3, 4)}
    _, problems = patched(tmp_path, file, layers, "game+wet+dry")
    assert [type(each) for each in problems] == [NotAsExpected]


@pytest.mark.parametrize("file", ["cell.yaml", "rule.rules"])
def test_a_patch_splits_a_row_for_several_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str) -> None:
    """The row keeps its value for the other keys, so every key is in one row still."""
    together = CHARTS.partition("rows:")[0] + "rows:\n  - {d: LINE, is: 3}\n"
    for line in ("[1, 2]", "1..2"):
        monkeypatch.setitem(globals(), "CHARTS", together.replace("LINE", line))
        place = tmp_path / line.strip("[]").replace(", ", "-")
        place.mkdir()
        value, problems = patched(place, file, {"wet": ("game", 3, 7)}, "wet")
        assert (value, problems) == (SEVEN, [])
        rows = compile_stack(discover_layers([place])[0], "wet").graph
        assert rows is not None
        assert [(row.keys[0], row.value) for row in rows.tables["load"].rows] == [
            ((graph.Match(1, 1),), SEVEN),
            ((graph.Match(2, 2),), graph.Num(Fraction(3), "")),
        ]


def test_a_row_for_any_key_cannot_be_split(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "CHARTS", CHARTS.partition("rows:")[0] + "rows:\n  - {is: 3}\n")
    value, problems = patched(tmp_path, "cell.yaml", {"wet": ("game", 3, 7)}, "wet")
    assert value is None
    assert [type(each) for each in problems] == [UnknownCell]
