"""The engines that play: compiled modules, which leave to the machine what they cannot play, or the machine alone.

In: the name of an engine as it was asked for. Out: the one that is used, and what there is to be said of that.
"""

from collections.abc import Mapping
from importlib.util import find_spec

from rulewright.bootstrap import command_for
from rulewright.errors import UsageError, suggestion_text

NATIVE, PYTHON = "native", "python"


def is_there() -> bool:
    """Return whether compiled modules can be run: wasmtime is an extra."""
    return find_spec("wasmtime") is not None


def missing_engine_text() -> str:
    """Write that wasmtime is not there, and what brings it."""
    return f"wasmtime is not installed (`{command_for(NATIVE)}` brings it)"


def known_engine(name: str) -> str:
    """Return the name of an engine, if it is one."""
    if name not in (NATIVE, PYTHON):
        raise UsageError(f"there is no engine `{name}`; {suggestion_text(name, [NATIVE, PYTHON])}")
    return name


def available_engine(name: str) -> str:
    """Return the name of an engine that is there."""
    if known_engine(name) == NATIVE and not is_there():
        raise UsageError(f"the native engine needs wasmtime, which is not here: {command_for(NATIVE)}")
    return name


def choose_engine(requested: str) -> tuple[str, str]:
    """Choose an engine; where none is asked for, modules if they can be had, and say so if they can't."""
    if requested:
        return available_engine(requested), ""
    return (NATIVE, "") if is_there() else (PYTHON, f"{missing_engine_text()}: the machine plays, which takes longer")


def fallback_reasons(reasons: Mapping[str, int]) -> list[str]:
    """Write why games were left to the machine, the most frequent reason first, with counts where there are several."""
    ranked = sorted(reasons.items(), key=lambda each: (-each[1], each[0]))
    return [f"{why} ({count})" if len(ranked) > 1 else why for why, count in ranked]
