"""Traverse and rewrite nested steps, with the names that they bind and use.

The input is steps as written; the output is the same with one of them changed, or the unbound names in them. A step is
identified by its span, which is unchanged by changes around it or inside it.
"""

from collections.abc import Callable, Iterable, Iterator
from operator import is_
from typing import Any, TypeVar

from compiler.source import nodes as source
from compiler.source.span import Span
from runtime.graph.walk import children, map_children

NodeT = TypeVar("NodeT")
Steps = tuple[source.Step, ...]
EditFunction = Callable[[source.Step], Steps]
# Steps that may precede the first effect of an action.
HEAD_STEPS = (source.Let, source.Legal, source.Choose)


def enclosing_steps(body: Iterable[source.Step], outer: Steps = ()) -> Iterator[tuple[source.Step, Steps]]:
    """Return all steps, including nested ones, each with the enclosing steps, outermost first."""
    for step in body:
        yield step, outer
        yield from enclosing_steps(source.steps_inside(step), (*outer, step))


def map_blocks(node: NodeT, change: Callable[[Steps], Steps]) -> NodeT:
    """Return the node with `change` applied to each block of steps directly inside; the same node if none differs."""

    def change_block(part: Any) -> Any:
        return change(part) if isinstance(part, tuple) and part and isinstance(part[0], source.Step) else part

    return map_children(node, change_block)


def map_steps(body: Steps, edit: EditFunction) -> Steps:
    """Return the block with each step replaced by the steps that `edit` returns; the same tuple if none differs."""
    found = tuple(edited_step for step in body for edited_step in edit(step))
    return body if len(found) == len(body) and all(map(is_, found, body)) else found


def edit_step(body: Steps, span: Span, edit: EditFunction) -> Steps:
    """Return the block with the step at `span`, at any depth, replaced by those of `edit`; the rest is shared."""

    def edited(step: source.Step) -> Steps:
        return edit(step) if step.span == span else (map_blocks(step, lambda block: edit_step(block, span, edit)),)

    return map_steps(body, edited)


# ---------------------------------------------------------------- names


def unbound_in(body: Iterable[source.Step], parameters: frozenset[str], named: frozenset[str]) -> dict[Span, str]:
    """Return where steps use one of the names `named` without a visible binding before.

    `parameters` are the parameters. Any other name refers to a declaration and is not checked.
    """
    return {span: name for span, name in _unbound(body, parameters) if name in named}


def _unbound(body: Iterable[source.Step], known: frozenset[str]) -> Iterator[tuple[Span, str]]:
    for step in body:
        match step:
            case source.Each(source=collection, body=block) | source.Loop(source=collection, body=block):
                yield from _used(collection, known)
                bound = {step.name.text} if isinstance(step, source.Loop) else set()
                yield from _unbound(block, known | bound)
            case source.Phase(body=block):
                yield from _unbound(block, known)
            case source.Branch(condition=condition, then=then, orelse=orelse):
                yield from _used(condition, known)
                yield from _unbound(then, known)
                yield from _unbound(orelse, known)
            case source.Choose(name=name):
                yield from _used(step, known | {name.text})
            case _:
                yield from _used(step, known)
        known |= bound_names(step)


def bound_names(step: source.Step) -> frozenset[str]:
    """Return the names that a step binds for the steps behind it."""
    match step:
        case source.Let(name=name) | source.Choose(name=name) | source.Roll(name=name) | source.Draw(name=name):
            return frozenset({name.text})
        case source.Write(name=source.Word(text=text)) | source.Create(name=source.Word(text=text)):
            return frozenset({text})
        case _:
            return frozenset()


def _used(node: Any, known: frozenset[str]) -> Iterator[tuple[Span, str]]:
    """Return the names in an expression, or in a step without nested ones, that are not bound there."""
    match node:
        case source.Name(span=span, id=name):
            if name not in known:
                yield span, name
        case _:
            binder = getattr(node, "binder", None)
            inner_names = known | binder.names() if isinstance(binder, source.Binder) else known
            for each in children(node):
                yield from _used(each, inner_names)


def late_choices(body: Iterable[source.Step]) -> frozenset[Span]:
    """Return the `legal` lines and choices that follow the first step of an action with an effect."""
    has_begun = False
    found = set()
    for step in body:
        has_begun = has_begun or not isinstance(step, HEAD_STEPS)
        if has_begun:
            found |= {
                each.span for each in source.nested_steps((step,)) if isinstance(each, source.Legal | source.Choose)
            }
    return frozenset(found)
