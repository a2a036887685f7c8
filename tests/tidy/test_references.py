"""Docstrings and comments name only files and classes that exist: what was renamed or deleted is not referred to."""

import ast
import builtins
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tidy.check import ROOT, check, modules, plant, texts

FOLDERS = ("compiler", "runtime", "rulewright", "tests", "bench", "editors")
FILE = re.compile(r"(?<![\w*/.-])((?:[\w-]+/)*\w+\.(?:py|js|lark|wat))\b")
NAME = re.compile(r"`([A-Z][a-z]+[A-Za-z]*)(?:\.\w+)?`")
# Files that a docstring proposes to write, or that others have.
PROPOSED = {"b.py", "my_players.py", "weigh.py"}
Scope = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def stale_files(root: Path) -> Iterator[str]:
    """Find files that docstrings and comments name and that are not there, by name or by the end of their path."""
    there = {f"/{path}" for path, _ in texts(root, *FOLDERS)}
    names = {path.rpartition("/")[2] for path in there}
    trees = dict(modules(root, *FOLDERS))
    for path, text in texts(root, *FOLDERS, suffixes=".py"):
        # Tests hold texts in which something is wrong.
        for line, said in (*docstrings(trees[path]), *(() if path.startswith("tests/") else comments(text))):
            for found in FILE.findall(said):
                is_there = found in names if "/" not in found else any(each.endswith(f"/{found}") for each in there)
                if not is_there and found.rpartition("/")[2] not in PROPOSED:
                    yield f"{path}:{line}: `{found}` is not there"


def stale_names(root: Path) -> Iterator[str]:
    """Find capitalized names in docstrings that nothing has."""
    trees = dict(modules(root, *FOLDERS))
    known = {name for tree in trees.values() for each in statements(tree) for name in names_in(each)} | {*dir(builtins)}
    for path, tree in trees.items():
        for line, said in docstrings(tree):
            yield from (
                f"{path}:{line}: nothing is called `{name}`" for name in NAME.findall(said) if name not in known
            )


def names_in(statement: ast.stmt) -> Iterator[str]:
    """List the names that a statement gives to something."""
    match statement:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
        case ast.Assign(targets=targets):
            yield from (node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from ((each.asname or each.name).rpartition(".")[2] for each in names)
        case _:
            pass


def statements(scope: Scope) -> Iterator[ast.stmt]:
    """Walk the statements of a module, and of classes and functions in it; those inside of others are none of these."""
    for statement in scope.body:
        yield statement
        if isinstance(statement, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from statements(statement)
        elif isinstance(statement, ast.If):  # Imports for the type checker alone.
            yield from statement.body


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """List docstrings with the lines that they are of."""
    for node in (tree, *statements(tree)):
        if isinstance(node, Scope) and (said := ast.get_docstring(node, clean=False)):
            yield getattr(node, "lineno", 1), said


def comments(text: str) -> Iterator[tuple[int, str]]:
    """List comments, and what looks like one in a string."""
    for line, written in enumerate(text.splitlines(), 1):
        _, sign, said = written.partition("#")
        if sign:
            yield line, said


def test_files_are_there() -> None:
    check(stale_files)


def test_names_are_there() -> None:
    check(stale_names)


@pytest.mark.parametrize(
    ("text", "breaches"),
    [
        ('"""See lost.py."""', 1),
        ('"""See other/there.py, there.py and compiler/other/there.py."""', 0),
        ('"""See compiler/there.py."""', 1),
        ("x = 1  # As lost.py says.", 1),
        ('"""A `Gone` of `There`."""\nclass There:\n    """There."""', 1),
        ('"""A `ValueError` of `There.part`."""\nclass There:\n    """There."""', 0),
    ],
)
def test_what_is_gone_is_seen(tmp_path: Path, text: str, breaches: int) -> None:
    root = plant(tmp_path, {"compiler/a.py": text, "compiler/other/there.py": ""})
    for folder in FOLDERS:
        (root / folder).mkdir(exist_ok=True)
    assert len([*stale_files(root), *stale_names(root)]) == breaches


def test_something_is_referred_to() -> None:
    said = [one for _, tree in modules(ROOT, "runtime") for _, one in docstrings(tree)]
    assert sum(len(FILE.findall(one)) for one in said) > 30
    assert sum(len(NAME.findall(one)) for one in said) > 50
