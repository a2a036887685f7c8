"""Rulewright: compile, query, play and print the rules of a board wargame.

    import rulewright

    stack = rulewright.compile_stack("low_tide")
    rulewright.ask(stack, "position.yaml", "may_step(W, B)")["value"]
    rulewright.play("before_the_tide", seed=7, players="greedy")["winner"]

`compile_stack`, `check`, `ask`, `test`, `diff`, `play` and `compare` correspond to the commands of these names;
rulewright/api.py documents what each returns. `open_to`, `indices` and `what_would_allow` serve programs that
show a game to players.

Importing this package loads no other module, and any version of Python can parse it: `python3 -m rulewright` imports
it before the required packages, or even the required version of Python, are known to be present.
"""

from importlib import import_module

__version__ = "0.1.0"
__all__ = [
    "RulesError", "Stack", "UsageError", "ask", "check", "compare", "compile_stack", "diff", "indices",
    "open_to", "play", "test", "what_would_allow",
]  # fmt: skip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulewright.api import (
        RulesError,
        Stack,
        UsageError,
        ask,
        check,
        compare,
        compile_stack,
        diff,
        indices,
        open_to,
        play,
        test,
        what_would_allow,
    )


def __getattr__(name: str) -> object:
    """Import the API at the first access to one of its names."""
    if name in __all__:
        return getattr(import_module("rulewright.api"), name)
    raise AttributeError("module 'rulewright' has no attribute " + repr(name))
