"""Wrap procedures: the place of their old steps, and what their accounts still report.

The input is steps as written; the output is the same steps around others, or the names of an account that are unbound.
The account of a wrapped procedure reports what is done inside the wrapper: it starts at a `BeginAccount` step before
the old steps.
"""

from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from compiler.layered.blocks import HEAD_STEPS, Steps, bound_names, edit_step, enclosing_steps, unbound_in
from compiler.source import nodes as source
from compiler.source.span import Span


def wrapped_steps(body: Steps, old: Steps) -> Steps:
    """Return the steps of a wrapper with the old steps in place of each `proceed`."""
    for step in tuple(source.nested_steps(body)):
        if isinstance(step, source.Proceed):
            body = edit_step(body, step.span, lambda _: old)
    return body


def with_account_begun(node: Any) -> Steps:
    """Return the steps of a procedure with the step at which its account starts, since others will wrap it."""
    body: Steps = node.body
    marked = any(isinstance(step, source.BeginAccount) for step in source.nested_steps(body))
    if getattr(node, "account", None) is None or marked:
        return body
    head = len(tuple(takewhile(lambda step: isinstance(step, HEAD_STEPS), body)))
    index = head if isinstance(node, source.Action | source.Reaction) else 0
    return (*body[:index], source.BeginAccount(node.account.span), *body[index:])


def continues_after(body: Steps) -> bool:
    """Return whether any step follows a `proceed`."""
    for index, step in enumerate(body):
        if not any(isinstance(each, source.Proceed) for each in source.nested_steps((step,))):
            continue
        parts = (step.then, step.orelse) if isinstance(step, source.Branch) else (source.steps_inside(step),)
        if body[index + 1 :] or isinstance(step, source.Loop) or any(map(continues_after, parts)):
            return True
    return False


def proceeds_in_loop(body: Steps) -> source.Step | None:
    """Return a `proceed` inside a loop; None if there is none."""
    found = (
        step
        for step, outer in enclosing_steps(body)
        if isinstance(step, source.Proceed) and any(isinstance(step, source.Loop | source.Each) for step in outer)
    )
    return next(found, None)


def unnamed_in_account(node: Any, parameters: frozenset[str], named: frozenset[str]) -> Iterator[tuple[Span, str]]:
    """Return the names in an account that are unbound where it reports.

    `parameters` are the parameters, `named` the names that steps bound before.
    """
    account = getattr(node, "account", None)
    fields = () if account is None else [each for each in account.fields if each.moment == "after"]
    body: Steps = node.body
    known = set(parameters)
    while body:
        known |= {name for step in body for name in bound_names(step)}
        blocks = [part for step in body if isinstance(step, source.Branch) for part in (step.then, step.orelse)]
        begins = (
            part for part in blocks for step in source.nested_steps(part) if isinstance(step, source.BeginAccount)
        )
        body = next(begins, ())
    for each in fields:
        value = each.value or source.Name(each.name.span, each.name.text)
        used = unbound_in((source.Let(each.span, each.name, value),), frozenset(known), named)
        yield from ((span, name) for span, name in used.items() if name not in known)
        known.add(each.name.text)
