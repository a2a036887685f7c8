"""The short walks of the architecture page lead from file to file: an earlier file imports or names each step.

A walk is the paragraph `In short` of a section: steps with arrows between them, each a name with its file or a file
alone. A step that moved, or that no earlier file of its walk reaches, is reported.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.tidy.check import ROOT, check, modules, nodes_of, plant
from tests.tidy.test_trails import defined_names

PAGE = "docs/architecture.md"
WALK = re.compile(r"^In short: (.+?)$(?=\n\n)", re.MULTILINE | re.DOTALL)
STEP = re.compile(r"`([\w$]+)`\s+\(`([\w./-]+)`\)|`([\w.-]+/[\w./-]+)`")
# The paragraph of the values that a walk follows, before its steps.
VALUES = re.compile(r"^Values: (.+?)$(?=\n\n)", re.MULTILINE | re.DOTALL)
# The most files of a walk: a reader cannot remember more of them together.
LONGEST = 20
CODE = ("compiler/", "runtime/", "rulewright/")
# The docstring of a module states input and output; that of a command shows its usage.
IN_AND_OUT = re.compile(r"\bIn: .*\bOut:\s|input is .*output is |`rulewright ", re.DOTALL)

# Modules of facts and answers alone, which compute nothing.
DATA = ("problems.py", "answer.py")


class Step(NamedTuple):
    """A step of a walk: a name, "" for a whole file, and its file."""

    name: str
    file: str
    line: int


def walks(root: Path) -> Iterator[tuple[Step, ...]]:
    """Yield the walks of the page; a semicolon starts another walk."""
    page = (root / PAGE).read_text(encoding="utf-8")
    for found in WALK.finditer(page):
        for part in re.finditer(r"[^;]+", found[1]):
            first = found.start(1) + part.start()
            steps = (
                Step(step[1] or "", step[2] or step[3], page.count("\n", 0, first + step.start()) + 1)
                for step in STEP.finditer(part[0])
            )
            yield tuple(steps)


def broken_walks(root: Path) -> Iterator[str]:
    """Find steps that do not exist, or that no earlier file of their walk mentions."""
    for walk in walks(root):
        if len({step.file for step in walk}) > LONGEST:
            yield f"{PAGE}:{walk[0].line}: more than {LONGEST} files: leave out what a reader need not open"
        mentioned: set[str] = set()
        before = ""
        for step in walk:
            place = root / step.file
            if not place.is_file():
                yield f"{PAGE}:{step.line}: there is no {step.file}"
                continue
            text = place.read_text(encoding="utf-8")
            words = set(re.findall(r"[\w$]+", text))
            tree = ast.parse(text) if place.suffix == ".py" else None
            if step.name and step.name not in (defined_names(tree) if tree else words):
                yield f"{PAGE}:{step.line}: {step.file} does not define `{step.name}`"
            known = step.name or place.name.partition(".")[0]
            module = step.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            # A grammar names its builders, and a template its includes, without an import.
            if mentioned and not (known in mentioned and (module in mentioned or not tree or before != ".py")):
                yield f"{PAGE}:{step.line}: no file before reaches `{step.name or step.file}`"
            before = place.suffix
            if tree or mentioned:
                mentioned |= words | {*(imported_modules(tree) if tree else ())}


def imported_modules(tree: ast.Module) -> Iterator[str]:
    """Yield the modules that a module imports at any depth, `a.b` for `from a import b` included."""
    for node in nodes_of(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (node.module, *(f"{node.module}.{each.name}" for each in node.names))
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names)


def silent_steps(root: Path) -> Iterator[str]:
    """Find modules with a function or a class on a walk whose docstrings do not state input and output."""
    named = {(step.name, step.file) for walk in walks(root) for step in walk if step.file.startswith(CODE)}
    for name, file in sorted(named):
        place = root / file
        tree = ast.parse(place.read_text(encoding="utf-8") if place.is_file() and place.suffix == ".py" else "")
        is_code = any(isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name for node in tree.body)
        if is_code and not file.endswith(DATA) and not IN_AND_OUT.search(ast.get_docstring(tree) or ""):
            yield f"{file}: its docstring says no `In: .. Out: ..`"


def lost_values(root: Path) -> Iterator[str]:
    """Find values of walks whose class no module defines."""
    values = " ".join(VALUES.findall((root / PAGE).read_text(encoding="utf-8")))
    known = {name for _, tree in modules(root, *(folder.strip("/") for folder in CODE)) for name in defined_names(tree)}
    for name in re.findall(r"`(?:\w+\.)?([A-Z]\w+)`", values):
        if name not in known:
            yield f"{PAGE}: no class is called `{name}`"


def test_each_step_of_a_walk_is_reached() -> None:
    check(broken_walks)


def test_modules_on_walks_state_input_and_output() -> None:
    check(silent_steps)


def test_values_on_walks_are_classes() -> None:
    check(lost_values)


def test_a_lost_value_is_found(tmp_path: Path) -> None:
    page = "Values: `source.Aa`: a;\n`graph.Bb`; `Cc`.\n\n`D`\n"
    root = plant(tmp_path, {PAGE: page, "runtime/a.py": "class Aa: ...\n", "compiler/b.py": "Cc = int\n"})
    assert [*lost_values(root)] == [f"{PAGE}: no class is called `Bb`"]


def test_the_page_has_ten_walks_with_their_values() -> None:
    sections = re.split(r"(?m)^## ", (ROOT / PAGE).read_text(encoding="utf-8"))
    with_walk = [section for section in sections if WALK.search(section)]
    assert len(with_walk) == 10
    assert all(VALUES.search(section) for section in with_walk)


@pytest.mark.parametrize(
    ("walk", "breaches"),
    [
        ("`a` (`runtime/a.py`) → `b` (`runtime/b.py`).", []),
        ("`rules/x.rules` → `a` (`runtime/a.py`) → `runtime/page.j2`.", []),
        ("`a` (`runtime/a.py`) → `c` (`runtime/b.py`).", ["does not define `c`", "reaches `c`"]),
        ("`b` (`runtime/b.py`) → `a` (`runtime/a.py`).", ["reaches `a`"]),
        ("`a` (`runtime/a.py`) → `d` (`runtime/d.py`).", ["reaches `d`"]),
        ("`b` (`runtime/b.py`); `a` (`runtime/a.py`).", []),
        ("`a` (`runtime/gone.py`).", ["there is no"]),
    ],
)
def test_a_broken_walk_is_found(tmp_path: Path, walk: str, breaches: list[str]) -> None:
    files = {
        PAGE: f"## One\n\nIn short: {walk}\n\nMore.\n",
        "rules/x.rules": "",
        "runtime/a.py": '"""A. In: a. Out: b."""\nfrom runtime.b import b\ndef a(d): b("page")\n',
        "runtime/b.py": '"""B."""\ndef b(): pass\n',
        "runtime/d.py": '"""D. In: a. Out: b."""\ndef d(): pass\n',
        "runtime/page.j2": "",
    }
    root = plant(tmp_path, files)
    found = [*broken_walks(root)]
    assert len(found) == len(breaches)
    assert all(breach in line for breach, line in zip(breaches, found, strict=True))
    assert [line.partition(":")[0] for line in silent_steps(root)] == (["runtime/b.py"] if "`b` (" in walk else [])
