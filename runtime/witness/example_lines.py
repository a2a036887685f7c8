"""Write a position as the lines of an example (docs/language.md, 9), as position_file.py writes it as YAML.

The input is a position; the output is lines in the rule language that set it up, or None for a map that rows of an
example cannot express: the lines of a map start at one hex, and each continues from an existing one.
"""

from collections.abc import Iterator

from runtime.graph import nodes as graph
from runtime.witness.position_file import expression_text, quote_name


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
    links = [
        f"{quote_name(a)} to {quote_name(b)}" if one_way else f"{quote_name(a)}-{quote_name(b)}"
        for a, b, one_way in board.links
    ]
    lines += [f"spaces {', '.join(spaces)}"] if spaces else []
    lines += [f"connections {', '.join(links)}"] if links else []
    lines += [
        f"sides {quote_name(left)}/{quote_name(right)} {' '.join(features)}" for left, right, features in board.sides
    ]
    return lines + [f"path {path} {quote_name(start)}-{quote_name(end)}" for path, start, end in board.paths]


def _rows(board: graph.Board) -> list[str] | None:
    """Write runs of neighbors in a row, each but the first from a hex of the row above; None if there is none."""
    names_by_cell = {(row, column): name for name, (column, row, _) in board.hexes.items() if name not in board.shapes}
    runs: list[list[tuple[int, int]]] = []
    for row, column in sorted(names_by_cell):
        if (row, column - 1) not in names_by_cell:
            runs.append([])
        runs[-1].append((row, column))
    lines = []
    for run in runs:
        cells = [_with_features(names_by_cell[place], board.hexes[names_by_cell[place]][2]) for place in run]
        if run is runs[0]:
            lines.append(f"row {', '.join(cells)}")
            continue
        row, column = run[0]
        # Odd rows are shifted half a hex to the right.
        northwest = names_by_cell.get((row - 1, column - 1 + row % 2))
        northeast = names_by_cell.get((row - 1, column + row % 2))
        if northwest is None and northeast is None:
            return None
        above = f"{quote_name(northeast or '')} sw" if northwest is None else f"{quote_name(northwest)} se"
        lines.append(f"row {cells[0]} from {above}")
        # A line of hexes continues in the direction of its first step.
        lines += [f"row {', '.join(cells[1:])} from {quote_name(names_by_cell[run[0]])} e"] if cells[1:] else []
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
