"""What the caller must correct, and what they probably meant."""

from collections.abc import Sequence

from compiler.source.suggest import nearest

# More names than this are no help on one line.
LISTED = 12


class UsageError(Exception):
    """The user asked for something that cannot be done; the message is one line that says what."""


def advice(word: str, known: Sequence[str]) -> str:
    """Offer what was probably meant, or all there is."""
    near = nearest(word, known)
    if near:
        return f"did you mean {' or '.join(f'`{name}`' for name in near)}?"
    if len(known) > LISTED:
        return f"there are {', '.join(known[:LISTED])} and {len(known) - LISTED} more"
    return f"there are {', '.join(known)}" if known else "there are none"
