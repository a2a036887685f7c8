"""Inlining of small functions.

In: all functions. Out: the same, with calls of small functions replaced by their bodies. Arguments other than names and
constants are bound first, from left to right, in the order of evaluation of a call. Functions are visited callees
first, and their growth is bounded (Muchnick 1997, 15.2, Procedure integration).
"""

from collections.abc import Mapping

from compiler.core import ir
from compiler.core.ir import Core
from compiler.core.passes.rewriting import FreshNames, node_count, subexpressions, with_parts

MOST_INLINED_NODES = 14  # The most nodes of a body that is inlined.
MOST_CALLER_NODES = 600  # The most nodes of a function into which calls are inlined.
REST = "@rest"  # The end of the name of what a split verdict leaves to a function (partial_inlining.py).
NODES_WITHOUT_WORK = (ir.Local, ir.Const, ir.EnumConst)


def inline_calls(functions: Mapping[str, ir.Function], fresh: FreshNames) -> dict[str, ir.Function]:
    """Return all functions with the calls of small ones inlined."""
    inlined_functions: dict[str, ir.Function] = {}
    for name in callees_first(functions):
        function = functions[name]
        if node_count(function.body) <= MOST_CALLER_NODES:
            body = inlined_calls(function.body, inlined_functions, fresh)
            function = ir.Function(name, function.parameters, body)
        inlined_functions[name] = function
    return {name: inlined_functions[name] for name in functions}


def callees_first(functions: Mapping[str, ir.Function]) -> list[str]:
    """Return the functions in postorder of the call graph: callees first, except within cycles."""
    order: dict[str, None] = {}
    entered: set[str] = set()

    def visit(name: str) -> None:
        if name in entered:
            return
        entered.add(name)
        for node in subexpressions(functions[name].body):
            if isinstance(node, ir.Call) and node.function in functions:
                visit(node.function)
        order[name] = None

    for name in functions:
        visit(name)
    return list(order)


def inlined_calls(node: Core, inlined_functions: Mapping[str, ir.Function], fresh: FreshNames) -> Core:
    """Inline the calls in an expression; a callee that is not in `inlined_functions` is recursive and stays a call."""
    node = with_parts(node, lambda part: inlined_calls(part, inlined_functions, fresh))
    if not isinstance(node, ir.Call) or node.function not in inlined_functions:
        return node
    callee = inlined_functions[node.function]
    if not is_small(callee.body):
        return node
    values: dict[str, Core] = {}
    bound: list[tuple[str, Core]] = []
    for parameter, argument in zip(callee.parameters, node.arguments, strict=True):
        if isinstance(argument, NODES_WITHOUT_WORK):
            values[parameter.name] = argument
        else:
            name = fresh.fresh_name(parameter.name)
            bound.append((name, argument))
            values[parameter.name] = ir.Local(name, parameter.representation)
    body = fresh.copy_with_fresh_names(callee.body, values)
    for name, argument in reversed(bound):
        body = ir.Let(name, argument, body, body.representation)
    return body


def is_small(body: Core) -> bool:
    """Return whether a body is small enough; lazy bindings of clauses live as long as a call, so they forbid it."""
    for number, node in enumerate(subexpressions(body)):
        if number >= MOST_INLINED_NODES:
            return False
        match node:
            case ir.Resolve(_, clauses) if any(each.lazy for each in clauses):
                return False
            case ir.Verdict(clauses) if any(clause.lazy for clause, _ in clauses):
                return False
            case ir.Cheapest() | ir.Reachable() | ir.NewRecord():
                return False
            case ir.Call(callee) if callee.endswith(REST):
                return False
            case _:
                pass
    return True
