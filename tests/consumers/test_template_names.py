"""Attributes in the templates of the book, which no type checker follows, exist."""

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
from compiler.rulebook.exception_trees import TermDecision
from compiler.rulebook.headings import Heading
from compiler.rulebook.live.scripts import LiveModule
from runtime.graph import nodes as graph
from tests.consumers.members import MISSING, attribute, called, element, generic, hints_of, item, parts_of, union
from tests.sample import sampled

# The types of the arguments of all pages, and of single pages, as `write_site` passes them.
GIVEN = {"c": Contents, "book": graph.Graph, "section": Heading, "decision": TermDecision}
WORDS = ("book_title", "short_title", "root", "path", "address", "label")
# Filters that return their input, or a part of it.
KEEPING = {"list", "select", "selectattr", "reject", "rejectattr", "sort", "unique", "reverse"}
ROUNDS = 4
LOOP = ("first", "index", "last")  # Attributes of the `loop` of a template.


@dataclass
class Types:
    """Infers the types of templates; arguments of macros are collected, and typed in the next round."""

    globals: dict[str, Any]
    macros: dict[str, jinja.Macro] = field(default_factory=dict)
    arguments: dict[tuple[str, str], list[Any]] = field(default_factory=dict)
    missing: set[str] = field(default_factory=set)
    held: set[str] = field(default_factory=set)
    loose: set[str] = field(default_factory=set)  # Names of attributes of an unknown type.

    def template(self, tree: jinja.Template, scope: dict[str, Any]) -> None:
        """Visit a template; its macros are its own."""
        for macro in tree.find_all(jinja.Macro):
            self.macros[macro.name] = macro
        for macro in tree.find_all(jinja.Macro):
            names = {each.name: union(self.arguments.get((macro.name, each.name), ())) for each in macro.args}
            self.statements(macro.body, {**scope, **names})
        self.statements(tree.body, scope)

    def statements(self, nodes: Iterable[jinja.Node], scope: dict[str, Any]) -> None:
        """Visit statements in order."""
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
        """Return the type of an expression, Any if it is unknown."""
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
        """Return the type of an attribute; a mapping has its keys as attributes, too."""
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
        """Record the arguments of a macro, or return the result of a function."""
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
        """Return the result of a filter; names in its strings are attributes of its input."""
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
    """Return the types of the globals of the templates, as far as hints give them."""
    found: dict[str, Any] = dict.fromkeys(WORDS, str) | GIVEN
    within = {**vars(compiler.rulebook.book), "contents": Contents, "book": graph.Graph, "live": LiveModule}
    for node in ast.walk(ast.parse(inspect.getsource(compiler.rulebook.book._environment))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "jinja.globals.update":
            for keyword in node.keywords:
                found[str(keyword.arg)] = python_type(keyword.value, within)
    return found


def python_type(node: ast.expr, within: dict[str, Any]) -> Any:
    """Return the type of a Python expression; `within` has the types of names, or functions and modules."""
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
    """Return the type of a function by its result; other values are returned unchanged."""
    return Callable[..., hints_of(value).get("return", Any)] if inspect.isfunction(value) else value


def typed(texts: dict[str, str]) -> Types:
    """Visit templates for `ROUNDS` rounds, so that the types of macro arguments are known."""
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


def test_attributes_in_templates_exist() -> None:
    """An attribute of an unknown type, such as the result of a filter, must exist in some class of the book."""
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


@sampled(1)
@pytest.mark.parametrize("name", ["links", "parts", "dice", "questions", "remarks", "prose", "cites", "link_to"])
def test_a_renamed_attribute_is_missing(name: str) -> None:
    renamed = {file: re.sub(rf"\.{name}\b", f".{name}_of_old", text) for file, text in texts().items()}
    assert any(name in each for each in typed(renamed).missing)
