"""Small positions as files, for questions about them: each piece on a line, as `T: m4 of allied at A, fired: yes`."""

from collections.abc import Sequence


def position(stack: str, game: str, rows: Sequence[str], pieces: Sequence[str], more: str = "") -> str:
    """Return the text of a position: rows of hexes, and pieces with their kind, their side if given, and their place.

    `more` is YAML of other keys.
    """
    board = "\n".join(f"    - [{row}]" for row in rows)
    listed = "\n".join(map(_piece, pieces))
    head = f"position: small\nstack: {stack}\ngame: {{{game}}}\n"
    return f"{head}board:\n  rows:\n{board}\npieces:\n{listed}\n{more}"


def _piece(text: str) -> str:
    """Return a piece as YAML."""
    name, _, described = text.partition(": ")
    described, _, marks = described.partition(", ")
    kind, _, place = described.partition(" at ")
    kind, _, side = kind.partition(" of ")
    facts = [f"name: {name}", f"type: {kind}", f"side: {side}" * bool(side), f"at: {place}" * bool(place), marks]
    return f"  - {{{', '.join(filter(None, facts))}}}"
