"""The table of steps that change the position, with the only definitions of what they do.

A step is one record (`record.py`) in the file of its family, which contains everything that is specific to it.
"""

from typing import Any

from runtime.graph import nodes as graph
from runtime.graph.effects.notes import NOTES
from runtime.graph.effects.pieces import PIECES
from runtime.graph.effects.primitives import PrimitiveEffect
from runtime.graph.effects.record import Effect
from runtime.graph.effects.relations import RELATIONS

_RECORDS: tuple[Effect[Any], ...] = (*NOTES, *PIECES, *RELATIONS)
EFFECTS: dict[type, Effect[Any]] = {each.node: each for each in _RECORDS}


def effects_of(step: graph.ChangingStep) -> tuple[PrimitiveEffect[graph.Expr], ...]:
    """Return what a step does, in order; all operands are read before the first effect."""
    return EFFECTS[step.__class__].does(step)
