"""Functions, methods and modules of one word are named by a noun or a verb, and not by a listed vague word."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.tidy.check import check, modules, plant
from tests.tidy.test_glossary import FINDINGS, FOLDERS, GLOSSARY, Function

SECTION = "## Names of one word"
# Functions that are named after a construct of the language, or a command of the table.
CONSTRUCTS = re.compile(
    r"/(source/building/\w+|operators/\w+|answer/expressions|board/board|core/procedures|play/control_flow"
    r"|wasm/fold|table/dialog)\.py$"
)


def listed_words(root: Path) -> tuple[set[str], set[str]]:
    """Return the words of the two items of the section: those of functions, and those of modules."""
    _, functions, files = (root / GLOSSARY).read_text(encoding="utf-8").partition(SECTION)[2].split("\n- ")
    return {*re.findall(r"`(\w+)`", functions)}, {*re.findall(r"`(\w+)`", files)}


def joining_names(root: Path) -> Iterator[str]:
    """Find public functions, methods and modules that are named by a listed word, or start with `asked_`."""
    words, files = listed_words(root)
    for path, tree in modules(root, *FOLDERS):
        if Path(path).stem in files and not FINDINGS.search(f"/{path}"):
            yield f"{path}:1: `{Path(path).stem}` says nothing about what is inside"
        public = (each for each in tree.body if isinstance(each, ast.ClassDef) and not each.name.startswith("_"))
        for node in (node for body in (tree.body, *(each.body for each in public)) for node in body):
            if not isinstance(node, Function) or CONSTRUCTS.search(f"/{path}"):
                continue
            if node.name in words or node.name.startswith("asked_"):
                yield f"{path}:{node.lineno}: `{node.name}` says nothing about what is returned or changed"


def test_names_of_one_word_are_nouns_or_verbs() -> None:
    check(joining_names)


def test_a_joining_name_is_found(tmp_path: Path) -> None:
    page = f"{SECTION}\n\n- Functions: `why`, `below`.\n- Modules: `plain`, `laid_out`.\n"
    texts = {
        "compiler/a.py": "def why(): ...\n\ndef why_not(): ...\n\ndef _below(): ...\n",
        "compiler/b.py": "class A:\n    def below(self): ...\n\nclass _B:\n    def why(self): ...\n",
        "compiler/c.py": "def asked_of(): ...\n",
        "compiler/plain.py": "",
        "compiler/laid_out.py": "",
        "compiler/plain_text.py": "def plain(): ...\n",
        "compiler/source/building/d.py": "def why(): ...\n",
    }
    found = [each.partition(": ")[0] for each in joining_names(plant(tmp_path, {GLOSSARY: page, **texts}))]
    assert sorted(found) == [
        f"compiler/{each}" for each in ("a.py:1", "b.py:2", "c.py:1", "laid_out.py:1", "plain.py:1")
    ]
