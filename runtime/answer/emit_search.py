"""Code generation for searches over the map: a call of `searched`, with gate and price as functions of two hexes."""

from typing import TYPE_CHECKING

from runtime.answer.brackets import without_brackets
from runtime.answer.emit_names import SHORT, NameScope, python_name
from runtime.graph import nodes as graph

if TYPE_CHECKING:
    from runtime.answer.emit_expression import Emitter


def write_search(emitter: "Emitter", expr: graph.Search, scope: NameScope) -> str:
    """Emit a search and the selection of its result."""
    steps = [_write_step_function(emitter, ask, scope) for ask in (expr.gate, expr.price)]
    start, goal, most, default = (
        "None" if each is None else without_brackets(emitter.write(each, scope))
        for each in (expr.start, expr.goal, expr.most, expr.otherwise)
    )
    if expr.op == "linked":
        return f"reachable(passed(linked_by(s.board, {start}, passed_if_many({goal}), {steps[0]})))"
    ends = "" if expr.goal is None else f", {goal}"
    routes = f"passed(searched(s.board, {start}, {', '.join(steps)}, {most}{ends}))"
    match expr.op:
        case "reachable":
            return f"reachable({routes})"
        case "cheapest_way":
            return f"cheapest_way({routes}, {goal})"
        case "cheapest_cost":
            return f"cheapest_cost({routes}, {goal}, lambda: {default})"


def _write_step_function(emitter: "Emitter", ask: graph.Ask | None, scope: NameScope) -> str:
    """Emit the gate or price of a step as a function of the hexes that it leaves and enters."""
    if ask is None:
        return "None"
    ends = ["here", "there"]
    while any(text.startswith(tuple(ends)) for text in scope.texts.values()):
        ends = [f"{end}_" for end in ends]
    emitter.iterating += 1
    named: dict[graph.Expr, str] = dict(zip((graph.FROM, graph.TO), ends, strict=True))
    default_parameters: list[str] = []
    texts: list[str] = []
    for number, each in enumerate(ask.arguments):
        text = named.get(each) or emitter.write(each, scope)
        if not SHORT.fullmatch(text):
            # Python evaluates the default of a parameter once, when the function is created.
            name = f"{ends[0]}_{number}"
            default_parameters.append(f"{name}={without_brackets(text)}")
            text = name
        texts.append(text)
    call = f"{python_name(ask.term)}({', '.join(['s', *texts])})"
    emitter.iterating -= 1
    return f"lambda {', '.join([*ends, *default_parameters])}: {without_brackets(call)}"
