"""Written types, the parameters they belong to, and moments of the clock."""

from compiler.source.nodes.words import Word
from compiler.source.span import Node
from runtime.graph.frozen_dataclass import frozen_dataclass


@frozen_dataclass
class RangeType(Node):
    """`0..24 MP`."""

    low: int
    high: int
    measure: Word | None


@frozen_dataclass
class NameType(Node):
    """`unit`, `unit|stump`, `hex`, `yes_no`, an enum, a scale, a domain, a record."""

    names: tuple[Word, ...]


@frozen_dataclass
class ManyType(Node):
    """`set of T` or `list of T`."""

    shape: str
    of: "Type"


Type = RangeType | NameType | ManyType


@frozen_dataclass
class Parameter(Node):
    """`name: type`."""

    name: Word
    type: Type


@frozen_dataclass
class Moment(Node):
    """`end of NAME`: the moment at which a status or track is reset."""

    name: Word
