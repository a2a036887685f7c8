"""Layers that `with` adds to a stack, and how a request omits them."""

from pathlib import Path

import pytest

from compiler.layered.findings.layers import LeavesOffNothing, UnknownLayer
from compiler.layered.layer_selection import choose_layers
from compiler.layered.stack_request import parse_request
from compiler.source.package import discover_layers
from rulewright.library.stack_names import named_stack
from rulewright.write.new_packages import new_variant
from tests.sample import LONG

LAYERS = {
    "game": "kind: base\nwith: [frost]",
    "frost": "kind: optional\non: [game]\nwith: [skates]",
    "skates": "kind: optional\non: [frost]",
    "boats": "kind: optional\non: [game]",
    "thaw": "kind: joint\non: [frost, boats]",
    "summer": "kind: variant\non: [game]\nnot with: [frost]",
    "winter": "kind: variant\non: [game, frost]",
    "lost": "kind: variant\non: [game]\nwith: [nobody]",
}


def chosen(place: Path, stack: str) -> tuple[set[str], list[object]]:
    """Choose the layers of a stack; return their names and the problems."""
    for name, text in LAYERS.items():
        (place / name).mkdir()
        (place / name / "layer.yaml").write_text(f"layer: {name}\ntitle: {name}\n{text}\n", encoding="utf-8")
    library, problems = discover_layers([place])
    assert not problems
    layers, found = choose_layers(library.layers, parse_request(stack))
    return {layer.name.text for layer in layers}, list(found)


@pytest.mark.parametrize(
    ("stack", "layers"),
    [
        ("game", "game frost skates"),
        ("game+boats", "game frost skates boats thaw"),
        ("game+boats-frost", "game boats"),
        ("game-frost", "game"),
        ("game+frost=off", "game"),
        ("game-skates", "game frost"),
        ("game+skates", "game frost skates"),
        ("summer", "game summer"),
        ("winter", "game frost skates winter"),
        ("winter-skates", "game frost winter"),
    ],
)
def test_companions_of_a_stack(tmp_path: Path, stack: str, layers: str) -> None:
    assert chosen(tmp_path, stack) == (set(layers.split()), [])


@pytest.mark.parametrize(
    ("stack", "name", "needed", "loaded"),
    [
        ("game-boats", "boats", (), False),
        ("winter-frost", "frost", ("winter",), True),
        ("game+skates-frost", "frost", (), True),
        ("game+frost-frost", "frost", (), True),
        ("game+boats-boats", "boats", (), True),
    ],
)
def test_layers_that_cannot_be_left_off(
    tmp_path: Path, stack: str, name: str, needed: tuple[str, ...], loaded: bool
) -> None:
    _, [problem] = chosen(tmp_path, stack)
    assert isinstance(problem, LeavesOffNothing)
    assert (problem.name, problem.dependents, problem.is_loaded) == (name, needed, loaded)


@pytest.mark.parametrize(
    ("stack", "reason"),
    [
        ("game+boats+skates-thaw", "`frost` and `boats` cannot be used together without it"),
        ("game+thaw-thaw", "the stack also names it"),
    ],
)
def test_a_joint_layer_cannot_be_left_off(tmp_path: Path, stack: str, reason: str) -> None:
    _, [problem] = chosen(tmp_path, stack)
    assert isinstance(problem, LeavesOffNothing)
    assert problem.sentence().message == f"`thaw` cannot be left off: {reason}"


def test_an_unknown_companion_is_one_problem(tmp_path: Path) -> None:
    layers, [problem] = chosen(tmp_path, "lost")
    assert layers == {"game", "frost", "skates", "lost"}
    assert isinstance(problem, UnknownLayer)
    assert problem.name == "nobody"


def test_both_notations_of_an_omitted_layer_are_one_request() -> None:
    short, full = parse_request("pl1940-pl1940_experimental"), parse_request("pl1940+pl1940_experimental=off")
    assert short == full
    assert short.name == named_stack("pl1940-pl1940_experimental")[0] == "pl1940+pl1940_experimental=off"


@LONG
def test_a_new_variant_excludes_the_layer_that_its_stack_omits(tmp_path: Path) -> None:
    new_variant("early", "pl1940-pl1940_experimental", tmp_path, packages=())
    manifest = (tmp_path / "early" / "layer.yaml").read_text(encoding="utf-8")
    assert "on: [pl1940]\nnot with: [pl1940_experimental]\n" in manifest
