"""No docstring starts with a vague word."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tidy.check import check, modules, nodes_of, plant

Public = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


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
        tmp_path, {"runtime/a.py": f"def f():\n    '{text}'", "rulewright/serve/cli/a.py": f"class C:\n    '{text}'"}
    )
    assert len([*vague_docstrings(root)]) == vague
