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
        message = "only an action is legal or not, and this `legal` line stands in no action"
        yield from (InvalidConstruct(each.span, message, "write `if` and `stop`") for each in _conditions(body))
        return
    head_length = sum(1 for _ in _beginning(body))
    message = "this `legal` line comes too late: by then the action has begun, and cannot be refused"
    advice = "put it above the first step that does something; what may still fail there is an `if`"
    yield from (InvalidConstruct(each.span, message, advice) for each in _conditions(body[head_length:]))


def contradictory_preferences(node: source.Action, body: tuple[source.Step, ...]) -> Iterator[InvalidConstruct]:
    """Find a preference in an action whose head declares that there is none."""
    if node.unpreferred is None:
        return
    message = "the action says `preferring none`, and prefers something all the same"
    for step in _beginning(body):
        if isinstance(step, source.Choose) and step.preferring is not None:
            yield InvalidConstruct(step.preferring.span, message, "leave one of the two out")


def _beginning(body: tuple[source.Step, ...]) -> Iterator[source.Step]:
    return takewhile(lambda step: isinstance(step, HEAD_STEPS), body)


def _conditions(body: tuple[source.Step, ...]) -> Iterator[source.Legal]:
    return (step for step in source.nested_steps(body) if isinstance(step, source.Legal))


def misplaced_ending(node: source.Offer) -> Iterator[InvalidConstruct]:
    """Find clauses about the end of an offer that depend on a missing clause."""
    if node.keeping is not None and not node.must:
        message = "`keeping` says what each action keeps so, in an offer that must not end before something is so"
        yield InvalidConstruct(node.keeping.span, message, "write `must .. keeping ..`")
    if node.escapes and node.until is None:
        message = "this offer may always end, so nothing is ever done otherwise"
        yield InvalidConstruct(node.span, message, "say what has to be so first, behind `until` or `must`")


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
        message = f"`{name.text}` means something here already"
        yield InvalidConstruct(name.span, message, "choose another name: nobody could say which of the two is meant")


def redundant_assignment(node: source.Assign, step: graph.Assign) -> Iterator[InvalidConstruct]:
    """Find an assignment of a track to itself."""
    if step.target == step.value:
        message = f"`{expression_text(node.target)}` is set to what it is already"
        yield InvalidConstruct(node.span, message, "write what it becomes, or delete the step")


def equal_branches(node: source.Branch, branch: graph.Branch) -> Iterator[InvalidConstruct]:
    """Find an `if` whose branches are equal."""
    if branch.then and branch.then == branch.orelse:
        message = f"whether `{expression_text(node.condition)}` or not, the same is done"
        yield InvalidConstruct(
            node.condition.span, message, "write what is meant on one of the sides, or leave out the `if`"
        )


def reversed_bounds(
    node: source.Choose, least: graph.Expr | None, most: graph.Expr | None
) -> Iterator[InvalidConstruct]:
    """Find a reversed range for the number of members."""
    match node.bounds, least, most:
        case bounds, graph.Num(low), graph.Num(high) if bounds is not None and low > high:
            yield InvalidConstruct(bounds.span, f"the range `{low}..{high}` runs backwards", f"write `{high}..{low}`")
        case _:
            pass


def redundant_draw(node: source.Draw, count: graph.Expr | None) -> Iterator[InvalidConstruct]:
    """Find draws without a number of members, with a redundant one, or of none."""
    match node.how, node.count, count:
        case None, written, _ if written is not None:
            message = "`of` says how many are drawn, and this draws one"
            yield InvalidConstruct(written.span, message, "write `draw any` or `draw order`")
        case "any", None, _:
            message = "this does not say how many are drawn"
            yield InvalidConstruct(
                node.name.span, message, f"write `draw any {node.name.text} of 3 from ..`, or `draw order` for all"
            )
        case _, written, graph.Num(number) if written is not None and number < 1:
            yield InvalidConstruct(written.span, f"this draws {number}, which is nothing", "draw one or more")
    if isinstance(node.source, source.Range):
        match node.source.low, node.source.high:
            case source.Amount(value=low), source.Amount(value=high) if low > high:
                message = f"the range `{low}..{high}` runs backwards"
                yield InvalidConstruct(node.source.span, message, f"write `{high}..{low}`")
