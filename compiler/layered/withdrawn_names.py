"""Remove what is withdrawn from procedures, and find the references that prevent it.

The input is procedures and the keys of what is withdrawn, as `action:march`, `resolution:fight`, `phase:combat`; the
output is the same procedures without the offers of such actions and without such phases, and the references to
something withdrawn that cannot be removed.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from compiler.layered import nodes as layered
from compiler.layered.blocks import nested_steps
from compiler.source import nodes as source
from compiler.source.span import Span

Gone = frozenset[str]


def without_withdrawn(node: Any, gone: Gone) -> Any | None:
    """Return a declaration without what is withdrawn; None if nothing of it remains."""
    match node:
        case source.Insert(phase=phase):
            return None if f"phase:{phase.name.text}" in gone else replace(node, phase=_block(phase, gone))
        case source.Beside(actions=actions, host=host):
            left = tuple(each for each in actions if f"action:{each.action.text}" not in gone)
            return None if not left or f"action:{host.action.text}" in gone else replace(node, actions=left)
        case source.Action(phases=phases):
            named = tuple(word for word in phases if f"phase:{word.text}" not in gone)
            return _block(node if named == phases else replace(node, phases=named), gone)
        case _:
            return _block(node, gone)


def _block(node: Any, gone: Gone) -> Any:
    """Return a block; an unchanged one stays the same node."""
    body = _steps(node.body, gone)
    return node if body is node.body else replace(node, body=body)


def _steps(body: tuple[source.Step, ...], gone: Gone) -> tuple[source.Step, ...]:
    found = tuple(step for each in body if (step := _step(each, gone)) is not None)
    same = len(found) == len(body) and all(new is old for new, old in zip(found, body, strict=True))
    return body if same else found


def _step(step: source.Step, gone: Gone) -> source.Step | None:
    match step:
        case source.Offer(actions=actions):
            left = tuple(each for each in actions if f"action:{each.action.text}" not in gone)
            return step if left == actions else replace(step, actions=left) if left else None
        case source.Phase(name=name) if f"phase:{name.text}" in gone:
            return None
        case source.Phase() | source.Each() | source.Loop():
            found: source.Step = _block(step, gone)
            return found
        case source.Branch(then=then, orelse=orelse):
            both = _steps(then, gone), _steps(orelse, gone)
            return step if both[0] is then and both[1] is orelse else replace(step, then=both[0], orelse=both[1])
        case _:
            return step


def references_to_withdrawn(
    parts: Iterable[layered.LayerStatement[Any]], gone: Gone
) -> Iterator[tuple[str, str, Span]]:
    """Return the references to something withdrawn: its key, the referring item, and the place."""
    parts = tuple(parts)
    yield from temporary_state(parts, gone)
    for node in (part.node for part in parts):
        if isinstance(node, source.Insert) and f"phase:{node.anchor.text}" in gone:
            who = f"phase {node.phase.name.text} is inserted beside it"
            yield f"phase:{node.anchor.text}", who, node.anchor.span
        if isinstance(node, source.Insert):
            yield from _done(node.phase.body, gone)
        elif hasattr(node, "body") and isinstance(node.body, tuple):
            yield from _done(node.body, gone)


def temporary_state(parts: Iterable[layered.LayerStatement[Any]], gone: Gone) -> Iterator[tuple[str, str, Span]]:
    """Return what lasts until the end of a phase, or waits for it."""
    for node in (part.node for part in parts):
        match node:
            case source.Status(items=items):
                for item in (item for item in items if item.until is not None):
                    yield from _references_in(item.until, f"status {item.name.text}", gone)
            case source.Track(until=source.Moment() as until):
                yield from _references_in(until, f"track {node.name.text}", gone)
            case source.Hook(event=event) if event.text.startswith("end of "):
                name = event.text.removeprefix("end of ")
                if f"phase:{name}" in gone:
                    yield f"phase:{name}", "a hook waits for its end", event.span
            case _:
                pass


def _references_in(until: source.Moment | None, who: str, gone: Gone) -> Iterator[tuple[str, str, Span]]:
    if until is not None and f"phase:{until.name.text}" in gone:
        yield f"phase:{until.name.text}", f"{who} lasts until its end", until.span


def _done(body: Iterable[source.Step], gone: Gone) -> Iterator[tuple[str, str, Span]]:
    for step, _ in nested_steps(body):
        if isinstance(step, source.Invoke) and step.what == "do" and f"resolution:{step.name.text}" in gone:
            yield f"resolution:{step.name.text}", "it is done here", step.name.span
