"""Argument promotion: pass the hex of a piece instead of the piece, where nothing else of it is read.

In: all functions. Out: the same, and for each function that reads nothing of a piece but its hex a function of the hex,
of which the first one becomes a wrapper. A function of hexes alone has the same value for all pieces in a hex, often in
all positions, so memoization hits more often. Only functions that read the hex on every path are promoted: a piece off
the map makes them trap with and without promotion (as LLVM's argument promotion does for pointers).
"""

from collections.abc import Mapping
from dataclasses import replace

from compiler.core import ir
from compiler.core.ir import Core
from compiler.core.passes.inline import callees_first, inlined_calls
from compiler.core.passes.rewriting import FreshNames, child_expressions, subexpressions, with_parts
from compiler.core.representation import HEX, PIECE
from compiler.core.sharing import LetLazy

LEAST_USES = 2  # Of the hex of a piece that is bound.


def promote_hexes(functions: Mapping[str, ir.Function], fresh: FreshNames) -> dict[str, ir.Function]:
    """Return all functions with promoted parameters, callees first; calls go to the promoted functions."""
    promoted_functions: dict[str, ir.Function] = {}
    wrappers: dict[str, ir.Function] = {}
    for name in callees_first(functions):
        function = functions[name]
        body = inlined_calls(function.body, wrappers, fresh)
        promoted = [
            part.name for part in function.parameters if part.representation == PIECE and _only_hex(part.name, body)
        ]
        if promoted and not isinstance(body, ir.Call):
            inner, outer = with_hexes(ir.Function(name, function.parameters, body), promoted)
            promoted_functions[inner.name], promoted_functions[name], wrappers[name] = inner, outer, outer
        else:
            promoted_functions[name] = ir.Function(name, function.parameters, body)
    return promoted_functions


def _only_hex(name: str, body: Core) -> bool:
    """Return whether a body reads nothing but the hex of a piece, and reads that on every path."""
    hex_load = ir.Load("hex", ir.Local(name, PIECE), HEX)
    uses = sum(isinstance(node, ir.Local) and node.name == name for node in subexpressions(body))
    loads = sum(node == hex_load for node in subexpressions(body))
    return 0 < uses == loads and _is_certain(body, hex_load)


def bind_hexes(functions: Mapping[str, ir.Function]) -> dict[str, ir.Function]:
    """Return all functions with the hexes of pieces bound first that every evaluation reads, more than once.

    A name has a value wherever it is used, so that conditions about it can be pushed down.
    """
    return {name: replace(function, body=_with_hexes_bound(function)) for name, function in functions.items()}


def _with_hexes_bound(function: ir.Function) -> Core:
    body = function.body
    for part in function.parameters:
        hex_load = ir.Load("hex", part, HEX)
        if part.representation != PIECE or sum(node == hex_load for node in subexpressions(body)) < LEAST_USES:
            continue
        if _is_certain(body, hex_load):
            name = f"{part.name}@hex"
            bound = _with_locals(body, {hex_load: ir.Local(name, HEX)})
            body = ir.Let(name, hex_load, bound, body.representation)
    return body


def _is_certain(node: Core, expression: Core) -> bool:
    """Return whether every evaluation of a node evaluates the expression `expression`."""
    if node == expression:
        return True
    match node:
        case ir.If(condition, then, orelse):
            return _is_certain(condition, expression) or (
                _is_certain(then, expression) and _is_certain(orelse, expression)
            )
        case LetLazy(body=body):
            return _is_certain(body, expression)
        case ir.Fold(_, _, source):
            return _is_certain(source, expression)
        case ir.Cheapest(start=start) | ir.Reachable(start=start):
            return _is_certain(start, expression)
        case ir.FirstMatch(cases):
            return bool(cases) and _is_certain(cases[0][0], expression)
        case ir.Resolve(_, clauses):
            return bool(clauses) and clauses[0].guard is not None and _is_certain(clauses[0].guard, expression)
        case ir.Verdict(clauses):
            if not clauses:
                return False
            first, grants = clauses[0]
            defeats = any(first.label in clause.defeated_by for clause, _ in clauses)
            # A clause that grants is not evaluated where the default is yes and no clause that bars comes after it.
            is_evaluated = grants is False or (
                any(each is False for _, each in clauses) and (grants is True or defeats)
            )
            return is_evaluated and first.guard is not None and _is_certain(first.guard, expression)
        case _:
            return any(_is_certain(part, expression) for part in child_expressions(node))


def with_hexes(function: ir.Function, promoted: list[str]) -> tuple[ir.Function, ir.Function]:
    """Return the promoted function of hexes and the wrapper that calls it."""
    hexes = {ir.Load("hex", ir.Local(name, PIECE), HEX): ir.Local(f"{name}@hex", HEX) for name in promoted}
    parameters = tuple(
        ir.Local(f"{part.name}@hex", HEX) if part.name in promoted else part for part in function.parameters
    )
    arguments = tuple(ir.Load("hex", part, HEX) if part.name in promoted else part for part in function.parameters)
    inner = ir.Function(f"{function.name}@hex", parameters, _with_locals(function.body, hexes))
    return inner, replace(function, body=ir.Call(inner.name, arguments, function.body.representation))


def _with_locals(node: Core, loads: Mapping[ir.Load, ir.Local]) -> Core:
    """Replace loads by names."""
    if isinstance(node, ir.Load) and node in loads:
        return loads[node]
    return with_parts(node, lambda part: _with_locals(part, loads))
