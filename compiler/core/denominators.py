"""Inference of integer slots: a dataflow fixpoint.

A slot is a sink of numbers: a term's answer, a parameter, a printed factor, a track, a field. Each is assumed to be
integer until lowering finds a fraction that flows into it; lowering is repeated until no slot changes. Values
from outside the lowered code (positions, changes by play) are checked against the slot where they enter.
"""

from compiler.core import representation as ir
from runtime.graph import nodes as graph


class Denominators:
    """The slots with fractions, and whether one was added since `is_fixpoint` was last called.

    `assumed` are slots that were taken to be integer; who lowers a part starts it afresh.
    """

    def __init__(self, vocabulary: graph.Vocabulary) -> None:
        """Start with integer slots, except for scales with fractional places."""
        self.fractional_scales = {
            name for name, line in vocabulary.scales.items() if any(index != int(index) for _, index in line.places)
        }
        self.fractional: set[str] = set()
        self.assumed: set[str] = set()
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

    def representation(self, type_: graph.Type, slot: str) -> ir.Representation:  # noqa: C901 -- one case a type
        """Return the representation of values of a type in a slot."""
        match type_:
            case graph.Scale(name) if name in self.fractional_scales:
                self.fractional.add(slot)
                return ir.RATIO
            case graph.Number() | graph.Scale():
                if slot in self.fractional:
                    return ir.RATIO
                self.assumed.add(slot)
                return ir.INT
            case graph.YesNo():
                return ir.BOOL
            case graph.Enum():
                return ir.ENUM
            case graph.Hex():
                return ir.HEX
            case graph.Hexside():
                return ir.HEXSIDE
            case graph.Crossing():
                return ir.CROSSING
            case graph.Piece():
                return ir.PIECE
            case graph.RecordOf(name):
                return ir.Record(name)
            case graph.CellOf(table):
                return ir.CellRow(table)
            case graph.Many("set", element_type):
                return ir.Set(
                    None if isinstance(element_type, graph.Nothing) else self.representation(element_type, slot)
                )
            case graph.Many(_, element_type):
                return ir.List(
                    None if isinstance(element_type, graph.Nothing) else self.representation(element_type, slot)
                )
            case _:
                return ir.Set(None)
