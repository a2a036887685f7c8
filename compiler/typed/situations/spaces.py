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
from compiler.typed.problems import Misplaced
from compiler.typed.unknown_names import no_such
from runtime.graph.outlines import Point, center_of, crosses_itself, lie_over, share_edge

# A connection: two names, and whether it leads only from the first to the second.
Way = tuple[str, str, bool]
# The distance of spaces without coordinates.
APART = 100
# Characters that are easily confused.
ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "5": "s", "8": "b", "_": None})


def ways_of(env: Environment, board: source.Board) -> list[Way]:
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


def linked_by(
    env: Environment, links: Iterable[source.Connection], named: Iterable[str], ways: Iterable[Way]
) -> Iterator[Way]:
    """Yield the links between spaces that are not adjacent; report links of adjacent ones."""
    there = {frozenset((a, b)) for a, b, _ in ways}
    for link, way in _with_names(env, links, frozenset(named)):
        if frozenset(way[:2]) in there:
            said = f"`{link.a.text}` and `{link.b.text}` are connected already"
            env.problems.append(Misplaced(link.span, said, "leave the link out"))
        else:
            yield way


def placed_on_circle(names: Sequence[str]) -> dict[str, Point]:
    """Return coordinates on a circle for spaces without any, so that every connection between them is visible."""
    if len(names) < 3:
        return {name: (place * 2 * APART, 0) for place, name in enumerate(names)}
    reach = APART / math.sin(math.pi / len(names))
    turns = [math.tau * place / len(names) - math.pi / 2 for place in range(len(names))]
    return {
        name: (round(reach * (1 + math.cos(turn))), round(reach * (1 + math.sin(turn))))
        for name, turn in zip(names, turns, strict=True)
    }


def space_centers(spaces: Iterable[source.Space]) -> dict[str, Point]:
    """Return the center of each space, with or without coordinates."""
    drawn = {space.name.text: space.corners for space in spaces}
    rest = placed_on_circle([name for name, corners in drawn.items() if not corners])
    below = max((down for corners in drawn.values() for _, down in corners), default=-2 * APART) + 2 * APART
    return {
        name: (center_of(corners) if len(corners) > 2 else corners[0])
        if corners
        else (rest[name][0], rest[name][1] + below)
        for name, corners in drawn.items()
    }


def _with_names(
    env: Environment, connections: Iterable[source.Connection], named: frozenset[str]
) -> Iterator[tuple[source.Connection, Way]]:
    for each in connections:
        unknown = [word for word in (each.a, each.b) if word.text not in named]
        env.problems += [no_such("space", word, sorted(named)) for word in unknown]
        if not unknown:
            yield each, (each.a.text, each.b.text, each.one_way)


def _known(env: Environment, connections: Iterable[source.Connection], named: Iterable[str]) -> Iterator[Way]:
    yield from (way for _, way in _with_names(env, connections, frozenset(named)))


def _known_closed(env: Environment, board: source.Board, named: Iterable[str]) -> None:
    known = sorted(named)
    env.problems += [
        no_such("space", word, known) for side in board.closed for word in (side.a, side.b) if word.text not in known
    ]


def _check_names(env: Environment, spaces: Iterable[source.Space]) -> None:
    """Report two names that look alike."""
    first: dict[str, source.Word] = {}
    for space in spaces:
        alike = first.setdefault(space.name.text.lower().translate(ALIKE), space.name)
        if alike is not space.name:
            said = f"`{space.name.text}` and `{alike.text}` look alike"
            env.problems.append(
                Misplaced(space.name.span, said, "give one of them a name that nobody reads for the other")
            )


def _check_drawn(env: Environment, board: source.Board) -> None:
    """Report outlines that cross themselves, and spaces that overlap."""
    sound: list[source.Space] = []
    for space in board.spaces:
        if len(space.corners) > 2 and crosses_itself(space.corners):
            said = f"the outline of `{space.name.text}` crosses itself"
            env.problems.append(Misplaced(space.span, said, "list its corners in order, once around"))
        elif space.corners:
            sound.append(space)
    for one, other in combinations(sound, 2):
        if len(one.corners) > 2 and len(other.corners) > 2 and lie_over(one.corners, other.corners):
            said = f"the outlines of `{one.name.text}` and `{other.name.text}` cover the same ground"
            env.problems.append(Misplaced(other.span, said, "move a corner, so that they meet in edges"))
        elif one.corners == other.corners:
            said = f"`{one.name.text}` and `{other.name.text}` lie in one place"
            env.problems.append(Misplaced(other.span, said, "give each a place of its own"))


def _touching(spaces: Sequence[source.Space]) -> Iterator[frozenset[str]]:
    for one, other in combinations([space for space in spaces if len(space.corners) > 2], 2):
        if share_edge(one.corners, other.corners):
            yield frozenset((one.name.text, other.name.text))


def _check_touching(
    env: Environment, board: source.Board, touching: set[frozenset[str]], closed: set[frozenset[str]]
) -> None:
    """Compare the written connections with the edges that outlines share."""
    named = {space.name.text: space for space in board.spaces}
    written = {frozenset((way.a.text, way.b.text)): way for way in board.connections or ()}
    for pair in sorted(touching - written.keys() - closed, key=sorted):
        one, other = sorted(pair)
        said = f"`{one}` and `{other}` share an edge, and no connection joins them"
        advice = f"write `{one}-{other}` under `connections`, or `{one}/{other}` under `closed`"
        env.problems.append(Misplaced(named[other].span, said, advice))
    for pair, way in written.items():
        if pair not in touching and pair <= named.keys():
            said = f"`{way.a.text}` and `{way.b.text}` share no edge"
            env.problems.append(Misplaced(way.span, said, "write it under `links` if a way leads there all the same"))
    for side in board.closed:
        pair = frozenset((side.a.text, side.b.text))
        if pair in written or (pair not in touching and pair <= named.keys()):
            said = f"`{side.a.text}` and `{side.b.text}` " + ("are connected" if pair in written else "share no edge")
            env.problems.append(Misplaced(side.span, said, "leave it out of `closed`"))
