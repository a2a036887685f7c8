"""Every module is imported by another one, and every definition is used: a module that is not registered never runs."""

import ast
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tidy.check import ROOT, check, modules, nodes_of, plant, texts
from tests.tidy.test_arrows import PACKAGES, imports

# Folders whose imports count, besides the code; and the file that may name a module as a program.
USERS, SETTINGS = "bench", "pyproject.toml"
USERS_OF_NAMES = (USERS, "tests", "docs", SETTINGS)
# Methods that a library calls by name.
HOOKS = {
    "lex", "format_help", "format_options", "formatException", "observation_space", "process_renderables",
    "reducer_override",
}  # fmt: skip
TOP_LEVEL = {".ci", ".gitattributes", ".gitignore", "README.md", SETTINGS, "bench", "docs", "editors", "rules", "tests"}


def orphans(root: Path) -> Iterator[str]:
    """Find modules that no module imports and no text names as a program; `load_findings` imports whole folders."""
    code = dict(modules(root, *PACKAGES))
    users = code | dict(modules(root, USERS))
    imported = {target for path, tree in users.items() for _, target in imports(path, tree)}
    named = " ".join(text for _, text in texts(root, *PACKAGES, SETTINGS, suffixes=".py .toml .js"))
    for path, tree in code.items():
        name = path.removesuffix(".py").replace("/", ".")
        if path.endswith(("__init__.py", "__main__.py")) or "/findings/" in path:
            continue
        if any(each == name or each.startswith(f"{name}.") for each in imported):
            continue
        is_program = any(isinstance(node, ast.If) and "__main__" in ast.unparse(node.test) for node in tree.body)
        if not is_program and name not in named:
            yield f"{path}: nothing imports it"


def unused_definitions(root: Path) -> Iterator[str]:
    """Find functions and classes whose name occurs nowhere else, in code or in texts that call code."""
    words = Counter(word for _, text in texts(root, *PACKAGES, *USERS_OF_NAMES) for word in re.findall(r"\w+", text))
    for path, tree in modules(root, *PACKAGES):
        for node in nodes_of(tree):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or node.name in HOOKS:
                continue
            if words[node.name] == 1 and not node.name.startswith("__") and not node.decorator_list:
                yield f"{path}:{node.lineno}: `{node.name}` is used nowhere"


def strays(root: Path) -> Iterator[str]:
    """Find tracked files and folders at the top level that do not belong there."""
    output = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True).stdout
    found = {path.partition("/")[0] for path in output.split("\0") if path}
    yield from (f"{name}: belongs in a folder, or nowhere" for name in found - TOP_LEVEL - set(PACKAGES))


@pytest.mark.skipif(not (ROOT / ".git").exists() or shutil.which("git") is None, reason="no clone of git")
def test_the_top_level_is_clean() -> None:
    check(strays)


@pytest.mark.skipif(shutil.which("git") is None, reason="no git")
def test_a_stray_is_found(tmp_path: Path) -> None:
    root = plant(tmp_path, {"out.json": "", "rules/a.rules": "", "README.md": ""})
    for command in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *command], cwd=root, check=True)
    assert [*strays(root)] == ["out.json: belongs in a folder, or nowhere"]


def test_every_module_is_imported() -> None:
    check(orphans)


def test_no_definition_is_unused() -> None:
    check(unused_definitions)


def test_an_unused_definition_is_found(tmp_path: Path) -> None:
    code = {
        "runtime/a.py": "def used(): ...\n\ndef unused(): ...\n\nclass A:\n    def called(self): ...\n\n"
        "used(); A().called()\n",
        "runtime/b.py": "def from_grammar(): ...\n",
        "runtime/c.lark": "rule: x -> from_grammar\n",
        SETTINGS: "",
    }
    assert [*unused_definitions(plant(tmp_path, code))] == ["runtime/a.py:3: `unused` is used nowhere"]


def test_an_orphan_is_found(tmp_path: Path) -> None:
    code = {"runtime/a.py": "from runtime.b import x\n", "runtime/b.py": "x = 1\n", "runtime/c.py": ""}
    root = plant(tmp_path, {**code, SETTINGS: ""})
    assert [each.partition(":")[0] for each in orphans(root)] == ["runtime/a.py", "runtime/c.py"]
