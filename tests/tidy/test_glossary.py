"""Names of classes and types end with a term of the glossary, and no public name with a word that it excludes."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from compiler.report.codes import known_findings
from tests.tidy.check import check, modules, nodes_of, plant

GLOSSARY = "docs/glossary.md"
UNUSED = "## Words that names do not use"
FIELDS = "### Fields and parameters"
Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
# A check is named after its finding, like its page.
FINDINGS = re.compile("/findings/")
FOLDERS = ("compiler", "runtime", "rulewright")
# Nodes and instructions have the names of their constructs, which the reference of the language explains; the fields of
# records are promised keys (docs/json.md).
CONSTRUCTS = re.compile(
    r"/nodes(/|\.py$)|/records/|/(ir|control|instructions|pending_steps|formula|node_shapes|representation|sharing)\.py$"
)
# Facts are named after their findings; the pages of their codes explain them.
FACTS = {facts.__name__ for facts in known_findings()}
# The value of an option has the option's name throughout.
OPTIONS = {"heard"}
# Exceptions are named after the event that raises them.
RAISED = {"Exception", "NoCluster", "Unanswered", "UnthrownDie"}


def terms(root: Path) -> set[str]:
    """Return the words of the glossary's terms."""
    page = (root / GLOSSARY).read_text(encoding="utf-8").partition(UNUSED)[0]
    rows = re.findall(r"^\| ([^|]+) \|", page, re.MULTILINE)
    return {word for row in rows for word in re.findall(r"[a-z]+", row)}


def strangers(root: Path, folders: tuple[str, ...] = FOLDERS) -> Iterator[str]:
    """Find public classes and types whose names end with no term."""
    known = terms(root)
    for path, name, line in named(root, folders):
        if not is_called(name, known):
            yield f"{path}:{line}: `{name}` is called by no term of {GLOSSARY}"


def unused_words(section: str) -> set[str]:
    """Return the words in the first column of the tables of a section, without their headings."""
    rows = re.findall(r"^\| ([^|]+) \|", section, re.MULTILINE)
    return {word for row in rows if row != "private" for word in re.findall("[a-z]+", row)}


def private(root: Path) -> Iterator[str]:
    """Find public functions, classes, types and modules whose names start or end with an excluded word."""
    section = (root / GLOSSARY).read_text(encoding="utf-8").partition(UNUSED)[2]
    unused = unused_words(section.partition(FIELDS)[0])
    for path, tree in modules(root, *FOLDERS):
        found = [(Path(path).stem, 1)] if not FINDINGS.search(f"/{path}") else []
        bodies = (tree.body, *(node.body for node in tree.body if isinstance(node, ast.ClassDef)))
        defined = (node for body in bodies for node in body if isinstance(node, Definition))
        found += [(node.name, node.lineno) for node in defined if node.name not in FACTS]
        found += list(aliases(tree))
        for name, line in found:
            words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower().split("_")
            if not (name.startswith("_") or FINDINGS.search(f"/{path}")) and unused & {words[0], words[-1]}:
                yield f"{path}:{line}: `{name}`: {GLOSSARY} says what stands for that"


def fields(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield the fields of classes: those of dataclasses and named tuples, and attributes that `__init__` assigns."""
    for owner in (node for node in nodes_of(tree) if isinstance(node, ast.ClassDef)):
        for node in owner.body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                yield node.target.id, node.lineno
            if isinstance(node, Function) and node.name == "__init__":
                for part in ast.walk(node):
                    if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store):
                        yield part.attr, part.lineno


def aliases(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield the names of types that a module assigns, such as `Names = dict[str, int]`; type variables are none."""
    for node in tree.body:
        for target in node.targets if isinstance(node, ast.Assign) and not isinstance(node.value, ast.Call) else ():
            if isinstance(target, ast.Name) and re.match(r"[A-Z][a-z]", target.id):
                yield target.id, node.lineno


def named(root: Path, folders: tuple[str, ...] = FOLDERS) -> Iterator[tuple[str, str, int]]:
    """Yield file, name and line of the public classes and types to which the rule on terms applies."""
    for path, tree in modules(root, *folders):
        if CONSTRUCTS.search(f"/{path}"):
            continue
        yield from ((str(path), name, line) for name, line in aliases(tree))
        for node in nodes_of(tree):
            if not isinstance(node, ast.ClassDef) or node.name.startswith("_") or node.name in FACTS:
                continue
            if not {base.id for base in node.bases if isinstance(base, ast.Name)} & RAISED:
                yield str(path), node.name, node.lineno


def is_called(name: str, known: set[str]) -> bool:
    """Return whether the last word, or the one before the word by, is a term, its plural, or the agent noun of one."""
    noun = re.split(r"(?<=[a-z])(?=[A-Z])", re.sub("(?<=[a-z])By[A-Z].*", "", name))[-1].lower()
    singular = f"{noun.removesuffix('ies')}y" if noun.endswith("ies") else noun.removesuffix("s")
    maker = noun.removesuffix("er")
    return bool({noun, singular, noun.removesuffix("es"), maker, f"{maker}e"} & known)


def test_names_of_classes_and_types_end_with_terms() -> None:
    check(strangers)


def test_public_names_use_no_excluded_word() -> None:
    check(private)


def test_an_excluded_word_is_found(tmp_path: Path) -> None:
    page = f"{UNUSED}\n\n| private | of the field |\n| --- | --- |\n| told, hung | text |\n"
    texts = {
        "compiler/a.py": "def told(): ...\n",
        "compiler/b.py": "class A:\n    def told_by(self): ...\n",
        "compiler/c.py": "class IsHung: ...\n",
        "compiler/told.py": "",
        "compiler/e.py": "Told = dict[str, int]\nTOLD = 1\n",
        "compiler/d.py": "def _told(): ...\n\ndef is_told_apart():\n    def told(): ...\n",
        "compiler/analysis/findings/told_again.py": "def told_again(): ...\n",
    }
    found = [each.partition(":")[0] for each in private(plant(tmp_path, {GLOSSARY: page, **texts}))]
    assert sorted(found) == ["compiler/a.py", "compiler/b.py", "compiler/c.py", "compiler/e.py", "compiler/told.py"]


def test_a_class_without_a_term_is_found(tmp_path: Path) -> None:
    pages = {GLOSSARY: "| term | is |\n| trace, memo | a thing |\n"}
    for name, found in (("StoredTrace", 0), ("Memos", 0), ("Kept", 1), ("TraceKeeping", 1)):
        root = plant(tmp_path / name, {**pages, "compiler/query/a.py": f"class {name}:\n    pass\n"})
        assert len([*strangers(root, ("compiler/query",))]) == found, name
    for name, found in (("Traces", 0), ("MemosByName", 0), ("NamesByMemo", 1), ("Watch", 1)):
        root = plant(tmp_path / f"of {name}", {**pages, "compiler/query/a.py": f"{name} = dict[str, int]\n"})
        assert len([*strangers(root, ("compiler/query",))]) == found, name
    root = plant(tmp_path / "nodes", {**pages, "compiler/source/nodes/a.py": "class Kept:\n    pass\n"})
    assert not [*strangers(root)]
