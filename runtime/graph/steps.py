"""The steps of procedures: their traversal, the heads of actions, the conditions of offers."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from runtime.graph import nodes as graph

Steps = tuple[graph.Step, ...]
HeadStep = graph.Let | graph.Legal | graph.Choose
# The steps of which the head of a procedure consists, before its first effect.
HEAD_STEPS = (graph.Let, graph.Legal, graph.Choose)
# The fields of steps that contain steps.
BLOCKS: dict[type, tuple[str, ...]] = {
    **dict.fromkeys((graph.Each, graph.Phase, graph.Loop), ("body",)),
    graph.Branch: ("then", "orelse"),
}
# The moment that ends with a round of `each turn`, `each player`.
MOMENT_OF_ROUND = {"turn": "turn", "player": "own_turn"}


def count_head_steps(steps: Sequence[object]) -> int:
    """Return how many steps at the beginning form the head."""
    return next((index for index, step in enumerate(steps) if not isinstance(step, HEAD_STEPS)), len(steps))


def is_preferred(action: graph.Procedure) -> bool:
    """Return whether a choice in the head of an action has a preference: without, greedy players never begin it."""
    head = action.body[: count_head_steps(action.body)]
    return any(isinstance(step, graph.Choose) and step.preferring is not None for step in head)


def obligation_of(offer: graph.Offer) -> graph.Expr | None:
    """Return the condition at the end of an offer, or with `keeping` at the end of each action; None without `must`."""
    if not offer.must:
        return None
    condition = offer.until or graph.Truth(value=True)
    return condition if offer.keeping is None else graph.Op("or", (condition, offer.keeping))


def inner_bodies(step: graph.Step) -> tuple[tuple[graph.Step, ...], ...]:
    """Return the blocks of steps inside a step."""
    return tuple(getattr(step, name) for name in BLOCKS.get(type(step), ()))


def nested_steps(body: tuple[graph.Step, ...]) -> Iterator[graph.Step]:
    """Yield the steps of a body and those nested in them, in preorder."""
    for step in body:
        yield step
        for inner in inner_bodies(step):
            yield from nested_steps(inner)


def map_blocks(step: graph.Step, change: Callable[[Steps], Steps]) -> graph.Step:
    """Return a step with `change` applied to each block of steps directly inside."""
    blocks: Any = {name: change(getattr(step, name)) for name in BLOCKS.get(type(step), ())}
    return replace(step, **blocks) if blocks else step


def map_steps(body: Steps, change: Callable[[graph.Step], Steps]) -> Steps:
    """Return a body with each step, after those nested in it, replaced by the steps that `change` returns."""
    return tuple(new for step in body for new in change(map_blocks(step, lambda block: map_steps(block, change))))


def phases_of_sequence(rules: graph.Graph) -> dict[str, graph.Phase]:
    """Return the phases of the sequence of play by name, in order."""
    sequence = rules.procedures.get("sequence")
    steps = nested_steps(sequence.body) if sequence else ()
    return {step.name: step for step in steps if isinstance(step, graph.Phase)}


def path_to_phase(steps: Steps, name: str) -> Steps:
    """Return the steps around a phase, the outermost first, and the phase last; nothing if the steps do not have it."""
    for step in steps:
        if isinstance(step, graph.Phase) and step.name == name:
            return (step,)
        for block in inner_bodies(step):
            if path := path_to_phase(block, name):
                return step, *path
    return ()


def conditions_on_path(path: Steps) -> Iterator[graph.Expr]:
    """Yield the conditions of the branches on a path under which it is taken, the outermost first."""
    for step, inner in pairwise(path):
        if isinstance(step, graph.Branch):
            is_then = any(each is inner for each in step.then)
            yield step.condition if is_then else graph.Op("not", (step.condition,))


def offered_in(procedure: graph.Procedure) -> list[str]:
    """Return the actions that a procedure offers."""
    return [name for step in nested_steps(procedure.body) if isinstance(step, graph.Offer) for name, _ in step.actions]


def offered_actions(rules: graph.Graph) -> list[str]:
    """Return the actions that some procedure offers, in alphabetical order."""
    return sorted({name for procedure in rules.procedures.values() for name in offered_in(procedure)})


def bound_name(step: graph.Step) -> str:
    """Return the name that a step binds in the steps that follow; "" if none."""
    match step:
        case (
            graph.Let(name) | graph.Roll(name) | graph.Draw(_, name) | graph.Choose(_, name) | graph.Write(name)
            | graph.Create(_, name)
        ):  # fmt: skip
            return name
        case _:
            return ""


def single_step(step: graph.Step) -> graph.Step:
    """Return a step without its nested steps."""
    return map_blocks(step, lambda _: ())
