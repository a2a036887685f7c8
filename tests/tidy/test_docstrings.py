"""Every module has a docstring, every public function and class has one, and none starts with a vague word."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sample import sampled
from tests.tidy.check import check, modules, nodes_of, plant

Public = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def silent_modules(root: Path) -> Iterator[str]:
    """Find modules without a docstring."""
    for path, tree in modules(root, "compiler", "runtime", "rulewright", "tests", "bench", "editors"):
        if not ast.get_docstring(tree):
            yield f"{path}: begin with a docstring: what it turns into what, and why it exists"


def silent_names(root: Path) -> Iterator[str]:
    """Find public functions, methods and classes without a docstring."""
    for path, tree in modules(root, "compiler", "runtime", "rulewright"):
        owners = [tree.body, *(node.body for node in tree.body if isinstance(node, ast.ClassDef))]
        for body in owners:
            for node in body:
                if isinstance(node, Public) and not node.name.startswith("_") and not ast.get_docstring(node):
                    yield f"{path}:{node.lineno}: {node.name} is public and has no docstring"


VAGUE = set(
    "All Begin Bound Break Bring Carry Cut Do Fill Follow Forget Gather Give Go Grow Have Hear Hold Judge Keep Lay "
    "Leave Let Look Make Name Note Nothing Offer Part Pick Place Put Quote Refuse Remember Say Shape Speak Stand Take "
    "Tell Throw Turn Unite Want Weigh Word Work".split()
)


def vague_docstrings(root: Path) -> Iterator[str]:
    """Find docstrings that start with a verb that does not state what is computed, or with a vague noun."""
    for path, tree in modules(root, "compiler", "runtime", "rulewright"):
        for node in nodes_of(tree):
            if isinstance(node, Public) and (words := (ast.get_docstring(node) or "").split()):
                first = words[0].strip(".,:;")
                if first in VAGUE:
                    yield f"{path}:{node.lineno}: `{first}` says too little: return, build, collect, store, ..?"


def test_docstrings_begin_with_a_precise_word() -> None:
    check(vague_docstrings)


@pytest.mark.parametrize(("text", "vague"), [("Take a rule.", 2), ("All of it.", 2), ("Return a rule.", 0), ("", 0)])
def test_a_vague_docstring_is_found(tmp_path: Path, text: str, vague: int) -> None:
    root = plant(
        tmp_path, {"runtime/a.py": f"def f():\n    '{text}'", "rulewright/cli/a.py": f"class C:\n    '{text}'"}
    )
    assert len([*vague_docstrings(root)]) == vague


ITEM = re.compile(r"(?:\A|(?<=[.,;:]\n)|(?<=\n\n))([a-z_]+): ")


def stale_fields(root: Path) -> Iterator[str]:
    """Find docstrings of classes that begin a line with `name:` where no field has this name any more."""
    for path, tree in modules(root, "compiler", "runtime", "rulewright"):
        for node in nodes_of(tree):
            if isinstance(node, ast.ClassDef):
                targets = [each.target for each in node.body if isinstance(each, ast.AnnAssign)]
                fields = {target.id for target in targets if isinstance(target, ast.Name)}
                names = ITEM.findall(ast.get_docstring(node) or "") if fields else []
                yield from (
                    f"{path}:{node.lineno}: `{name}` is no field of {node.name}" for name in names if name not in fields
                )


def test_docstrings_of_classes_name_their_fields() -> None:
    check(stale_fields)


@pytest.mark.parametrize(
    ("text", "stale"),
    [("A.\n\n    size: 1.\n    left: 2.", 1), ("size: 1.", 0), ("left: 2.", 1), ("A\n    left: 2.", 0)],
)
def test_a_stale_field_is_found(tmp_path: Path, text: str, stale: int) -> None:
    root = plant(tmp_path, {"runtime/a.py": f'class C:\n    """{text}"""\n    size: int'})
    assert len([*stale_fields(root)]) == stale


@sampled(0)
def test_modules_have_docstrings() -> None:
    check(silent_modules)


def test_public_names_have_docstrings() -> None:
    check(silent_names)


def test_a_silent_module_is_found(tmp_path: Path) -> None:
    root = plant(tmp_path, {"compiler/a.py": "x = 1", "tests/b.py": "", "runtime/c.py": '"""C."""'})
    assert len([*silent_modules(root)]) == 2


@pytest.mark.parametrize(
    "text", ["def f(): pass", "class C: pass", "class _C:\n    def f(self): pass", "async def f(): pass"]
)
def test_a_silent_name_is_found(tmp_path: Path, text: str) -> None:
    assert len([*silent_names(plant(tmp_path, {"runtime/a.py": text}))]) == 1


@pytest.mark.parametrize("text", ["def _f(): pass", "def f():\n    'F.'\n    def g(): pass"])
def test_private_and_inner_names_need_no_docstring(tmp_path: Path, text: str) -> None:
    assert not [*silent_names(plant(tmp_path, {"runtime/a.py": text}))]
