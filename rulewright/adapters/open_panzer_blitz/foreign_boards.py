"""Convert a foreign board to our format.

In: a board and the mapping. Out: the text of a board file, with hexes by their printed names. A hexside or a
path that leads off the board is written with its direction, so that adjacent boards connect on a map.
"""

import re
from collections.abc import Iterable, Iterator

from compiler.source.reading.boards import row_letters
from rulewright.adapters.open_panzer_blitz.foreign_nodes import CELL_SIDES, ForeignBoard, ImportedHex, neighbor_point
from rulewright.adapters.open_panzer_blitz.package_mapping import FeatureCondition, PackageMapping, board_style
from rulewright.exchange.notes import Notes
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.hexes import Coordinates

LETTERS_OF_LINE = 112
NO_TERRAIN = "none"


@frozen_dataclass
class ConvertedFile:
    """A board or a card in our format: its name and the text of its file."""

    name: str
    text: str


def write_board(board: ForeignBoard, mapping: PackageMapping, notes: Notes) -> ConvertedFile:
    """Convert one board."""
    for point, cell in board.cells.items():
        if not is_board_cell(board, point) and set(cell.edges + cell.paths) != {NO_TERRAIN}:
            notes.add_omission(
                cell.span, hex_name(point), "a hex that is not printed; what leads there leaves the board"
            )
    name = mapping.board_name(board.key)
    features = _feature_hexes(board, mapping, notes)
    short = board.width - 1
    lines = [
        f"board: {name}",
        f"numbering: {{style: letter_number, columns: [{short}, {board.width}], rows: {board.height}, shift: left, "
        f'prefix: "{mapping.hex_prefix(board.key)}"}}',
        "terrain:",
        *(wrapped_list(f"  {feature}", names, 2) for feature, names in sorted(features.items())),
        "sides:",
        *(wrapped_list(f"  {feature}", names, 2) for feature, names in sorted(_sides(board, mapping, notes).items())),
        "paths:",
        *(wrapped_list(f"  {path}", found, 2) for path, found in sorted(_paths(board, mapping, notes).items())),
        "regions:",
        *(wrapped_list(f"  {region}", names, 2) for region, names in _regions(board, notes).items()),
    ]
    # A heading without entries would be an empty mapping, which is not valid.
    valid_lines = [line for line, below in zip(lines, [*lines[1:], "end:"], strict=True)
            if not (line.endswith(":") and not below.startswith(" "))]  # fmt: skip
    return ConvertedFile(name, "\n".join(valid_lines) + "\n")


def hex_name(point: Coordinates) -> str:
    """Return the printed name of a hex, without the prefix of its board."""
    column, row = point
    return f"{row_letters(row)}{column + 1}"


def region_name(name: str) -> str:
    """Convert a name to an identifier of our language."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "region"


def is_board_cell(board: ForeignBoard, point: Coordinates) -> bool:
    """Return whether a cell is printed: an even row has one hex less than an odd one."""
    return point in board.cells and point[0] < board.width - 1 + point[1] % 2


def _is_half_hex(board: ForeignBoard, point: Coordinates) -> bool:
    """Return whether the board prints only half of a hex."""
    column, row = point
    return row in {0, board.height - 1} or (row % 2 == 1 and column in {0, board.width - 1})


# ---------------------------------------------------------------- hexes


def _feature_hexes(board: ForeignBoard, mapping: PackageMapping, notes: Notes) -> dict[str, list[str]]:
    """Return the hexes of each feature, by name."""
    found: dict[str, list[str]] = {}
    for point in _printed_cells(board):
        cell, name = board.cells[point], hex_name(point)
        _say_words(name, cell, mapping, notes)
        features: list[str] = []
        for line in mapping.hexes:
            if line.feature not in features and line.unless not in features and matches_line(cell, line, board.key):
                features.append(line.feature)
        if cell.elevation > 1 or (
            cell.elevation and not any(line.elevation for line in mapping.hexes if line.feature in features)
        ):
            notes.add_omission(cell.span, name, mapping.lost.get(("elevation", ""), "not printed"))
        if mapping.feature_of_half_hexes and _is_half_hex(board, point):
            features.append(mapping.feature_of_half_hexes)
        for feature in features:
            found.setdefault(feature, []).append(name)
    return found


def matches_line(cell: ImportedHex, line: FeatureCondition, board: str) -> bool:
    """Return whether a cell satisfies all conditions of a line of the mapping."""
    paths = [path for path in cell.paths if path != NO_TERRAIN]
    return (
        (line.base is None or cell.base == line.base)
        and cell.elevation >= line.elevation
        and (line.edge is None or line.edge in cell.edges)
        and (line.every_edge is None or all(edge == line.every_edge for edge in cell.edges))
        and all(path is None or path in paths for path in (line.path, line.second_path))
        and (line.every_path is None or all(path == line.every_path for path in paths))
        and (not line.boards or board in line.boards or board_style(board) in line.boards)
    )


def _say_words(name: str, cell: ImportedHex, mapping: PackageMapping, notes: Notes) -> None:
    """Record notes of the values of a cell that the mapping changes, drops or lacks."""
    kinds = [("base", cell.base), *(("edge", edge) for edge in cell.edges), *(("path", path) for path in cell.paths)]
    for kind, word in dict.fromkeys(kinds):
        if (kind, word) in mapping.changed:
            notes.add_changed(cell.span, name, mapping.changed[kind, word])
        elif (kind, word) in mapping.lost:
            notes.add_omission(cell.span, name, mapping.lost[kind, word])
        elif word not in mapping.terrain.get(kind, ()):
            notes.add_invalid(cell.span, name, f"the mapping does not know the {kind} `{word}`")


# ---------------------------------------------------------------- hexsides and paths


def _sides(board: ForeignBoard, mapping: PackageMapping, notes: Notes) -> dict[str, list[str]]:
    """Return the hexsides of each feature, without duplicates; if the two cells of a side differ, both are printed."""
    found: dict[str, list[str]] = {}
    written_sides: set[tuple[str, Coordinates, Coordinates]] = set()
    for point in _printed_cells(board):
        cell = board.cells[point]
        for direction, edge in enumerate(cell.edges):
            feature = mapping.sides.get(edge)
            if feature is None:
                continue
            neighbor = neighbor_point(point, direction)
            if not is_board_cell(board, neighbor):
                found.setdefault(feature, []).append(f"{hex_name(point)}/{CELL_SIDES[direction]}")
                continue
            other = board.cells[neighbor].edges[(direction + 3) % 6]
            if mapping.sides.get(other) not in {feature, None}:
                notes.add_changed(
                    cell.span, hex_name(point), f"the side to {hex_name(neighbor)} is {edge} here, {other} there"
                )
            side = (feature, *sorted((point, neighbor)))
            if side not in written_sides:
                written_sides.add(side)  # type: ignore[arg-type]  # sorted() forgets that a pair has two
                found.setdefault(feature, []).append(f"{hex_name(point)}/{hex_name(neighbor)}")
    return found


def _paths(board: ForeignBoard, mapping: PackageMapping, notes: Notes) -> dict[str, list[str]]:
    """Return the trails of each kind of path; a link that only one of two adjacent cells has ends at their side."""
    links: dict[str, set[tuple[str, str]]] = {}
    for point in _printed_cells(board):
        cell, name = board.cells[point], hex_name(point)
        for direction, path in enumerate(cell.paths):
            kind = mapping.paths.get(path)
            if kind is None:
                continue
            neighbor = neighbor_point(point, direction)
            if not is_board_cell(board, neighbor):
                links.setdefault(kind, set()).add((name, f"{name}/{CELL_SIDES[direction]}"))
            elif mapping.paths.get(board.cells[neighbor].paths[(direction + 3) % 6]) == kind:
                links.setdefault(kind, set()).add((name, hex_name(neighbor)))
            else:
                notes.add_changed(
                    cell.span, name, f"the {path} to {hex_name(neighbor)} does not go on there, and is not printed"
                )
    return {kind: [_trail(nodes) for nodes in _chains_of_links(found)] for kind, found in links.items()}


def _trail(nodes: Iterable[str]) -> str:
    """Format a trail; a node at the rim is `hex/way`, of which the part after the slash is written."""
    return "-".join(node.partition("/")[2] or node for node in nodes)


def _regions(board: ForeignBoard, notes: Notes) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for title, points in board.regions:
        names = [hex_name(point) for point in points if is_board_cell(board, point)]
        for point in points:
            if not is_board_cell(board, point):
                notes.add_omission(board.span, title, f"{hex_name(point)} is not printed")
        if names:
            found[region_name(title)] = names
    return found


def _printed_cells(board: ForeignBoard) -> Iterator[Coordinates]:
    """Yield the printed cells in row-major order."""
    cells = (point for point in board.cells if is_board_cell(board, point))
    return iter(sorted(cells, key=lambda point: (point[1], point[0])))


def wrapped_list(key: str, names: Iterable[str], indent: int = 4) -> str:
    """Format `key: [..]`, wrapped over several lines, which are indented more than the key by `indent`."""
    lines, line = [], f"{key}: ["
    for name in names:
        if len(line) + len(name) > LETTERS_OF_LINE:
            lines.append(line.rstrip())
            line = " " * (len(key) - len(key.lstrip()) + indent)
        line += f"{name}, "
    return "\n".join([*lines, line.removesuffix(", ") + "]"])


# ---------------------------------------------------------------- trails


def _chains_of_links(links: Iterable[tuple[str, str]]) -> Iterator[tuple[str, ...]]:
    """Yield trails that contain each link once, starting at nodes of odd degree if there are any, deterministically."""
    neighbors: dict[str, set[str]] = {}
    for a, b in links:
        neighbors.setdefault(a, set()).add(b)
        neighbors.setdefault(b, set()).add(a)
    while neighbors:
        start = min(neighbors, key=lambda node: (len(neighbors[node]) % 2 == 0, node))
        chain = [start]
        while chain[-1] in neighbors:
            last = chain[-1]
            neighbor = min(neighbors[last])
            _cut(neighbors, last, neighbor)
            _cut(neighbors, neighbor, last)
            chain.append(neighbor)
        yield tuple(chain)


def _cut(neighbors: dict[str, set[str]], node: str, neighbor: str) -> None:
    """Remove a link, and a node that has no links left."""
    neighbors[node].discard(neighbor)
    if not neighbors[node]:
        del neighbors[node]
