"""Representations of values in the core: the machine types that back ends have to provide.

Values of the language (runtime/graph/nodes/types.py) have no size; values of the core have. Numbers are integers where
only integers can reach them, and ratios of two integers otherwise (inferred by `Denominators`); members of
enumerations, pieces and hexes are indexes; sets of indexes are bit sets.
"""

from dataclasses import dataclass
from typing import TypeGuard


@dataclass(frozen=True, slots=True)
class Bool:
    """A truth value: 0 or 1."""


@dataclass(frozen=True, slots=True)
class Int:
    """A signed integer of at most 47 bits."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """A reduced fraction, numerator and denominator of at most 30 bits each."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece by its index."""


@dataclass(frozen=True, slots=True)
class Hex:
    """A hex by its index; below 0 off the map."""


@dataclass(frozen=True, slots=True)
class EnumMember:
    """A member of any enumeration by its index in the order of all members (`Layout.enum_members`)."""


@dataclass(frozen=True, slots=True)
class Hexside:
    """Two neighboring hexes, the smaller index first."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """A hexside on a line of sight: a reference to its fields."""


@dataclass(frozen=True, slots=True)
class Record:
    """A record of a declared type: a reference to its fields. Records are ordered by creation."""

    type: str


@dataclass(frozen=True, slots=True)
class CellRow:
    """A cell of a chart with several kinds of cells: the index of its row."""

    table: str


@dataclass(frozen=True, slots=True)
class Set:
    """A set; `element` is None for `{}`, which is compatible with every set."""

    element: "Representation | None"


@dataclass(frozen=True, slots=True)
class List:
    """A sequence."""

    element: "Representation | None"


Representation = Bool | Int | Ratio | Piece | Hex | EnumMember | Hexside | Crossing | Record | CellRow | Set | List

BOOL, INT, RATIO, PIECE, HEX, ENUM = Bool(), Int(), Ratio(), Piece(), Hex(), EnumMember()
HEXSIDE, CROSSING = Hexside(), Crossing()
INDICES = (Piece, Hex, EnumMember)


def member_representation(representation: Representation) -> Representation:
    """Return the representation of the members of a collection, which must be known."""
    assert isinstance(representation, Set | List)
    assert representation.element is not None
    return representation.element


def is_bit_set(representation: Representation | None) -> TypeGuard[Set]:
    """Return whether values of a representation are bit sets; not `{}`, whose members are unknown."""
    return isinstance(representation, Set) and isinstance(representation.element, INDICES)


def is_sequence(representation: Representation) -> TypeGuard[Set | List]:
    """Return whether values of a representation are counted sequences: lists, and sets of members without an index."""
    return isinstance(representation, Set | List) and not is_bit_set(representation)
