"""Insertions of phases and stages: their order does not depend on the order of reading."""

from collections.abc import Mapping
from itertools import permutations
from pathlib import Path
from types import MappingProxyType

import pytest

from compiler.compile import compile_stack
from compiler.layered.findings.layers import LayerCycle, UnknownLayer
from compiler.layered.findings.patches import InsertedTwice
from compiler.source.package import discover_layers
from runtime.graph import nodes as graph

GAME = """
side north, south
value heat(d: 1..6): 0..9 in stages early, late
rule early "Early." heat.early is d
rule late "Late." heat.late is previous
sequence toy { each turn in 1..2 { phase dawn "Dawn" { } phase noon "Noon" { } } }
"""

PHASES = ('insert phase a "A" { } after dawn', 'insert phase b "B" { } after a', 'insert phase c "C" { } before b')
STAGES = ("extend stages heat: a after early", "extend stages heat: b after a", "extend stages heat: c after b")


def compiled(
    folder: Path, layers: dict[str, tuple[str, str]], stack: str, above: Mapping[str, str] = MappingProxyType({})
) -> tuple[graph.Graph | None, list[object]]:
    """Compile the game with layers: by name the layer below and the text.

    `above` maps a layer to the one that it follows.
    """
    for name, (on, text) in {"game": ("", GAME), **layers}.items():
        place = folder / name
        place.mkdir(parents=True, exist_ok=True)
        kind = f"kind: optional\non: [{on}]" if on else "kind: base"
        (place / "layer.yaml").write_text(
            f"layer: {name}\ntitle: {name}\n{kind}\nabove: [{above.get(name, '')}]\ncites: house\n"
        )
        (place / "all.rules").write_text(text)
    library, problems = discover_layers([folder])
    assert not problems
    result = compile_stack(library, stack)
    return result.graph, list(result.problems)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_an_insertion_may_be_read_before_its_anchor(tmp_path: Path, order: tuple[int, ...]) -> None:
    written = "\n".join((*(PHASES[place] for place in order), *(STAGES[place] for place in order)))
    stack, problems = compiled(tmp_path, {"more": ("game", written)}, "game+more")
    assert stack is not None, problems
    assert [word for word in phases(stack) if word in "abc"] == ["a", "c", "b"]
    questions = [name for name in stack.terms if name.startswith("heat.")]
    assert sorted(questions) == ["heat.a", "heat.b", "heat.c", "heat.early", "heat.late"]


def phases(rules: graph.Graph) -> list[str]:
    """Return the names of the phases of the sequence in order."""
    (loop,) = rules.procedures["sequence"].body
    assert isinstance(loop, graph.Each)
    return [step.name for step in loop.body if isinstance(step, graph.Phase)]


@pytest.mark.parametrize("kind", ['insert phase {} "X" {{ }} after dawn', "extend stages heat: {} after early"])
def test_insertions_of_independent_layers_at_one_place_clash(tmp_path: Path, kind: str) -> None:
    layers = {"one": ("game", kind.format("a")), "other": ("game", kind.format("b"))}
    stack, problems = compiled(tmp_path, layers, "game+one+other")
    assert stack is None
    (found,) = problems
    assert isinstance(found, InsertedTwice)
    assert {Path(found.span.file).parent.name, Path(found.other.file).parent.name} == {"one", "other"}


def test_an_insertion_of_a_higher_layer_is_nearer_to_the_anchor(tmp_path: Path) -> None:
    layers = {
        "one": ("game", 'insert phase a "A" { } after dawn'),
        "upper": ("one", 'insert phase b "B" { } after dawn'),
    }
    stack, problems = compiled(tmp_path, layers, "game+upper")
    assert stack is not None, problems
    assert phases(stack) == ["dawn", "b", "a", "noon"]


def test_above_decides_the_order_of_insertions(tmp_path: Path) -> None:
    layers = {name: ("game", f'insert phase {name} "X" {{ }} after dawn') for name in ("a", "b", "c")}
    above = {"a": "b", "b": "c"}
    stack, problems = compiled(tmp_path, layers, "game+a+b+c", above)
    assert stack is not None, problems
    assert phases(stack) == ["dawn", "a", "b", "c", "noon"]
    stack, problems = compiled(tmp_path, layers, "game+a+c", above)
    assert stack is not None, problems
    assert phases(stack) == ["dawn", "a", "c", "noon"]
    stack, problems = compiled(tmp_path, layers, "game+a", above)
    assert stack is not None, problems
    assert phases(stack) == ["dawn", "a", "noon"]


def test_hooks_of_the_layer_above_run_second(tmp_path: Path) -> None:
    hook = "after end of turn [house] {}"
    layers = {name: ("game", hook.replace("{}", f"{{ set game.turn to {n} }}")) for n, name in enumerate(("b", "a"))}
    for above, first in (({"a": "b"}, "b"), ({"b": "a"}, "a")):
        stack, problems = compiled(tmp_path, layers, "game+a+b", above)
        assert stack is not None, problems
        hooks = sorted((key, each) for key, each in stack.procedures.items() if each.what == "hook")
        assert [each.origin.layer for _, each in hooks] == [first, "ab".replace(first, "")]
        assert hooks[1][1].behind == (hooks[0][0],)


def test_above_must_name_a_layer_and_have_no_cycle(tmp_path: Path) -> None:
    layers = {"a": ("game", ""), "b": ("game", "")}
    _, problems = compiled(tmp_path, layers, "game+a", {"a": "bb"})
    (unknown,) = problems
    assert isinstance(unknown, UnknownLayer)
    assert unknown.candidates[0] == "b"
    _, problems = compiled(tmp_path, layers, "game+a+b", {"a": "b", "b": "a"})
    assert LayerCycle in map(type, problems)


def test_two_insertions_of_one_layer_at_one_place_clash(tmp_path: Path) -> None:
    text = 'insert phase a "A" { } before noon\ninsert phase b "B" { } before noon'
    _, problems = compiled(tmp_path, {"one": ("game", text)}, "game+one")
    assert [type(problem) for problem in problems] == [InsertedTwice]
