"""Strings in Python, and files of other languages, name only existing modules and members."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sample import sampled
from tests.tidy.check import ROOT, check, modules, nodes_of, plant, texts
from tests.tidy.test_references import names_in

FOLDERS = ("compiler", "runtime", "rulewright", "tests", "bench", "editors", "docs", "rules", "README.md")
OTHER = ".md .js .wat .lark .typ .css .j2 .lua .toml .json .html .yaml .rules"
# A setting or command of an editor is `rulewright.` and one word.
DOTTED = re.compile(r"(?<![\w./-])((?:(?:compiler|runtime|tests|bench)|rulewright\.[a-z_]+)(?:\.[A-Za-z]\w*)+)")
IMPORTED = re.compile(r"\bfrom ((?:compiler|runtime|rulewright|tests|bench)[\w.]*) import (\w+(?:, \w+)*)")
FILE = re.compile(r"(?<![\w*/.-])((?:[\w-]+/)*\w+\.(?:py|wat|lark))\b")
SETTINGS = {"rulewright.trace.server", "rulewright.tmLanguage.json"}
# Strings with planted errors, or examples for readers.
PLANTED = ("tests/tidy/", "tests/recipes/")
MADE_UP = {"rulewright/cli/weigh.py"}
# Other tests check the prose of these pages, which also name files of players.
PROSE = "docs/"


def lost_modules(root: Path) -> Iterator[str]:
    """Find dotted names and paths of modules that do not exist."""
    trees = dict(modules(root, *(folder for folder in FOLDERS if (root / folder).is_dir())))
    ends = {f"/{path}" for path, _ in texts(root, *FOLDERS, suffixes=".py .wat .lark")}
    for path, text in texts_by_file(root, trees):
        imported = (f"{module}.{name}" for module, names in IMPORTED.findall(text) for name in names.split(", "))
        dotted = (*DOTTED.findall(text), *imported)
        yield from (f"{path}: there is no {name}" for name in dotted if name not in SETTINGS and lost(name, trees))
        for file in [] if path.startswith(PROSE) else FILE.findall(text):
            whole = not path.endswith(".py") or ("/" in file and file.split("/")[0] in FOLDERS)
            if whole and file not in MADE_UP and not any(end.endswith(f"/{file}") for end in ends):
                yield f"{path}: there is no {file}"


def texts_by_file(root: Path, trees: dict[str, ast.Module]) -> Iterator[tuple[str, str]]:
    """Yield files of other languages with their texts, and modules with each of their strings."""
    yield from texts(root, *FOLDERS, suffixes=OTHER)
    for path, tree in trees.items():
        for node in [] if path.startswith(PLANTED) else nodes_of(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield path, node.value


def lost(name: str, trees: dict[str, ast.Module]) -> bool:
    """Return whether no module has this name, or whether a module named by its start lacks the next part."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        place = "/".join(parts[:count])
        tree = trees.get(f"{place}.py") or trees.get(f"{place}/__init__.py")
        if tree is not None:
            return count < len(parts) and parts[count] not in members(tree)
    return True


def members(tree: ast.Module) -> set[str]:
    """Return the names that a module defines at its top level, conditional blocks included."""
    inside = (each for top in tree.body for each in (top, *(top.body if isinstance(top, ast.If) else ())))
    return {name for each in inside for name in names_in(each)}


@sampled(0)
def test_named_modules_exist() -> None:
    check(lost_modules)


@pytest.mark.parametrize(
    ("path", "text", "breaches"),
    [
        ("compiler/a.wat", ";; As compiler/there.py, there.py and compiler.there.part say.", 0),
        ("compiler/a.wat", ";; As compiler/gone.py, gone.py and compiler.gone.part say.", 3),
        ("editors/a.lua", "-- compiler.there.gone", 1),
        ("docs/a.md", "from compiler.there import part, gone", 1),
        ("tests/a.py", 'x = "compiler.there.part", "tests/gone.py", "players_file.py"', 1),
        ("tests/a.py", 'x = "from compiler.gone import part"', 2),
        ("editors/a.json", '{"rulewright.command": "rulewright.cli.gone"}', 1),
    ],
)
def test_a_lost_module_is_found(tmp_path: Path, path: str, text: str, breaches: int) -> None:
    there = {"compiler/there.py": "part = 1\n", "rulewright/cli/__init__.py": "", "README.md": "", path: text}
    root = plant(tmp_path, there)
    for folder in FOLDERS[:-1]:
        (root / folder).mkdir(exist_ok=True)
    assert len([*lost_modules(root)]) == breaches


@sampled(0)
def test_the_patterns_find_names() -> None:
    found = [text for path, text in texts_by_file(ROOT, dict(modules(ROOT, "tests"))) if not path.startswith(PROSE)]
    assert sum(len(DOTTED.findall(text)) for text in found) > 20
    assert sum(len(IMPORTED.findall(text)) for text in found) > 10
    assert sum(len(FILE.findall(text)) for text in found) > 50
