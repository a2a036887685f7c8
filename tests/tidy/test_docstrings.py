"""Every module says why it exists, and every public function or class what it is for."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tidy.check import check, modules, plant

Public = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def silent_modules(root: Path) -> Iterator[str]:
    """Find modules that do not say why they exist."""
    for path, tree in modules(root, "compiler", "runtime", "rulewright", "tests", "bench", "editors"):
        if not ast.get_docstring(tree):
            yield f"{path}: begin with a docstring: what it turns into what, and why it exists"


def silent_names(root: Path) -> Iterator[str]:
    """Find public functions, methods and classes without a sentence."""
    for path, tree in modules(root, "compiler", "runtime", "rulewright"):
        owners = [tree.body, *(node.body for node in tree.body if isinstance(node, ast.ClassDef))]
        for body in owners:
            for node in body:
                if isinstance(node, Public) and not node.name.startswith("_") and not ast.get_docstring(node):
                    yield f"{path}:{node.lineno}: {node.name} is public and has no docstring"


def test_modules_speak() -> None:
    check(silent_modules)


def test_public_names_speak() -> None:
    check(silent_names)


def test_a_silent_module_is_seen(tmp_path: Path) -> None:
    root = plant(tmp_path, {"compiler/a.py": "x = 1", "tests/b.py": "", "runtime/c.py": '"""C."""'})
    assert len([*silent_modules(root)]) == 2


@pytest.mark.parametrize(
    "text", ["def f(): pass", "class C: pass", "class _C:\n    def f(self): pass", "async def f(): pass"]
)
def test_a_silent_name_is_seen(tmp_path: Path, text: str) -> None:
    assert len([*silent_names(plant(tmp_path, {"runtime/a.py": text}))]) == 1


@pytest.mark.parametrize("text", ["def _f(): pass", "def f():\n    'F.'\n    def g(): pass"])
def test_an_inner_name_may_be_silent(tmp_path: Path, text: str) -> None:
    assert not [*silent_names(plant(tmp_path, {"runtime/a.py": text}))]
