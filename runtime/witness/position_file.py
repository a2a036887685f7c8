"""Write a position as a YAML file that `ask -p` opens, and a question about it as users enter it.

The input is a graph.Position as a search builds it: one row of hexes; the output is text in the format of
rules/schemas/position.schema.json. Scalars are plain: the reader takes their types from the declarations, never from
YAML.
"""

import re
from collections.abc import Iterable
from fractions import Fraction

from runtime.graph import nodes as graph
from runtime.graph.words import readable_name

UNQUOTED_SCALAR = re.compile(r"[A-Za-z_][A-Za-z0-9_+-]*|-?\d+(/\d+)?")
IDENTIFIER_PATTERN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def position_file(position: graph.Position, vocabulary: graph.Vocabulary) -> str:
    """Write a position file."""
    lines = [f"position: {position.name}", f"stack: {scalar_text(position.stack)}"]
    clock = {"turn": str(position.turn), "player": position.player, "phase": position.phase}
    game = [
        f"{name}: {scalar_text(value)}" for name, value in clock.items() if value and (name, value) != ("turn", "1")
    ]
    facts = [(name, value) for name, value in position.facts if name.partition(".")[0] in ("game", "scenario")]
    game += [f"{name.partition('.')[2]}: {yaml_value(value)}" for name, value in facts]
    lines += [f"game: {{{', '.join(game)}}}"] if game else []
    lines.append(f"board: {_board_text(position.board)}")
    lines += _block("pieces", (f"- {piece_text(piece)}" for piece in position.pieces))
    lines += _block("relations", _relations(position, vocabulary))
    lines += _block("records", _records(position))
    lines += _block("hexes", _hexes(position))
    lines += _block("sides", _sides(position))
    return "\n".join(lines) + "\n"


def ask_text(term: graph.Term, arguments: Iterable[graph.Expr]) -> str:
    """Write a question as `ask` accepts it: for a stage the whole term, for a flag a test."""
    name, _, part = term.name.partition(".")
    written = [expression_text(argument) for argument in arguments]
    return f"{written[0]} is {part}" if term.form == "flag" else f"{name}({', '.join(written)})"


def quote_name(name: str) -> str:
    """Write a name in the rule language, in quotes unless it has only letters of ASCII, digits and underscores."""
    return name if IDENTIFIER_PATTERN.fullmatch(name) else f"'{name}'"


def expression_text(value: graph.Expr) -> str:
    """Write a value in the rule language."""
    match value:
        case graph.Num(number, measure):
            return f"{number} {measure}" if measure else str(number)
        case graph.Truth(truth):
            return "yes" if truth else "no"
        case graph.Spot(_, name) | graph.Member(_, name):
            return quote_name(name)
        case graph.Place(_, name, _):
            return f"'{name}'"  # Also where it is a word: the language has places in quotes alone.
        case graph.SetOf(elements):
            return f"{{{', '.join(expression_text(element) for element in elements)}}}"
        case graph.New(record, fields):
            return f"{record}({', '.join(f'{name}: {expression_text(part)}' for name, part in fields)})"
        case graph.Op(op, arguments):
            return f"{op}({', '.join(expression_text(argument) for argument in arguments)})"
        case _:
            raise ValueError(f"{type(value).__name__} is not a value that can be written down")


def _board_text(board: graph.Board) -> str:
    """Write a small board in place: rows, spaces that are not hexes, connections, sides, paths."""
    rows: dict[int, list[str]] = {}
    for name, (_, row, features) in board.hexes.items():
        if name not in board.shapes:
            rows.setdefault(row, []).append(" ".join((name, *features)))
    row_text = ", ".join("[" + ", ".join(hexes) + "]" for _, hexes in sorted(rows.items()))
    parts = [f"rows: [{row_text}]"] if row_text or not board.shapes else []
    spaces = [_space_text(name, board.hexes[name][2], corners) for name, corners in board.shapes.items()]
    parts += [f"spaces: {{{', '.join(spaces)}}}"] if spaces else []
    connections = [f"{start} to {end}" if one_way else f"{start}-{end}" for start, end, one_way in board.links]
    parts += [f"connections: [{', '.join(connections)}]"] if connections else []
    sides = [f"{start}/{end}: {' '.join(features)}" for start, end, features in board.sides]
    parts += [f"sides: {{{', '.join(sides)}}}"] if sides else []
    trails: dict[str, list[str]] = {}
    for path, start, end in board.paths:
        trails.setdefault(path, []).append(f"{start}-{end}")
    paths = [f"{path}: [{', '.join(found)}]" for path, found in trails.items()]
    parts += [f"paths: {{{', '.join(paths)}}}"] if paths else []
    return f"{{{', '.join(parts)}}}"


def _space_text(name: str, features: tuple[str, ...], corners: tuple[tuple[int, int], ...]) -> str:
    """Write a space that is not a hex: its features, and its outline if that is known."""
    points = [f"[{x}, {y}]" for x, y in corners]
    parts = [f"is: [{', '.join(features)}]"] if features else []
    parts += [f"at: {points[0]}"] if len(points) == 1 else [f"outline: [{', '.join(points)}]"] if points else []
    return f"{name}: {{{', '.join(parts)}}}"


def piece_text(piece: graph.PieceAt) -> str:
    """Write one piece; differences from its counter follow its place."""
    parts = [f"name: {scalar_text(piece.name)}", f"type: {scalar_text(piece.counter or piece.kind)}"]
    parts += [f"side: {scalar_text(piece.owner)}"] if piece.owner else []
    parts += [f"at: {scalar_text(piece.at)}"] if piece.at else []
    parts += [f"in: {scalar_text(piece.place)}"] if piece.place else []
    parts += [f"area: {yaml_value(piece.area)}"] if piece.area is not None else []
    parts += [f"arrives: {yaml_value(piece.arrives)}"] if piece.arrives is not None else []
    parts += [f"{word}: yes" for word in (*piece.traits, *piece.marks)]
    parts += [f"{name}: {yaml_value(value)}" for name, value in (*piece.printed, *piece.tracks)]
    return f"{{{', '.join(parts)}}}"


def yaml_value(value: graph.Expr) -> str:
    """Write a value as YAML."""
    match value:
        case graph.Num(number, _):
            return str(Fraction(number))
        case graph.Truth(truth):
            return "yes" if truth else "no"
        case graph.Spot(_, name) | graph.Member(_, name) | graph.Place(_, name, _):
            return scalar_text(name)
        case graph.SetOf(elements):
            return f"[{', '.join(yaml_value(element) for element in elements)}]"
        case graph.New(_, fields):
            return f"{{{', '.join(f'{name}: {yaml_value(part)}' for name, part in fields)}}}"
        case _:
            return scalar_text(expression_text(value))


def scalar_text(text: str) -> str:
    """Write a word, in quotes if YAML could interpret it."""
    return text if UNQUOTED_SCALAR.fullmatch(text) else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _block(name: str, lines: Iterable[str]) -> list[str]:
    found = [f"  {line}" for line in lines]
    return [f"{name}:", *found] if found else []


def _relations(position: graph.Position, vocabulary: graph.Vocabulary) -> Iterable[str]:
    found: dict[str, list[str]] = {}
    for name, left, right, payload in position.pairs:
        relation = vocabulary.relations[name]
        ends = [f"{relation.left.name}: {scalar_text(left)}", f"{relation.right.name}: {scalar_text(right)}"]
        if payload is not None and relation.payload is not None:
            ends.append(f"{relation.payload.name}: {yaml_value(payload)}")
        found.setdefault(name, []).append(f"{{{', '.join(ends)}}}")
    return [f"{name}: [{', '.join(pairs)}]" for name, pairs in found.items()]


def _records(position: graph.Position) -> Iterable[str]:
    found: dict[str, list[str]] = {}
    for name, value in position.facts:
        if name.startswith("record."):
            found.setdefault(name.removeprefix("record."), []).append(yaml_value(value))
    return [f"{name}: [{', '.join(records)}]" for name, records in found.items()]


def _sides(position: graph.Position) -> Iterable[str]:
    found: dict[str, list[str]] = {}
    for name, value in position.facts:
        owner, _, track = name.partition(".")
        if owner not in ("game", "scenario", "record"):
            found.setdefault(owner, []).append(f"{track}: {yaml_value(value)}")
    return [f"{scalar_text(side)}: {{{', '.join(notes)}}}" for side, notes in found.items()]


def _hexes(position: graph.Position) -> Iterable[str]:
    found: dict[str, list[str]] = {}
    for name, status in position.hex_marks:
        found.setdefault(name, []).append(f"{status}: yes")
    for name, track, value in position.hex_tracks:
        found.setdefault(name, []).append(f"{track}: {yaml_value(value)}")
    return [f"{scalar_text(name)}: {{{', '.join(notes)}}}" for name, notes in found.items()]


def start_note_texts(notes: graph.StartNotes) -> dict[str, str]:
    """Return the values with which hexes and sides start on a card, by hex or side and note."""
    marks = {f"{hex_} {readable_name(status)}": "yes" for hex_, status in notes.hex_marks}
    tracks = (*notes.hex_tracks, *notes.side_tracks)
    return marks | {f"{owner} {readable_name(track)}": yaml_value(value) for owner, track, value in tracks}
