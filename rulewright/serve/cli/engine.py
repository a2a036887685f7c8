"""The engine of a command: the requested one, otherwise the fastest available one."""

from rulewright.games.engines import NATIVE, choose_engine, known_engine
from rulewright.serve.cli.console import print_note
from rulewright.system.environment import install_extra, require_extra


def engine_of(requested: str) -> str:
    """Return the engine to use; by default the machine if modules are not available, with a note."""
    if not requested:
        install_extra(NATIVE)
    elif known_engine(requested) == NATIVE:
        require_extra(NATIVE)
    used, reason = choose_engine(requested)
    if reason:
        print_note(reason)
    return used
