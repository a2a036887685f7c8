"""The hexsides that a straight line between two hex centers crosses or runs along.

In: the doubled coordinates of both ends, and an index of hexes. Out: crossings in order. The computation is exact: a
hex is the set of points whose three differences of cube coordinates are within 1 of its center's, so that the exit
parameter is the smallest of three fractions, and a tie is a corner. Fractions are compared by cross multiplication; a
`Fraction` is created only for a result.

At a corner the line continues in the hex that it leans to, and crosses the hexside that it would cross an
infinitesimal distance beside the corner; if it leans to neither, it runs along the hexside between the two, and the
next hex is the one at the far end of that side.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

Point = tuple[int, int]
Share = tuple[int, int]  # A fraction as numerator and denominator, not reduced.


class Crossing(NamedTuple):
    """A crossed hexside: the hexes left and entered, whether the line runs along the side, the parameter (0 to 1)."""

    side: tuple[int, int]
    back: int
    over: int
    along: bool
    at: Fraction


new_tuple = tuple.__new__

# Normals of the three pairs of faces, as steps in doubled coordinates: the measure of face i
# grows by 2 from a hex to its neighbor over that face, so faces lie at plus and minus 1.
FORTH: tuple[Point, ...] = ((2, 0), (1, -1), (-1, -1))
BACK: tuple[Point, ...] = ((-2, 0), (-1, 1), (1, 1))

# A point as one number, so that a step is one addition; no map is half as wide.
ROW = 1 << 20


def packed_point(point: Point) -> int:
    """Encode a point in doubled coordinates as one number."""
    return point[0] + ROW * point[1]


def _project_point(x: int, y: int) -> tuple[int, int, int]:
    """Return the projections of a doubled coordinate on the three face normals."""
    q2, r2 = x - y, 2 * y  # Twice the cube coordinates q and r.
    s2 = -q2 - r2
    return (q2 - s2) // 2, (q2 - r2) // 2, (s2 - r2) // 2


class Step(NamedTuple):
    """A crossing relative to the start of the line, independent of its position on a map."""

    left: int
    right: int
    back: int
    over: int
    along: bool
    at: Fraction


def crossings(index: Mapping[int, int], start: Point, end: Point) -> tuple[Crossing, ...]:
    """Return the crossings of a line on the map. `index` maps encoded points to hexes."""
    first = packed_point(start)
    find = index.get
    found: list[Crossing] = []
    for left, right, out, into, along, share in _steps_along(end[0] - start[0], end[1] - start[1]):
        back, over = find(first + out, -1), find(first + into, -1)
        left_hex, right_hex = (find(first + left, -1), find(first + right, -1)) if along else (back, over)
        if left_hex >= 0 and right_hex >= 0 and back >= 0 and over >= 0:
            # Creates the named tuple through tuple.__new__: its own constructor would take half of the time.
            side = (left_hex, right_hex) if left_hex < right_hex else (right_hex, left_hex)
            found.append(new_tuple(Crossing, (side, back, over, along, share)))
    return tuple(found)


def _steps_along(x: int, y: int) -> tuple[Step, ...]:
    """Return the crossings of a line from (0, 0) to a point in doubled coordinates."""
    end = (x, y)
    spread = _project_point(*end)
    here = (0, 0)
    found: list[Step] = []
    while here != end:
        reached, faces = _exit_faces(here, spread)
        steps = [step for _, step in faces]
        if len(faces) == 2 and abs(spread[faces[0][0]]) == abs(spread[faces[1][0]]):
            left, right = (_add_step(here, step) for step in steps)
            there = _add_step(left, steps[1])
            middle = Fraction(*_midpoint_share(here, there, spread))
            found.append(
                Step(
                    packed_point(left),
                    packed_point(right),
                    packed_point(here),
                    packed_point(there),
                    along=True,
                    at=middle,
                )
            )
        else:
            steepest_face = faces[0] if len(faces) == 1 else max(faces, key=lambda face: abs(spread[face[0]]))
            there = _add_step(here, steepest_face[1])
            out, into = packed_point(here), packed_point(there)
            found.append(Step(out, into, out, into, along=False, at=Fraction(*reached)))
        here = there
    return tuple(found)


def _exit_faces(point: Point, spread: tuple[int, int, int]) -> tuple[Share, list[tuple[int, Point]]]:
    """Return the parameter (0 to 1) at which the line leaves a hex, and the face or, at a corner, two faces."""
    center = _project_point(*point)
    numerator, denominator = 1, 0  # Later than anything.
    faces: list[tuple[int, Point]] = []
    for face, total in enumerate(spread):
        if not total:
            continue
        time, length, step = (
            (1 + center[face], total, FORTH[face]) if total > 0 else (1 - center[face], -total, BACK[face])
        )
        earlier = time * denominator - numerator * length
        if earlier < 0 or not denominator:
            numerator, denominator, faces = time, length, [(face, step)]
        elif earlier == 0:
            faces.append((face, step))
    return (numerator, denominator), faces


def _midpoint_share(here: Point, there: Point, spread: tuple[int, int, int]) -> Share:
    """Return the parameter of the midpoint between two hex centers on the line."""
    face = max(range(3), key=lambda i: abs(spread[i]))
    start, end = _project_point(*here)[face], _project_point(*there)[face]
    return start + end, 2 * spread[face]


def _add_step(point: Point, step: Point) -> Point:
    """Return the sum of a point and a step."""
    return point[0] + step[0], point[1] + step[1]
