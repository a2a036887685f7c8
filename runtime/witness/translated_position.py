"""Translate a position of one graph to another, as far as the other can express it.

The input is a position and a graph; the output is the position without what the graph cannot express. Counters that one
of two graphs lacks are expanded first, to pieces with all printed values. Facts of situation cards are added: play
always starts on a card, so that a question may assume the facts of every card; a small position has no card, and
questions could not be evaluated there without these facts.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import chain, count, islice
from typing import Any, TypeVar

from runtime.graph import nodes as graph
from runtime.graph.members import members_of
from runtime.graph.walk import nodes_of, walk
from runtime.witness.candidate import with_piece_names
from runtime.witness.position_file import IDENTIFIER_PATTERN

Node = TypeVar("Node", graph.PieceAt, graph.Board)

SIDE_LIST = graph.Many("list", graph.Enum("side"))
# The facts of every card, by name.
ON_EVERY_CARD: Mapping[str, graph.Type] = {
    "scenario.turns": graph.Number(1, 1000, ""),
    "scenario.order": SIDE_LIST,
    "scenario.set_up": SIDE_LIST,
}
# Cards of these games have about so many turns.
USUAL_TURNS = 10


def fact_type(key: str, rules: graph.Graph) -> graph.Type | None:
    """Return the type of a fact, None if a graph has none of that name; `north.stores` is a track of a side."""
    owner, _, name = key.partition(".")
    is_of_side = key not in rules.vocabulary.tracks and owner in members_of(rules.vocabulary, "side")
    track = rules.vocabulary.tracks.get(f"side.{name}" if is_of_side else key)
    return ON_EVERY_CARD.get(key) if track is None else track.type


def card_facts(*graphs: graph.Graph) -> dict[str, graph.Expr]:
    """Return the facts of every card that some question of these graphs reads, with plain values."""
    nodes = walk(tuple((rules.rules, rules.terms, rules.always) for rules in graphs))
    read = {f"{node.owner}.{node.name}" for node in nodes if isinstance(node, graph.GameTrack)}
    first = graphs[0].vocabulary.enums.get("side")
    sides = graph.SetOf(tuple(graph.Member("side", word.name) for word in first.members) if first else ())
    turns = graph.Num(Fraction(USUAL_TURNS), "")
    return {key: sides if type_ == SIDE_LIST else turns for key, type_ in ON_EVERY_CARD.items() if key in read}


def with_facts(position: graph.Position, facts: Mapping[str, graph.Expr]) -> graph.Position:
    """Return a position with these facts added where it does not state them itself."""
    keys = {key for key, _ in position.facts}
    more = tuple((key, value) for key, value in facts.items() if key not in keys)
    return replace(position, facts=(*position.facts, *more)) if more else position


NOT_IN_NAMES = re.compile(r"\W")
# The most hexes that complete a map to whole rows.
SPARE = 120


def with_printed_values(position: graph.Position, home: graph.Graph, shared: frozenset[str]) -> graph.Position:
    """Return a position with the printed values of the pieces whose counters are not shared."""
    pieces = []
    for piece in position.pieces:
        counter = home.counters.get(piece.counter)
        if counter is None or piece.counter in shared:
            pieces.append(piece)
            continue
        printed = {**dict(counter.printed), **dict(piece.printed)}
        traits = (*counter.traits, *(trait for trait in piece.traits if trait not in counter.traits))
        pieces.append(replace(piece, counter="", printed=tuple(printed.items()), traits=traits))
    return replace(position, pieces=tuple(pieces))


def readable_position(position: graph.Position) -> tuple[graph.Position, dict[str, str]]:
    """Convert a position to one that can be read from a file, and return the renamed pieces; the map has whole rows."""
    names = readable_names(position)
    used_names = {*_names_of(position), *names.values()}
    numbered = (f"H{number}" for number in count(1))
    spare = (name for name in numbered if name not in used_names)
    board = filled_rows(position.board, list(islice(spare, SPARE)))
    return replace(with_piece_names(position, names) if names else position, board=board), names


def _names_of(position: graph.Position) -> set[str]:
    return {*position.board.hexes, *(piece.name for piece in position.pieces)}


def readable_names(position: graph.Position) -> dict[str, str]:
    """Return names for pieces that were created in play, as `cairn-3`, or that have the name of a hex."""
    used_names = _names_of(position)
    names: dict[str, str] = {}
    for piece in position.pieces:
        if piece.name in position.board.hexes or not IDENTIFIER_PATTERN.fullmatch(piece.name):
            plain = NOT_IN_NAMES.sub("", piece.name)
            plain = plain if plain[:1].isalpha() else f"Piece{plain}"
            numbered = (f"{plain}_{number}" for number in count(1))
            name = next(name for name in chain((plain,), numbered) if name not in used_names)
            names[piece.name] = name
            used_names.add(name)
    return names


def filled_rows(board: graph.Board, names: list[str]) -> graph.Board:
    """Return a board with whole rows, starting in the first column, as files write boards.

    `names` are for the hexes that have to be added. Rows move by twos: every other one is shifted.
    """
    if not board.hexes:
        # Even a question about nothing on the map needs a map.
        return replace(board, hexes={name: (index, 0, ()) for index, name in enumerate(names[:2])})
    other_spaces = {name: cell for name, cell in board.hexes.items() if name in board.shapes}
    rows: dict[int, dict[int, str]] = {}
    for name, (column, row, _) in board.hexes.items():
        if name not in board.shapes:
            rows.setdefault(row, {})[column] = name
    if not rows:
        return replace(board, regions={})
    left, top = min(map(min, rows.values())), min(rows) // 2 * 2
    fresh = iter([name for name in names if name not in board.hexes])
    hexes: dict[str, tuple[int, int, tuple[str, ...]]] = {}
    for row in range(top, max(rows) + 1):
        names_by_column = rows.get(row, {})
        for column in range(left, max(names_by_column, default=left) + 1):
            name = names_by_column.get(column) or next(fresh, "")
            features = board.hexes[name][2] if name in board.hexes else ()
            if name:
                hexes[name] = (column - left, row - top, features)
    return replace(board, hexes=hexes | other_spaces, regions={})


def translated_position(position: graph.Position, rules: graph.Graph) -> graph.Position | None:
    """Return a position without what a graph cannot express; None if a piece is none of its counters or kinds."""
    for piece in position.pieces:
        if piece.kind not in rules.vocabulary.kinds or (piece.counter and piece.counter not in rules.counters):
            return None
    return _translate(position, rules)[0]


def missing_words(position: graph.Position, rules: graph.Graph) -> tuple[str, ...]:
    """Return the words of a position that a graph does not have."""
    return tuple(_translate(position, rules)[1])


def _replaced(node: Node, **parts: object) -> Node:
    """Return a node with these parts, itself where they are equal to its own: maps are built once for each node."""
    is_equal = all(getattr(node, name) == value for name, value in parts.items())
    return node if is_equal else replace(node, **parts)  # type: ignore[arg-type]  # by field


def _translate(position: graph.Position, rules: graph.Graph) -> tuple[graph.Position, dict[str, None]]:
    """Return what a graph can express of a position, and the words that it lacks."""
    board, words = position.board, rules.vocabulary
    known = {*words.flags, *words.tracks}
    missing: dict[str, None] = {}

    def expressible(owner: str, entries: tuple[Any, ...], name_index: int | None = None) -> tuple[Any, ...]:
        """Return the entries whose names the graph has, and note the others."""
        names = entries if name_index is None else [entry[name_index] for entry in entries]
        unknown = [name for name in names if f"{owner}.{name}" not in known]
        if not unknown:
            return entries
        missing.update(dict.fromkeys(unknown))
        return tuple(entry for entry, name in zip(entries, names, strict=True) if name not in unknown)

    def translated_piece(piece: graph.PieceAt) -> graph.PieceAt:
        kind = words.kinds.get(piece.kind)
        factors = {factor.name for factor in kind.printed} if kind else set()
        return _replaced(
            piece,
            traits=expressible(piece.kind, piece.traits),
            marks=expressible(piece.kind, piece.marks),
            tracks=expressible(piece.kind, piece.tracks, 0),
            printed=tuple(factor for factor in piece.printed if factor[0] in factors),
        )

    pieces = tuple(map(translated_piece, position.pieces))
    hexes = {name: (x, y, expressible("hex", features)) for name, (x, y, features) in board.hexes.items()}
    sides = tuple((start, end, expressible("hexside", features)) for start, end, features in board.sides)
    paths = expressible("path", board.paths, 0)
    hex_marks, hex_tracks = expressible("hex", position.hex_marks, 1), expressible("hex", position.hex_tracks, 1)
    pairs, facts = [], []
    for pair in position.pairs:
        if pair[0] in words.relations:
            pairs.append(pair)
        else:
            missing[pair[0]] = None
    for fact in position.facts:
        if _has_word(fact[0], rules):
            facts.append(fact)
        else:
            missing[fact[0].partition(".")[2]] = None
    translated = replace(
        position,
        pieces=pieces,
        board=_replaced(board, hexes=hexes, sides=sides, paths=paths),
        facts=tuple(facts),
        hex_marks=hex_marks,
        hex_tracks=hex_tracks,
        pairs=tuple(pairs),
    )
    return translated, missing


def _has_word(fact: str, rules: graph.Graph) -> bool:
    """Return whether a graph can express a fact of a position: a fact of a card, a track, a record."""
    kind, _, name = fact.partition(".")
    return name in rules.vocabulary.records if kind == "record" else fact_type(fact, rules) is not None


def knows_factors(nodes: object, rules: graph.Graph) -> bool:
    """Return whether a graph prints what is asked for on the kinds that it is asked of."""
    read = ((node.owner, node.name) for node in nodes_of(graph.Get, nodes) if node.what == "printed")
    printed = {(kind.name, part.name) for kind in rules.vocabulary.kinds.values() for part in kind.printed}
    return printed.issuperset(read)


def knows_words(arguments: tuple[graph.Expr, ...], rules: graph.Graph) -> bool:
    """Return whether a graph can express all arguments."""
    words = rules.vocabulary
    for node in walk(arguments):
        match node:
            case graph.Member(enum, name) if enum in words.enums:
                if name not in members_of(words, enum):
                    return False
            case graph.New(record) if record not in words.records:
                return False
            case graph.Place(scale, name) if (name, node.at) not in words.scales[scale].places:
                return False
    return True
