"""References on the pages for contributors resolve: a file has a folder, and defines the names attributed to it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tidy.check import check, modules, nodes_of, plant, texts
from tests.tidy.test_references import FOLDERS, members_of_classes

PAGES = ("docs/architecture.md", "docs/recipes.md", "docs/contributing.md")
CODE = ("compiler", "runtime", "rulewright", "tests")
QUOTED = re.compile(r"`([\w./-]+)`")
FILES = (".py", ".wat", ".lark", ".js", ".j2")
FOLDER = re.compile(r"Files without a folder are those\s+of\s+`([^`]+)`")
MEMBER = re.compile(r"`([A-Z]\w+)\.(\w+)`")
PART = re.compile(r"`(\w+)`,?\s+of\s+`([\w/]+\.py)`|`(\w+)`\s+\(`([\w/]+\.py)`")


def lost_files(root: Path) -> Iterator[str]:
    """Find files that pages name without their folder, in a section that has not named it before."""
    there = {path for path, _ in texts(root, *CODE)}
    folders = {parent.as_posix() for path in there for parent in Path(path).parents}
    for page, number, section in _sections(root):
        named = set(FOLDER.findall(section))
        for found in QUOTED.finditer(section):
            name = found[1].removesuffix("/")
            if name in folders:
                named.add(name)
            elif name.endswith(FILES) and not (root / name).exists():
                if not any(f"{folder}/{name}" in there for folder in named):
                    line = number + section.count("\n", 0, found.start())
                    yield f"{page}:{line}: `{name}` is in no folder that was named before in its section"
            elif name in there:
                named.add(name.rpartition("/")[0])


def lost_parts(root: Path) -> Iterator[str]:
    """Find names that a page attributes to a file that does not define them, or to a class without such a member."""
    trees = dict(modules(root, *FOLDERS))
    members = members_of_classes(trees.values())
    for page, text in texts(root, "docs", suffixes=".md"):
        for found in PART.finditer(text):
            name, file = found[1] or found[3], found[2] or found[4]
            those = [tree for path, tree in trees.items() if f"/{path}".endswith(f"/{file}")]
            if those and not any(name in defined_names(tree) for tree in those):
                yield f"{page}: {file} does not define `{name}`"
        for owner, name in MEMBER.findall(text):
            if owner in members and name not in members[owner]:
                yield f"{page}: `{owner}` has no `{name}`"


def defined_names(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a module defines: functions, classes, methods, variables and fields."""
    for node in nodes_of(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case _:
                pass


def _sections(root: Path) -> Iterator[tuple[str, int, str]]:
    """Yield the sections of the pages with the numbers of their first lines."""
    for page, text in texts(root, *(page for page in PAGES if (root / page).exists())):
        number = 1
        for section in re.split(r"(?m)^(?=## )", text):
            yield page, number, section
            number += section.count("\n")


def test_files_without_folder_resolve() -> None:
    check(lost_files)


def test_attributed_names_are_defined() -> None:
    check(lost_parts)


@pytest.mark.parametrize(
    ("text", "breaches"),
    [
        ("`compiler/far/a.py` calls `b.py`.", 0),
        ("`compiler/far` has `b.py`.", 0),
        ("`b.py` stands alone.", 1),
        ("`compiler/a.py` calls `b.py`.", 1),
        ("`compiler/far` is one.\n\n## Two\n\n`b.py` is another.", 1),
        ("`b.py` is one. Files without a folder are those of `compiler/far`.", 0),
        ("`compiler/far` has `gone.py`.", 1),
        ("`There` of `compiler/far/a.py`", 0),
        ("`Gone` of `compiler/far/a.py`", 1),
        ("`Used` of `compiler/far/a.py`", 1),
        ("`Gone` (`compiler/far/a.py`)", 1),
        ("`There.part` and `There.gone`", 1),
    ],
)
def test_an_unresolved_reference_is_found(tmp_path: Path, text: str, breaches: int) -> None:
    source = '"""A."""\nfrom b import Used\nclass There:\n    """There, not Used."""\n    part: Used\n'
    root = plant(
        tmp_path, {PAGES[0]: text, "compiler/a.py": source, "compiler/far/a.py": source, "compiler/far/b.py": ""}
    )
    for folder in (*CODE, *FOLDERS):
        (root / folder).mkdir(exist_ok=True)
    assert len([*lost_files(root), *lost_parts(root)]) == breaches
