"""Traversal of the steps of procedures."""

from collections.abc import Iterator
from dataclasses import replace

from runtime.graph import nodes as graph


def inner_bodies(step: graph.Step) -> tuple[tuple[graph.Step, ...], ...]:
    """Return the blocks of steps inside a step."""
    match step:
        case graph.Each() | graph.Phase() | graph.Loop():
            return (step.body,)
        case graph.Branch():
            return (step.then, step.orelse)
        case _:
            return ()


def nested_steps(body: tuple[graph.Step, ...]) -> Iterator[graph.Step]:
    """Yield the steps of a body and those nested in them, in preorder."""
    for step in body:
        yield step
        for inner in inner_bodies(step):
            yield from nested_steps(inner)


def single_step(step: graph.Step) -> graph.Step:
    """Return a step without its nested steps."""
    match step:
        case graph.Each() | graph.Phase() | graph.Loop():
            return replace(step, body=())
        case graph.Branch():
            return replace(step, then=(), orelse=())
        case _:
            return step
