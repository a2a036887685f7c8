"""Hexsides and paths across the rim of a printed board.

In: boards that are placed on a map. Out: the hexsides and paths between hexes of two boards. On a board a direction
denotes the hex that is not printed: `I9-I10-e` is a path that continues to the east, `I10/e` the hexside there. A path
continues only where the other board has one that meets it. Reports directions that do not lead off the board.
"""

from collections.abc import Iterable, Iterator, Mapping

from compiler.source import nodes as source
from compiler.typed.environment import Environment
from runtime.graph.hexes import DIRECTIONS, Coordinates, neighbor

OPPOSITE = dict(zip(DIRECTIONS, DIRECTIONS[3:] + DIRECTIONS[:3], strict=True))

EdgeFeatures = tuple[str, str, tuple[str, ...]]
Link = tuple[str, str, str]


def without_end_directions(words: Iterable[source.Word]) -> list[source.Word]:
    """Return a trail without the directions at its ends."""
    return [word for word in words if word.text not in OPPOSITE]


def lies_on_rim(side: source.Hexside) -> bool:
    """Return whether a hexside lies on the rim."""
    return side.b.text in OPPOSITE


def misleading_directions(env: Environment, board: source.Board, places: Mapping[str, Coordinates]) -> None:
    """Report directions that lead to a hex of the same board, or are in the middle of a trail."""
    printed = set(places.values())
    for _, hex_, direction in (*_outward_sides(board), *_outward_paths(board)):
        if hex_.text in places and neighbor(places[hex_.text], direction.text) in printed:
            message = f"`{hex_.text}/{direction.text}` leads to a hex of the same board"
            env.report_invalid(direction.span, message, "name that hex, as a direction is only for leaving the board")
    for path in board.paths:
        for word in path.trail[1:-1]:
            if word.text in OPPOSITE:
                message = f"the direction `{word.text}` is not at the end of its trail"
                env.report_invalid(word.span, message, "name the next hex instead, or end the trail here")


def adjoining_sides(
    board: source.Board, labels: Mapping[str, str], neighbors: Mapping[tuple[str, str], str]
) -> Iterator[EdgeFeatures]:
    """List the hexsides on a board's rim beside another board; `neighbors` has the neighbor of a hex in a direction."""
    for feature, hex_, direction in _outward_sides(board):
        label = labels.get(hex_.text)
        if label is not None and (label, direction.text) in neighbors:
            yield label, neighbors[label, direction.text], (feature.text,)


def common_paths(boards: Iterable[tuple[source.Board, Mapping[str, str], Mapping[tuple[str, str], str]]]) -> list[Link]:
    """Return the steps of paths between boards: those that both boards have."""
    links = {
        (path.text, label, neighbors[label, direction.text])
        for board, labels, neighbors in boards
        for path, hex_, direction in _outward_paths(board)
        if (label := labels.get(hex_.text)) is not None and (label, direction.text) in neighbors
    }
    return sorted(link for link in links if (link[0], link[2], link[1]) in links and link[1] < link[2])


def neighbors_by_direction(points: Mapping[str, Coordinates], *, is_turned: bool) -> dict[tuple[str, str], str]:
    """Return the neighbor on the map of each hex in each printed direction."""
    labels_by_point = {point: label for label, point in points.items()}
    return {
        (label, OPPOSITE[direction] if is_turned else direction): labels_by_point[neighbor_point]
        for label, point in points.items()
        for direction in DIRECTIONS
        if (neighbor_point := neighbor(point, direction)) in labels_by_point
    }


def _outward_sides(board: source.Board) -> Iterator[tuple[source.Word, source.Word, source.Word]]:
    for edging in board.sides:
        yield from ((edging.feature, side.a, side.b) for side in edging.sides if lies_on_rim(side))


def _outward_paths(board: source.Board) -> Iterator[tuple[source.Word, source.Word, source.Word]]:
    for path in board.paths:
        if len(path.trail) > 1:
            for end, last in ((path.trail[0], path.trail[1]), (path.trail[-1], path.trail[-2])):
                if end.text in OPPOSITE:
                    yield path.path, last, end
