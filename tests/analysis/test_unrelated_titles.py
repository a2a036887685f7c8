"""Titles of layers are compared with what the layers do; a joint layer may be called after the layers that it joins."""

from pathlib import Path

import pytest

from rulewright.library.stacks import open_packages
from rulewright.library.suspicious_layers import unrelated_titles
from rulewright.new_packages import new_game

MUD = 'rule mud [house] "Nobody goes into the marsh."\n  may_enter forbidden\n  when to is marsh\n'
WOOD = 'rule wood [house] "Nobody goes into the wood."\n  may_enter forbidden\n  when to is wood\n'
TIRED = 'rule both [house] "Who is tired stays."\n  may_enter forbidden\n  when mover is tired\n'


def layer(folder: Path, name: str, title: str, kind: str, on: str, rules: str) -> None:
    (folder / name).mkdir(parents=True)
    manifest = f"layer: {name}\ntitle: {title}\nkind: {kind}\non: [{on}]\ncites: house\n"
    (folder / name / "layer.yaml").write_text(manifest, encoding="utf-8")
    (folder / name / "case.rules").write_text(rules, encoding="utf-8")


@pytest.mark.parametrize(("title", "titles"), [("Floods and Thickets", []), ("Smoke and Fog", ["Smoke and Fog"])])
def test_a_joint_layer_may_have_the_titles_of_its_layers(title: str, titles: list[str], tmp_path: Path) -> None:
    new_game("toy", tmp_path)
    layer(tmp_path, "flooded", "Flooded Marsh", "optional", "toy", MUD)
    layer(tmp_path, "thickets", "Thickets of the Wood", "optional", "toy", WOOD)
    layer(tmp_path, "both", title, "joint", "flooded, thickets", TIRED)
    stack = open_packages([tmp_path]).compiled("toy+flooded+thickets")
    assert [each.title for each in unrelated_titles(stack)] == titles
