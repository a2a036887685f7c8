"""Templates of the book name attributes in text that no type checker follows: each is checked against its class."""

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import GenericAlias
from typing import Any, get_origin

import pytest
from jinja2 import Environment
from jinja2 import nodes as jinja

import compiler.rulebook.book
from compiler.rulebook.book import TEMPLATES
from compiler.rulebook.contents import Contents
from compiler.rulebook.exception_trees import Decision
from compiler.rulebook.headings import Heading
from compiler.rulebook.live.scripts import LiveModule
from runtime.graph import nodes as graph
from tests.consumers.members import MISSING, attribute, called, element, generic, hints_of, item, parts_of, union

# What every page is given, and what single pages are; `write_site` has them as arguments.
GIVEN = {"c": Contents, "book": graph.Graph, "section": Heading, "decision": Decision}
WORDS = ("book_title", "short_title", "root", "path", "address", "label")
# Filters that give what they are given, or some of it.
KEEPING = {"list", "select", "selectattr", "reject", "rejectattr", "sort", "unique", "reverse"}
ROUNDS = 4
LOOP = ("first", "index", "last")  # What the `loop` of a template has.


@dataclass
class Types:
    """Types what templates name. What macros are called with is collected, and typed in the next round."""

    globals: dict[str, Any]
    macros: dict[str, jinja.Macro] = field(default_factory=dict)
    arguments: dict[tuple[str, str], list[Any]] = field(default_factory=dict)
    missing: set[str] = field(default_factory=set)
    held: set[str] = field(default_factory=set)
    loose: set[str] = field(default_factory=set)  # Names of what no type is known of.

    def template(self, tree: jinja.Template, scope: dict[str, Any]) -> None:
        """Go through a template; its macros are its own."""
        for macro in tree.find_all(jinja.Macro):
            self.macros[macro.name] = macro
        for macro in tree.find_all(jinja.Macro):
            names = {each.name: union(self.arguments.get((macro.name, each.name), ())) for each in macro.args}
            self.statements(macro.body, {**scope, **names})
        self.statements(tree.body, scope)

    def statements(self, nodes: Iterable[jinja.Node], scope: dict[str, Any]) -> None:
        """Go through statements in their order."""
        for node in nodes:
            match node:
                case jinja.Macro():
                    pass
                case jinja.For():
                    inside = dict(scope)
                    bind(node.target, element(self.type_of(node.iter, scope)), inside)
                    self.statements([each for each in (node.test,) if each] + node.body + node.else_, inside)
                case jinja.Assign():
                    bind(node.target, self.type_of(node.node, scope), scope)
                case jinja.Expr():
                    self.type_of(node, scope)
                case _:
                    self.statements(node.iter_child_nodes(), scope)

    def type_of(self, node: jinja.Node | None, scope: dict[str, Any]) -> Any:
        """Return the type of an expression, Any where nothing says it."""
        match node:
            case jinja.Name(name=name):
                return scope.get(name, self.globals.get(name, Any))
            case jinja.Const(value=value):
                return type(value)
            case jinja.Getattr(node=of, attr=name):
                return self.attribute(self.type_of(of, scope), name)
            case jinja.Getitem(node=of, arg=place):
                self.type_of(place, scope)
                return item(self.type_of(of, scope), place.value if isinstance(place, jinja.Const) else None)
            case jinja.Call():
                return self.call(node, scope)
            case jinja.Filter():
                return self.filter(node, scope)
            case jinja.CondExpr():
                self.type_of(node.test, scope)
                return union(self.type_of(each, scope) for each in (node.expr1, node.expr2) if each)
            case jinja.Or() | jinja.And():
                return union([self.type_of(node.left, scope), self.type_of(node.right, scope)])
            case jinja.Tuple():
                return generic(tuple, tuple(self.type_of(each, scope) for each in node.items)) if node.items else Any
            case None:
                return Any
            case _:
                for each in node.iter_child_nodes():
                    self.type_of(each, scope)
                return Any

    def attribute(self, of: Any, name: str) -> Any:
        """Return the type of an attribute; a mapping has its keys for attributes, too."""
        if of is Any:
            self.loose.add(name)
            return Any
        if isinstance(of, type | GenericAlias) and (get_origin(of) or of) is dict and not hasattr(dict, name):
            return item(of, name)
        found = attribute(of, name)
        if found is MISSING:
            self.missing.add(f"{type_name(of)}.{name}")
            return Any
        self.held.add(name)
        return found

    def call(self, node: jinja.Call, scope: dict[str, Any]) -> Any:
        """Note what a macro is given, or return what a function gives."""
        given = [self.type_of(each, scope) for each in node.args]
        name = node.node.attr if isinstance(node.node, jinja.Getattr) else getattr(node.node, "name", "")
        by_parts = isinstance(node.node, jinja.Getattr) and getattr(node.node.node, "name", "") == "parts"
        macro = self.macros.get(name) if by_parts or isinstance(node.node, jinja.Name) else None
        if macro is None:
            return called(self.type_of(node.node, scope))
        for parameter, hint in zip(macro.args, given, strict=False):
            self.arguments.setdefault((name, parameter.name), []).append(hint)
        return str

    def filter(self, node: jinja.Filter, scope: dict[str, Any]) -> Any:
        """Return what a filter gives; names in its strings are of what it goes through."""
        of = self.type_of(node.node, scope)
        for each in node.args:
            self.type_of(each, scope)
        named = [each.value for each in node.kwargs if each.key == "attribute"]
        named += node.args[:1] if node.name in ("selectattr", "rejectattr") else []
        for each in named:
            if isinstance(each, jinja.Const):
                self.attribute(element(of), str(each.value).split(".")[0])
        return of if node.name in KEEPING else Any


def type_name(hint: Any) -> str:
    """Name a type."""
    return " | ".join(str(getattr(part, "__name__", part)) for part in parts_of(hint))


def bind(target: jinja.Node, hint: Any, scope: dict[str, Any]) -> None:
    """Bind the names of a target."""
    if isinstance(target, jinja.Name):
        scope[target.name] = hint
    elif isinstance(target, jinja.Tuple):
        for place, each in enumerate(target.items):
            bind(each, item(hint, place), scope)


def global_types() -> dict[str, Any]:
    """Type what the environment of templates has, as far as what it calls says what it gives."""
    found: dict[str, Any] = dict.fromkeys(WORDS, str) | GIVEN
    within = {**vars(compiler.rulebook.book), "contents": Contents, "book": graph.Graph, "live": LiveModule}
    for node in ast.walk(ast.parse(inspect.getsource(compiler.rulebook.book._environment))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "jinja.globals.update":
            for keyword in node.keywords:
                found[str(keyword.arg)] = python_type(keyword.value, within)
    return found


def python_type(node: ast.expr, within: dict[str, Any]) -> Any:
    """Return the type of an expression of Python, where `within` has types of names, or functions and modules."""
    match node:
        case ast.Name(id):
            return typed_function(within.get(id, Any))
        case ast.Attribute(value, name):
            of = python_type(value, within)
            return typed_function(getattr(of, name, Any)) if inspect.ismodule(of) else attribute(of, name)
        case ast.Lambda(_, body):
            return Callable[..., python_type(body, within)]
        case ast.Call(function):
            return called(python_type(function, within))
        case ast.IfExp(_, yes, no):
            return union(python_type(each, within) for each in (yes, no))
        case _:
            return Any


def typed_function(value: Any) -> Any:
    """Return the type of a function by what it gives; other values stand for themselves."""
    return Callable[..., hints_of(value).get("return", Any)] if inspect.isfunction(value) else value


def typed(texts: dict[str, str]) -> Types:
    """Go through templates until what their macros are given is known."""
    environment = Environment(autoescape=True)
    trees = {name: environment.parse(text) for name, text in texts.items()}
    types = Types(global_types())
    for _ in range(ROUNDS):
        types.missing.clear()
        for name, tree in sorted(trees.items(), key=lambda each: not each[0].startswith("parts")):
            types.template(tree, {})
            if not name.startswith("parts"):
                for macro in tree.find_all(jinja.Macro):
                    types.macros.pop(macro.name, None)
    return types


def texts() -> dict[str, str]:
    """Read all templates."""
    return {file.name: file.read_text(encoding="utf-8") for file in sorted(TEMPLATES.glob("*.j2"))}


def test_what_templates_name_is_there() -> None:
    """What no type is known of, as what filters leave, has to be a name that some class of the book has."""
    types = typed(texts())
    assert sorted(types.missing) == []
    assert {"links", "parts", "prose", "questions", "remarks", "stages"} <= types.held
    classes: list[Any] = [
        each
        for name, module in list(sys.modules.items())
        if name.startswith(("compiler.rulebook", "runtime.graph"))
        for each in vars(module).values()
        if inspect.isclass(each)
    ]
    known: set[str] = {*dir(str), *dir(list), *dir(dict), *LOOP}.union(
        *({*dir(each), *hints_of(each)} for each in classes)
    )
    assert types.loose - known == set()
    assert len(types.loose - types.held) < len(types.held) / 4


@pytest.mark.parametrize("name", ["links", "parts", "dice", "questions", "remarks", "prose", "cites", "link_to"])
def test_a_renamed_attribute_is_missed(name: str) -> None:
    renamed = {file: re.sub(rf"\.{name}\b", f".{name}_of_old", text) for file, text in texts().items()}
    assert any(name in each for each in typed(renamed).missing)
