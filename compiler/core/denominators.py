"""Inference of integer slots: a dataflow fixpoint.

A slot is a sink of numbers: a term's answer, a parameter, a printed factor, a track, a field. Each is assumed to be
integer until lowering finds a fraction that flows into it; lowering is repeated until no slot changes. Values
from outside the lowered code (positions, changes by play) are checked against the slot where they enter.
"""

from compiler.core.representation import (
    BOOL,
    CROSSING,
    ENUM,
    HEX,
    HEXSIDE,
    INT,
    PIECE,
    RATIO,
    CellRow,
    List,
    Record,
    Representation,
    Set,
)
from runtime.graph import nodes as graph


class Denominators:
    """The slots with fractions, and whether one was added since `is_fixpoint` was last called."""

    def __init__(self, vocabulary: graph.Vocabulary) -> None:
        """Start with integer slots, except for scales with fractional places."""
        self.fractional_scales = {
            name for name, line in vocabulary.scales.items() if any(index != int(index) for _, index in line.places)
        }
        self.fractional: set[str] = set()
        self.has_grown = False

    def is_fixpoint(self) -> bool:
        """Return whether no slot has changed since the last call."""
        grown, self.has_grown = self.has_grown, False
        return not grown

    def holds_fractions(self, slot: str) -> None:
        """Record that a fraction flows into a slot."""
        if slot not in self.fractional:
            self.fractional.add(slot)
            self.has_grown = True

    def representation(self, type_: graph.Type, slot: str) -> Representation:  # noqa: C901 -- one case a type
        """Return the representation of values of a type in a slot."""
        match type_:
            case graph.Scale(name) if name in self.fractional_scales:
                self.fractional.add(slot)
                return RATIO
            case graph.Number() | graph.Scale():
                return RATIO if slot in self.fractional else INT
            case graph.YesNo():
                return BOOL
            case graph.Enum():
                return ENUM
            case graph.Hex():
                return HEX
            case graph.Hexside():
                return HEXSIDE
            case graph.Crossing():
                return CROSSING
            case graph.Piece():
                return PIECE
            case graph.RecordOf(name):
                return Record(name)
            case graph.CellOf(table):
                return CellRow(table)
            case graph.Many("set", element_type):
                return Set(None if isinstance(element_type, graph.Nothing) else self.representation(element_type, slot))
            case graph.Many(_, element_type):
                return List(
                    None if isinstance(element_type, graph.Nothing) else self.representation(element_type, slot)
                )
            case _:
                return Set(None)
