"""The engine of a command: the requested one, otherwise the fastest available one."""

from rulewright.games.engines import choose_engine
from rulewright.serve.cli.console import print_note


def engine_of(requested: str) -> str:
    """Return the engine to use; by default the machine if modules do not run here, with a note."""
    used, reason = choose_engine(requested)
    if reason:
        print_note(reason)
    return used
