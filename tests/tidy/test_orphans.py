"""Every module is imported by another one: what a recipe made and nobody registered would never run."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.tidy.check import check, modules, plant, texts
from tests.tidy.test_arrows import HOUSES, imports

# Who may use a module, beside the code itself; and where it may be named as a program.
USERS, SETTINGS = "bench", "pyproject.toml"


def orphans(house: Path) -> Iterator[str]:
    """Find modules that no module imports and no text names as one to run."""
    code = dict(modules(house, *HOUSES))
    users = code | dict(modules(house, USERS))
    imported = {target for path, tree in users.items() for _, target in imports(path, tree)}
    named = " ".join(text for _, text in texts(house, *HOUSES, SETTINGS, suffixes=".py .toml .js"))
    for path, tree in code.items():
        name = path.removesuffix(".py").replace("/", ".")
        if path.endswith(("__init__.py", "__main__.py")):
            continue
        if any(each == name or each.startswith(f"{name}.") for each in imported):
            continue
        is_program = any(isinstance(node, ast.If) and "__main__" in ast.unparse(node.test) for node in tree.body)
        if not is_program and name not in named:
            yield f"{path}: nothing imports it"


def test_no_module_is_forgotten() -> None:
    check(orphans)


def test_an_orphan_is_seen(tmp_path: Path) -> None:
    code = {"runtime/a.py": "from runtime.b import x\n", "runtime/b.py": "x = 1\n", "runtime/c.py": ""}
    house = plant(tmp_path, {**code, SETTINGS: ""})
    assert [each.partition(":")[0] for each in orphans(house)] == ["runtime/a.py", "runtime/c.py"]
