"""Generated Python names classes in strings, which no type checker follows: each name is checked against its class."""

import ast
import builtins
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import runtime.answer
from runtime.answer.generate import GeneratedEvaluator, module_text
from runtime.answer.support import NAMESPACE, Chart
from runtime.answer.tables import Cell
from runtime.board.board import Board
from runtime.board.sightline import Crossing
from runtime.graph import nodes as graph
from runtime.graph.operators import OPERATORS
from runtime.state.frame import Frame
from runtime.state.position import State
from runtime.state.record import Pairs, Record, Sheet
from tests.constructs.test_constructs import rules as constructs
from tests.consumers.members import MISSING, attribute, called, fields_of, item

# Names of generated code that are no values of rules, and what values of rules may be where nothing more is known.
ROOTS = {"s": State, "b": Board}
VALUES = (Record, Cell, Crossing)
CONTAINERS = (dict, frozenset, list, str, tuple)
HOLE = "\N{WHITE SQUARE}"
NAME = re.compile(rf"({HOLE}?\w*)\.([a-z_]\w*{HOLE}?)")


class Names:
    """Types what generated code names, and collects what is not there."""

    def __init__(self, constants: dict[str, Any]) -> None:
        """Begin with the constants of a module."""
        self.constants = constants
        self.found: list[str] = []
        self.accessed_names: set[str] = set()

    def type_of(self, node: ast.AST) -> Any:
        """Return the type of an expression, as far as it hangs on a state, a map or a constant."""
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
        """Return the type of an attribute; what is not known has to be a value of rules."""
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
        """Find our function that is called: a method without its `self`, or one of the namespace."""
        if isinstance(node, ast.Name):
            function = NAMESPACE.get(node.id)
            return function if inspect.isfunction(function) else None
        of = self.type_of(node.value) if isinstance(node, ast.Attribute) else Any
        method = inspect.getattr_static(of, node.attr, None) if inspect.isclass(of) else None  # type: ignore[attr-defined]
        return method.__get__(object()) if inspect.isfunction(method) else None


def examined(text: str, constants: dict[str, Any]) -> Names:
    """Look at every name, attribute and call of generated text."""
    names = Names({name: type(value) for name, value in constants.items() if isinstance(value, graph.Term | Chart)})
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
    """Write all functions of a graph; return the constants that these name."""
    evaluator = GeneratedEvaluator(rules)
    for term in rules.terms:
        for suffix in ("", "_why"):
            evaluator.make_function(term, suffix)
    return evaluator.namespace


def emitted() -> set[tuple[str, str]]:
    """List the attributes that the generator's own strings name, and of what: `s`, `b` or something else.

    One that is put together ends with `HOLE`.
    """
    files = sorted(Path(runtime.answer.__file__).parent.glob("*.py"))
    templates = [operator.python for operator in OPERATORS.values()]
    texts = [text for file in files for text in strings(ast.parse(file.read_text(encoding="utf-8")))]
    return {(of, name) for text in [*texts, *templates] for of, name in NAME.findall(text)}


def strings(tree: ast.AST) -> Iterator[str]:
    """Yield the strings of a module but its docstrings; what is filled in becomes a `HOLE`."""
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
    """Return whether a class has a name, or one that begins so if the name is put together."""
    if name.endswith(HOLE):
        return any(each.startswith(name.removesuffix(HOLE)) for each in (*dir(kind), *fields_of(kind)))
    return attribute(kind, name) is not MISSING


def test_what_generated_code_names_is_there() -> None:
    """Of a toy that has every construct: attributes of classes, parameters of what is called, and names at large."""
    rules = constructs()
    assert examined(module_text(rules), constants_of(rules)).found == []


def test_what_the_generator_can_write_is_there() -> None:
    """Also what no toy has it write: names in its strings, each of the class it is asked of."""
    anything = (State, Board, Frame, Pairs, graph.Term, graph.Parameter, Sheet, *VALUES, *CONTAINERS)
    written = emitted()
    assert {name for of, name in written if of == "s"} > {"board", "fielded", "answers"}
    unknown = [
        (of, name)
        for of, name in sorted(written)
        if not any(has(each, name) for each in ([ROOTS[of]] if of in ROOTS else anything))
    ]
    assert unknown == []


def test_each_name_is_held_to_its_class() -> None:
    """Were any attribute that generated code names called something else, it would be missed."""
    rules = constructs()
    text, constants = module_text(rules), constants_of(rules)
    unnoticed = []
    for name in sorted(examined(text, constants).accessed_names):
        renamed = re.sub(rf"\.{name}\b", f".{name}_of_old", text)
        if not any(name in found_name for found_name in examined(renamed, constants).found):
            unnoticed.append(name)
    assert unnoticed == []
