"""Code generation for aggregates (`Fold`): Python comprehensions.

In: a `Fold` and its scope. Out: Python text. Filters are fused with the iteration, and the iteration is skipped where
an index shows the collection to be empty.
"""

import re
from collections.abc import Container
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, NamedTuple

from runtime.answer.bounds import is_whole
from runtime.answer.brackets import without_brackets, without_brackets_unless_choice
from runtime.answer.emit_names import NameScope
from runtime.graph import nodes as graph
from runtime.graph.conjuncts import conjunction, conjuncts
from runtime.graph.operators import COMPARISONS, OPERATORS
from runtime.graph.predeclared_types import member_of
from runtime.graph.type_of import type_of
from runtime.graph.walk import walk

if TYPE_CHECKING:
    from runtime.answer.emit_expression import Emitter


def write_fold(emitter: "Emitter", expr: graph.Fold, scope: NameScope) -> str:
    """Emit an aggregate as a comprehension."""
    source, member_test, inner, var, left = write_loop(emitter, expr, scope)
    condition = "" if left is None else without_brackets_unless_choice(emitter.write(left, inner))
    run = f"for {var} in {source}{member_test and f' if {member_test}'}"
    each = f"{run}{condition and f' if {condition}'}"
    if expr.op in ("some", "none") and not condition and not member_test:
        return f"(len({source}) {'>' if expr.op == 'some' else '=='} 0)"
    found = f"{condition} {run}" if condition else f"{member_test} for {var} in {source}"
    body = var if expr.body is None else without_brackets(emitter.write(expr.body, inner))
    match expr.op:
        case "count":
            return _write_unless_empty(
                emitter, expr, scope, f"len([1 {each}])" if member_test or condition else f"len({source})"
            )
        case "some":
            return _write_unless_empty(emitter, expr, scope, f"any({found})")
        case "none":
            return f"(not {_write_unless_empty(emitter, expr, scope, f'any({found})')})"
        case "every":
            return f"all({body} {each})"
        case "sum":
            adding = "sum" if expr.body is not None and is_whole(expr.body) else "add_up"
            return f"{adding}([{body} {each}])"
        case "min" | "max":
            if expr.otherwise is None:
                return f"{'smallest' if expr.op == 'min' else 'largest'}([{body} {each}])"
            return f"{expr.op}([{body} {each}], default={emitter.write(expr.otherwise, scope)})"
        case "gather":
            is_ordered = expr.body is None and is_set(type_of(expr.source, scope.types, emitter.rules))
            return f"tuple([{body} {each}])" if is_ordered else f"s.frame.ordered([{body} {each}])"
        case "least" | "greatest":
            members = f"[{var} {each}]" if member_test or condition else source
            default = "" if expr.otherwise is None else f", lambda: {emitter.write(expr.otherwise, scope)}"
            return f"{expr.op}({members}, lambda {var}: {body}{default})"
        case "trailing" | "leading":
            return f"{expr.op}({source}, lambda {var}: {condition or 'True'})"


def write_stream(emitter: "Emitter", expr: graph.Expr, scope: NameScope) -> str:
    """Emit a collection as an iterable, with its filter fused."""
    match expr:
        case graph.Fold("gather", _, source, _, None) if is_set(type_of(source, scope.types, emitter.rules)):
            members, member_test, inner, var, left = write_loop(emitter, expr, scope)
            condition = without_brackets_unless_choice(emitter.write(left, inner)) if left is not None else ""
            picks = [text for text in (member_test, condition) if text]
            return f"({var} for {var} in {members}{''.join(f' if {text}' for text in picks)})"
        case _:
            return f"iter({emitter.write(expr, scope)})"


def _write_unless_empty(emitter: "Emitter", expr: graph.Fold, scope: NameScope, text: str) -> str:
    """Emit a test that skips an aggregate over a hex or partners where it is empty, as most are."""
    match expr.source:
        case graph.Pieces(_, space) if space is not None:
            key, places = emitter.write(space, scope), "s.at"
        case graph.Get(graph.Var() as base, "partners", relation, end):
            key, places = emitter.write(base, scope), f"s.pairs[{relation!r}].{end}s"
        case _:
            marks = status_guard(emitter, expr, scope)
            if not marks:
                return text
            return f"({text} if {without_brackets(marks)} else {0 if expr.op == 'count' else False})"
    found = text.replace(f"{places}.get({key}, NOBODY)", f"{places}[{key}]")
    return f"({found} if {key} in {places} else 0)" if expr.op == "count" else f"({key} in {places} and {found})"


def status_guard(emitter: "Emitter", expr: graph.Fold, scope: NameScope) -> str:
    """Emit a test that any piece has the status that the filter requires; "" if there is no such status.

    Most statuses are rare: where rules ask for one along each line of sight, play in Python is 2.7 times as fast with
    the test. Skipping an iteration must not skip an error: the collection is one that every position has, and the
    conditions before the test are defined in every state.
    """
    match expr.source:
        case graph.Pieces(_, None) | graph.All(graph.Hex()):
            anyway = ""
        case graph.Op("line", ends) if all(map(_is_atomic, ends)):
            anyway = " or not b.is_one_sheet"  # A line between two sheets is an error, which has to be raised.
        case _:
            return ""
    inner = _scope_of_member(emitter, expr, scope)
    for part in conjuncts(expr.where):
        match part:
            case graph.Is(_, (graph.Test("status", owner, name),), False) if (
                f"{owner}.{name}" not in emitter.rules.terms
            ):
                marks = f"s.marks[{f'{owner}.{name}'!r}]"
                return f"({marks}{anyway})" if anyway else marks
            case _ if _is_cheap(part, emitter.rules.terms, inner.in_play):
                continue
            case _:
                return ""
    return ""


def _is_cheap(expr: graph.Expr, ruled_flags: Container[str], in_play: AbstractSet[str]) -> bool:
    """Return whether a condition is cheap, and defined in every position."""
    match expr:
        case graph.Op("not" | "and" | "or", parts):
            return all(_is_cheap(part, ruled_flags, in_play) for part in parts)
        case graph.Op("in", (member, graph.SetOf(members))):
            return all(map(_is_atomic, (member, *members)))
        case graph.Op("in", (member, graph.Get(graph.Var(), "partners"))):
            return _is_atomic(member)
        case graph.Fold("some" | "none", name, graph.Pieces(_, space), condition, None) if (
            space is not None and _is_atomic(space)
        ):
            return condition is None or _is_cheap(condition, ruled_flags, {*in_play, name})
        case graph.Op("adjacent", (graph.Get(graph.Var(name), "given", _, "hex"), other)):
            return name in in_play and _is_atomic(other)
        case graph.Op(op, parts) if op in COMPARISONS:
            return all(map(_is_atomic, parts))
        case graph.Is(graph.Var(), tests, _):
            return all(
                f"{test.owner}.{test.name}" not in ruled_flags and test.what not in ("cell", "feature")
                for test in tests
            )
        case graph.Has(graph.Var(), "partner", _, _, _) | graph.Truth():
            return True
        case _:
            return False


def _is_atomic(expr: graph.Expr) -> bool:
    """Return whether an expression is a name, a literal, or the place, side or kind of a piece."""
    match expr:
        case graph.Var() | graph.Num() | graph.Truth() | graph.Member() | graph.Place():
            return True
        case graph.Get(graph.Var(), "given", _, "hex" | "side" | "kind" | "place"):
            return True
        case _:
            return False


# The iterable, the test of its elements, and the rest of the filter.
EmittedSet = tuple[str, str, graph.Expr | None]


class EmittedLoop(NamedTuple):
    """The parts of an emitted loop: iterable, fused test, inner scope, variable and remaining condition."""

    source: str
    member_test: str
    inner: NameScope
    var: str
    condition: graph.Expr | None


def write_loop(emitter: "Emitter", expr: graph.Fold, scope: NameScope) -> EmittedLoop:
    """Emit the parts of a loop; its variable has a name that no enclosing loop uses."""
    inner = _scope_of_member(emitter, expr, scope)
    var = inner.texts[expr.var]
    emitter.iterating += 1
    source, member_test, condition = write_collection(emitter, expr, scope, var)
    emitter.iterating -= 1
    return EmittedLoop(source, member_test, inner, var, condition)


def _scope_of_member(emitter: "Emitter", expr: graph.Fold, scope: NameScope) -> NameScope:
    """Return the scope inside a loop."""
    var = emitter.local_name(expr.var) if expr.var not in ("", "_") else "one"
    while var in scope.texts.values():
        var += "_"
    member = member_of(type_of(expr.source, scope.types, emitter.rules))
    return scope.with_binding(expr.var, var, member, in_play=isinstance(expr.source, graph.Pieces))


def write_collection(emitter: "Emitter", expr: graph.Fold, scope: NameScope, var: str) -> EmittedSet:
    """Return the iterable of a collection, the test that its elements need, and the rest of the filter."""
    match expr.source:
        case graph.Pieces(kinds, space) if space is not None:
            kind_test = f"s.kind[{var}] == {kinds[0]!r}" if len(kinds) == 1 else f"s.kind[{var}] in {kinds!r}"
            return (
                f"passed_if_many(s.at.get({emitter.write(space, scope)}, NOBODY))",
                kind_test if kinds else "",
                expr.where,
            )
        case graph.Pieces((kind,), None):
            source, member_test, condition = _write_pieces(emitter, expr, scope, var, kind)
            return f"passed({source})", member_test, condition
        case graph.All(graph.Hex()):
            return "passed(range(b.size))", "", expr.where
        case source:
            written = emitter.write(source, scope)
            if AREA.fullmatch(written):
                return _write_area(emitter, expr, written)
            if isinstance(source, graph.SetOf):
                return written, "", expr.where
            return f"{'passed' if _needs_index(source) else 'passed_if_many'}({written})", "", expr.where


def _needs_index(source: graph.Expr) -> bool:
    """Return whether a collection may have more members than a hex has neighbors, so that an index pays."""
    match source:
        case graph.Op(op, _):
            return OPERATORS[op].large
        case graph.All() | graph.Pieces():
            return True
        case _:
            return False


def _write_pieces(emitter: "Emitter", expr: graph.Fold, scope: NameScope, var: str, kind: str) -> EmittedSet:
    """Emit a loop over all pieces of a kind; if the filter requires a neighborhood or a side, over an index of it."""
    parts = tuple(conjuncts(expr.where))
    for part in parts:
        if (hexes := _nearby_hexes(emitter, part, expr.var, scope)) is not None:
            return (
                f"s.pieces_in_hexes({hexes})",
                f"s.kind[{var}] == {kind!r}",
                conjunction(p for p in parts if p is not part),
            )
    for part in parts:
        match part:
            case graph.Op("=" | "!=" as op, (graph.Get(graph.Var(name), "given", _, "side"), owner)) if (
                name == expr.var and _is_loop_invariant(owner, name)
            ):
                among = "fielded_by" if op == "=" else "fielded_against"
                source = f"s.{among}({kind!r}, {without_brackets(emitter.write(owner, scope))})"
                return source, "", conjunction(other for other in parts if other is not part)
    return f"s.fielded({kind!r})", "", expr.where


# The areas where the force of a piece is set up or enters.
AREA = re.compile(r"s\.sheets\[\w+\]\.area")


def _write_area(emitter: "Emitter", expr: graph.Fold, area: str) -> EmittedSet:
    """Emit a loop over an area; if the filter requires a printed feature, over the precomputed hexes with it."""
    parts = tuple(conjuncts(expr.where))
    for part in parts:
        match part:
            case graph.Is(graph.Var(name), (graph.Test("feature", owner, feature),), False) if (
                name == expr.var and f"{owner}.{feature}" not in emitter.rules.terms
            ):
                left = conjunction(other for other in parts if other is not part)
                return f"b.printed_among({feature!r}, {area})", "", left
    return area, "", expr.where


def _nearby_hexes(emitter: "Emitter", part: graph.Expr, name: str, scope: NameScope) -> str | None:
    """Emit the hexes to which a condition restricts a piece; None if it does not restrict it to a neighborhood."""
    if (found := nearness_condition(part, name)) is None:
        return None
    hexes, other = found
    return hexes.format(without_brackets(emitter.write(other, scope)))


def nearness_condition(part: graph.Expr, name: str) -> tuple[str, graph.Expr] | None:
    """Return the template of the hexes to which a condition restricts a piece, and their center; None without one."""
    match part:
        case graph.Op("adjacent", ends):
            hexes = "b.beside[{}]"
        case graph.Op("<=", (graph.Op("distance", ends), graph.Num(reach))) if reach in (1, 2):
            hexes = f"b.within({{}}, {reach})"
        case _:
            return None
    for end, other in (ends, ends[::-1]):
        match end:
            case graph.Get(graph.Var(var), "given", _, "hex") if var == name and _is_loop_invariant(other, name):
                return hexes, other
    return None


def _is_loop_invariant(expr: graph.Expr, name: str) -> bool:
    """Return whether an expression is cheap and does not depend on a name."""
    return _is_atomic(expr) and not any(isinstance(node, graph.Var) and node.name == name for node in walk(expr))


def is_set(type_: graph.Type) -> bool:
    """Return whether a collection is a set, which is ordered already."""
    return isinstance(type_, graph.Many) and type_.shape == "set"
