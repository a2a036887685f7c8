"""Short names for the pieces of a witness: an initial of the counter, in place of the purpose that a search gave it.

In: a candidate and its stack. Out: the same candidate, in which a cart that was called `Other2` is C.
"""

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.witness.candidate import Candidate
from runtime.witness.names_in_nodes import rename_in_node, word_replacer

SHORT = 2  # the most letters of a name that remains


def with_short_names(candidate: Candidate, stack: graph.Graph) -> Candidate:
    """Rename the pieces that have longer names."""
    pieces = candidate.position.pieces
    members = {member.name for enum in stack.vocabulary.enums.values() for member in enum.members}
    used_names = {piece.name for piece in pieces} | set(candidate.position.board.hexes) | members
    short_names: dict[str, str] = {}
    for piece in (each for each in pieces if len(each.name) > SHORT):
        letter = _initial(piece, stack)
        name = next(each for each in (letter, *map(f"{letter}{{}}".format, range(2, 99))) if each not in used_names)
        short_names[piece.name] = name
        used_names.add(name)
    renamed: Candidate = rename_in_node(candidate, word_replacer(short_names), None)
    return renamed


def _initial(piece: graph.PieceAt, stack: graph.Graph) -> str:
    """Return the first letter of what a piece is called, not of its caliber."""
    called = words.counter(piece.counter, stack.counters) if piece.counter else words.kind(piece.kind, stack.vocabulary)
    return next((word[0].upper() for word in called.split() if word[0].isalpha() and word.isascii()), "P")
