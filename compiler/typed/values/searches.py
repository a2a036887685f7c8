"""Elaboration of searches over the map: reachable hexes, and cheapest paths and their costs.

In: an expression as written, and its context. Out: its node and its type; the type is None after a problem.
"""

from typing import cast

from compiler.source import nodes as source
from compiler.typed.context import BROKEN, Context, TypedExpression
from compiler.typed.environment import type_text
from compiler.typed.findings.invalid_constructs import InvalidConstruct
from compiler.typed.findings.mismatches import TypeMismatch
from compiler.typed.unknown_names import unknown_word
from compiler.typed.values import calls
from runtime.graph import nodes as graph

HEX = graph.Hex()
STEP_COUNT = graph.Number(0, None, "")


def elaborate_search(node: source.Search, context: Context) -> TypedExpression:
    """Elaborate a search, such as `reachable(S by g costing p within m)` or `cheapest_cost(S to T .. otherwise d)`."""
    if (problem := _invalid_part(node)) is not None:
        return context.reject(problem)
    start = _hexes(node.start, context)
    goal = None if node.goal is None else _hexes(node.goal, context)
    gate, holds = _elaborate_step_question(node.gate, context)
    price, costs = _elaborate_step_question(node.price, context)
    if node.gate is not None and holds is not None and not isinstance(holds, graph.YesNo):
        return context.reject(TypeMismatch(node.gate.span, type_text(graph.YesNo()), type_text(holds)))
    if node.price is not None and costs is not None and not _is_price(costs):
        return context.reject(TypeMismatch(node.price.span, "an amount that is never below zero", type_text(costs)))
    if (gate is None) != (node.gate is None) or (price is None) != (node.price is None):
        return BROKEN
    paid = graph.Number(0, None, costs.measure) if isinstance(costs, graph.Number) else STEP_COUNT
    most, within = context.elaborate(node.most, context, paid) if node.most else (None, paid)
    default, other = context.elaborate(node.otherwise, context, paid) if node.otherwise else (None, paid)
    if start is None or (goal is None) != (node.goal is None) or within is None or other is None:
        return BROKEN
    found = graph.Search(cast(graph.SearchKind, node.op), start, goal, gate, price, most, default)
    match node.op:
        case "reachable" | "linked":
            return found, graph.Many("set", HEX)
        case "cheapest_way":
            return found, graph.Many("list", HEX)
        case _:
            return found, paid


def _invalid_part(node: source.Search) -> InvalidConstruct | None:
    """Find a missing part of a search, or one without effect."""
    if node.op == "reachable" and node.goal is not None:
        message = "`to` has no effect here, as `reachable` gives all hexes that can be reached"
        return InvalidConstruct(node.goal.span, message, "test `h in reachable(..)`, or write `cheapest_way(..)`")
    if node.op not in ("reachable", "linked") and node.goal is None:
        return InvalidConstruct(node.span, f"`{node.op}` lacks its goal", f"write `{node.op}(here to there ..)`")
    if node.gate is None and node.price is None:
        message = "this reaches every hex of the map, as it states no condition and no cost of a step"
        return InvalidConstruct(node.span, message, "add `by QUESTION` or `costing QUESTION`")
    if node.op != "cheapest_cost" and node.otherwise is not None:
        message = f"`otherwise` has no effect here, as `{node.op}` always has a value"
        return InvalidConstruct(node.otherwise.span, message, "delete it")
    if node.op == "cheapest_cost" and node.otherwise is None:
        message = "`cheapest_cost` has no value where there is no path"
        return InvalidConstruct(node.span, message, "state a value for that case, `cheapest_cost(.. otherwise ..)`")
    return None


def _hexes(written: source.Expression, context: Context) -> graph.Expr | None:
    """Elaborate a set of hexes; one hex is valid as well."""
    found, type_ = context.elaborate(written, context, None)
    match type_:
        case graph.Hex():
            return graph.SetOf((found,))
        case graph.Many(_, graph.Hex()):
            return found
        case None:
            return None
        case _:
            return context.report(TypeMismatch(written.span, "a hex, or a set of hexes", type_text(type_)), None)


def _elaborate_step_question(
    written: source.Call | None, context: Context
) -> tuple[graph.Ask | None, graph.Type | None]:
    """Elaborate a question about a step, whose two hexes are implicit."""
    if written is None:
        return None, None
    name = written.name.text
    if name not in context.env.terms:
        return context.report(unknown_word("term", written.name, context.env.terms), (None, None))
    last = [part.type for part in context.env.terms[name].parameters[-2:]]
    if last != [HEX, HEX]:
        message = f"`{name}` is not a question about a step, as its last two parameters are not hexes"
        return context.report(
            InvalidConstruct(
                written.span, message, "name a question whose last two parameters are `from: hex, to: hex`"
            ),
            (None, None),
        )
    ask, type_ = calls.elaborate_ask(written, context, (graph.FROM, graph.TO))
    return (ask, type_) if isinstance(ask, graph.Ask) and type_ is not None else (None, None)


def _is_price(type_: graph.Type) -> bool:
    return isinstance(type_, graph.Number) and type_.low is not None and type_.low >= 0
