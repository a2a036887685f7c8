"""The steps of procedures: their traversal, the heads of actions, the conditions of offers, the paths to steps."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Self

from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.predeclared_types import SIDE
from runtime.graph.type_of import bound_types, type_of, types_of_names

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
PLAYER_PARAMETER = graph.Parameter("player", SIDE)
ON_MOVE = ("player", graph.GameTrack("game", "player"))


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
        case graph.Let(name) | graph.Choose(_, name):
            return name
        case _:
            return next(iter(bound_types(step)), "")


def single_step(step: graph.Step) -> graph.Step:
    """Return a step without its nested steps."""
    return map_blocks(step, lambda _: ())


@frozen_dataclass
class StepPath:
    """The path to a step: its names and conditions. `lets` are bound to values, `rolled` are decided by dice."""

    lets: tuple[tuple[str, graph.Expr], ...]
    conditions: tuple[graph.Expr, ...]
    parameters: tuple[graph.Parameter, ...]
    rolled: tuple[str, ...]

    def with_assumption(self, condition: graph.Expr) -> Self:
        """Return the path with a condition that holds from here on."""
        return replace(self, conditions=(*self.conditions, condition))

    def with_parameter(self, name: str, value_type: graph.Type) -> Self:
        """Return the path with a name whose value a choice, the dice or an earlier part determines."""
        return replace(self, parameters=(*self.parameters, graph.Parameter(name, value_type)))

    def with_roll(self, die: graph.Roll, rules: graph.Graph) -> Self:
        """Return the path with the name of a die."""
        pips = graph.Number(die.low, die.high, rules.vocabulary.domains[die.domain].measure)
        return replace(self.with_parameter(die.name, pips), rolled=(*self.rolled, die.name))

    def type_of(self, expr: graph.Expr, rules: graph.Graph) -> graph.Type:
        """Return the type of an expression at the step."""
        return type_of(expr, types_of_names(self.parameters, self.lets, rules), rules)


def names_at_start(
    procedure: graph.Procedure,
) -> tuple[tuple[graph.Parameter, ...], tuple[tuple[str, graph.Expr], ...]]:
    """Return the parameters and the names with a value at the first step of a procedure.

    The player is the side on move, but in a reaction any side.
    """
    if procedure.what == "action" and not procedure.phases:
        return (PLAYER_PARAMETER, *procedure.parameters), ()
    return procedure.parameters, (ON_MOVE,)
