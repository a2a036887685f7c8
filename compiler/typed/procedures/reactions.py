"""Desugaring of reactions and tasks.

A reaction becomes an action with the parameters of an event, and a hook that offers it to every other side. A task
becomes a record with a counter, and a hook that adds one to it at the end of its moment. The graph contains only
actions, hooks and records.
"""

from fractions import Fraction

from compiler.source import nodes as source
from compiler.source.origins import origin_of
from compiler.typed.environment import Environment, memoize_query
from compiler.typed.findings.mismatches import MissingField, WrongArity
from compiler.typed.laws import context_for
from compiler.typed.unknown_names import call_text, check_known
from compiler.typed.values.expressions import elaborate_condition
from runtime.graph import nodes as graph
from runtime.graph.predeclared_types import SIDE

PLAYER_VARIABLE = graph.Var("player")
OWN_TURN = "own_turn"
TASK_SIDE_FIELD = "by"  # the field with the side whose turns a task counts


def action_of(node: source.Reaction) -> source.Action:
    """Return the action of a reaction."""
    return source.Action(
        node.span,
        node.name,
        (),
        None,
        (),
        node.cites,
        node.prose,
        node.reads,
        node.body,
        unpreferred=node.unpreferred,
        account=node.account,
    )


@memoize_query("offering")
def reaction_hook(env: Environment, node: source.Reaction, layer: str) -> graph.Procedure:
    """Return the hook that offers a reaction to the sides that may react, in the order of their declaration."""
    event = env.events.get(node.event.text)
    if event is None:
        env.report_unknown("event", node.event, env.events)
    elif len(event.parameters) != len(node.parameters):
        expected_count = len(event.parameters)
        form = call_text(node.event.text, event.parameters)
        env.problems.append(WrongArity(node.event.span, node.event.text, expected_count, len(node.parameters), form))
    check_known(env, "reacting side", node.by, ("enemy", "player"))
    parameters = env.actions[node.name.text]
    reacting = graph.Var("#side")
    arguments = tuple(graph.Var(part.name) for part in parameters)
    offer = graph.Offer(((node.name.text, arguments),), reacting, graph.Truth(value=True))
    others = graph.Op("!=" if node.by.text == "enemy" else "=", (reacting, PLAYER_VARIABLE))
    body = graph.Loop("#side", graph.All(SIDE), (graph.Branch(others, (offer,), ()),))
    return _hook(node.event.text, parameters, body, (), origin_of(layer, node.name.span))


def _hook(
    event: str, parameters: tuple[graph.Parameter, ...], step: graph.Step, cites: tuple[str, ...], origin: graph.Origin
) -> graph.Procedure:
    return graph.Procedure(
        what="hook", name=event, event=event, parameters=parameters, phases=(), body=(step,), reads="", prose="",
        cites=cites, origin=origin,
    )  # fmt: skip


@memoize_query("counting")
def task_hook(env: Environment, node: source.Task, layer: str) -> graph.Procedure:
    """Return the hook that counts every task of a type when its moment ends."""
    record = graph.RecordOf(node.name.text)
    task = graph.Var("this")
    context = context_for(env, {"this": record, "player": SIDE})
    counter = graph.Get(task, "record", node.name.text, node.counter.name.text)
    type_ = {part.name: part.type for part in env.records[node.name.text].fields}.get(node.counter.name.text)
    measure = type_.measure if isinstance(type_, graph.Number) else ""
    one_more = graph.Op("+", (counter, graph.Num(Fraction(1), measure)))
    if isinstance(type_, graph.Number) and type_.high is not None:
        one_more = graph.Op("min", (one_more, graph.Num(Fraction(type_.high), measure)))
    step: graph.Step = graph.Assign(counter, one_more)
    if node.waits is not None:
        step = graph.Branch(graph.Op("not", (elaborate_condition(node.waits, context),)), (step,), ())
    if node.over is not None:
        reset = graph.Assign(counter, graph.Num(Fraction(0), measure))
        step = graph.Branch(elaborate_condition(node.over, context), (reset,), (step,))
    if node.lost is not None:
        step = graph.Branch(elaborate_condition(node.lost, context), (graph.Strike(task),), (step,))
    if node.moment.name.text == OWN_TURN:
        step = graph.Branch(_own_turn_condition(env, node, task), (step,), ())
    every_task, cites = graph.Loop("this", graph.All(record), (step,)), tuple(word.text for word in node.cites)
    return _hook(f"end of {node.moment.name.text}", (), every_task, cites, origin_of(layer, node.name.span))


def _own_turn_condition(env: Environment, node: source.Task, task: graph.Expr) -> graph.Expr:
    """Return the condition that the turn that ends is that of the task's side."""
    fields = {part.name: part.type for part in env.records[node.name.text].fields}
    if fields.get(TASK_SIDE_FIELD) != SIDE:
        env.problems.append(MissingField(node.name.span, f"task {node.name.text}", (f"{TASK_SIDE_FIELD}: side",)))
    return graph.Op("=", (graph.Get(task, "record", node.name.text, TASK_SIDE_FIELD), PLAYER_VARIABLE))
