"""The engines: compiled modules, with the machine as the fallback for unsupported games, or the machine alone.

In: the name of a requested engine. Out: the engine that is used, and a message about a fallback.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from rulewright.system.errors import UsageError, suggestion_text
from runtime.graph.words import counted_noun

NATIVE, PYTHON = "native", "python"
MISSING_ENGINE = "wasmtime does not run on this machine"


@cache
def is_engine_available() -> bool:
    """Return whether compiled modules can be run: wasmtime has no library for some machines, and cannot be imported."""
    try:
        import_module("wasmtime")
    except (ImportError, OSError, RuntimeError):
        return False
    return True


def _require_engine(name: str) -> None:
    """Raise `UsageError` if an engine is unknown or does not run here."""
    if name not in (NATIVE, PYTHON):
        raise UsageError(f"there is no engine `{name}`; {suggestion_text(name, [NATIVE, PYTHON])}")
    if name == NATIVE and not is_engine_available():
        raise UsageError(f"there is no engine `{NATIVE}` here: {MISSING_ENGINE}")


def choose_engine(requested: str) -> tuple[str, str]:
    """Return an engine with a message: the requested one, otherwise modules if available, otherwise the machine."""
    if requested:
        _require_engine(requested)
        return requested, ""
    if is_engine_available():
        return (NATIVE, "")
    return (PYTHON, f"{MISSING_ENGINE}: games are played in Python, which takes longer")


def machine_games_text(count: int) -> str:
    """State how many games the machine played: "1 game was played by the machine"."""
    return f"{counted_noun(count, 'game')} {'was' if count == 1 else 'were'} played by the machine"


def fallback_reasons(reasons: Mapping[str, int]) -> list[str]:
    """Format why games were played by the machine, the most frequent reason first, with counts if there are several."""
    ranked = sorted(reasons.items(), key=lambda each: (-each[1], each[0]))
    return [f"{reason} ({count})" if len(ranked) > 1 else reason for reason, count in ranked]
