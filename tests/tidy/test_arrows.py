"""Permitted imports: between packages, between the folders of a package, and of external packages."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sample import sampled
from tests.tidy.check import check, modules, nodes_of, plant, texts

# A package may import only these of our packages.
PACKAGES = {
    "runtime": ["runtime"],
    "compiler": ["compiler", "runtime.graph"],
    "rulewright": ["compiler", "runtime", "rulewright"],
}

# Folders in building order: an import leads to the same line or to an earlier one. The files directly in a package are
# the top level: they may import all folders, and no folder imports them.
ORDER = {
    "compiler": [
        "query",
        "source",
        "layered",
        "typed",
        "index",
        "analysis",
        "core",
        "wasm",
        "report",
        "rulebook format",
    ],
    "runtime": [
        "graph",
        "answer board state",
        "engine",
        "play",
        "players",
        "trial",
        "examples",
        "mutation",
        "witness",
        "audit",
        "experiment",
    ],
    "rulewright": [
        "system",
        "library",
        "exchange games",
        "adapters checks",
        "explain",
        "book lab",
        "write",
        "serve",
    ],
}
TOP_LEVEL = 99
# The front end has nothing at its top level but what programs import and what starts it.
FRONT_FILES = {"__init__.py", "__main__.py", "api.py", "bootstrap.py"}
# What every folder may import of the top level: a constant, in a file that imports nothing.
VERSION = "__version__"
# Nothing imports these folders but the modules in them.
ADAPTERS = "rulewright.adapters"

# The folders or files that may import an external package, or a restricted module of Python.
OUTSIDE = {
    "lark": ["compiler/source"],
    "yaml": ["compiler/source"],
    "jsonschema": ["compiler/source"],
    "referencing": ["compiler/source"],  # jsonschema's own way to find a schema
    "jinja2": ["compiler/rulebook"],
    "snowballstemmer": ["compiler/rulebook/index"],
    "typst": ["compiler/rulebook"],
    "numpy": [],
    "z3": ["compiler/analysis/arithmetic"],
    "wasmtime": ["runtime/engine"],
    "typer": ["rulewright"],
    "rich": ["rulewright"],
    "resvg_py": ["rulewright/explain/views/picture.py"],
    "pygls": ["rulewright/serve/editor"],
    "lsprotocol": ["rulewright/serve/editor"],
    "cattrs": ["rulewright/serve/editor"],
    "starlette": ["rulewright/serve/workbench"],
    "uvicorn": ["rulewright/serve/workbench/server.py"],
    "setuptools": ["rulewright/library/wheel.py"],
    "random": [],
    "secrets": [],
    "time": ["rulewright"],
    "datetime": ["rulewright"],
}


def breaches(root: Path) -> Iterator[str]:
    """Find forbidden imports, and calls of `print` outside of the front end."""
    printing = {path for path, text in texts(root, *PACKAGES, suffixes=".py") if "print" in text}
    for path, tree in modules(root, *PACKAGES):
        top, inner, *rest = path.split("/")
        if rest and top in ORDER and inner not in ranks(top):
            yield f"{path}: {inner} is a new folder: give it a place in the order of {Path(__file__).name}"
        if top == "rulewright" and not rest and inner not in FRONT_FILES:
            yield f"{path}: give it one of the folders in the order of {Path(__file__).name}"
        for line, target in imports(path, tree):
            if reason := refusal(path, target):
                yield f"{path}:{line}: imports {target}: {reason}"
        if path in printing and not path.startswith("rulewright/"):
            for node in nodes_of(tree):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
                    yield f"{path}:{node.lineno}: prints: only rulewright/ does"


def circles(root: Path) -> Iterator[str]:
    """Find folders on one line of the order that import each other."""
    seen = {folders(path, target) for path, tree in modules(root, *ORDER) for _, target in imports(path, tree)}
    for from_package, here, to_package, there in sorted(seen):
        if from_package == to_package and here < there and (to_package, there, from_package, here) in seen:
            yield f"{from_package}: {here} and {there} import each other: one of them has to stand below"


def imports(path: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield every import of a module with its line and full dotted name, those inside functions included."""
    for node in _statements(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            # `from . import x` in a/b.py means a.x.
            parents = path.split("/")[: -node.level] if node.level else []
            source = ".".join([*parents, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{source}.{alias.name}") for alias in node.names)


def _statements(block: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements of a block and of its inner blocks; expressions cannot import."""
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        inner = getattr(block, name, ())
        for each in inner if isinstance(inner, list) else ():
            yield each
            yield from _statements(each)


def folders(path: str, target: str) -> tuple[str, str, str, str]:
    """Return the importing package and folder, and the imported ones."""
    package, here, *_ = path.split("/")
    top, there, *_ = [*target.split("."), ""]
    return package, here, top, there


def refusal(path: str, target: str) -> str | None:
    """Return why the file at `path` may not import `target`, or None."""
    package, here, top, there = folders(path, target)
    if top in OUTSIDE:
        places = OUTSIDE[top]
        if any(within(path, place, "/") for place in places):
            return None
        return f"{top} is imported in {' and '.join(places) or 'no folder'} only"
    if top not in PACKAGES and top != "tests":
        return None if top in sys.stdlib_module_names else f"{top} has no place in this repository"
    if not any(within(target, allowed, ".") for allowed in PACKAGES[package]):
        return f"{package}/ may import {' and '.join(PACKAGES[package])} only"
    if within(target, ADAPTERS, ".") and path.split("/")[:3] != target.split(".")[:3]:
        return "an adapter is found by its entry point, and knows no other"
    rank = ranks(package)
    if package == top and there != VERSION and rank.get(here, TOP_LEVEL) < rank.get(there, TOP_LEVEL):
        return f"{here} is built before {there if there in rank else 'the top level'}"
    return None


def ranks(package: str) -> dict[str, int]:
    """Return the position of each folder of a package in building order."""
    return {folder: place for place, line in enumerate(ORDER.get(package, ())) for folder in line.split()}


def within(inner: str, outer: str, separator: str) -> bool:
    """Return whether a path or dotted name is `outer` or inside it."""
    return inner == outer or inner.startswith(outer + separator)


@sampled(0)
def test_imports_are_permitted() -> None:
    check(breaches)


def test_folders_import_each_other_one_way() -> None:
    check(circles)


def test_mutual_imports_are_found(tmp_path: Path) -> None:
    one_way = {"runtime/answer/explain.py": "from runtime.state import position"}
    assert not [*circles(plant(tmp_path, one_way))]
    assert len([*circles(plant(tmp_path, {"runtime/state/event.py": "import runtime.answer.explain"}))]) == 1


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("runtime/answer/explain.py", "from compiler.report import codes"),
        ("runtime/answer/explain.py", "import compiler"),
        ("compiler/typed/units.py", "from runtime.board import hexes"),
        ("compiler/typed/units.py", "from rulewright import shipped"),
        ("compiler/layered/catalog.py", "from compiler import typed"),
        ("compiler/layered/catalog.py", "from compiler.typed import world"),
        ("compiler/layered/catalog.py", "from ..typed import world"),
        ("compiler/layered/catalog.py", "from compiler.compile import compile_stack"),
        ("compiler/typed/check.py", "from compiler.report.diagnose import diagnose"),
        ("compiler/analysis/diff.py", "def later():\n    import yaml"),
        ("compiler/layered/catalog.py", "import lark"),
        ("compiler/report/fold.py", "import rich"),
        ("compiler/report/fold.py", "print('found')"),
        ("compiler/attic/old.py", "import re"),
        ("runtime/graph/codec.py", "from runtime.state import position"),
        ("runtime/play/tasks.py", "import random"),
        ("runtime/players/greedy.py", "from random import choice"),
        ("runtime/players/greedy.py", "from runtime.trial import record"),
        ("runtime/state/event.py", "from datetime import datetime"),
        ("runtime/answer/interpreter.py", "import numpy as np"),
        ("rulewright/serve/cli/ask.py", "import requests"),
        ("rulewright/explain/position_questions.py", "from rulewright.serve.cli import console"),
        ("rulewright/checks/proofs.py", "from rulewright.explain.views import pages"),
        ("rulewright/library/stacks.py", "from rulewright.api import compile_stack"),
        ("rulewright/attic/old.py", "import re"),
        ("rulewright/old.py", "import re"),
        ("rulewright/serve/cli/importing.py", "from rulewright.adapters.vassal import archive"),
        ("rulewright/adapters/vassal/texts.py", "from rulewright.adapters.open_panzer_blitz import forces"),
        ("rulewright/serve/cli/ask.py", "from tests.tidy import check"),
    ],
)
def test_a_forbidden_import_is_found(tmp_path: Path, path: str, line: str) -> None:
    assert len([*breaches(plant(tmp_path, {path: line}))]) == 1


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("compiler/compile.py", "from compiler import lower"),
        ("compiler/lower.py", "from runtime.graph import nodes"),
        ("compiler/lower.py", "from runtime import graph"),
        ("compiler/layered/catalog.py", "from compiler import source"),
        ("compiler/source/table.py", "import yaml"),
        ("runtime/play/dice.py", "import hashlib"),
        ("rulewright/adapters/vassal/texts.py", "from rulewright.adapters.vassal import archive"),
        ("runtime/state/event.py", "from . import position"),
        ("rulewright/serve/cli/ask.py", "from runtime.answer import explain"),
        ("rulewright/serve/cli/version.py", "from rulewright import __version__"),
        ("rulewright/api.py", "from rulewright.serve.cli import console"),
        ("rulewright/serve/cli/ask.py", "import typer\nprint()"),
    ],
)
def test_a_permitted_import_passes(tmp_path: Path, path: str, line: str) -> None:
    assert not [*breaches(plant(tmp_path, {path: line}))]
