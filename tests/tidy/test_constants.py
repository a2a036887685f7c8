"""A name of one word is a constant of at most three modules: beyond that, each means something else by it."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.tidy.check import check, modules, plant

MOST_MEANINGS = 3
# The routes of each part of the workbench, by their methods; and the most lines that one report prints.
SHARED = {"READ", "WRITE", "MOST_LINES"}


def _constants(tree: ast.Module) -> Iterator[tuple[ast.Name, str]]:
    """Yield the constants of a module, each with its value."""
    for node in tree.body:
        if not isinstance(node, ast.Assign | ast.AnnAssign):
            continue
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            names = target.elts if isinstance(target, ast.Tuple) else [target]
            is_pair = isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
            values = getattr(node.value, "elts", []) if is_pair else [node.value] * len(names)
            for name, value in zip(names, values, strict=False):
                if isinstance(name, ast.Name) and len(name.id) > 1 and name.id.isupper() and value is not None:
                    yield name, ast.dump(value)


def ambiguous_constants(root: Path) -> Iterator[str]:
    """Find names that more than three modules give to constants of different values."""
    places: dict[str, dict[str, str]] = defaultdict(dict)
    for path, tree in modules(root, "compiler", "runtime", "rulewright"):
        for name, value in _constants(tree):
            places[name.id].setdefault(value, f"{path}:{name.lineno}")
    for constant, found in places.items():
        if len(found) > MOST_MEANINGS and constant not in SHARED:
            yield f"{min(found.values())}: `{constant}` has other values in {len(found) - 1} places: name what each is"


def test_a_constant_is_named_after_what_it_stands_for() -> None:
    check(ambiguous_constants)


def test_an_ambiguous_constant_is_found(tmp_path: Path) -> None:
    values = {"a": "LONG, SAME = 1, 7", "b": "LONG: int = 2", "c": "LONG = 3", "d": "SAME = 7", "e": "A, LONG = f()"}
    root = plant(tmp_path, {f"runtime/{name}.py": f"{text}\n" for name, text in values.items()})
    assert [*ambiguous_constants(root)] == ["runtime/a.py:1: `LONG` has other values in 3 places: name what each is"]
