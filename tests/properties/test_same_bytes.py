"""Compilation is deterministic: it does not depend on the process, hash seeds, or the order of files and paragraphs."""

import hashlib
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from compiler.compile import compile_stack
from compiler.source import package
from compiler.source.files import PackageFile, walk_files
from compiler.source.finding import Finding
from compiler.wasm.module import write_game
from rulewright.library.shipped_folders import rules_folder
from runtime.graph import nodes as graph
from runtime.graph.canonical import node_text
from tests.parsed import unused_database
from tests.sample import LONG

STACK = "panzer_grenadier+pg_smoke"
ASK = (
    "import hashlib, pathlib, sys\n"
    "from compiler.compile import compile_stack\n"
    "from compiler.source.package import discover_layers\n"
    "from compiler.wasm.module import write_game\n"
    "from runtime.graph.canonical import node_text\n"
    "library, _ = discover_layers([pathlib.Path(sys.argv[1])])\n"
    "made = [compile_stack(library, name).graph for name in sys.argv[2:]]\n"
    "texts = [text for each in made if each for text in (node_text(each), write_game(each, 8, 64)[0])]\n"
    "print(hashlib.sha256(''.join(texts).encode()).hexdigest())\n"
)


def compile_rules(root: Path, stack: str = STACK) -> graph.Graph:
    """Compile a stack."""
    library, _ = package.discover_layers([root], unused_database())
    result = compile_stack(library, stack).graph
    assert result is not None
    return result


@LONG
def test_processes_with_other_hash_seeds() -> None:
    stacks = [STACK, "low_tide", "panssari_salama"]
    graphs = [compile_rules(rules_folder(), each) for each in stacks]
    texts = [text for each in graphs for text in (node_text(each), write_game(each, 8, 64)[0])]
    here = hashlib.sha256("".join(texts).encode()).hexdigest()
    for seed in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parents[2])}
        command = [sys.executable, "-c", ASK, str(rules_folder()), *stacks]
        there = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert there.stdout.strip() == here


@pytest.mark.parametrize("seed", range(3))
def test_files_found_in_another_order(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = node_text(compile_rules(rules_folder()))

    def shuffled(root: Path, printed_text: str, found: list[Finding]) -> Iterator[PackageFile]:
        files = [*walk_files(root, printed_text, found)]
        random.Random(seed).shuffle(files)
        return iter(files)

    monkeypatch.setattr(package, "walk_files", shuffled)
    assert node_text(compile_rules(rules_folder())) == expected


@pytest.mark.parametrize("seed", range(3))
def test_paragraphs_in_another_order(seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)
    for file in sorted((rules_folder() / "games" / "low_tide").iterdir()):
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".rules":
            head, *parts = re.split(
                r"(?=^(?:rule|define|action|value|condition|verdict|track|status|feature)\b)", text, flags=re.MULTILINE
            )
            dice.shuffle(parts)
            text = head + "\n".join(parts)
        (tmp_path / file.name).write_text(text, encoding="utf-8")
    one, other = compile_rules(rules_folder() / "games" / "low_tide", "low_tide"), compile_rules(tmp_path, "low_tide")
    assert node_text(replace(placeless(one), hash="")) == node_text(replace(placeless(other), hash=""))


def placeless(node: Any) -> Any:
    """Remove source locations, and sort the examples."""
    if isinstance(node, graph.Origin):
        return graph.NO_ORIGIN
    if isinstance(node, graph.Graph):
        node = replace(node, examples=tuple(sorted(node.examples, key=lambda example: example.title)))
    if isinstance(node, graph.Example):
        node = replace(node, protects="")
    if isinstance(node, tuple):
        return tuple(placeless(part) for part in node)
    if isinstance(node, dict):
        return {key: placeless(part) for key, part in node.items()}
    if is_dataclass(node) and not isinstance(node, type):
        return replace(node, **{part.name: placeless(getattr(node, part.name)) for part in fields(node)})
    return node
