"""Meaningless steps: they come too late, shadow a name, change or decide nothing.

In: steps as written, and as they were elaborated. Out: R0411. Only what holds in every position is reported.
"""

from collections.abc import Container, Iterator
from itertools import takewhile

from compiler.layered.blocks import HEAD_STEPS
from compiler.source import nodes as source
from compiler.source.expression_text import expression_text
from compiler.typed.findings.invalid_constructs import InvalidConstruct
from runtime.graph import nodes as graph

ProcedureStatement = source.Sequence | source.Action | source.Resolution | source.Hook


def late_conditions(node: ProcedureStatement, body: tuple[source.Step, ...]) -> Iterator[InvalidConstruct]:
    """Find `legal` lines behind the start of an action, where it cannot be refused, and outside of actions."""
    if not isinstance(node, source.Action):
        message = "a `legal` line is only possible in an action"
        yield from (InvalidConstruct(each.span, message, "write `if` and `stop`") for each in _conditions(body))
        return
    head_length = sum(1 for _ in _beginning(body))
    message = "this `legal` line comes after a step that the action has already done"
    advice = "move it above the first step that changes something, or write `if`"
    yield from (InvalidConstruct(each.span, message, advice) for each in _conditions(body[head_length:]))


def contradictory_preferences(node: source.Action, body: tuple[source.Step, ...]) -> Iterator[InvalidConstruct]:
    """Find a preference in an action whose head declares that there is none."""
    if node.unpreferred is None:
        return
    message = "the action has both `preferring none` and a preference"
    for step in _beginning(body):
        if isinstance(step, source.Choose) and step.preferring is not None:
            yield InvalidConstruct(step.preferring.span, message, "delete one of the two")


def _beginning(body: tuple[source.Step, ...]) -> Iterator[source.Step]:
    return takewhile(lambda step: isinstance(step, HEAD_STEPS), body)


def _conditions(body: tuple[source.Step, ...]) -> Iterator[source.Legal]:
    return (step for step in source.nested_steps(body) if isinstance(step, source.Legal))


def misplaced_ending(node: source.Offer) -> Iterator[InvalidConstruct]:
    """Find clauses about the end of an offer that depend on a missing clause."""
    if node.keeping is not None and not node.must:
        message = "`keeping` is only possible in an offer with `must`"
        yield InvalidConstruct(node.keeping.span, message, "write `must .. keeping ..`")
    if node.escapes and node.until is None:
        message = "`otherwise` never applies, as this offer may always end"
        yield InvalidConstruct(node.span, message, "add a condition with `until` or `must`, or delete `otherwise`")


def shadowed_name(node: source.Step, names: Container[str]) -> Iterator[InvalidConstruct]:
    """Find a name that a step binds although it is in scope already."""
    match node:
        case (
            source.Let() | source.Choose() | source.Roll() | source.Draw() | source.Loop() | source.Write()
            | source.Create()
        ):  # fmt: skip
            name = node.name
        case _:
            return
    if name is not None and name.text in names:
        message = f"`{name.text}` is already a name here"
        yield InvalidConstruct(name.span, message, "choose another name")


def redundant_assignment(node: source.Assign, step: graph.Assign) -> Iterator[InvalidConstruct]:
    """Find an assignment of a track to itself."""
    if step.target == step.value:
        message = f"this sets `{expression_text(node.target)}` to its own value"
        yield InvalidConstruct(node.span, message, "write another value, or delete the step")


def equal_branches(node: source.Branch, branch: graph.Branch) -> Iterator[InvalidConstruct]:
    """Find an `if` whose branches are equal."""
    if branch.then and branch.then == branch.orelse:
        message = "this `if` has no effect, as both sides do the same"
        yield InvalidConstruct(node.condition.span, message, "correct one side, or delete the `if`")


def reversed_bounds(
    node: source.Choose, least: graph.Expr | None, most: graph.Expr | None
) -> Iterator[InvalidConstruct]:
    """Find a reversed range for the number of members."""
    match node.bounds, least, most:
        case bounds, graph.Num(low), graph.Num(high) if bounds is not None and low > high:
            yield InvalidConstruct(
                bounds.span, f"the range `{low}..{high}` begins with its upper end", f"write `{high}..{low}`"
            )
        case _:
            pass


def redundant_draw(node: source.Draw, count: graph.Expr | None) -> Iterator[InvalidConstruct]:
    """Find draws without a number of members, with a redundant one, or of none."""
    match node.how, node.count, count:
        case None, written, _ if written is not None:
            message = "`of` is not possible here, as only one is drawn"
            yield InvalidConstruct(written.span, message, "write `draw any` or `draw order`")
        case "any", None, _:
            message = "the number to be drawn is missing"
            yield InvalidConstruct(
                node.name.span, message, f"write `draw any {node.name.text} of 3 from ..`, or `draw order` for all"
            )
        case _, written, graph.Num(number) if written is not None and number < 1:
            yield InvalidConstruct(written.span, "this draws nothing", "draw one or more")
    if isinstance(node.source, source.Range):
        match node.source.low, node.source.high:
            case source.Amount(value=low), source.Amount(value=high) if low > high:
                message = f"the range `{low}..{high}` begins with its upper end"
                yield InvalidConstruct(node.source.span, message, f"write `{high}..{low}`")
