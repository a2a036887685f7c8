"""Generic traversal and rewriting of core expressions: children, free names, substitution, copies with fresh names.

A child is an expression directly inside a node, in a field, a tuple, a `Clause` or a `Lazy`. Which fields hold children
is derived from the types of the fields, so a new class of node needs no code here.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from itertools import count
from operator import attrgetter, is_
from types import NoneType
from typing import Any, TypeVar, get_args, get_type_hints

from compiler.core import ir
from compiler.core.ir import Core
from compiler.core.representation import Record, Representation, is_bit_set, is_sequence
from compiler.core.sharing import LetLazy

T = TypeVar("T")
Change = Callable[[Core], Core]
CONSTANTS = {ir.Const, ir.EnumConst}
NODES = vars(ir)  # Where the names in the types of fields are looked up.
MODULES = {ir.__name__, LetLazy.__module__}


FieldFunction = Callable[[Any], tuple[Any, ...]]


class _FieldGetters(dict[type, FieldFunction | None]):
    """Functions that read the fields of a node that may hold expressions, memoized by class; None without any."""

    def __missing__(self, type_: type) -> FieldFunction | None:
        names = fields_with_parts(type_)
        get: FieldFunction | None = attrgetter(*names) if names else None
        self[type_] = found = get if get is None or len(names) > 1 else lambda node: (get(node),)
        return found


@cache
def fields_with_parts(type_: Any) -> tuple[str, ...]:
    """Return the fields of a class of nodes that may hold expressions, without tuples of constants."""
    hints = get_type_hints(type_, localns=NODES)
    return tuple(field.name for field in fields(type_) if _nodes_in(hints[field.name]) - CONSTANTS)


def _nodes_in(hint: Any) -> set[Any]:
    """Return the classes of nodes that values of a type may consist of."""
    if inner := get_args(hint):
        return set().union(*map(_nodes_in, inner))
    return {hint} if is_dataclass(hint) and hint.__module__ in MODULES else set()


FIELDS = _FieldGetters()
LEAVES = frozenset({NoneType, bool, str})
PARTS_OF_NODES = frozenset({ir.Clause, ir.Lazy})


def child_expressions(node: Core) -> list[Core]:
    """Return the children of a node, in the order of its fields."""
    found: list[Core] = []
    _collect_from(node, found)
    return found


def _collect_from(node: Any, found: list[Core]) -> None:
    get = FIELDS[node.__class__]
    if get is not None:
        _collect(get(node), found)


def _collect(values: tuple[Any, ...], found: list[Core]) -> None:
    for value in values:
        class_ = value.__class__
        if class_ is tuple:
            _collect(value, found)
        elif class_ in PARTS_OF_NODES:
            _collect_from(value, found)
        elif class_ not in LEAVES:
            found.append(value)


def with_parts(node: T, change: Change) -> T:
    """Return a node with its children rewritten, or the node itself if they are unchanged."""
    class_: Any = node.__class__
    get = FIELDS[class_]
    if get is None:
        return node
    old = get(node)
    new = _changed(old, change)
    if new is old:
        return node
    changed_fields = dict(zip(fields_with_parts(class_), new, strict=True))
    return replace(node, **changed_fields)  # type: ignore[type-var]  # a dataclass


def _changed(values: tuple[Any, ...], change: Change) -> tuple[Any, ...]:
    new: list[Any] = []
    for value in values:
        class_ = value.__class__
        if class_ is tuple:
            new.append(_changed(value, change))
        elif class_ in PARTS_OF_NODES:
            new.append(with_parts(value, change))
        else:
            new.append(value if class_ in LEAVES else change(value))
    return values if all(map(is_, new, values)) else tuple(new)


def subexpressions(node: Core) -> Iterator[Core]:
    """Iterate over a node and all its descendants in preorder."""
    todo = [node]
    while todo:
        descendant = todo.pop()
        yield descendant
        get = FIELDS[descendant.__class__]
        if get is not None:
            _collect(get(descendant), todo)


def node_count(node: Core) -> int:
    """Count the nodes of an expression."""
    return sum(1 for _ in subexpressions(node))


def bound_names(node: Any) -> tuple[str, ...]:
    """Return the names that a node binds in its children."""
    match node:
        case ir.Let(name) | LetLazy(name) | ir.Lazy(name) | ir.Fold(_, name) | ir.Reachable(name):
            return (name,)
        case ir.Cheapest():
            return node.step
        case ir.Verdict(clauses):
            return tuple(lazy.name for clause, _ in clauses for lazy in clause.lazy)
        case ir.Resolve(_, clauses):
            return tuple(lazy.name for clause in clauses for lazy in clause.lazy)
        case _:
            return ()


class FreeNames:
    """The free names of expressions, memoized by node; names are unique in a function, so no scopes are needed."""

    def __init__(self) -> None:
        """Start with no node visited."""
        self.known: dict[int, tuple[Core, frozenset[str]]] = {}

    def free_names(self, node: Core) -> frozenset[str]:
        """Return the free names of an expression."""
        if isinstance(node, ir.Local | ir.Force):
            return frozenset((node.name,))
        known = self.known.get(id(node))
        if known is None:
            inner = frozenset[str]().union(*map(self.free_names, child_expressions(node)))
            known = self.known[id(node)] = (node, inner.difference(bound_names(node)))
        return known[1]


def substitute(node: Core, values: Mapping[str, Core]) -> Core:
    """Return a node with expressions in place of its free variables."""
    if isinstance(node, ir.Local | ir.Force):
        return values.get(node.name, node)
    return with_parts(node, lambda part: substitute(part, values))


class FreshNames:
    """A generator of names that no other node of a module binds."""

    def __init__(self) -> None:
        """Start counting."""
        self._numbers = count()

    def fresh_name(self, original: str) -> str:
        """Return a fresh name: the original and a number."""
        return f"{original.partition('~')[0]}~{next(self._numbers)}"

    def copy_with_fresh_names(self, node: Core, values: Mapping[str, Core]) -> Core:
        """Copy an expression with fresh names for what it binds and `values` for its free names."""
        renamed: dict[str, str] = {
            name: self.fresh_name(name) for inner in subexpressions(node) for name in bound_names(inner)
        }  # A name is bound once, so what is free is never among them.

        def copy_part(part: Core) -> Core:
            match part:
                case ir.Local(name, representation):
                    return ir.Local(renamed[name], representation) if name in renamed else values.get(name, part)
                case ir.Force(name, representation):
                    return ir.Force(renamed[name], representation) if name in renamed else values.get(name, part)
                case _:
                    return _rebound(with_parts(part, copy_part), renamed)

        return copy_part(node)


def _rebound(node: Core, renamed: Mapping[str, str]) -> Core:
    """Rename the bindings of a node."""
    match node:
        case ir.Let(name) | LetLazy(name) | ir.Fold(_, name) | ir.Reachable(name) if name in renamed:
            return replace(node, name=renamed[name])
        case ir.Cheapest(step=(source_name, target_name)) if source_name in renamed:
            return replace(node, step=(renamed[source_name], renamed[target_name]))
        case ir.Verdict(clauses):
            return replace(node, clauses=tuple((_lazies(clause, renamed), grants) for clause, grants in clauses))
        case ir.Resolve(_, clauses):
            return replace(node, clauses=tuple(_lazies(clause, renamed) for clause in clauses))
        case _:
            return node


def _lazies(clause: ir.Clause, renamed: Mapping[str, str]) -> ir.Clause:
    if not clause.lazy:
        return clause
    return replace(clause, lazy=tuple(ir.Lazy(renamed.get(each.name, each.name), each.value) for each in clause.lazy))


def is_storable(representation: Representation) -> bool:
    """Return whether a value can be stored: it fits a local, or is a bit set, which has a place in memory."""
    return is_bit_set(representation) or not (is_sequence(representation) or isinstance(representation, Record))
