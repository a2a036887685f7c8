"""Errors that the caller must correct, with the names that were probably meant."""

from collections.abc import Sequence

from compiler.source.suggestions import nearest_names

# More names than this are no help on one line.
LISTED = 12
# A beginning of a name says nothing if it is shorter, or if more names have it.
SHORTEST, NEAR = 3, 4


class UsageError(Exception):
    """The user asked for something that cannot be done; the message is one line that says what."""


def suggestion_text(word: str, known: Sequence[str]) -> str:
    """Offer what was probably meant, or all there is."""
    near = nearest_names(word, known) or names_beginning(word, known)
    if near:
        return f"did you mean {' or '.join(f'`{name}`' for name in near)}?"
    if len(known) > LISTED:
        return f"there are {', '.join(known[:LISTED])} and {len(known) - LISTED} more"
    return f"there are {', '.join(known)}" if known else "there are none"


def names_beginning(word: str, known: Sequence[str]) -> tuple[str, ...]:
    """List the names that begin with a word, or have it among the words they are made of."""
    low = word.lower()
    if len(low) < SHORTEST:
        return ()
    found = [name for name in known if name.lower().startswith(low) or low in name.lower().split("_")]
    return tuple(found) if len(found) <= NEAR else ()
