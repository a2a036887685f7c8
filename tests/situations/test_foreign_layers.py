"""A layer that uses names of a layer on which it is not declared is reported once, at its manifest."""

from pathlib import Path

import pytest

from compiler.compile import compile_stack
from compiler.source.package import discover_layers
from compiler.typed.findings.invalid_constructs import InvalidConstruct
from rulewright.write.new_packages import new_game

RULES = """
condition wet(u: unit) default no
  reads "{u} is wet"
rule wet-in-the-marsh [TOY.2] "Who stands in a marsh is wet."
  wet holds
  when u.hex is marsh and u is tired

rule wet-carts-stay [TOY.3] "A wet cart stays."
  may_enter forbidden
  when wet(mover) and mover.gait = wheel
"""
BASE = "layer: stone\ntitle: Stone\nkind: base\nplayable: yes\n"


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    """Write a game, another one with few declarations, and a layer on the second that uses names of the first."""
    toy = new_game("toy", tmp_path).folder
    for name, files in {
        "stone": {"layer.yaml": BASE, "stone.rules": 'side north "North"\nkind unit\n'},
        "wet": {"layer.yaml": "layer: wet\ntitle: Wet\nkind: optional\non: [stone]\n", "wet.rules": RULES},
    }.items():
        (tmp_path / name).mkdir()
        for file, text in files.items():
            (tmp_path / name / file).write_text(text)
    return [toy, tmp_path / "stone", tmp_path / "wet"]


def test_the_finding_is_at_the_manifest(folders: list[Path]) -> None:
    problems = compile_stack(discover_layers(folders)[0], "wet").problems
    [found] = [each for each in problems if isinstance(each, InvalidConstruct)]
    assert found.span.file.endswith("wet/layer.yaml")
    assert "of `toy`" in found.message
    assert found.advice == "write `on: [toy]`, or add `toy` to it"


def test_a_layer_on_the_right_game_has_no_problem(folders: list[Path]) -> None:
    manifest = folders[2] / "layer.yaml"
    manifest.write_text(manifest.read_text().replace("[stone]", "[toy]"))
    assert compile_stack(discover_layers(folders)[0], "wet").problems == ()


def test_few_unknown_names_are_reported_as_unknown(folders: list[Path]) -> None:
    rules = folders[2] / "wet.rules"
    rules.write_text(
        'condition wet(u: unit) default no\n  reads "{u} is wet"\nrule a [TOY.2] "A." wet holds when u.gait = wheel\n'
    )
    problems = compile_stack(discover_layers(folders)[0], "wet").problems
    assert problems
    assert not [each for each in problems if isinstance(each, InvalidConstruct)]
