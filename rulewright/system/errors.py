"""Errors of the caller, with suggestions for misspelled names."""

from collections.abc import Sequence

from compiler.source.suggestions import nearest_names

# The most names that are listed on one line.
MOST_LISTED_ERRORS = 12
# The least length of a prefix, and the most names with it, for a useful suggestion.
SHORTEST, NEAR = 3, 4


class UsageError(Exception):
    """A request that cannot be fulfilled; the message is one line that states why."""


def suggestion_text(word: str, known: Sequence[str]) -> str:
    """Return a phrase that suggests similar names, or lists all."""
    suggestions = nearest_names(word, known) or _matching_names(word, known)
    if suggestions:
        return f"did you mean {' or '.join(f'`{name}`' for name in suggestions)}?"
    if len(known) > MOST_LISTED_ERRORS:
        return f"there are {', '.join(known[:MOST_LISTED_ERRORS])} and {len(known) - MOST_LISTED_ERRORS} more"
    return f"there are {', '.join(known)}" if known else "there are none"


def _matching_names(word: str, known: Sequence[str]) -> tuple[str, ...]:
    """Return the names that begin with a word, or contain it as a component."""
    low = word.lower()
    if len(low) < SHORTEST:
        return ()
    found = [name for name in known if name.lower().startswith(low) or low in name.lower().split("_")]
    return tuple(found) if len(found) <= NEAR else ()
