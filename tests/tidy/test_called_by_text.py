"""What generated Python and templates call exists: the type checker reads neither, so a rename would break them unseen.

Generated functions are those of the toys, which hold every construct: each attribute of a state, its frame and its
board is one of these classes, each other name is bound where it stands or given by `NAMESPACE`. Attributes that a
template reads are of some class that it may be handed, or of a Python value.
"""

import ast
import builtins
import re
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest
from jinja2 import Environment, nodes

from runtime.answer.generate import module
from runtime.answer.support import NAMESPACE
from runtime.board.board import Board
from runtime.state.frame import Frame
from runtime.state.position import State
from tests.consumers.test_nodes import toys
from tests.tidy.check import ROOT, check, modules, plant, texts

READ = re.compile(r"(?<![\w.}])(s|b|{b})\.([a-z_]\w*)(?![\w.]*[\"'])")
TEMPLATES = "compiler/rulebook/templates"
EMITTERS = ("runtime/answer", "runtime/graph/operators")
STATE, BOARD = "s", "b"
CLASSES = {STATE: State, f"{STATE}.frame": Frame, f"{STATE}.board": Board, BOARD: Board}
# Attributes of values of Python that templates read.
OF_VALUES = {name for kind in (str, dict, list, tuple) for name in dir(kind)} | {"loop", "index", "last", "first"}


def unknown_attributes(text: str) -> Iterator[str]:
    """Yield the attributes of a state, its frame and its board that these classes do not have."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute):
            kind = CLASSES.get(ast.unparse(node.value))
            if kind is not None and not hasattr(kind, node.attr) and node.attr not in own(kind):
                yield f"{ast.unparse(node)}: {kind.__name__} has no such attribute"


def own(kind: type) -> set[str]:
    """List the attributes that methods of a class set."""
    file = Path(*kind.__module__.split(".")).with_suffix(".py")
    tree = next(tree for path, tree in modules(ROOT, file.parent.as_posix()) if path == file.as_posix())
    sets = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store))
    return {node.attr for node in sets if ast.unparse(node.value) == "self"}


def unbound_functions(text: str, given: Collection[str]) -> Iterator[str]:
    """Yield the names of functions that are called and that nothing binds or gives."""
    tree = ast.parse(text)
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    bound |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    for called in calls:
        if isinstance(called, ast.Name) and called.id not in bound and called.id not in given:
            yield called.id


def unknown_in_emitters(root: Path) -> Iterator[str]:
    """Find attributes of a state in the texts that code is put together of, for what no toy comes by."""
    for path, tree in modules(root, *EMITTERS):
        documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
        said = {ast.get_docstring(node, clean=False) for node in ast.walk(tree) if isinstance(node, documented)}
        for line, text in written(tree):
            for of, name in re.findall(READ, text) if text not in said else ():
                kind = CLASSES[of.strip("{}")]
                if not hasattr(kind, name) and name not in own(kind):
                    yield f"{path}:{line}: {kind.__name__} has no `{name}`"


def written(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the texts of a file, whatever is put into them as `{}`."""
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield (
                node.lineno,
                "".join(str(each.value) if isinstance(each, ast.Constant) else "{}" for each in node.values),
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            yield node.lineno, node.value


def unknown_in_templates(root: Path) -> Iterator[str]:
    """Find attributes in templates that no class of the code has."""
    known = set(OF_VALUES)
    for _, code in modules(root, "compiler", "runtime"):
        for kind in (node for node in ast.walk(code) if isinstance(node, ast.ClassDef)):
            known |= {node.target.id for node in kind.body
                      if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)}  # fmt: skip
            known |= {node.name for node in kind.body if isinstance(node, ast.FunctionDef)}
    templates = [(path, Environment().parse(text)) for path, text in texts(root, TEMPLATES, suffixes=".j2")]
    known |= {macro.name for _, tree in templates for macro in tree.find_all(nodes.Macro)}
    for path, tree in templates:
        for read in tree.find_all(nodes.Getattr):
            if read.attr not in known:
                yield f"{path}:{read.lineno}: nothing has an attribute `{read.attr}`"


@pytest.mark.parametrize("toy", ["constructs", "bog", "hares"])
def test_generated_code_calls_what_there_is(toy: str) -> None:
    text = module(toys()[toy])
    assert not sorted(set(unknown_attributes(text)))
    assert not sorted(set(unbound_functions(text, {*NAMESPACE, *dir(builtins)})))


def test_emitters_write_what_there_is() -> None:
    check(unknown_in_emitters)


def test_what_is_called_and_is_not_there_is_seen(tmp_path: Path) -> None:
    text = "def half(s, n):\n    return halve(s.kept[n], s.frame.nothing, s.hex[n], len(n), half(s, n))\n"
    assert sorted(each.partition(":")[0] for each in unknown_attributes(text)) == ["s.frame.nothing", "s.kept"]
    assert [*unbound_functions(text, dir(builtins))] == ["halve"]
    planted = {
        "runtime/answer/emit.py": 'def emit():\n    """Read `s.gone`."""\n    return f"s.lost[{0}] + s.hex[0]"\n',
        "runtime/a.py": "class A:\n    known: int\n",
        f"{TEMPLATES}/a.j2": "{{ a.known }} {{ a.lost }} {{ a.items() }}",
    }
    root = plant(tmp_path, planted)
    assert [*unknown_in_emitters(root)] == ["runtime/answer/emit.py:3: State has no `lost`"]
    assert [*unknown_in_templates(root)] == [f"{TEMPLATES}/a.j2:1: nothing has an attribute `lost`"]


def test_templates_read_what_there_is() -> None:
    check(unknown_in_templates)
