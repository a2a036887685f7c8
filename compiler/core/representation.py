"""Representations of values in the core: the machine types that back ends have to provide.

Values of the language (runtime/graph/nodes/types.py) have no size; values of the core have. Numbers are integers where
only integers can reach them, and ratios of two integers otherwise (inferred by `Denominators`); members of
enumerations, pieces and hexes are indexes; sets of indexes are bit sets.
"""

from typing import TypeGuard

from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class Bool:
    """A truth value: 0 or 1."""


@frozen_dataclass
class Int:
    """A signed integer of at most 47 bits."""


@frozen_dataclass
class Ratio:
    """A reduced fraction, numerator and denominator of at most 30 bits each."""


@frozen_dataclass
class Piece:
    """A piece by its index."""


@frozen_dataclass
class Hex:
    """A hex by its index; below 0 off the map."""


@frozen_dataclass
class EnumMember:
    """A member of any enumeration by its index in the order of all members (`Layout.enum_members`)."""


@frozen_dataclass
class Hexside:
    """Two neighboring hexes, the smaller index first."""


@frozen_dataclass
class Crossing:
    """A hexside on a line of sight: a reference to its fields."""


@frozen_dataclass
class Record:
    """A record of a declared type: a reference to its fields. Records are ordered by creation."""

    type: str


@frozen_dataclass
class CellRow:
    """A cell of a chart with several kinds of cells: the index of its row."""

    table: str


@frozen_dataclass
class Set:
    """A set; `element` is None for `{}`, which is compatible with every set."""

    element: "Representation | None"


@frozen_dataclass
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
