"""Names of classes in the strings of the generator, which no type checker follows, exist."""

import ast
import builtins
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import runtime.answer
from runtime.answer.generate import GeneratedEvaluator
from runtime.answer.module_text import module_text
from runtime.answer.support import NAMESPACE, MemoizedChart
from runtime.answer.tables import CellContent
from runtime.board.board import Board
from runtime.board.sightline import Crossing
from runtime.graph import nodes as graph
from runtime.graph.operators import OPERATORS
from runtime.state.frame import Frame
from runtime.state.position import State
from runtime.state.record import Pairs, Record, Sheet
from tests.constructs.test_constructs import rules as constructs
from tests.consumers.members import MISSING, attribute, called, fields_of, item
from tests.sample import sampled

# The types of variables of generated code, and the possible types of a value of rules.
ROOTS = {"s": State, "b": Board}
VALUES = (Record, CellContent, Crossing)
CONTAINERS = (dict, frozenset, list, str, tuple)
HOLE = "\N{WHITE SQUARE}"
NAME = re.compile(rf"({HOLE}?\w*)\.([a-z_]\w*{HOLE}?)")


class Names:
    """Infers the types of generated code, and collects names that do not exist."""

    def __init__(self, constants: dict[str, Any]) -> None:
        """Start with the constants of a module."""
        self.constants = constants
        self.found: list[str] = []
        self.accessed_names: set[str] = set()

    def type_of(self, node: ast.AST) -> Any:
        """Return the type of an expression, as far as it depends on a state, a board or a constant."""
        match node:
            case ast.Name(id):
                return ROOTS.get(id) or self.constants.get(id, Any)
            case ast.Attribute(value, attr):
                return self.attribute(self.type_of(value), attr, ast.unparse(node))
            case ast.Call(func):
                return called(self.type_of(func))
            case ast.Subscript(value, place):
                return item(self.type_of(value), place.value if isinstance(place, ast.Constant) else None)
            case _:
                return Any

    def attribute(self, of: Any, name: str, message: str) -> Any:
        """Return the type of an attribute; of an unknown type it must be one of a value of rules."""
        self.accessed_names.add(name)
        found = attribute(of, name)
        if of is Any and not any(hasattr(each, name) for each in (*VALUES, *CONTAINERS)):
            found = MISSING
        if found is MISSING:
            self.found.append(message)
            return Any
        return found

    def call(self, node: ast.Call) -> None:
        """Check the arguments of a method against its parameters."""
        function = self.function(node.func)
        if function is None or any(isinstance(each, ast.Starred) for each in node.args):
            return
        try:
            inspect.signature(function).bind(*node.args, **{each.arg or "": each for each in node.keywords})
        except TypeError as error:
            self.found.append(f"{ast.unparse(node)}: {error}")

    def function(self, node: ast.expr) -> Any:
        """Find the called function of ours: a method without its `self`, or one of the namespace."""
        if isinstance(node, ast.Name):
            function = NAMESPACE.get(node.id)
            return function if inspect.isfunction(function) else None
        of = self.type_of(node.value) if isinstance(node, ast.Attribute) else Any
        method = inspect.getattr_static(of, node.attr, None) if inspect.isclass(of) else None  # type: ignore[attr-defined]
        return method.__get__(object()) if inspect.isfunction(method) else None


def examined(text: str, constants: dict[str, Any]) -> Names:
    """Check every name, attribute and call of generated text."""
    names = Names(
        {name: type(value) for name, value in constants.items() if isinstance(value, graph.Term | MemoizedChart)}
    )
    tree = ast.parse(text)
    known = {*constants, *NAMESPACE, *dir(builtins), *bound(tree)}
    for node in ast.walk(tree):
        match node:
            case ast.Attribute():
                names.type_of(node)
            case ast.Call():
                names.call(node)
            case ast.Name(id, ast.Load()) if id not in known:
                names.found.append(id)
            case _:
                pass
    return names


def bound(tree: ast.AST) -> Iterator[str]:
    """List the names that a module binds."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name) | ast.arg(name) | ast.Name(name, ast.Store()):
                yield name
            case _:
                pass


def constants_of(rules: graph.Graph) -> dict[str, Any]:
    """Generate all functions of a graph; return their constants."""
    evaluator = GeneratedEvaluator(rules)
    for term in rules.terms:
        for suffix in ("", "_why"):
            evaluator.make_function(term, suffix)
    return evaluator.namespace


def emitted() -> set[tuple[str, str]]:
    """List the attributes that the strings of the generator name, with their owner: `s`, `b` or another word.

    A name that is composed at run time ends with `HOLE`.
    """
    files = sorted(Path(runtime.answer.__file__).parent.glob("*.py"))
    templates = [operator.python for operator in OPERATORS.values()]
    texts = [text for file in files for text in strings(ast.parse(file.read_text(encoding="utf-8")))]
    return {(of, name) for text in [*texts, *templates] for of, name in NAME.findall(text)}


def strings(tree: ast.AST) -> Iterator[str]:
    """Yield the strings of a module except docstrings; each replacement field becomes a `HOLE`."""
    docstring_ids = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.JoinedStr(parts):
                docstring_ids |= {id(part) for part in parts}
                yield "".join(str(part.value) if isinstance(part, ast.Constant) else HOLE for part in parts)
            case ast.Constant(str(text)) if id(node) not in docstring_ids:
                yield text
            case _:
                pass


def has(kind: type, name: str) -> bool:
    """Return whether a class has a name, or one with the given prefix if the name is composed."""
    if name.endswith(HOLE):
        return any(each.startswith(name.removesuffix(HOLE)) for each in (*dir(kind), *fields_of(kind)))
    return attribute(kind, name) is not MISSING


def test_names_in_generated_code_exist() -> None:
    """The toy has every construct: attributes of classes, parameters of calls, and other names are checked."""
    rules = constructs()
    assert examined(module_text(rules), constants_of(rules)).found == []


def test_names_in_strings_of_the_generator_exist() -> None:
    """These include names that no toy causes to be generated; each must belong to its class."""
    anything = (State, Board, Frame, Pairs, graph.Term, graph.Parameter, Sheet, *VALUES, *CONTAINERS)
    written = emitted()
    assert {name for of, name in written if of == "s"} > {"board", "fielded", "answers"}
    unknown = [
        (of, name)
        for of, name in sorted(written)
        if not any(has(each, name) for each in ([ROOTS[of]] if of in ROOTS else anything))
    ]
    assert unknown == []


@sampled(0)
def test_a_renamed_attribute_is_found() -> None:
    """Each attribute of generated code is renamed; the check must find that."""
    rules = constructs()
    text, constants = module_text(rules), constants_of(rules)
    unnoticed = []
    for name in sorted(examined(text, constants).accessed_names):
        renamed = re.sub(rf"\.{name}\b", f".{name}_of_old", text)
        if not any(name in found_name for found_name in examined(renamed, constants).found):
            unnoticed.append(name)
    assert unnoticed == []
