"""The numbers that are whole: a fixpoint over everything that numbers flow into.

A slot is whatever numbers flow into: a term's answer, a parameter, a printed factor, a note, a field. Each is taken for
whole until a lowering finds a fraction that flows into it; lowering is repeated until no slot changes. What flows into
a slot from outside the lowered code (positions, what play writes) is held against the slot where it enters.
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
    """The slots that hold fractions, and whether one was found since `settled` was last asked."""

    def __init__(self, vocabulary: graph.Vocabulary) -> None:
        """Take every slot for whole, but for scales that have places between whole numbers."""
        self.broken = {name for name, line in vocabulary.scales.items() if any(at != int(at) for _, at in line.places)}
        self.fractional: set[str] = set()
        self.grown = False

    def is_fixpoint(self) -> bool:
        """Return whether no slot has changed since this was last asked."""
        grown, self.grown = self.grown, False
        return not grown

    def holds_fractions(self, slot: str) -> None:
        """Note that a fraction flows into a slot."""
        if slot not in self.fractional:
            self.fractional.add(slot)
            self.grown = True

    def representation(self, type_: graph.Type, slot: str) -> Representation:  # noqa: C901 -- one case a type
        """Return the representation of values of a type in a slot."""
        match type_:
            case graph.Scale(name) if name in self.broken:
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
            case graph.Many("set", of):
                return Set(None if isinstance(of, graph.Nothing) else self.representation(of, slot))
            case graph.Many(_, of):
                return List(None if isinstance(of, graph.Nothing) else self.representation(of, slot))
            case _:
                return Set(None)
