"""Actions of one layer in the offers of another: `offer dash(imp) beside hop(imp)`.

In: the steps of a procedure as written, and the additions to offers. Out: the steps with the additions in every offer
of their host. Additions of additions are included; an action occurs once in an offer.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from functools import partial

from compiler.query.database import Database
from compiler.source import nodes as source
from compiler.typed.environment import Environment
from compiler.typed.problems import WrongArity
from compiler.typed.unknown_names import unknown_word

Steps = tuple[source.Step, ...]
Block = source.Each | source.Loop | source.Phase


def additions_to(offered: Set[str], additions: Iterable[source.Beside]) -> list[source.Beside]:
    """Return the additions of offered actions and the additions of those, sorted by name."""
    candidates = list(additions)
    named = set(offered)
    before = 0
    while before < len(named):
        before = len(named)
        named |= {
            each.action.text
            for addition in candidates
            if addition.host.action.text in named
            for each in addition.actions
        }
    coming = (addition for addition in candidates if addition.host.action.text in named)
    return sorted(coming, key=lambda node: [action.action.text for action in node.actions])


def with_actions_beside(steps: Steps, additions: Sequence[source.Beside], database: Database) -> Steps:
    """Insert additions into the offers among steps, nested ones included."""
    found = tuple(_step(step, additions, database) for step in steps) if additions else steps
    # A block without additions stays identical, so that its memos are valid.
    return found if any(new is not old for new, old in zip(found, steps, strict=True)) else steps


def _step(step: source.Step, additions: Sequence[source.Beside], database: Database) -> source.Step:
    match step:
        case source.Offer(actions=actions):
            more = _with_additions(actions, additions)
            return replace(step, actions=more) if len(more) > len(actions) else step
        case source.Phase():
            # An addition to other phases does not affect this one.
            coming = additions_to(frozenset(offered_in(step.body)), additions)
            return database.derive("joined", (step, *coming), partial(_block, step, coming, database))
        case source.Each() | source.Loop():
            return _block(step, additions, database)
        case source.Branch(then=then, orelse=orelse):
            new = with_actions_beside(then, additions, database), with_actions_beside(orelse, additions, database)
            return replace(step, then=new[0], orelse=new[1]) if new[0] is not then or new[1] is not orelse else step
        case _:
            return step


def _block(step: Block, additions: Sequence[source.Beside], database: Database) -> source.Step:
    body = with_actions_beside(step.body, additions, database)
    return replace(step, body=body) if body is not step.body else step


def _with_additions(
    actions: tuple[source.Offered, ...], additions: Sequence[source.Beside]
) -> tuple[source.Offered, ...]:
    """Add additions of offered actions until there are no more."""
    offered = list(actions)
    for host in offered:  # grows during the loop, so that additions of additions are included
        for node in additions:
            named = [word.text for word in node.host.parameters]
            if node.host.action.text == host.action.text and len(named) == len(host.arguments):
                bindings = dict(zip(named, host.arguments, strict=True))
                known = {action.action.text for action in offered}
                offered += [
                    _added(addition, bindings) for addition in node.actions if addition.action.text not in known
                ]
    return tuple(offered)


def _added(addition: source.NamedOffer, bindings: dict[str, source.Expression]) -> source.Offered:
    """Return an addition with the arguments of its host; a parameter that the host lacks denotes itself."""
    arguments = tuple(bindings.get(word.text, source.Name(word.span, word.text)) for word in addition.parameters)
    return source.Offered(addition.span, addition.action, arguments)


def offered_in(steps: Iterable[source.Step]) -> Iterator[str]:
    """List the actions that are offered among steps."""
    for step in steps:
        match step:
            case source.Offer(actions=actions):
                yield from (action.action.text for action in actions)
            case source.Each(body=body) | source.Loop(body=body) | source.Phase(body=body):
                yield from offered_in(body)
            case source.Branch(then=then, orelse=orelse):
                yield from offered_in((*then, *orelse))
            case _:
                pass


def check_hosts(env: Environment, additions: Iterable[source.Beside], offered: Set[str]) -> None:
    """Report hosts that no offer contains, and those with a wrong number of parameters."""
    named = offered | {action.action.text for node in additions for action in node.actions}
    for node in additions:
        if node.host.action.text not in named:
            env.problems.append(unknown_word("offered action", node.host.action, sorted(named)))
        expected_count, argument_count = len(env.actions.get(node.host.action.text, ())), len(node.host.parameters)
        if node.host.action.text in env.actions and expected_count != argument_count:
            env.problems.append(WrongArity(node.host.span, node.host.action.text, expected_count, argument_count))
