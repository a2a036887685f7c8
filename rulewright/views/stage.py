"""The stages of compiling by name; they stand apart from stages.py so that `--help` loads no compiler."""

from enum import StrEnum


class Stage(StrEnum):
    """The stages of compiling, in order."""

    SOURCE = "source"
    LAYERED = "layered"
    TYPED = "typed"
    LOWERED = "lowered"
    LOWERED_CORE = "lowered-core"
    CORE = "core"
    GENERATED = "generated"
