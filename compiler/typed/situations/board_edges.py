"""Hexsides and paths that leave a printed board at its rim, and what they meet there.

In: boards that lie on a map. Out: the hexsides and paths between hexes of two boards. On a board a direction
stands for the hex that is not printed: `I9-I10-e` is a trail that goes on to the east, `I10/e` the hexside
there. A path goes on only where the other board has one to meet it.
Reports directions that do not lead off the board.
"""

from collections.abc import Iterable, Iterator, Mapping

from compiler.source import nodes as source
from compiler.typed.environment import Environment
from compiler.typed.problems import Misplaced
from compiler.typed.situations.grid import DIRECTIONS, Spot, neighbor

OPPOSITE = dict(zip(DIRECTIONS, DIRECTIONS[3:] + DIRECTIONS[:3], strict=True))

Side = tuple[str, str, tuple[str, ...]]
Link = tuple[str, str, str]


def without_end_directions(trail: Iterable[source.Word]) -> list[source.Word]:
    """Leave out the directions at the ends of a trail."""
    return [word for word in trail if word.text not in OPPOSITE]


def lies_on_rim(side: source.Hexside) -> bool:
    """Return whether a hexside lies on the rim."""
    return side.b.text in OPPOSITE


def misleading_directions(env: Environment, board: source.Board, places: Mapping[str, Spot]) -> None:
    """Report directions that lead to a hex of the same board, or stand in the middle of a trail."""
    printed = set(places.values())
    for _, hex_, way in (*_outward_sides(board), *_outward_paths(board)):
        if hex_.text in places and neighbor(places[hex_.text], way.text) in printed:
            said = f"`{hex_.text}/{way.text}` leads to a hex of the same board"
            env.problems.append(Misplaced(way.span, said, "name that hex; a direction leads off the board"))
    for path in board.paths:
        for word in path.trail[1:-1]:
            if word.text in OPPOSITE:
                said = f"the direction `{word.text}` stands in the middle of a trail"
                env.problems.append(Misplaced(word.span, said, "name the hexes on the way; a direction ends a trail"))


def adjoining_sides(board: source.Board, own: Mapping[str, str], ways: Mapping[tuple[str, str], str]) -> Iterator[Side]:
    """List the hexsides on a board's rim where another board lies; `ways` names the hex next to one on the map."""
    for feature, hex_, way in _outward_sides(board):
        label = own.get(hex_.text)
        if label is not None and (label, way.text) in ways:
            yield label, ways[label, way.text], (feature.text,)


def met_paths(
    boards: Iterable[tuple[source.Board, Mapping[str, str], Mapping[tuple[str, str], str]]],
) -> list[Link]:
    """List the steps of paths from board to board: those that both boards lead to."""
    links = {
        (path.text, label, ways[label, way.text])
        for board, own, ways in boards
        for path, hex_, way in _outward_paths(board)
        if (label := own.get(hex_.text)) is not None and (label, way.text) in ways
    }
    return sorted(link for link in links if (link[0], link[2], link[1]) in links and link[1] < link[2])


def neighbors_by_direction(spots: Mapping[str, Spot], *, turned: bool) -> dict[tuple[str, str], str]:
    """Name the hex on the map that lies in each printed direction from each hex."""
    at = {spot: label for label, spot in spots.items()}
    return {
        (label, OPPOSITE[way] if turned else way): at[beyond]
        for label, spot in spots.items()
        for way in DIRECTIONS
        if (beyond := neighbor(spot, way)) in at
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
