"""The engine that a command plays with: the one asked for, or the faster one that can be had."""

from rulewright.bootstrap import require_extra, try_extra
from rulewright.cli.console import print_note
from rulewright.engines import NATIVE, choose_engine, known_engine


def engine_of(requested: str) -> str:
    """Return the engine to play with; where none is asked for, the machine if modules cannot be had, which is said."""
    if not requested:
        try_extra(NATIVE)
    elif known_engine(requested) == NATIVE:
        require_extra(NATIVE)
    used, why = choose_engine(requested)
    if why:
        print_note(why)
    return used
