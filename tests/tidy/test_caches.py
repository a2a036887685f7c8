"""Each module with a cache that outlives a call is listed on the architecture page, and each listed module has one."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.sample import sampled
from tests.tidy.check import check, modules, nodes_of, plant

PAGE, FOLDERS = "docs/architecture.md", ("compiler", "runtime", "rulewright")
HEADING = "## What a process keeps"
DECORATORS, MODULES = {"cache", "lru_cache", "memoized_by_identity"}, {"functools", "runtime.graph.identity_memo"}
MUTATORS = set("add append clear discard extend insert move_to_end pop popitem remove setdefault update".split())
WEAK = {"WeakKeyDictionary", "WeakValueDictionary"}
Function = ast.FunctionDef | ast.AsyncFunctionDef


def caches(tree: ast.Module) -> Iterator[str]:
    """Yield the caches of a module: memoizing decorators, calls of them, tables with weak keys, and what is mutated:

    containers and objects of the module, and containers of its classes.
    """
    bound = {name.id for node in tree.body for name in _targets(node)}
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module in MODULES]
    imported = {each.name for node in imports for each in node.names} & DECORATORS
    shared = {name.id for node in nodes_of(tree) if isinstance(node, ast.ClassDef) for name in _containers(node)}
    for node in nodes_of(tree):
        match node:
            case ast.Name(name, ast.Load()) if name in imported:
                yield name
            case ast.Attribute(ast.Name("functools"), name) if name in DECORATORS:
                yield name
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from _mutated(node, bound, shared)
            case _:
                pass


def _mutated(function: Function, bound: set[str], shared: set[str]) -> Iterator[str]:
    """Yield names of the module, and containers of its classes, that a function rebinds or mutates."""
    nodes = [*ast.walk(function)]
    declared = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
    own_names = {each.arg for each in (*function.args.args, *function.args.kwonlyargs)}
    names = [node for node in nodes if isinstance(node, ast.Name)]
    for node in nodes:
        match node:
            case ast.Subscript(ast.Attribute(_, name), _, ast.Store() | ast.Del()) if name in shared:
                yield name
            case ast.Call(ast.Attribute(ast.Attribute(_, name), method)) if name in shared and method in MUTATORS:
                yield name
            case ast.Call(ast.Name(name)) if name in WEAK:
                yield name
    if bound.isdisjoint(name.id for name in names) and not declared:
        return
    own_names |= {each.id for each in names if isinstance(each.ctx, ast.Store)} - declared
    yield from declared
    for node in nodes:
        match node:
            case ast.Subscript(ast.Name(name), _, ast.Store() | ast.Del()):
                changed = name
            case ast.Call(ast.Attribute(ast.Name(name), method)) if method in MUTATORS:
                changed = name
            case ast.Attribute(ast.Name(name), _, ast.Store()):
                changed = name
            case _:
                continue
        if changed in bound - own_names:
            yield changed


def _containers(defined: ast.ClassDef) -> Iterator[ast.Name]:
    """Yield the names of containers in the body of a class, which all its instances share."""
    for node in defined.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Dict | ast.List | ast.Set):
            yield from _targets(node)


def _targets(node: ast.stmt) -> list[ast.Name]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [each for each in targets if isinstance(each, ast.Name)]


def listed(root: Path) -> set[str]:
    """Return the modules that the page names under its heading."""
    section = (root / PAGE).read_text(encoding="utf-8").partition(HEADING)[2].partition("\n## ")[0]
    return set(re.findall(r"`([\w/]+\.py)`", section))


def unlisted(root: Path) -> Iterator[str]:
    """Find modules with a cache that the page does not list, and listed ones without a cache."""
    found = {path: [*caches(tree)] for path, tree in modules(root, *FOLDERS)}
    known = listed(root)
    for path, names in found.items():
        if names and path not in known:
            yield f"{path}: `{names[0]}` keeps values beyond a call; say why under {HEADING!r} of {PAGE}, or drop it"
    yield from (f"{path}: {PAGE} lists a cache there, which it has not" for path in known if not found.get(path))


@sampled(0)
def test_each_cache_is_listed() -> None:
    check(unlisted)


def test_an_unlisted_cache_is_found(tmp_path: Path) -> None:
    texts = {
        "decorated": "from functools import cache\n\n@cache\ndef f(): return 1\n",
        "bounded": "import functools\n\n@functools.lru_cache(8)\ndef f(): return 1\n",
        "method": "from functools import cache\n\nclass C:\n    def __init__(self): self.f = cache(self._f)\n",
        "dictionary": "known = {}\n\ndef f(x):\n    known[x] = 1\n",
        "list": "latest: list[int] = []\n\ndef f(x):\n    latest[:] = [x]\n",
        "set": "seen = set()\n\ndef f(x):\n    seen.add(x)\n",
        "object": "left = Budget()\n\ndef f():\n    left.steps = 1\n",
        "class": "class C:\n    known = {}\n\n    def f(self, x): self.known[x] = 1\n",
        "class updated": "class C:\n    known = []\n\n    def f(self, x): self.known.append(x)\n",
        "weak": "from weakref import WeakKeyDictionary\n\ndef f():\n    return WeakKeyDictionary().get\n",
        "global": "made = None\n\ndef f():\n    global made\n    made = 1\n",
    }
    sound = {
        "local": "known = {}\n\ndef f(x):\n    known = {}\n    known[x] = 1\n",
        "own": "class C:\n    def __init__(self): self.known = {}\n\n    def f(self, x): self.known[x] = 1\n",
        "constant": "KNOWN = {1: 2}\n\ndef f(x): return KNOWN.get(x)\n",
    }
    for name, text in (texts | sound).items():
        page = f"{HEADING}\n\n`runtime/b.py`\n\n## More\n\n`runtime/a.py`\n"
        root = plant(tmp_path / name, {PAGE: page, "runtime/a.py": text, "runtime/b.py": texts["set"]})
        assert [each.partition(":")[0] for each in unlisted(root)] == ["runtime/a.py"] * (name in texts), name


def test_a_listed_module_without_a_cache_is_found(tmp_path: Path) -> None:
    root = plant(tmp_path, {PAGE: f"{HEADING}\n\n`runtime/a.py`\n", "runtime/a.py": "X = 1\n"})
    assert len([*unlisted(root)]) == 1
