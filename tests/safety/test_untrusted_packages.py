"""A package makes commands read nothing outside of it and write nothing; its names and texts never become code."""

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from compiler.compile import compile_stack
from compiler.source.package import discover_layers
from compiler.wasm.module import write_game
from runtime.answer.emit_functions import FUNCTION_SUFFIXES
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.module_text import module_text
from runtime.engine.module import CompiledModule
from runtime.graph import nodes as graph
from runtime.state.setup import from_card
from tests.answers.differential import compare
from tests.commands.planting import say
from tests.safety.confine import Content, package

SYMLINKS = pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")


def tree(place: Path) -> dict[str, bytes]:
    """Return the files of a folder with their bytes."""
    return {str(file): file.read_bytes() for file in sorted(place.rglob("*")) if file.is_file()}


def to(target: str) -> Callable[[Path], None]:
    """Return a function that creates a link to a target."""
    return lambda file: file.symlink_to(target)


@SYMLINKS
@pytest.mark.parametrize(
    ("name", "spoil", "code"),
    [
        ("out.rules", to("/etc/passwd"), "R0124"),
        ("out.yaml", to("../../secret.yaml"), "R0124"),
        ("out", to("/etc"), "R0124"),
        ("round", to("."), ""),
        ("zero.rules", to("/dev/zero"), "R0124"),
        ("pipe.rules", os.mkfifo if hasattr(os, "mkfifo") else to("."), "R0123"),
        ("lost.rules", to("nowhere.rules"), "R0123"),
    ],
)
def test_only_files_inside_a_package_are_read(
    name: str, spoil: Callable[[Path], None], code: str, tmp_path: Path
) -> None:
    (tmp_path / "secret.yaml").write_text("table: secret\n", encoding="utf-8")
    data = say(["check", "toy", "--path", str(package(tmp_path / "shelf", {name: spoil})), "--format", "json"])
    assert [each["code"] for each in data.data["diagnostics"]] == [code] * bool(code)
    assert data.code == int(bool(code))
    assert "secret:" not in data.out
    assert "root:" not in data.out


@pytest.mark.parametrize(
    "command", [["check", "toy"], ["test", "toy"], ["play", "first_toy"], ["tree", "toy", "may_enter"]]
)
def test_commands_write_no_file(command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    top = package(tmp_path, {"worse.rules": 'rule dead [TOY.1] "x"\n  may_enter forbidden\n  when 1 = 2\n'})
    monkeypatch.chdir(top)
    before = tree(tmp_path)
    say([*command, "--path", str(top)])
    assert tree(tmp_path) == before


# Names with a meaning in Python, in generated code, or in its emitter.
NAMES = (
    "s b n why value total said memory key expression stream class None def import lambda self True eval exec open "
    "type tuple span spot plain gap clash state fields __class__ __import__ __builtins__ class_ class__ a a_ a_why "
    "a__b A HALF"
).split()
DEFINITIONS = "".join(
    f'define {name}(h: hex): 0..99 [TOY.1] = {number} + count(q in neighbors(h) where q is marsh) reads "x"\n'
    for number, name in enumerate(NAMES)
)
PARAMETERS = "".join(
    f"define t{number}({name}: hex): 0..99 [TOY.1] = "
    f'{number} + count({name} in neighbors({name}) where {name} is marsh or adjacent({name}, {name})) reads "x"\n'
    for number, name in enumerate(NAMES)
)
WITHS = "".join(
    f'value v{number}(h: hex): 0..99 reads "x"\n'
    f'rule r{number} [TOY.1] "x"\n  v{number} is {name} + 3\n  with {name} = count(neighbors(h))\n  when {name} >= 0\n'
    for number, name in enumerate(NAMES)
)
SHADOWS = """
define far(h: hex): 0..99 [TOY.1] = count(neighbors(h)) reads "x"
define near(far: hex): 0..99 [TOY.1] = far(far) + 1 reads "x"
define both(far: hex): 0..99 [TOY.1] = count(near in neighbors(far) where far(near) > 2 and near(near) > 2) reads "x"
sum deep(far: hex, near: hex): MP reads "x"
rule d1 [TOY.1] "x"
  deep adds 2 MP
  when far(near) > 2
rule d2 [TOY.1] "x"
  deep adds 3 MP
  with deep = near(far)
  when deep > 2
"""
ENUMS = (
    "enum odd: " + ", ".join(NAMES) + '\ndefine z(h: hex): odd [TOY.1] = if h is marsh then class else None reads "x"\n'
)


@pytest.mark.parametrize(
    "rules",
    [DEFINITIONS, PARAMETERS, WITHS, SHADOWS, ENUMS],
    ids=["terms", "parameters", "withs", "shadows", "members"],
)
def test_names_of_python_and_of_the_emitter(rules: str, tmp_path: Path) -> None:
    compiled_graph = compiled(tmp_path, {"x.rules": rules})
    compared_count, differences = compare(compiled_graph, from_card(compiled_graph), 1, 3)
    assert compared_count > len(NAMES) or rules in (SHADOWS, ENUMS)
    assert differences == []


def compiled(place: Path, files: dict[str, Content]) -> graph.Graph:
    """Compile the toy game and its card with the given files in addition or instead."""
    library, _ = discover_layers([package(place, files)])
    result = compile_stack(library, "toy", library.scenarios["first_toy"])
    assert result.problems == ()
    assert result.graph is not None
    return result.graph


EVIL = 'x"""\nBAIT.append(1)\n"""\\'


def test_texts_of_a_graph_are_never_executed(tmp_path: Path) -> None:
    rules = compiled(tmp_path, {})
    terms = {name: replace(term, reads=EVIL, denied=EVIL) for name, term in rules.terms.items()}
    laws = {label: replace(rule, prose=EVIL, cites=(EVIL,)) for label, rule in rules.rules.items()}
    evil = replace(rules, terms=terms, rules=laws, stack=EVIL)
    bait: list[int] = []
    exec(compile(module_text(evil), "evil", "exec"), {"BAIT": bait, "__name__": "evil"})
    answers = GeneratedEvaluator(evil)
    answers.namespace["BAIT"] = bait
    compare(evil, from_card(evil), 1, 2)
    for name in evil.terms:
        make_functions(answers, name)
    assert bait == []


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> graph.Graph:
    """Compile the toy game and its card."""
    return compiled(tmp_path_factory.mktemp("toy"), {})


def test_a_module_imports_nothing(toy: graph.Graph) -> None:
    assert not CompiledModule(toy, *write_game(toy, 8, 64)).wasmtime_module.imports


def make_functions(answers: GeneratedEvaluator, term: str) -> None:
    """Generate all functions of a term."""
    for suffix in FUNCTION_SUFFIXES:
        answers.make_function(term, suffix)
