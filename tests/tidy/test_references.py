"""Docstrings and comments name only existing files, classes, members, fields and parameters.

A name of the code is in backticks in docstrings: a name without them is probably the result of a careless renaming that
replaced a word of a sentence.
"""

import ast
import builtins
import inspect
import re
from collections.abc import Iterable, Iterator
from keyword import kwlist
from pathlib import Path
from typing import cast

import pytest

from tests.sample import sampled
from tests.tidy.check import ROOT, check, modules, nodes_of, plant, texts

FOLDERS = ("compiler", "runtime", "rulewright", "tests", "bench", "editors")
FILE = re.compile(r"(?<![\w*/.-])(?:\.\./)*((?:[\w-]+/)*\w+\.(?:py|js|lark|wat))\b")
NAME = re.compile(r"`([A-Z][a-z]+[A-Za-z]*)(?:\.(\w+))?(?:\(\))?`")
# A clause that starts with a name and describes it.
DESCRIBED = re.compile(r"(?:^|[.;:,] |\n\s*)`([a-z_]\w*)`(?:: | (?:is|are|says?|counts?|names?|lists?|holds?) )")
# Names that rules always have, and keywords, which no field has as its name.
OF_RULES = {"this", "player", *kwlist}
QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"|(?m:^    .*)")
BARE = re.compile(r"(?<![\w./])([A-Z][a-z]+[A-Z]\w+|[a-z]+_[a-z_]+)(?![\w/(:]|\.\w)")
SEVERAL_WORDS = re.compile(r"`([a-z]+_\w+)(?:\(\))?`")
# Names in examples of what authors write.
EXAMPLES = {"soft_ground", "rifle_2_1"}
DATA = ("compiler", "rules", "rulewright", "runtime")
# Bases whose members do not matter.
PLAIN = {"Generic", "NamedTuple", "Protocol"}
# Files that a docstring proposes to write, or that other projects have.
PROPOSED = {"b.py", "my_players.py", "weigh.py"}
Scope = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def stale_files(root: Path) -> Iterator[str]:
    """Find files that docstrings and comments name and that do not exist, by name or by the end of their path."""
    there = {f"/{path}" for path, _ in texts(root, *FOLDERS)}
    names = {path.rpartition("/")[2] for path in there}
    trees = dict(modules(root, *FOLDERS))
    for path, text in texts(root, *FOLDERS, suffixes=".py"):
        # Texts of tests contain planted errors.
        for line, docstring in (*docstrings(trees[path]), *(() if path.startswith("tests/") else comments(text))):
            for found in FILE.findall(docstring):
                is_there = found in names if "/" not in found else any(each.endswith(f"/{found}") for each in there)
                if not is_there and found.rpartition("/")[2] not in PROPOSED:
                    yield f"{path}:{line}: `{found}` is not there"


def stale_names(root: Path) -> Iterator[str]:
    """Find capitalized names in docstrings that no code defines, and members that their class lacks."""
    trees = dict(modules(root, *FOLDERS))
    known = {name for tree in trees.values() for each in statements(tree) for name in names_in(each)} | {*dir(builtins)}
    members = members_of_classes(trees.values())
    for path, tree in trees.items():
        for line, docstring in docstrings(tree):
            for name, member in NAME.findall(docstring):
                if name not in known:
                    yield f"{path}:{line}: nothing is called `{name}`"
                elif member and name in members and member not in members[name]:
                    yield f"{path}:{line}: `{name}` has no `{member}`"


def stale_functions(root: Path) -> Iterator[str]:
    """Find names of several words in docstrings and comments that occur neither in code nor in data."""
    trees = dict(modules(root, *FOLDERS))
    known = {word for tree in trees.values() for word in words_without_docstrings(tree)} | EXAMPLES
    data = (text for _, text in texts(root, *DATA, suffixes=".rules .yaml .lark .wat .js .j2 .json"))
    known |= {word for text in data for word in re.findall(r"\w+", text)}
    for path, text in texts(root, "compiler", "runtime", "rulewright", suffixes=".py"):
        for line, prose in (*docstrings(trees[path]), *comments(text)):
            for name in SEVERAL_WORDS.findall(prose):
                if name not in known:
                    yield f"{path}:{line}: nothing is called `{name}`"


def words_without_docstrings(tree: ast.Module) -> Iterator[str]:
    """Yield the names and the words of strings in a module, except its docstrings."""
    described = set()
    for node in nodes_of(tree):
        if isinstance(node, Scope) and ast.get_docstring(node, clean=False):
            described.add(cast("ast.Expr", node.body[0]).value)
        if isinstance(node, ast.stmt):
            yield from names_in(node)
        if node not in described:
            yield from words_of_node(node)


def stale_fields(root: Path) -> Iterator[str]:
    """Find fields and parameters that a docstring describes and that its class or function lacks.

    In functions that return data, the docstring describes the keys.
    """
    trees = dict(modules(root, *FOLDERS))
    functions = {each.name for tree in trees.values() for each in tree.body if isinstance(each, ast.FunctionDef)}
    everywhere = functions | OF_RULES
    for path, tree in trees.items():
        for node in statements(tree):
            if not isinstance(node, Scope):
                continue
            described = [name for name in DESCRIBED.findall(ast.get_docstring(node) or "") if name not in everywhere]
            if not described or "dict" in ast.unparse(getattr(node, "returns", None) or ast.Pass()):
                continue
            known = {word for part in _behind_docstring(node) for word in words_of(part)}
            yield from (
                f"{path}:{node.lineno}: `{name}` is no part of {node.name}" for name in described if name not in known
            )


def bare_names(root: Path) -> Iterator[str]:
    """Find names of functions and classes without backticks in a sentence, as a careless renaming leaves them."""
    trees = dict(modules(root, *FOLDERS))
    known = {
        each.name
        for tree in trees.values()
        for each in statements(tree)
        if isinstance(each, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    }
    for path, tree in trees.items():
        for line, docstring in docstrings(tree):
            text = QUOTED.sub("", inspect.cleandoc(docstring))
            yield from (f"{path}:{line}: {name} without backticks" for name in BARE.findall(text) if name in known)


def rejoined_comments(root: Path) -> Iterator[str]:
    """Find comment lines that start with a second sign, as a careless line break leaves them."""
    for path, text in texts(root, *FOLDERS, suffixes=".py"):
        for line, written in enumerate(text.splitlines(), 1):
            if re.match(r"\s*# # ", written):
                yield f"{path}:{line}: one `#` is enough"


def _behind_docstring(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.AST]:
    """Return the parts of a class or function except its docstring."""
    heads: list[ast.AST] = [*node.bases] if isinstance(node, ast.ClassDef) else [node.args]
    return [*heads, *node.body[1:]]


def words_of(part: ast.AST) -> Iterator[str]:
    """Yield the names and the words of strings in a part of a module."""
    for node in ast.walk(part):
        yield from words_of_node(node)


def words_of_node(node: ast.AST) -> Iterator[str]:
    """Yield the name of a node, or the words of its string."""
    match node:
        case ast.arg(arg=name) | ast.Name(id=name) | ast.Attribute(attr=name) | ast.FunctionDef(name=name):
            yield name
        case ast.Constant(value=str() as text):
            yield from re.findall(r"\w+", text)
        case ast.keyword(arg=str() as name):
            yield name
        case _:
            pass


def members_of_classes(trees: Iterable[ast.Module]) -> dict[str, set[str]]:
    """Return the members of each class, inherited ones included; classes with an external base are left out."""
    classes: dict[str, list[ast.ClassDef]] = {}
    for tree in trees:
        for node in statements(tree):
            if isinstance(node, ast.ClassDef):
                classes.setdefault(node.name, []).append(node)
    found: dict[str, set[str]] = {}
    for name in classes:
        lines, todo = [], [name]
        while todo:
            those = classes.get(todo.pop())
            if those is None:
                break
            lines += those
            bases = (ast.unparse(base).partition("[")[0].rpartition(".")[2] for each in those for base in each.bases)
            todo += [base for base in bases if base not in PLAIN and base not in {each.name for each in lines}]
        else:
            found[name] = {word for each in lines for word in words_of(each)}
    return found


def names_in(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement binds."""
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
    """Yield the statements of a module, and of its classes and functions at any depth."""
    for statement in scope.body:
        yield statement
        if isinstance(statement, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from statements(statement)
        elif isinstance(statement, ast.If):  # Imports for the type checker.
            yield from statement.body


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield docstrings with the lines of their definitions."""
    for node in (tree, *statements(tree)):
        if isinstance(node, Scope) and (docstring := ast.get_docstring(node, clean=False)):
            yield getattr(node, "lineno", 1), docstring


def comments(text: str) -> Iterator[tuple[int, str]]:
    """Yield comments with their lines, and strings that contain a `#`."""
    for line, written in enumerate(text.splitlines(), 1):
        _, sign, comment = written.partition("#")
        if sign:
            yield line, comment


def test_named_files_exist() -> None:
    check(stale_files)


@sampled(0)
def test_named_classes_and_members_exist() -> None:
    check(stale_names)


@sampled(0)
def test_named_functions_exist() -> None:
    check(stale_functions)


def test_a_stale_function_is_found(tmp_path: Path) -> None:
    source = '"""See `a_gone` and `a_field`, `a_rule`."""\nx = "a_field"  # As `b_gone` has it.\n'
    root = plant(tmp_path, {"runtime/a.py": source, "rules/a.rules": "value a_rule: 0..3"})
    for folder in (*FOLDERS, *DATA):
        (root / folder).mkdir(exist_ok=True)
    assert [*stale_functions(root)] == [
        f"runtime/a.py:{line}: nothing is called `{name}`" for line, name in ((1, "a_gone"), (2, "b_gone"))
    ]


def test_described_fields_exist() -> None:
    check(stale_fields)


def test_names_have_backticks() -> None:
    check(bare_names)


def test_comments_have_one_sign() -> None:
    check(rejoined_comments)


def test_a_second_sign_is_found(tmp_path: Path) -> None:
    source = "# One line\n# # and another.\n    # # A third.\nx = '# # no comment'\n"
    assert len([*rejoined_comments(plant(tmp_path, {"runtime/a.py": source}))]) == 2


@pytest.mark.parametrize(
    ("text", "breaches"),
    [
        ('"""See lost.py."""', 1),
        ('"""See other/there.py, there.py and compiler/other/there.py."""', 0),
        ('"""See compiler/there.py."""', 1),
        ("x = 1  # As lost.py says.", 1),
        ('"""A `Gone` of `There`."""\nclass There:\n    """There."""', 1),
        ('"""A `ValueError` of `There.part`."""\nclass There:\n    """There."""\n    part: int', 0),
        ('"""See `There.gone`."""\nclass There:\n    """There."""\n    part: int', 1),
        (
            '"""See `Other.part`."""\nclass There:\n    """There."""\n    part: int\nclass Other(There):\n    """O."""',
            0,
        ),
        ('"""See ../lost.py."""', 1),
        ('class There:\n    """There; `part` is one, `gone` another. `gone` is left."""\n    part: int', 1),
        ('def f(part: int) -> None:\n    """F. `part`: one."""', 0),
        ('def f(part: int) -> None:\n    """F. `gone`: one."""', 1),
        ('def f(part: int) -> dict[str, int]:\n    """F. `gone`: one."""', 0),
        ('"""It may be a_name, `a_name` or "a_name".\n\nSo:\n\n    a_name\n"""\ndef a_name():\n    """A."""', 1),
    ],
)
def test_a_stale_reference_is_found(tmp_path: Path, text: str, breaches: int) -> None:
    root = plant(tmp_path, {"compiler/a.py": text, "compiler/other/there.py": ""})
    for folder in FOLDERS:
        (root / folder).mkdir(exist_ok=True)
    found = (*stale_files(root), *stale_names(root), *stale_fields(root), *bare_names(root))
    assert len(found) == breaches


def test_the_patterns_find_references() -> None:
    texts = [one for _, tree in modules(ROOT, "runtime") for _, one in docstrings(tree)]
    assert sum(len(FILE.findall(one)) for one in texts) > 30
    assert sum(len(NAME.findall(one)) for one in texts) > 50
