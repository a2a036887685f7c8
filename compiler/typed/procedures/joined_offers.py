"""Actions of one layer in the offers of another: `offer dash(imp) beside hop(imp)`.

In: the steps of a procedure as written, and the additions to offers. Out: the steps with the additions in every offer
of their host. Additions of additions are included; an action occurs once in an offer.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from functools import partial

from compiler.layered.blocks import map_blocks, map_steps
from compiler.query.database import Database
from compiler.source import nodes as source
from compiler.typed.environment import Environment
from compiler.typed.findings.mismatches import WrongArity
from compiler.typed.unknown_names import check_known

Steps = tuple[source.Step, ...]


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
    # A block without additions stays identical, so that its memos are valid.
    return map_steps(steps, lambda step: (_step(step, additions, database),)) if additions else steps


def _step(step: source.Step, additions: Sequence[source.Beside], database: Database) -> source.Step:
    match step:
        case source.Offer(actions=actions):
            more = _with_additions(actions, additions)
            return replace(step, actions=more) if len(more) > len(actions) else step
        case source.Phase():
            # An addition to other phases does not affect this one.
            coming = additions_to(frozenset(offered_in(step.body)), additions)
            return database.derive("joined", (step, *coming), partial(_block, step, coming, database))
        case _:
            return _block(step, additions, database)


def _block(step: source.Step, additions: Sequence[source.Beside], database: Database) -> source.Step:
    return map_blocks(step, lambda block: with_actions_beside(block, additions, database))


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
    offers = (step for step in source.nested_steps(steps) if isinstance(step, source.Offer))
    return (action.action.text for offer in offers for action in offer.actions)


def check_hosts(env: Environment, additions: Iterable[source.Beside], offered: Set[str]) -> None:
    """Report hosts that no offer contains, and those with a wrong number of parameters."""
    named = offered | {action.action.text for node in additions for action in node.actions}
    for node in additions:
        check_known(env, "offered action", node.host.action, sorted(named))
        expected_count, argument_count = len(env.actions.get(node.host.action.text, ())), len(node.host.parameters)
        if node.host.action.text in env.actions and expected_count != argument_count:
            env.problems.append(WrongArity(node.host.span, node.host.action.text, expected_count, argument_count))
