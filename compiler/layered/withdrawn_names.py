"""Remove what is withdrawn from procedures, and find the references that prevent it.

The input is procedures and the keys of what is withdrawn, as `action:march`, `resolution:fight`, `phase:combat`; the
output is the same procedures without the offers of such actions and without such phases, and the references to
something withdrawn that cannot be removed.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from compiler.layered import nodes as layered
from compiler.layered.blocks import Steps, map_blocks, map_steps
from compiler.source import nodes as source
from compiler.source.span import Span

WithdrawnNames = frozenset[str]


def without_withdrawn(node: Any, withdrawn_keys: WithdrawnNames) -> Any | None:
    """Return a declaration without what is withdrawn; None if nothing of it remains."""
    match node:
        case source.Insert(phase=phase):
            if f"phase:{phase.name.text}" in withdrawn_keys:
                return None
            return replace(node, phase=_without_steps(phase, withdrawn_keys))
        case source.Beside(actions=actions, host=host):
            left = tuple(each for each in actions if f"action:{each.action.text}" not in withdrawn_keys)
            return None if not left or f"action:{host.action.text}" in withdrawn_keys else replace(node, actions=left)
        case source.Action(phases=phases):
            named = tuple(word for word in phases if f"phase:{word.text}" not in withdrawn_keys)
            return _without_steps(node if named == phases else replace(node, phases=named), withdrawn_keys)
        case _:
            return _without_steps(node, withdrawn_keys)


def _without_steps(node: Any, withdrawn_keys: WithdrawnNames) -> Any:
    """Remove steps from the blocks of a node."""

    def without_withdrawn(step: source.Step) -> Steps:
        match step:
            case source.Offer(actions=actions):
                left = tuple(each for each in actions if f"action:{each.action.text}" not in withdrawn_keys)
                return (step,) if left == actions else (replace(step, actions=left),) if left else ()
            case source.Phase(name=name) if f"phase:{name.text}" in withdrawn_keys:
                return ()
            case _:
                return (_without_steps(step, withdrawn_keys),)

    return map_blocks(node, lambda block: map_steps(block, without_withdrawn))


def references_to_withdrawn(
    parts: Iterable[layered.LayerStatement[Any]], withdrawn_keys: WithdrawnNames
) -> Iterator[tuple[str, str, Span]]:
    """Return the references to something withdrawn: its key, the referring item, and the place."""
    parts = tuple(parts)
    yield from temporary_state(parts, withdrawn_keys)
    for node in (part.node for part in parts):
        body = getattr(node, "body", ())
        if isinstance(node, source.Insert):
            body, key = node.phase.body, f"phase:{node.anchor.text}"
            if key in withdrawn_keys:
                yield key, f"`phase {node.phase.name.text}` is inserted next to it", node.anchor.span
        # The body of a definition is an expression.
        for step in source.nested_steps(body) if isinstance(body, tuple) else ():
            if isinstance(step, source.Invoke) and step.what == "do":
                key = f"resolution:{step.name.text}"
                if key in withdrawn_keys:
                    yield key, "a step still does it", step.name.span


def temporary_state(
    parts: Iterable[layered.LayerStatement[Any]], withdrawn_keys: WithdrawnNames
) -> Iterator[tuple[str, str, Span]]:
    """Return what lasts until the end of a phase, or waits for it."""
    for node in (part.node for part in parts):
        for name, until in source.lifetimes(node):
            if (key := f"phase:{until.name.text}") in withdrawn_keys:
                yield key, f"`{name.text}` lasts until its end", until.span
        if isinstance(node, source.Hook) and node.event.text.startswith("end of "):
            key = f"phase:{node.event.text.removeprefix('end of ')}"
            if key in withdrawn_keys:
                yield key, "a hook waits for its end", node.event.span
