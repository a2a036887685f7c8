"""What the size and shape of the house are measured by.

Tokens and lines of code leave out comments, blank lines and docstrings. The complexity of a function counts its
branches: if, for, while, except, conditional expressions, comprehensions with their conditions, operands of `and` and
`or`, and cases of a match. An edge leads from a room, which is a folder of the second level, to one that it imports.
"""

import ast
import io
import re
import tokenize
from collections import Counter
from pathlib import Path
from typing import get_args

from runtime.graph.nodes import conduct
from runtime.graph.nodes.expressions import Expr
from tests.tidy.check import modules, nodes_of, parsed, texts

HOUSE = ("compiler", "runtime", "rulewright")
LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
# A file that names so many classes of a closed family of nodes restates what the records of the family should hold.
MANY_EFFECTS, MANY_EXPRESSIONS = 6, 8


def measures(root: Path) -> dict[str, float]:
    """Return the figures by name; less is better in each."""
    code = [*modules(root, *HOUSE)]
    tokens, lines = size(root, *HOUSE)
    nodes = [node for _, tree in code for node in nodes_of(tree)]
    numbers = [complexity(node) for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    comprehensions = sum(isinstance(node, ast.comprehension) for node in nodes)
    effects = {node.__name__ for node in get_args(conduct.ChangingStep)}
    expressions = {node.__name__ for node in get_args(Expr)}
    return {
        "tokens": tokens,
        "tokens of tests": size(root, "tests")[0],
        "tokens a line of code": round(tokens / lines, 2),
        "comprehensions in 1,000 lines of code": round(1000 * comprehensions / lines, 1),
        "percent of functions above complexity 10": round(100 * sum(n > 10 for n in numbers) / len(numbers), 2),
        "functions above complexity 20": sum(number > 20 for number in numbers),
        "highest complexity": max(numbers),
        "public names used in no other file": len(names_used_once(root)),
        "edges among rooms": len(edges(code)),
        "files that name 6 effects": len(files_naming(code, effects, MANY_EFFECTS)),
        "files that name 8 expressions": len(files_naming(code, expressions, MANY_EXPRESSIONS)),
    }


def size(root: Path, *folders: str) -> tuple[int, int]:
    """Return the numbers of tokens and of lines of code in the Python files of folders."""
    count, lines = 0, 0
    for path, text in texts(root, *folders, suffixes=".py"):
        documentation = docstring_lines(parsed(path, text))
        code_lines: set[int] = set()
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type not in LAYOUT and token.start[0] not in documentation:
                count += 1
                code_lines.update(range(token.start[0], token.end[0] + 1))
        lines += len(code_lines)
    return count, lines


def docstring_lines(tree: ast.Module) -> set[int]:
    """Return the numbers of the lines that docstrings take."""
    lines: set[int] = set()
    for node in nodes_of(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            text = node.body[0]
            lines.update(range(text.lineno, (text.end_lineno or text.lineno) + 1))
    return lines


def complexity(function: ast.AST) -> int:
    """Return the complexity of a function, the functions inside it included."""
    number = 1
    for node in ast.walk(function):
        match node:
            case ast.BoolOp(_, values):
                number += len(values) - 1
            case ast.comprehension(_, _, conditions):
                number += 1 + len(conditions)
            case ast.If() | ast.For() | ast.While() | ast.ExceptHandler() | ast.IfExp() | ast.match_case():
                number += 1
            case _:
                pass
    return number


def names_used_once(root: Path) -> set[str]:
    """Return the public names of modules that only the file of their definition has."""
    files_with: Counter[str] = Counter()
    public: set[str] = set()
    for path, text in texts(root, *HOUSE, suffixes=".py"):
        files_with.update(set(re.findall(r"\w+", text)))
        if "/findings/" in path:
            continue  # A loader uses what is in them.
        for node in parsed(path, text).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                public.add(node.name)
    return {name for name in public if files_with[name] == 1}


def edges(code: list[tuple[str, ast.Module]]) -> set[tuple[str, str]]:
    """Return the pairs of rooms, as `compiler/typed`, of which the first imports from the second."""
    pairs: set[tuple[str, str]] = set()
    for path, tree in code:
        here = "/".join(path.split("/")[:-1][:2])
        for node in nodes_of(tree):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in HOUSE:
                there = "/".join(node.module.split(".")[:2])
                if here != there:
                    pairs.add((here, there))
    return pairs


def files_naming(code: list[tuple[str, ast.Module]], classes: set[str], least: int) -> list[str]:
    """Return the files that name at least so many of the classes of nodes, as `graph.Move`."""
    paths: list[str] = []
    for path, tree in code:
        names = {node.attr for node in nodes_of(tree) if isinstance(node, ast.Attribute)}
        if len(names & classes) >= least:
            paths.append(path)
    return paths
