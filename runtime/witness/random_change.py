"""Change a candidate at random.

A repair traces an expression down to what a position states. Not every expression permits this: the hexes that a search
over the map reaches, or the pieces in a zone, correspond to nothing that could be printed or marked. Where no repair is
known, another position may be nearer, so that one thing is changed: a word, a track, a pair, an argument, a piece, or
its place. (Of 29 guarded rules of an operational game, repairs alone made 21 live, and with random changes where no
repair is known 28; of 101 rules of four other games none was lost.)
"""

from collections.abc import Callable
from dataclasses import replace

from runtime.graph import nodes as graph
from runtime.state.record import Value
from runtime.witness import candidate as changes
from runtime.witness.candidate import Candidate
from runtime.witness.domain_pool import MOST_POOL_PIECES
from runtime.witness.extension import add_partner
from runtime.witness.repair import Repairer

# Not every kind of change is possible: a map without hexes has no hexsides, an empty one no pieces.
TRIES = 8


def random_change(repairer: Repairer) -> Candidate | None:
    """Return a candidate that differs in one thing; None if no change was found."""
    for _ in range(TRIES):
        found = repairer.chance.pick(REPAIRS)(repairer)
        if found is not None and found != repairer.candidate:
            return found
    return None


def _argument(repairer: Repairer) -> Candidate | None:
    """Change an argument."""
    if not repairer.types:
        return None
    place = repairer.chance.number_below(len(repairer.types))
    value = repairer.materials.make_value(repairer.types[place], repairer.candidate)
    return None if value is None else changes.with_argument(repairer.candidate, place, value)


def _flag(repairer: Repairer) -> Candidate | None:
    """Print or mark a word on something that can have it; or remove it."""
    flag = repairer.chance.pick_or_none(tuple(repairer.stack.vocabulary.flags.values()))
    if flag is None:
        return None
    want = repairer.chance.one_in(2)
    if flag.what == "path":
        return repairer.repair_path(flag.name, _hex(repairer), want=want)
    subject = _subject(repairer, flag.owner)
    test = graph.Test(flag.what, flag.owner, flag.name)
    return None if subject is None else repairer.set_flag(subject, test, want=want)


def _note(repairer: Repairer) -> Candidate | None:
    """Set a track."""
    track = repairer.chance.pick_or_none(tuple(repairer.stack.vocabulary.tracks.values()))
    value = None if track is None else repairer.materials.make_value(track.type, repairer.candidate)
    if track is None or value is None:
        return None
    match track.owner:
        case "game" | "scenario":
            return changes.with_fact(repairer.candidate, f"{track.owner}.{track.name}", value)
        case "side":
            side = repairer.chance.pick_or_none(repairer.materials.sides)
            return None if side is None else changes.with_fact(repairer.candidate, f"{side}.{track.name}", value)
        case "hex":
            name = repairer.state.board.names[_hex(repairer)]
            return changes.with_hex_note(repairer.candidate, name, track.name, value)
        case owner:
            piece = _piece(repairer, owner)
            if piece is None:
                return None
            return repairer.edit_candidate(piece.name, lambda p: changes.with_note(p, track.name, value))


def _clock(repairer: Repairer) -> Candidate | None:
    """Change the side on move, or the phase."""
    field, words = repairer.chance.pick((("player", repairer.materials.sides), ("phase", repairer.materials.phases)))
    word = repairer.chance.pick_or_none(words)
    return None if word is None else changes.with_clock(repairer.candidate, field, word)


def _pair(repairer: Repairer) -> Candidate | None:
    """Add the relation of two pieces, or remove it."""
    relation = repairer.chance.pick_or_none(tuple(repairer.stack.vocabulary.relations.values()))
    if relation is None:
        return None
    related = [pair for pair in repairer.candidate.position.pairs if pair[0] == relation.name]
    if related and repairer.chance.one_in(2):
        return changes.without_pair(repairer.candidate, *repairer.chance.pick(related)[:3])
    end = repairer.chance.pick(("left", "right"))
    end_type = (relation.left if end == "right" else relation.right).type
    subject = _subject(repairer, repairer.materials.kind_of(end_type))
    return add_partner(repairer, relation.name, end, subject) if isinstance(subject, int) else None


def _another_piece(repairer: Repairer) -> Candidate | None:
    """Add a piece."""
    kinds = tuple(repairer.materials.words.kinds)
    if not kinds or len(repairer.candidate.position.pieces) >= MOST_POOL_PIECES:
        return None
    kind = repairer.chance.pick(kinds)
    space = repairer.state.board.names[_hex(repairer)]
    return changes.with_piece(
        repairer.candidate, repairer.materials.make_piece(repairer.candidate, kind, "other", space)
    )


def _counter(repairer: Repairer) -> Candidate | None:
    """Replace a piece by another counter of its kind."""
    piece = _piece(repairer)
    counters = [] if piece is None else repairer.materials.counters.get(piece.kind, [])
    return None if piece is None else repairer.change_counter(piece.name, counters)


def _moved(repairer: Repairer) -> Candidate | None:
    """Move a piece."""
    piece = _piece(repairer)
    space = repairer.state.board.names[_hex(repairer)]
    return None if piece is None else repairer.edit_candidate(piece.name, lambda p: replace(p, at=space))


REPAIRS: tuple[Callable[[Repairer], Candidate | None], ...] = (
    _argument, _flag, _flag, _note, _clock, _pair, _another_piece, _counter, _moved,
)  # fmt: skip


def _hex(repairer: Repairer) -> int:
    return repairer.chance.number_below(len(repairer.state.board.names))


def _piece(repairer: Repairer, kind: str = "") -> graph.PieceAt | None:
    pieces = [piece for piece in repairer.candidate.position.pieces if kind in ("", piece.kind)]
    return repairer.chance.pick_or_none(pieces)


def _subject(repairer: Repairer, owner: str) -> Value:
    """Return a random subject of a word; None if there is none."""
    board = repairer.state.board
    match owner:
        case "hex":
            return _hex(repairer)
        case "hexside":
            place = _hex(repairer)
            return board.side(place, repairer.chance.pick(board.beside[place])) if board.beside[place] else None
        case kind:
            of_kind = [number for number, sheet in enumerate(repairer.state.sheets) if sheet.kind == kind]
            return repairer.chance.pick_or_none(of_kind)
