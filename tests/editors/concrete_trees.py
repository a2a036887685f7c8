"""The trees of a text as Tree-sitter and as the compiler parse it, in one form, and which texts both accept.

A tree is a pair of a kind and its parts; a token is its text. Comments and blanks are in no tree.
"""

import ctypes
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from compiler.source.concrete import ConcreteNode, Leaf, read_concrete
from compiler.source.findings.characters import OddSign
from compiler.source.findings.literals import BadCite, BadNumber
from compiler.source.grammar import parser_tables
from compiler.source.scanner import Scanner
from editors.compact_parser import digest
from editors.tree_sitter import LANGUAGE
from editors.write import PARSER

END = "$END"
# Problems of what a token says, not of where it stands.
TOKEN_PROBLEMS = BadNumber | BadCite | OddSign
# A number and the letters behind it: the compiler reports both, Tree-sitter reads a number and a name.
JOINED = re.compile(r"(?<![\w-])([0-9]+(?:/[0-9]+)?)(?=[A-Za-z_])")


def binding() -> Any:
    """Import Tree-sitter for Python, or skip the test."""
    return pytest.importorskip("tree_sitter", reason="NOT TRIED: Tree-sitter; no `tree-sitter`, the extra `test`")


def compiled_language(folder: Path) -> Any:
    """Compile the stored parser into a folder, unless it is there, and load it, or skip the test."""
    language = binding().Language
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if not compiler:
        pytest.skip("NOT TRIED: Tree-sitter; no C compiler")
    library = folder / f"{digest(PARSER.read_text(encoding='utf-8'))[:16]}.so"
    if not library.is_file():
        fresh = library.with_name(f"{os.getpid()}.so")
        options = ["-O0", "-shared", "-fPIC", f"-I{PARSER.parent}", str(PARSER), "-o", str(fresh)]
        subprocess.run([compiler, *options], check=True)
        fresh.replace(library)
    load = getattr(ctypes.CDLL(str(library)), f"tree_sitter_{LANGUAGE}")
    load.restype = ctypes.c_void_p
    new_capsule = ctypes.pythonapi.PyCapsule_New
    new_capsule.restype = ctypes.py_object
    new_capsule.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return language(new_capsule(load(), b"tree_sitter.Language", None))


def tree_of_node(node: Any) -> Any:
    """Return the tree of a node of Tree-sitter; it has no part only if it is a token."""
    if node.child_count == 0:
        return node.text.decode()
    return node.type, [tree_of_node(each) for each in node.children if each.type != "comment"]


def tree_of_text(text: str) -> Any:
    """Return the tree of a text as the compiler parses it; ValueError after an error."""
    return _tree_of_twig(read_concrete(text))


def _tree_of_twig(twig: ConcreteNode) -> Any:
    if isinstance(twig, Leaf):
        return twig.text
    return twig.kind, [_tree_of_twig(each) for each in twig.parts if not (isinstance(each, Leaf) and each.type == END)]


def accepts(text: str, *, lenient: bool = False) -> bool:
    """Return whether the compiler accepts the grammar of a text.

    `lenient` are five things that Tree-sitter accepts. A number with letters right behind it is a number and a name,
    and it may have any value and any number of digits. Between brackets not every text is a citation. A text or name in
    quotes may contain markup. A word that is a keyword elsewhere is a name wherever one may stand: the compiler's
    tables merge contexts, and its scanner may take the keyword of another one. A measure may be on the line below its
    number.
    """
    grammar = parser_tables()
    parser = grammar.begin("start")
    scanner = Scanner(JOINED.sub(r"\1 ", text) if lenient else text, "", grammar.vocabulary)
    scanner.takes = lambda terminal: grammar.accepts(parser.state_stack, terminal)
    token = None
    while token is None or token.type != END:
        token = scanner.next_token(grammar.states[parser.state_stack[-1]])
        if any(not (lenient and isinstance(each, TOKEN_PROBLEMS)) for each in scanner.problems):
            return False
        # A parser that refuses a token may have reduced what a name would have been shifted behind.
        if lenient and token.text.isidentifier() and not grammar.accepts(parser.state_stack, token.type):
            token.type = "NAME"
        if not grammar.feed(parser, token):
            return False
        scanner.before = token.text
    return True
