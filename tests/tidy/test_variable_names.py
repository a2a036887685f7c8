"""No field, parameter, variable or function of a test has a name that docs/glossary.md lists as vague."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.sample import sampled
from tests.tidy.check import check, modules, nodes_of, plant
from tests.tidy.test_glossary import CONSTRUCTS, FOLDERS, GLOSSARY, OPTIONS, Function, fields

SECTION = "### Variables"
# Fields of nodes, and the promised keys of records.
EXEMPT = re.compile(rf"{CONSTRUCTS.pattern}|/graph/records/")
TEST_FOLDERS = ("tests", "bench", "docs", "editors")


def listed_words(root: Path) -> set[str]:
    """Return the words of the item of the section."""
    section = (root / GLOSSARY).read_text(encoding="utf-8").partition(f"{SECTION}\n")[2]
    return {*re.findall(r"`(\w+)`", section.partition("\n#")[0].partition("\n- ")[2])}


def vague_variables(root: Path) -> Iterator[str]:
    """Find fields outside of nodes and records, parameters, variables, functions of tests, named by a listed word."""
    words = listed_words(root)
    for path, tree in modules(root, *FOLDERS, *TEST_FOLDERS):
        found = [*bound_names(tree), *(() if EXEMPT.search(f"/{path}") else fields(tree))]
        if path.startswith(TEST_FOLDERS):
            found += [(node.name, node.lineno) for node in nodes_of(tree) if isinstance(node, Function)]
        for name, line in sorted({*found}, key=lambda each: (each[1], each[0])):
            if name.strip("_") in words - OPTIONS:
                yield f"{path}:{line}: `{name}` does not say what it holds"


def bound_names(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield the names that functions bind: parameters, targets of assignments and loops, and captures of patterns."""
    for function in (node for node in nodes_of(tree) if isinstance(node, Function | ast.Lambda)):
        for node in ast.walk(function):
            match node:
                case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                    yield name, node.lineno
                case ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name):
                    yield name, node.lineno
                case _:
                    pass


@sampled(0)
def test_no_variable_has_a_vague_name() -> None:
    check(vague_variables)


def test_a_vague_variable_is_found(tmp_path: Path) -> None:
    texts = {
        GLOSSARY: f"{SECTION}\n\n- `told`, `kept`.\n\n## Next\n\n`fine`\n",
        "compiler/a.py": "def f(told): ...\n",
        "compiler/b.py": "def f():\n    _kept = 1\n",
        "compiler/c.py": "def f(x):\n    match x:\n        case [*kept]: ...\n",
        "compiler/d.py": "class A:\n    told: int\n",
        "compiler/e.py": "f = lambda told: 1\n",
        "compiler/f.py": "def f():\n    return [kept for kept in ()]\n",
        "compiler/nodes/g.py": "class A:\n    told: int\n",
        "compiler/h.py": "def told(fine):\n    kept_rules = fine\n",
        "tests/i.py": "def _told(fine):\n    kept_rules = fine\n",
        "bench/j.py": "class A:\n    def __init__(self):\n        self.kept = 1\n",
    }
    found = [each.partition(": ")[0] for each in vague_variables(plant(tmp_path, texts))]
    assert sorted({*found}) == [
        "bench/j.py:3", "compiler/a.py:1", "compiler/b.py:2", "compiler/c.py:3", "compiler/d.py:2", "compiler/e.py:1",
        "compiler/f.py:2", "tests/i.py:1",
    ]  # fmt: skip
