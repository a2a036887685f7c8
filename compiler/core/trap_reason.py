"""The reasons of traps: why an evaluation of the core stops without a value."""

from enum import StrEnum


class TrapReason(StrEnum):
    """The reason why an evaluation stops without a value."""

    ABSENT = "absent"
    GAP = "gap"
    CLASH = "clash"
    OUTSIDE = "outside"
    UNREPRESENTABLE = "unrepresentable"
    EXHAUSTED = "exhausted"
    GEOMETRY = "geometry"
    UNSUPPORTED = "unsupported"
    BROKEN = "broken"
