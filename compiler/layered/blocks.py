"""Traverse and rewrite nested steps, with the names that they bind and use.

The input is steps as written; the output is the same with one of them changed, or the unbound names in them. A step is
identified by its span, which is unchanged by changes around it or inside it.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from compiler.source import nodes as source
from compiler.source.span import Span

Steps = tuple[source.Step, ...]
Edit = Callable[[source.Step], Steps]
# Steps that may precede the first effect of an action.
HEAD_STEPS = (source.Let, source.Legal, source.Choose)


def nested_steps(body: Iterable[source.Step], enclosing_steps: Steps = ()) -> Iterator[tuple[source.Step, Steps]]:
    """Return all steps, including nested ones, each with the enclosing steps, outermost first."""
    for step in body:
        yield step, enclosing_steps
        yield from nested_steps(steps_inside(step), (*enclosing_steps, step))


def steps_inside(step: source.Step) -> Steps:
    """Return the steps directly inside a step."""
    match step:
        case source.Each(body=body) | source.Loop(body=body) | source.Phase(body=body):
            return body
        case source.Branch(then=then, orelse=orelse):
            return (*then, *orelse)
        case _:
            return ()


def edit_step(body: Steps, span: Span, edit: Edit) -> Steps:
    """Replace one step by other steps; what is unchanged stays the same node."""
    found = tuple(edited_step for step in body for edited_step in _edited(step, span, edit))
    same = len(found) == len(body) and all(new is old for new, old in zip(found, body, strict=True))
    return body if same else found


def _edited(step: source.Step, span: Span, edit: Edit) -> Steps:
    if step.span == span:
        return edit(step)
    match step:
        case source.Each(body=body) | source.Loop(body=body) | source.Phase(body=body):
            new = edit_step(body, span, edit)
            return (step,) if new is body else (replace(step, body=new),)
        case source.Branch(then=then, orelse=orelse):
            branches = edit_step(then, span, edit), edit_step(orelse, span, edit)
            same = branches[0] is then and branches[1] is orelse
            return (step,) if same else (replace(step, then=branches[0], orelse=branches[1]),)
        case _:
            return (step,)


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
        case tuple():
            for each in node:
                yield from _used(each, known)
        case _ if is_dataclass(node) and not isinstance(node, Span):
            binder = getattr(node, "binder", None)
            inner_names = known | binder.names() if isinstance(binder, source.Binder) else known
            for each in fields(node):
                yield from _used(getattr(node, each.name), inner_names)
        case _:
            pass


def late_choices(body: Iterable[source.Step]) -> frozenset[Span]:
    """Return the `legal` lines and choices that follow the first step of an action with an effect."""
    has_begun = False
    found = set()
    for step in body:
        has_begun = has_begun or not isinstance(step, HEAD_STEPS)
        if has_begun:
            found |= {each.span for each, _ in nested_steps((step,)) if isinstance(each, source.Legal | source.Choose)}
    return frozenset(found)
