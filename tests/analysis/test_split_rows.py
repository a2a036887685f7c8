"""A cell that a layer changes in a row for several values is the only change of its chart."""

from pathlib import Path

import pytest

from compiler.compile import compile_stack
from runtime.witness.behavioral_diff import behavioral_diff
from tests.analysis.planted import library_of

GAME = """
enum build: light, heavy, tall
kind cart has speed: 1..8, build: build
value pace(c: cart): 0..9
rule by-chart "The chart says it." pace is paces[c.speed, c.build]
"""
CHART = """
table: paces
keys: {speed: 1..8, build: build}
cell: 0..9
rows:
  - {speed: 1..3, build: [light, heavy], is: 0}
  - {speed: 1..3, build: tall, is: 1}
  - {speed: 4..8, is: 2}
"""


def changed_by(folder: Path, patch: str) -> list[tuple[str, str]]:
    """Return the changes between the game and the game with a patch of its chart, with their status."""
    files = {
        "game/layer.yaml": "layer: game\ntitle: Game\nkind: base\ncites: house\n",
        "game/game.rules": GAME,
        "game/charts.yaml": CHART,
        "mud/layer.yaml": "layer: mud\ntitle: Mud\nkind: optional\non: [game]\ncites: house\n",
        "mud/mud.yaml": f"patch: paces\nset: [{patch}]\n",
    }
    library = library_of(files, folder)
    before, after = (compile_stack(library, name).graph for name in ("game", "game+mud"))
    assert before is not None
    assert after is not None
    return [(each.label, each.status) for each in behavioral_diff(before, after).changes]


@pytest.mark.parametrize("speed", [1, 2, 3])
def test_only_the_patched_cell_of_a_row_differs(tmp_path: Path, speed: int) -> None:
    patch = f"{{speed: {speed}, build: light, expect: 0, now: 5}}"
    assert changed_by(tmp_path, patch) == [(f"paces[{speed}, light]", "witness")]


def test_two_patched_cells_of_a_row_differ(tmp_path: Path) -> None:
    patch = "{speed: 1, build: light, expect: 0, now: 5}, {speed: 3, build: heavy, expect: 0, now: 6}"
    assert changed_by(tmp_path, patch) == [("paces[1, light]", "witness"), ("paces[3, heavy]", "witness")]


def test_a_row_for_one_value_differs_by_itself(tmp_path: Path) -> None:
    assert changed_by(tmp_path, "{speed: 2, build: tall, expect: 1, now: 7}") == [("paces[2, tall]", "witness")]


def test_charts_of_two_games_may_differ_in_their_keys(tmp_path: Path) -> None:
    rules = GAME.replace("paces[c.speed, c.build]", "paces[c.speed]")
    chart = CHART.replace(", build: build", "").replace(", build: [light, heavy]", "")
    chart = chart.replace("  - {speed: 1..3, build: tall, is: 1}\n", "")
    texts = {"two": (GAME, CHART), "one": (rules, chart)}
    files = {f"{name}/layer.yaml": f"layer: {name}\ntitle: Game\nkind: base\ncites: house\n" for name in texts}
    files |= {f"{name}/game.rules": text for name, (text, _) in texts.items()}
    files |= {f"{name}/charts.yaml": text for name, (_, text) in texts.items()}
    one, two = (compile_stack(library_of(files, tmp_path), name).graph for name in ("one", "two"))
    assert one is not None
    assert two is not None
    assert "by-chart" in {each.label for each in behavioral_diff(one, two).changes}
