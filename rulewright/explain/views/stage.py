"""The names of the stages of compiling, separate from compile_stages.py so that `--help` does not load the compiler."""

from enum import StrEnum


class CompilationStage(StrEnum):
    """The stages of compiling, in order."""

    SOURCE = "source"
    LAYERED = "layered"
    TYPED = "typed"
    LOWERED = "lowered"
    LOWERED_CORE = "lowered-core"
    CORE = "core"
    GENERATED = "generated"
