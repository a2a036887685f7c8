"""Composition of printed boards into one map.

In: placements of boards, row by row. Out: one map, with the number or numbers of each hex.

Boards of a row lie side by side, rows of boards one below the other; neighbors that both print a half hex share it: the
board placed first names it, and either number is valid. A turned board is rotated by 180 degrees.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from itertools import pairwise

from compiler.source import nodes as source
from compiler.source.reading.boards import hex_name
from compiler.typed.environment import Environment
from compiler.typed.findings.invalid_constructs import InvalidConstruct
from compiler.typed.findings.names import UnknownName
from compiler.typed.situations import board_edges, grid
from compiler.typed.situations.spaces import SPACE_DISTANCE, DirectedLink, connections_of, distant_links, space_centers
from compiler.typed.source_lists import listed_twice, repeated_members
from compiler.typed.unknown_names import is_declared
from runtime.graph import nodes as graph
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.hexes import Coordinates, neighbor_hexes

# Forty boards of the usual size.
MOST_HEXES = 20_000
# The distance between boards of areas or points, in their units.
GAP = SPACE_DISTANCE


@frozen_dataclass
class ComposedMap:
    """A map: its board, the boards that each hex is printed on, and the hexes by all their numbers.

    Of several boards with one hex, the first names it.
    """

    board: graph.Board
    boards: Mapping[str, tuple[str, ...]]
    labels: Mapping[str, str]


class _Composition:
    """Boards as they come to lie on one map, and how their hexes and spaces are called there.

    `points` has the coordinates of each hex by its label, `boards_of` the boards that print it; `names` has the label
    of each number or name that a board prints, `sheets` the labels on each sheet.
    """

    def __init__(self, ambiguous_names: Set[str]) -> None:
        self.ambiguous_names = ambiguous_names
        self.boards: list[source.Board] = []
        self.points: dict[str, Coordinates] = {}
        self.boards_of: dict[str, tuple[str, ...]] = {}
        self.names: dict[tuple[str, str], str] = {}
        self.sheets: dict[int, list[str]] = {}
        self._label_at: dict[Coordinates, str] = {}

    def add(self, board: source.Board, sheet: int, hexes: Iterable[tuple[str, Coordinates]]) -> None:
        """Add a board; a hex that an earlier board prints as well keeps the label of that board."""
        self.boards.append(board)
        board_name = board.name.text
        for printed, point in hexes:
            label = self._label_at.setdefault(point, self._label_of(board_name, printed))
            self.points[label] = point
            self.sheets.setdefault(sheet, []).append(label)
            self.boards_of[label] = (*self.boards_of.get(label, ()), board_name)
            self.names[board_name, printed] = label
        for space in board.spaces:
            label = self._label_of(board_name, space.name.text)
            self.boards_of[label] = (board_name,)
            self.names[board_name, space.name.text] = label

    def _label_of(self, board: str, printed: str) -> str:
        return f"{board}.{printed}" if printed in self.ambiguous_names else printed

    def labels(self) -> dict[str, str]:
        """Return the label of each number that one board only prints, and of each label."""
        unique = {printed: label for (_, printed), label in self.names.items() if printed not in self.ambiguous_names}
        return unique | {label: label for label in self.boards_of}

    def regions(self) -> dict[str, tuple[str, ...]]:
        """Return what each board names, what it shares with boards before it, and the sheets if there are several."""
        regions: dict[str, tuple[str, ...]] = {}
        for board in self.boards:
            name = board.name.text
            regions[grid.printed_part(name)] = tuple(
                label for label, homes in self.boards_of.items() if homes[0] == name
            )
        for board in self.boards:
            name = board.name.text
            shared = tuple(label for label, homes in self.boards_of.items() if name in homes[1:])
            if shared:
                regions[grid.shared_part(name)] = shared
        if len(self.sheets) > 1:
            for sheet, hexes in self.sheets.items():
                regions[f"sheet:{sheet + 1}"] = tuple(hexes)
        return regions


def join_boards(
    env: Environment,
    name: str,
    placements: Iterable[source.BoardPlacement],
    boards: Mapping[str, source.Board],
    links: Iterable[source.Connection],
) -> ComposedMap:
    """Compose placed boards into one map; `links` lead from board to board."""
    placed = list(_unique_placements(env, placements))
    composition = _Composition(_doubled(placed, boards))
    for placement in placed:
        board = boards.get(placement.board.text)
        if board is None:
            env.report_unknown("board", placement.board, boards)
            continue
        if _size(composition.boards) + _size([board]) > MOST_HEXES:
            message = f"the map has more than {MOST_HEXES:,} hexes with the board `{board.name.text}`"
            help_text = "use fewer boards"
            env.report_invalid(placement.board.span, message, help_text)
            return ComposedMap(grid.board_of(name, grid.Places({}), {}, [], [], {}), {}, {})
        composition.add(board, placement.sheet, _placed_hexes(placed, placement, board, boards))
    labels, regions = composition.labels(), composition.regions()
    places = _places(env, composition, labels, links)
    linked = {frozenset((a, b)) for a, b, _ in places.links}
    features: dict[str, tuple[str, ...]] = {}
    sides: list[tuple[str, str, tuple[str, ...]]] = []
    paths: list[tuple[str, str, str]] = []
    for board in composition.boards:
        _print(env, board, (composition.names, composition.points, linked), (features, sides, paths, regions))
    _join_rims(env, placed, boards, composition.names, (composition.points, sides, paths))
    joined = grid.board_of(name, places, features, sides, paths, regions)
    return ComposedMap(joined, composition.boards_of, labels)


def _size(boards: Iterable[source.Board]) -> int:
    """Return the number of hexes and spaces of boards; those that two share count twice."""
    return sum(board.numbering.rows * max(board.numbering.columns) + len(board.spaces) for board in boards)


def _places(
    env: Environment, composition: _Composition, labels: Mapping[str, str], links: Iterable[source.Connection]
) -> grid.Places:
    """Return the coordinates of all spaces, boards without hexes one below the other, and the connections."""
    centers: dict[str, Coordinates] = {}
    corners: dict[str, tuple[Coordinates, ...]] = {}
    connections: list[DirectedLink] = []
    down = 0
    for board in composition.boards:
        own_labels = _labels_on(board, composition.names)
        inner = connections_of(env, board)
        inner += distant_links(env, board.links, own_labels, inner)
        connections += [(own_labels[a], own_labels[b], one_way) for a, b, one_way in inner]
        board_centers = space_centers(board.spaces)
        drawn = [*board_centers.values(), *(corner for space in board.spaces for corner in space.corners)]
        xs, ys = [x for x, _ in drawn], [y for _, y in drawn]
        top = min(ys, default=0)
        for space in board.spaces:
            x, y = board_centers[space.name.text]
            label = own_labels[space.name.text]
            centers[label] = x, y - top + down
            corners[label] = tuple((x, y - top + down) for x, y in space.corners)
            env.problems += listed_twice(space.features)
        if drawn:
            wide, high = max(xs) - min(xs), max(ys) - top
            down += high + (max(wide, high) // 4 or GAP)
    distant = distant_links(env, links, labels, connections)
    known = {(labels[a], labels[b], one_way) for a, b, one_way in distant}
    return grid.Places(composition.points, centers, corners, [*connections, *sorted(known)])


def check_connections(env: Environment, joined: ComposedMap, used: Iterable[source.Board]) -> None:
    """Report spaces of a map without a connection, unless their board declares that."""
    neighbors = grid.neighbors_of_spaces(joined.board)
    for board in used:
        for space in board.spaces:
            names = (space.name.text, f"{board.name.text}.{space.name.text}")
            label = next((name for name in names if name in neighbors), None)
            if label is not None and not neighbors[label] and not space.alone:
                message = f"`{space.name.text}` has no connection"
                advice = "connect it, or write `alone: yes` if it is to have none"
                env.report_invalid(space.name.span, message, advice)


def _unique_placements(
    env: Environment, placements: Iterable[source.BoardPlacement]
) -> Iterator[source.BoardPlacement]:
    """Return the placements without repeated boards, which are reported: their hexes would share numbers."""
    seen: set[str] = set()
    for placement in placements:
        board = placement.board
        if board.text not in seen:
            seen.add(board.text)
            yield placement
        else:
            message = f"the board `{board.text}` is twice on this map"
            env.report_invalid(board.span, message, "name another board, or delete one of the two")


def printed_names(board: source.Board) -> dict[str, Coordinates]:
    """Return the coordinates of every hex of a board by its printed number."""
    number = board.numbering
    points: dict[str, Coordinates] = {}
    for row in range(number.rows):
        for column in range(number.columns[row % 2]):
            shifted = column - 1 if number.shift == "left" and row % 2 else column
            points[f"{number.prefix}{hex_name(number, column, row)}"] = (shifted, row)
    return points


def hexes_by_number(board: source.Board) -> dict[str, Coordinates]:
    """Return the coordinates of the hexes of a board by their printed numbers, with and without its prefix."""
    places = printed_names(board)
    return places | {name.removeprefix(board.numbering.prefix): point for name, point in places.items()}


def _doubled(placed: Iterable[source.BoardPlacement], boards: Mapping[str, source.Board]) -> set[str]:
    """Return the numbers that several of the boards print: those are prefixed with the name of the board."""
    seen: set[str] = set()
    doubled: set[str] = set()
    for placement in placed:
        if placement.board.text in boards:
            board = boards[placement.board.text]
            names = {*printed_names(board), *(space.name.text for space in board.spaces)}
            doubled |= seen & names
            seen |= names
    return doubled


def _placed_hexes(
    placed: list[source.BoardPlacement],
    placement: source.BoardPlacement,
    board: source.Board,
    boards: Mapping[str, source.Board],
) -> Iterable[tuple[str, Coordinates]]:
    """Yield the hexes of a board with their coordinates on the map."""
    known = [p for p in placed if boards.get(p.board.text)]
    before = [boards[p.board.text] for p in known if p.row == placement.row and p.column < placement.column]
    above = {p.row: boards[p.board.text] for p in known if p.sheet == placement.sheet and p.row < placement.row}
    right = sum(min(other.numbering.columns) for other in before)
    # Each sheet lies to the right of all boards of the sheets before it, with free columns between them.
    right += sum(max(boards[p.board.text].numbering.columns) + 2 for p in known if p.sheet < placement.sheet)
    down = sum(_height(other) for other in above.values())
    rows = board.numbering.rows
    for printed, (column, row) in printed_names(board).items():
        map_column, map_row = column, row
        if placement.turned:
            # A rotation by 180 degrees maps rows to rows: the hexes of a row are reversed.
            wide = board.numbering.columns[row % 2]
            start = -1 if board.numbering.shift == "left" and row % 2 else 0
            map_column, map_row = start + (wide - 1 - (column - start)), rows - 1 - row
        yield printed, (map_column + right, map_row + down)


def _height(board: source.Board) -> int:
    """Return the number of rows from a board to the next one; boards of an odd number of rows share the last."""
    rows = board.numbering.rows
    return rows - rows % 2


# What is drawn on a map: features of hexes, of hexsides, paths, and regions.
MapParts = tuple[
    dict[str, tuple[str, ...]],
    list[tuple[str, str, tuple[str, ...]]],
    list[tuple[str, str, str]],
    dict[str, tuple[str, ...]],
]


def _join_rims(
    env: Environment,
    placed: Iterable[source.BoardPlacement],
    boards: Mapping[str, source.Board],
    names: Mapping[tuple[str, str], str],
    map_parts: tuple[Mapping[str, Coordinates], list[tuple[str, str, tuple[str, ...]]], list[tuple[str, str, str]]],
) -> None:
    """Add the hexsides and paths between boards."""
    points, sides, paths = map_parts
    placed_boards = []
    for placement in placed:
        board = boards.get(placement.board.text)
        if board is not None:
            own_labels = _labels_on(board, names)
            board_edges.misleading_directions(env, board, hexes_by_number(board))
            placed_boards.append(
                (board, own_labels, board_edges.neighbors_by_direction(points, is_turned=placement.turned))
            )
    for board, own_labels, neighbors in placed_boards:
        sides += board_edges.adjoining_sides(board, own_labels, neighbors)
    paths += board_edges.common_paths(placed_boards)


def _labels_on(board: source.Board, names: Mapping[tuple[str, str], str]) -> dict[str, str]:
    """Return the labels of the hexes of one board by printed number, with and without the common prefix."""
    labels = {printed: label for (home, printed), label in names.items() if home == board.name.text}
    # A board's own document may omit the prefix.
    return labels | {printed.removeprefix(board.numbering.prefix): label for printed, label in labels.items()}


def _print(
    env: Environment,
    board: source.Board,
    layout: tuple[Mapping[tuple[str, str], str], Mapping[str, Coordinates], Set[frozenset[str]]],
    map_parts: MapParts,
) -> None:
    """Add the features, hexsides, paths and regions of one board to the map."""
    names, points, linked = layout
    features, sides, paths, regions = map_parts
    own_labels = _labels_on(board, names)

    def label(word: source.Word) -> str | None:
        if word.text not in own_labels:
            env.problems.append(UnknownName(word.span, f"hex of {board.name.text}", word.text, tuple(own_labels)))
        return own_labels.get(word.text)

    def touch(first: source.Word, second: source.Word) -> tuple[str, str] | None:
        a, b = label(first), label(second)
        if a is None or b is None:
            return None
        beside = neighbor_hexes(points[a]) if a in points else ()
        if frozenset((a, b)) in linked or (b in points and points[b] in beside):
            return a, b
        message = f"`{first.text}` and `{second.text}` are not adjacent"
        help_text = "connect them, or name two that are connected"
        if board.kind == "hexes":
            # Numbers without a prefix come last, and replace the others.
            called = {space: name for name, space in own_labels.items() if space in points}
            neighbors = sorted(name for space, name in called.items() if points[space] in beside)
            help_text = f"name two adjacent hexes: the neighbors of `{first.text}` are {', '.join(neighbors)}"
        return env.report(InvalidConstruct(second.span, message, help_text), None)

    _print_hexes(env, board, label, features)
    _print_lines(env, board, touch, (sides, paths))
    for region in board.regions:
        hexes = [label(word) for word in region.hexes]
        labels = [(word.span, own_labels.get(word.text, word.text), word.text) for word in region.hexes]
        env.problems += repeated_members(labels)
        before = regions.get(region.name.text, ())
        regions[region.name.text] = tuple(dict.fromkeys((*before, *filter(None, hexes))))


def _print_lines(
    env: Environment,
    board: source.Board,
    touch: Callable[[source.Word, source.Word], tuple[str, str] | None],
    map_parts: tuple[list[tuple[str, str, tuple[str, ...]]], list[tuple[str, str, str]]],
) -> None:
    """Add the hexsides and paths within a board."""
    sides, paths = map_parts
    for edging in board.sides:
        if is_declared(env, "hexside", edging.feature):
            for side in edging.sides:
                if not board_edges.lies_on_rim(side) and (pair := touch(side.a, side.b)) is not None:
                    sides.append((*pair, (edging.feature.text,)))
    for path in board.paths:
        if is_declared(env, "path", path.path):
            for first, second in pairwise(board_edges.without_end_directions(path.trail)):
                if (pair := touch(first, second)) is not None:
                    paths.append((path.path.text, *pair))


def _print_hexes(
    env: Environment,
    board: source.Board,
    label: Callable[[source.Word], str | None],
    features: dict[str, tuple[str, ...]],
) -> None:
    """Add the features of the spaces and hexes of a board."""
    for space in board.spaces:
        declared = tuple(part.text for part in space.features if is_declared(env, "hex", part))
        if declared and (space_name := label(space.name)) is not None:
            features[space_name] = (*features.get(space_name, ()), *declared)
    for ground in board.terrain:
        if is_declared(env, "hex", ground.feature):
            env.problems += listed_twice(ground.hexes)
            for word in ground.hexes:
                if (name := label(word)) is not None:
                    features[name] = (*features.get(name, ()), ground.feature.text)
