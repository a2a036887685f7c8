"""Areas and points of a printed board: their adjacency, and errors in their geometry.

In: a board as written. Out: its connections, from those that are written and from the edges that outlines share.
Reports unknown names and names that look alike, outlines that cross themselves or each other, points at one place, and
connections that contradict the outlines.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from compiler.source import nodes as source
from compiler.typed.environment import Environment
from compiler.typed.unknown_names import unknown_word
from runtime.graph.outlines import Point, center_of, crosses_itself, interiors_intersect, share_edge

# A connection: two names, and whether it leads only from the first to the second.
DirectedLink = tuple[str, str, bool]
# The distance of spaces without coordinates.
SPACE_DISTANCE = 100
# Characters that are easily confused.
ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "5": "s", "8": "b", "_": None})


def connections_of(env: Environment, board: source.Board) -> list[DirectedLink]:
    """Return the connections between the spaces of a board; report errors in its names, outlines and connections."""
    named = {space.name.text: space for space in board.spaces}
    _check_names(env, board.spaces)
    _check_drawn(env, board)
    if board.kind == "hexes":
        return []
    written = list(_known(env, board.connections or (), named))
    _known_closed(env, board, named)
    touching = set(_touching(board.spaces))
    closed = {frozenset((side.a.text, side.b.text)) for side in board.closed}
    if board.connections is None:
        return [(*sorted(pair), False) for pair in sorted(map(sorted, touching - closed))]  # type: ignore[misc]  # a pair
    if board.kind == "areas":
        _check_touching(env, board, touching, closed)
    return written


def distant_links(
    env: Environment, links: Iterable[source.Connection], named: Iterable[str], connections: Iterable[DirectedLink]
) -> Iterator[DirectedLink]:
    """Yield the links between spaces that are not adjacent; report links of adjacent ones."""
    connected_pairs = {frozenset((a, b)) for a, b, _ in connections}
    for link, connection in _with_names(env, links, frozenset(named)):
        if frozenset(connection[:2]) in connected_pairs:
            message = f"`{link.a.text}` and `{link.b.text}` are already connected"
            env.report_invalid(link.span, message, "delete the link")
        else:
            yield connection


def _placed_on_circle(names: Sequence[str]) -> dict[str, Point]:
    """Return coordinates on a circle for spaces without any, so that every connection between them is visible."""
    if len(names) < 3:
        return {name: (index * 2 * SPACE_DISTANCE, 0) for index, name in enumerate(names)}
    reach = SPACE_DISTANCE / math.sin(math.pi / len(names))
    turns = [math.tau * index / len(names) - math.pi / 2 for index in range(len(names))]
    return {
        name: (round(reach * (1 + math.cos(turn))), round(reach * (1 + math.sin(turn))))
        for name, turn in zip(names, turns, strict=True)
    }


def space_centers(spaces: Iterable[source.Space]) -> dict[str, Point]:
    """Return the center of each space, with or without coordinates."""
    corners_by_name = {space.name.text: space.corners for space in spaces}
    rest = _placed_on_circle([name for name, corners in corners_by_name.items() if not corners])
    below = (
        max((down for corners in corners_by_name.values() for _, down in corners), default=-2 * SPACE_DISTANCE)
        + 2 * SPACE_DISTANCE
    )
    return {
        name: (center_of(corners) if len(corners) > 2 else corners[0])
        if corners
        else (rest[name][0], rest[name][1] + below)
        for name, corners in corners_by_name.items()
    }


def _with_names(
    env: Environment, connections: Iterable[source.Connection], named: frozenset[str]
) -> Iterator[tuple[source.Connection, DirectedLink]]:
    for each in connections:
        unknown = [word for word in (each.a, each.b) if word.text not in named]
        env.problems += [unknown_word("space", word, sorted(named)) for word in unknown]
        if not unknown:
            yield each, (each.a.text, each.b.text, each.one_way)


def _known(env: Environment, connections: Iterable[source.Connection], named: Iterable[str]) -> Iterator[DirectedLink]:
    yield from (connection for _, connection in _with_names(env, connections, frozenset(named)))


def _known_closed(env: Environment, board: source.Board, named: Iterable[str]) -> None:
    known = sorted(named)
    env.problems += [
        unknown_word("space", word, known)
        for side in board.closed
        for word in (side.a, side.b)
        if word.text not in known
    ]


def _check_names(env: Environment, spaces: Iterable[source.Space]) -> None:
    """Report two names that look alike."""
    first: dict[str, source.Word] = {}
    for space in spaces:
        lookalike = first.setdefault(space.name.text.lower().translate(ALIKE), space.name)
        if lookalike is not space.name:
            message = f"`{space.name.text}` and `{lookalike.text}` look alike"
            env.report_invalid(space.name.span, message, "rename one of them")


def _check_drawn(env: Environment, board: source.Board) -> None:
    """Report outlines that cross themselves, and spaces that overlap."""
    sound: list[source.Space] = []
    for space in board.spaces:
        if len(space.corners) > 2 and crosses_itself(space.corners):
            message = f"the outline of `{space.name.text}` crosses itself"
            env.report_invalid(space.span, message, "list its corners in order around the space")
        elif space.corners:
            sound.append(space)
    for first, other in combinations(sound, 2):
        if len(first.corners) > 2 and len(other.corners) > 2 and interiors_intersect(first.corners, other.corners):
            message = f"the outlines of `{first.name.text}` and `{other.name.text}` overlap"
            env.report_invalid(other.span, message, "move corners so that they share only edges")
        elif first.corners == other.corners:
            message = f"`{first.name.text}` and `{other.name.text}` are in the same place"
            env.report_invalid(other.span, message, "move one of them")


def _touching(spaces: Sequence[source.Space]) -> Iterator[frozenset[str]]:
    for first, other in combinations([space for space in spaces if len(space.corners) > 2], 2):
        if share_edge(first.corners, other.corners):
            yield frozenset((first.name.text, other.name.text))


def _check_touching(
    env: Environment, board: source.Board, touching: set[frozenset[str]], closed: set[frozenset[str]]
) -> None:
    """Compare the written connections with the edges that outlines share."""
    named = {space.name.text: space for space in board.spaces}
    written = {frozenset((connection.a.text, connection.b.text)): connection for connection in board.connections or ()}
    for pair in sorted(touching - written.keys() - closed, key=sorted):
        first, other = sorted(pair)
        message = f"`{first}` and `{other}` share an edge, but are not connected"
        advice = f"write `{first}-{other}` under `connections`, or `{first}/{other}` under `closed`"
        env.report_invalid(named[other].span, message, advice)
    for pair, connection in written.items():
        if pair not in touching and pair <= named.keys():
            message = f"`{connection.a.text}` and `{connection.b.text}` share no edge"
            env.report_invalid(connection.span, message, "write it under `links` if they are connected all the same")
    for side in board.closed:
        pair = frozenset((side.a.text, side.b.text))
        if pair in written or (pair not in touching and pair <= named.keys()):
            message = f"`{side.a.text}` and `{side.b.text}` " + (
                "are connected" if pair in written else "share no edge"
            )
            env.report_invalid(side.span, message, "delete it from `closed`")
