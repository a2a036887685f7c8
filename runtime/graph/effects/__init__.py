"""The table of steps that change the position, with the only definitions of what they do.

A step is one record (`record.py`) in the file of its family, which contains everything that is specific to it.
"""

from collections.abc import Iterator
from typing import Any, TypeVar

from runtime.graph import nodes as graph
from runtime.graph.effects.notes import NOTES
from runtime.graph.effects.pieces import PIECES
from runtime.graph.effects.primitives import AddMember, PrimitiveEffect, SetValue
from runtime.graph.effects.record import StepRecord
from runtime.graph.effects.relations import RELATIONS
from runtime.graph.walk import walk

E = TypeVar("E", bound=PrimitiveEffect[Any])

_RECORDS: tuple[StepRecord[Any], ...] = (*NOTES, *PIECES, *RELATIONS)
STEP_RECORDS: dict[type, StepRecord[Any]] = {each.node: each for each in _RECORDS}


def effects_of(node: object) -> tuple[PrimitiveEffect[graph.Expr], ...]:
    """Return what a step does, in order; nothing for nodes that are no `ChangingStep`."""
    record = STEP_RECORDS.get(node.__class__)
    return () if record is None else record.does(node)


def effects_in(nodes: object, effect_class: type[E]) -> Iterator[E]:
    """Yield the effects of one class in all steps among some nodes."""
    for node in walk(nodes):
        yield from (effect for effect in effects_of(node) if isinstance(effect, effect_class))


def targets_in(nodes: object) -> list[SetValue[Any] | AddMember[Any]]:
    """Return the effects that set a track or field, or add to one, in all steps among some nodes."""
    return [*effects_in(nodes, SetValue), *effects_in(nodes, AddMember)]


def assigned_facts(nodes: object) -> frozenset[str]:
    """Return the tracks of the game and the scenario that steps among some nodes set, as `owner.name`."""
    return frozenset(f"{effect.owner}.{effect.name}" for effect in targets_in(nodes) if effect.base is None)
