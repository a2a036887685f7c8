"""The engines: compiled modules, with the machine as the fallback for unsupported games, or the machine alone.

In: the name of a requested engine. Out: the engine that is used, and a message about a fallback.
"""

from collections.abc import Mapping
from importlib.util import find_spec

from rulewright.system.environment import command_for
from rulewright.system.errors import UsageError, suggestion_text
from runtime.graph.words import counted_noun

NATIVE, PYTHON = "native", "python"


def is_engine_available() -> bool:
    """Return whether compiled modules can be run, which requires the extra wasmtime."""
    return find_spec("wasmtime") is not None


def missing_engine_text() -> str:
    """Return a message that wasmtime is missing, with the command that installs it."""
    return f"wasmtime is not installed (`{command_for(NATIVE)}` brings it)"


def known_engine(name: str) -> str:
    """Return the name of an engine; `UsageError` if it is unknown."""
    if name not in (NATIVE, PYTHON):
        raise UsageError(f"there is no engine `{name}`; {suggestion_text(name, [NATIVE, PYTHON])}")
    return name


def require_engine(name: str) -> None:
    """Raise `UsageError` if an engine is unknown or not installed."""
    if known_engine(name) == NATIVE and not is_engine_available():
        raise UsageError(f"the native engine needs wasmtime, which is not here: {command_for(NATIVE)}")


def choose_engine(requested: str) -> tuple[str, str]:
    """Return an engine with a message: the requested one, otherwise modules if available, otherwise the machine."""
    if requested:
        require_engine(requested)
        return requested, ""
    if is_engine_available():
        return (NATIVE, "")
    return (PYTHON, f"{missing_engine_text()}: the machine plays, which takes longer")


def machine_games_text(count: int) -> str:
    """State how many games the machine played: "1 game was played by the machine"."""
    return f"{counted_noun(count, 'game')} {'was' if count == 1 else 'were'} played by the machine"


def fallback_reasons(reasons: Mapping[str, int]) -> list[str]:
    """Format why games were played by the machine, the most frequent reason first, with counts if there are several."""
    ranked = sorted(reasons.items(), key=lambda each: (-each[1], each[0]))
    return [f"{reason} ({count})" if len(ranked) > 1 else reason for reason, count in ranked]
