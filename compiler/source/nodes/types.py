"""Written types, the parameters they belong to, and moments of the clock."""

from compiler.source.nodes.words import Word
from compiler.source.span import Span
from runtime.graph.frozen_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class RangeType:
    """`0..24 MP`."""

    span: Span
    low: int
    high: int
    measure: Word | None


@dataclass(frozen=True, slots=True)
class NameType:
    """`unit`, `unit|stump`, `hex`, `yes_no`, an enum, a scale, a domain, a record."""

    span: Span
    names: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class ManyType:
    """`set of T` or `list of T`."""

    span: Span
    shape: str
    of: "Type"


Type = RangeType | NameType | ManyType


@dataclass(frozen=True, slots=True)
class Parameter:
    """`name: type`."""

    span: Span
    name: Word
    type: Type


@dataclass(frozen=True, slots=True)
class Moment:
    """`end of NAME`: the moment at which a status or track is reset."""

    span: Span
    name: Word
