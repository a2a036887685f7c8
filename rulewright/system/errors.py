"""Errors of the caller, with suggestions for misspelled names."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from compiler.source.suggestions import nearest_names

if TYPE_CHECKING:
    from rulewright.library.stacks import Stack

# The most names that are listed on one line.
MOST_LISTED_ERRORS = 12
# The least length of a prefix, and the most names with it, for a useful suggestion.
SHORTEST, NEAR = 3, 4


class UsageError(Exception):
    """A request that cannot be fulfilled; the message is one line that states why."""


class BrokenStackError(UsageError):
    """A stack that was to be used has errors; the message has the place of the first one."""

    def __init__(self, message: str, stack: "Stack") -> None:
        """Store the stack, of which a command prints all errors."""
        super().__init__(message)
        self.stack = stack


def suggestion_text(word: str, known: Sequence[str]) -> str:
    """Return a phrase that suggests similar names, or lists all."""
    suggestions = nearest_names(word, known) or matching_names(word, known)
    if suggestions:
        return f"did you mean {' or '.join(f'`{name}`' for name in suggestions)}?"
    if len(known) > MOST_LISTED_ERRORS:
        return f"there are {', '.join(known[:MOST_LISTED_ERRORS])} and {len(known) - MOST_LISTED_ERRORS} more"
    return f"there are {', '.join(known)}" if known else "there are none"


def matching_names(word: str, known: Sequence[str]) -> tuple[str, ...]:
    """Return the names that begin with a word, or contain it as a component."""
    low = word.lower()
    if len(low) < SHORTEST:
        return ()
    found = [name for name in known if name.lower().startswith(low) or low in name.lower().split("_")]
    return tuple(found) if len(found) <= NEAR else ()
