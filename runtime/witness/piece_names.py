"""Rename the pieces of a position, and give those of a witness short names.

In: a candidate and its stack. Out: the same candidate, in which a cart that was called `Other2` after its purpose in a
search is C after its counter.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from runtime.graph import nodes as graph
from runtime.graph import words
from runtime.graph.walk import map_children
from runtime.witness.candidate import Candidate

T = TypeVar("T")

LONGEST_FIXED_NAME = 2  # the most letters of a name that remains


def with_piece_names(value: T, names: Mapping[str, str]) -> T:
    """Rename pieces, wherever they occur."""
    match value:
        case graph.Spot("piece", name):
            return replace(value, name=names.get(name, name))
        case graph.PieceAt(name):
            tracks = with_piece_names(value.tracks, names)
            return replace(value, name=names.get(name, name), tracks=tracks)
        case graph.Position():
            pairs = tuple(
                (r, names.get(a, a), names.get(b, b), with_piece_names(payload, names))
                for r, a, b, payload in value.pairs
            )
            rest = {key: with_piece_names(getattr(value, key), names) for key in ("pieces", "facts", "hex_tracks")}
            return replace(value, pairs=pairs, **rest)
        case _:
            return map_children(value, lambda part: with_piece_names(part, names))


def with_short_names(candidate: Candidate, stack: graph.Graph) -> Candidate:
    """Rename the pieces that have longer names."""
    pieces = candidate.position.pieces
    members = {member.name for enum in stack.vocabulary.enums.values() for member in enum.members}
    used_names = {piece.name for piece in pieces} | set(candidate.position.board.hexes) | members
    short_names: dict[str, str] = {}
    for piece in (each for each in pieces if len(each.name) > LONGEST_FIXED_NAME):
        letter = _initial(piece, stack)
        name = next(each for each in (letter, *map(f"{letter}{{}}".format, range(2, 99))) if each not in used_names)
        short_names[piece.name] = name
        used_names.add(name)
    return with_piece_names(candidate, short_names)


def _initial(piece: graph.PieceAt, stack: graph.Graph) -> str:
    """Return the first letter of what a piece is called, not of its caliber."""
    called = words.counter(piece.counter, stack.counters) if piece.counter else words.kind(piece.kind, stack.vocabulary)
    return next((word[0].upper() for word in called.split() if word[0].isalpha() and word.isascii()), "P")
