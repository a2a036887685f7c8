"""Write a position: as a YAML file that `ask -p` opens, with a question as users enter it, or as lines of an example.

The input is a graph.Position as a search builds it: rows of hexes; the output is text in the format of
rules/schemas/position.schema.json, or lines in the rule language (docs/language.md, 9), None for a map that rows of an
example cannot express: the lines of a map start at one hex, and each continues from an existing one. Scalars of YAML
are plain: the reader takes their types from the declarations, never from YAML.
"""

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction

from runtime.graph import nodes as graph
from runtime.graph.notation import NotationWriter
from runtime.graph.words import readable_name

UNQUOTED_SCALAR = re.compile(r"[A-Za-z_][A-Za-z0-9_+-]*|-?\d+(/\d+)?")
IDENTIFIER_PATTERN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


# The owners of the tracks that a position file writes under `game`, as facts; those of sides are elsewhere.
OF_THE_GAME = ("game", "scenario")


def position_file(position: graph.Position, vocabulary: graph.Vocabulary) -> str:
    """Write a position file."""
    lines = [f"position: {position.name}", f"stack: {scalar_text(position.stack)}"]
    game = [f"turn: {position.turn}"] if position.turn != 1 else []
    game += [f"player: {scalar_text(position.player)}"] if position.player else []
    game += [f"phase: {scalar_text(position.phase)}"] if position.phase else []
    for name, value in position.facts:
        owner, _, fact = name.partition(".")
        if owner in OF_THE_GAME:
            game.append(f"{fact}: {yaml_value(value)}")
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


class _ValueWriter(NotationWriter):
    """A writer of values, which quotes names where the language needs it."""

    def name(self, name: str) -> str:
        """Format a name, in quotes unless it is a word."""
        return quote_name(name)

    def place_name(self, name: str) -> str:
        """Format the name of a place, in quotes also where it is a word: the language has places in no other way."""
        return f"'{name}'"


_WRITER = _ValueWriter({})


def expression_text(value: graph.Expr) -> str:
    """Write a value in the rule language."""
    return _WRITER.text(value)


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
    edges: dict[str, list[str]] = {}
    for path, start, end in board.paths:
        edges.setdefault(path, []).append(f"{start}-{end}")
    paths = _lists(edges)
    parts += [f"paths: {{{', '.join(paths)}}}"] if paths else []
    return f"{{{', '.join(parts)}}}"


def _lists(texts: dict[str, list[str]]) -> list[str]:
    return [f"{name}: [{', '.join(elements)}]" for name, elements in texts.items()]


def _mappings(texts: dict[str, list[str]]) -> list[str]:
    return [f"{scalar_text(name)}: {{{', '.join(entries)}}}" for name, entries in texts.items()]


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
    indented = [f"  {line}" for line in lines]
    return [f"{name}:", *indented] if indented else []


def _relations(position: graph.Position, vocabulary: graph.Vocabulary) -> list[str]:
    pairs: dict[str, list[str]] = {}
    for name, left, right, payload in position.pairs:
        relation = vocabulary.relations[name]
        ends = [f"{relation.left.name}: {scalar_text(left)}", f"{relation.right.name}: {scalar_text(right)}"]
        if payload is not None and relation.payload is not None:
            ends.append(f"{relation.payload.name}: {yaml_value(payload)}")
        pairs.setdefault(name, []).append(f"{{{', '.join(ends)}}}")
    return _lists(pairs)


def _records(position: graph.Position) -> list[str]:
    records: dict[str, list[str]] = {}
    for name, value in position.facts:
        if name.startswith("record."):
            records.setdefault(name.removeprefix("record."), []).append(yaml_value(value))
    return _lists(records)


def _sides(position: graph.Position) -> list[str]:
    notes: dict[str, list[str]] = {}
    for name, value in position.facts:
        owner, _, track = name.partition(".")
        if owner not in (*OF_THE_GAME, "record"):
            notes.setdefault(owner, []).append(f"{track}: {yaml_value(value)}")
    return _mappings(notes)


def _hexes(position: graph.Position) -> list[str]:
    notes: dict[str, list[str]] = {}
    for name, status in position.hex_marks:
        notes.setdefault(name, []).append(f"{status}: yes")
    for name, track, value in position.hex_tracks:
        notes.setdefault(name, []).append(f"{track}: {yaml_value(value)}")
    return _mappings(notes)


def start_note_texts(notes: graph.StartNotes) -> dict[str, str]:
    """Return the values with which hexes and sides start on a card, by hex or side and note."""
    marks = {f"{hex_} {readable_name(status)}": "yes" for hex_, status in notes.hex_marks}
    tracks = (*notes.hex_tracks, *notes.side_tracks)
    return marks | {f"{owner} {readable_name(track)}": yaml_value(value) for owner, track, value in tracks}


# ---------------------------------------------------------------------- lines of an example


def position_lines(position: graph.Position) -> list[str] | None:
    """Write a position; None for a map that cannot be expressed."""
    map_ = _board_lines(position.board)
    return None if map_ is None else [*map_, *map(_piece_line, position.pieces), *_notes(position)]


def _board_lines(board: graph.Board) -> list[str] | None:
    """Write rows of hexes, then spaces, connections, sides and paths."""
    lines = _rows(board)
    if lines is None:
        return None
    spaces = [_with_features(name, board.hexes[name][2]) for name in board.shapes]
    lines += [f"spaces {', '.join(spaces)}"] if spaces else []
    links = [f"{quote_name(a)}{' to ' if one_way else '-'}{quote_name(b)}" for a, b, one_way in board.links]
    lines += [f"connections {', '.join(links)}"] if links else []
    for left, right, features in board.sides:
        lines.append(f"sides {quote_name(left)}/{quote_name(right)} {' '.join(features)}")
    for path, start, end in board.paths:
        lines.append(f"path {path} {quote_name(start)}-{quote_name(end)}")
    return lines


def _rows(board: graph.Board) -> list[str] | None:
    """Write runs of neighbors in a row, each but the first from a hex of the row above; None if there is none."""
    names_by_cell = {(row, column): name for name, (column, row, _) in board.hexes.items() if name not in board.shapes}
    runs: list[list[str]] = []
    lines = []
    for row, column in sorted(names_by_cell):
        if (row, column - 1) not in names_by_cell:
            runs.append([])
        runs[-1].append(names_by_cell[row, column])
    for run in runs:
        cells = [_with_features(name, board.hexes[name][2]) for name in run]
        if run is runs[0]:
            lines.append(f"row {', '.join(cells)}")
            continue
        column, row, _ = board.hexes[run[0]]
        # Odd rows are shifted half a hex to the right.
        northwest = names_by_cell.get((row - 1, column - 1 + row % 2))
        northeast = names_by_cell.get((row - 1, column + row % 2))
        if northwest is not None:
            lines.append(f"row {cells[0]} from {quote_name(northwest)} se")
        elif northeast is not None:
            lines.append(f"row {cells[0]} from {quote_name(northeast)} sw")
        else:
            return None
        # A line of hexes continues in the direction of its first step.
        lines += [f"row {', '.join(cells[1:])} from {quote_name(run[0])} e"] if cells[1:] else []
    return lines


def _piece_line(piece: graph.PieceAt) -> str:
    """Write a piece, with its differences from its counter in parentheses."""
    notes = [*piece.traits, *piece.marks]
    notes += [f"{name} {expression_text(value)}" for name, value in (*piece.printed, *piece.tracks)]
    notes += [f"area {expression_text(piece.area)}"] if piece.area is not None else []
    notes += [f"arrives {expression_text(piece.arrives)}"] if piece.arrives is not None else []
    side = f" of {piece.owner}" if piece.owner else ""
    space = f" at {quote_name(piece.at)}" if piece.at else ""
    place = f" in {piece.place}" if piece.place else ""
    more = f" ({', '.join(notes)})" if notes else ""
    return f"piece {quote_name(piece.name)}: {quote_name(piece.counter or piece.kind)}{side}{space}{place}{more}"


def _notes(position: graph.Position) -> Iterator[str]:
    """Write pairs, tracks and statuses, and the clock."""
    for name, left, right, payload in position.pairs:
        payload_text = "" if payload is None else f", {expression_text(payload)}"
        yield f"relate {name}({quote_name(left)}, {quote_name(right)}{payload_text})"
    for name, value in position.facts:
        record, text = name.removeprefix("record."), expression_text(value)
        yield f"set {name} to {text}" if record == name else f"write {record} = {text}"
    for name, status in position.hex_marks:
        yield f"mark {quote_name(name)} as {status}"
    for name, track, value in position.hex_tracks:
        yield f"set {quote_name(name)}.{track} to {expression_text(value)}"
    turn = str(position.turn) if position.turn > 1 else ""
    for field, clock_value in (("player", position.player), ("phase", position.phase), ("turn", turn)):
        if clock_value:
            yield f"set game.{field} to {clock_value}"


def _with_features(name: str, features: tuple[str, ...]) -> str:
    return " ".join((quote_name(name), *features))
