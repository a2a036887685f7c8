"""Docstrings and comments name only existing files, and only names that occur in code or data."""

import ast
import builtins
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sample import sampled
from tests.tidy.check import check, modules, nodes_of, parsed, plant, texts
from tests.tidy.measures import docstring_lines

FOLDERS = ("compiler", "runtime", "rulewright")
NAMED = ("tests", "bench", "editors")
FILE = re.compile(r"(?<![\w*/.-])(?:\.\./)*((?:[\w-]+/)*\w+\.(?:py|js|lark|wat))\b")
NAME = re.compile(r"`([A-Z][a-z]+[A-Za-z]*|[a-z]+_\w+)(?:\(\))?`")
# Names in examples of what authors write, and files that a docstring proposes to write or that other projects have.
EXAMPLES = {"soft_ground", "rifle_2_1"}
PROPOSED = {"b.py", "my_players.py", "weigh.py"}
Described = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def stale_files(root: Path) -> Iterator[str]:
    """Find files that docstrings and comments name and that do not exist, by name or by the end of their path."""
    existing = [f"/{path}" for path, _ in texts(root, *FOLDERS, *NAMED)]
    for path, line, prose in prose_of(root):
        for name in FILE.findall(prose):
            if name.rpartition("/")[2] not in PROPOSED and not any(file.endswith(f"/{name}") for file in existing):
                yield f"{path}:{line}: `{name}` is not there"


def stale_names(root: Path) -> Iterator[str]:
    """Find names in backticks, capitalized or of several words, that occur neither in code nor in data."""
    known = EXAMPLES | {*dir(builtins)}
    for path, text in texts(root, *FOLDERS, *NAMED, suffixes=".py"):
        known |= words_of_code(path, text)
    for _, text in texts(root, *FOLDERS, "rules", suffixes=".rules .yaml .lark .wat .js .j2 .json"):
        known |= {*re.findall(r"\w+", text)}
    for path, line, prose in prose_of(root):
        yield from (f"{path}:{line}: nothing is called `{name}`" for name in NAME.findall(prose) if name not in known)


def prose_of(root: Path) -> Iterator[tuple[str, int, str]]:
    """Yield docstrings and comments with their files and lines; a string that contains a `#` counts as a comment."""
    for path, tree in modules(root, *FOLDERS):
        for node in nodes_of(tree):
            if isinstance(node, Described) and (docstring := ast.get_docstring(node, clean=False)):
                yield path, getattr(node, "lineno", 1), docstring
        for line, written in enumerate((root / path).read_text(encoding="utf-8").splitlines(), 1):
            yield path, line, written.partition("#")[2]


def words_of_code(path: str, text: str) -> set[str]:
    """Return the words of a module without its docstrings and comments."""
    documentation = docstring_lines(parsed(path, text))
    lines = (line for number, line in enumerate(text.splitlines(), 1) if number not in documentation)
    return {word for line in lines for word in re.findall(r"\w+", line.partition("#")[0])}


def test_named_files_exist() -> None:
    check(stale_files)


@sampled(0)
def test_names_in_backticks_exist() -> None:
    check(stale_names)


@pytest.mark.parametrize(
    ("text", "breaches"),
    [
        ('"""See lost.py."""', 1),
        ('"""See other/there.py, there.py and compiler/other/there.py."""', 0),
        ('"""See ../lost.py."""', 1),
        ("x = 1  # As lost.py says.", 1),
        ('"""A `Gone` of `There`."""\nclass There:\n    """There."""', 1),
        ('"""See `a_gone` and `a_field`, `a_rule`."""\nx = "a_field"  # As `b_gone` has it.', 2),
    ],
)
def test_a_stale_reference_is_found(tmp_path: Path, text: str, breaches: int) -> None:
    files = {"compiler/a.py": text, "compiler/other/there.py": "", "rules/a.rules": "value a_rule: 0..3"}
    root = plant(tmp_path, files)
    for folder in (*FOLDERS, *NAMED):
        (root / folder).mkdir(exist_ok=True)
    assert len([*stale_files(root), *stale_names(root)]) == breaches
