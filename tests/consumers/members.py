"""Types of the attributes of classes, from their hints and `__init__`, for texts that mypy does not check."""

import ast
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

MISSING = object()


def generic(kind: Any, arguments: Any) -> Any:
    """Parametrize a generic class; type checkers would read the arguments as types."""
    return kind[arguments]


# The results of methods of mappings, by the types of key and value, in a form that type checkers do not follow.
MAPPINGS: dict[str, Callable[[Any, Any], Any]] = {
    "get": lambda _, value: value,
    "items": lambda key, value: generic(Iterable, generic(tuple, (key, value))),
    "keys": lambda key, _: generic(Iterable, key),
    "values": lambda _, value: generic(Iterable, value),
}


def parts_of(hint: Any) -> tuple[Any, ...]:
    """List the types of a union except None; the type itself if it is no union."""
    parts = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    return tuple(part for part in parts if part is not NoneType)


def union(hints: Iterable[Any]) -> Any:
    """Return the union of types; Any if one is unknown or there is none."""
    parts = tuple(dict.fromkeys(part for hint in hints for part in parts_of(hint)))
    if not parts or Any in parts:
        return Any
    return parts[0] if len(parts) == 1 else Union[parts]  # noqa: UP007 -- of as many parts as there are


def attribute(hint: Any, name: str) -> Any:
    """Return the type of an attribute; MISSING if a class of the union does not have it."""
    found = [_attribute_of(part, name) for part in parts_of(hint)]
    return MISSING if MISSING in found else union(found)


def _attribute_of(hint: Any, name: str) -> Any:
    if hint is Any:
        return Any
    arguments = get_args(hint)
    kind: Any = get_origin(hint) or hint
    if not inspect.isclass(kind):
        return Any
    if issubclass(kind, Mapping) and len(arguments) == 2 and name in MAPPINGS:
        return Callable[..., MAPPINGS[name](*arguments)]
    fields: dict[str, Any] = fields_of(kind)  # type: ignore[arg-type]  # a class can be hashed
    if name in fields:
        return fields[name]
    return MISSING if getattr(kind, name, MISSING) is MISSING else _member(kind, name)


def _member(kind: type, name: str) -> Any:
    member = inspect.getattr_static(kind, name)
    if isinstance(member, property):
        return hints_of(member.fget).get("return", Any)
    if inspect.isfunction(member):
        return Callable[..., hints_of(member).get("return", Any)]
    return Any


def called(hint: Any) -> Any:
    """Return the type of the result of a call."""
    arguments = get_args(hint)
    return arguments[-1] if len(arguments) == 2 and arguments[0] is Ellipsis else Any


def element(hint: Any) -> Any:
    """Return the type of the members of a collection; of the keys of a mapping."""
    found = []
    for part in parts_of(hint):
        arguments, kind = get_args(part), get_origin(part)
        if not arguments or not inspect.isclass(kind) or not issubclass(kind, Iterable):
            return Any
        found.append(union(each for each in arguments if each is not Ellipsis) if kind is tuple else arguments[0])
    return union(found)


def item(hint: Any, place: Any) -> Any:
    """Return the type of an item of a collection."""
    found = []
    for part in parts_of(hint):
        arguments, kind = get_args(part), get_origin(part)
        if inspect.isclass(kind) and issubclass(kind, Mapping):
            found.append(arguments[1])
        elif kind is tuple and isinstance(place, int) and Ellipsis not in arguments and place < len(arguments):
            found.append(arguments[place])
        else:
            found.append(element(part))
    return union(found)


@cache
def hints_of(thing: Any) -> dict[str, Any]:
    """Resolve the hints of a function or class; empty if they name something that exists for type checkers only."""
    try:
        return get_type_hints(thing)
    except NameError:
        return {}


@cache
def fields_of(kind: Any) -> dict[str, Any]:
    """Return the types of the fields of a class: declared ones, and those that its `__init__` assigns."""
    found: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        if base.__module__.split(".")[0] in ("compiler", "runtime", "rulewright"):
            found |= dict.fromkeys(_slots(base), Any) | dict(hints_of(base)) | _assigned(base)
    return found


def _slots(kind: type) -> tuple[str, ...]:
    slots = kind.__dict__.get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _assigned(kind: type) -> dict[str, Any]:
    """Return the types of assignments to `self` in `__init__`, by annotations or parameters."""
    begin = kind.__dict__.get("__init__")
    if not inspect.isfunction(begin) or begin.__code__.co_filename.startswith("<"):
        return {}
    within, parameters = vars(sys.modules[kind.__module__]), hints_of(begin)
    found: dict[str, Any] = {}
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(begin)))):
        target: ast.expr | None = None
        hint: Any = Any
        if isinstance(node, ast.AnnAssign):
            target, hint = node.target, eval(ast.unparse(node.annotation), dict(within))
        elif isinstance(node, ast.Assign):
            target = node.targets[0]
            hint = (
                parameters.get(node.value.id, Any)
                if isinstance(node.value, ast.Name)
                else _class_of_call(node.value, within)
            )
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
            found.setdefault(target.attr, hint)
    return found


def _class_of_call(value: ast.expr, within: Mapping[str, Any]) -> Any:
    """Return the class that a call instantiates."""
    prefix = within.get(value.func.id) if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else None
    return prefix if inspect.isclass(prefix) else Any
