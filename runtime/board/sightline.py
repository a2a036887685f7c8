"""Which hexsides a straight line between two hex centers crosses or runs along.

In: the doubled coordinates of both ends and the hexes there are. Out: crossings in order.
All of it is exact: a hex is where three differences of cube coordinates stay within 1 of its
center's, so leaving it is the smallest of three fractions, and a tie is a corner. They are compared
as whole numbers, crosswise; a fraction is made only of what is kept.

At a corner the line goes on into the hex it leans to, and counts as crossing the hexside it
would have crossed a hair beside the corner; if it leans to neither, it runs along the hexside
between the two and the next hex is the one at the far end of that side.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

Point = tuple[int, int]
Share = tuple[int, int]  # A fraction as numerator and denominator, not reduced.


class Crossing(NamedTuple):
    """One hexside on the way: the hex left, the hex entered next, whether the line runs along it, where (0 to 1)."""

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
    """Write a point in doubled coordinates as one number."""
    return point[0] + ROW * point[1]


def project_point(x: int, y: int) -> tuple[int, int, int]:
    """Project a doubled coordinate on the three face normals."""
    q2, r2 = x - y, 2 * y  # Twice the cube coordinates q and r.
    s2 = -q2 - r2
    return (q2 - s2) // 2, (q2 - r2) // 2, (s2 - r2) // 2


class Step(NamedTuple):
    """A crossing as spots from the start of the line, before anybody knows where that lies on a map."""

    one: int
    other: int
    back: int
    over: int
    along: bool
    at: Fraction


def crossings(index: Mapping[int, int], start: Point, end: Point) -> tuple[Crossing, ...]:
    """Walk from start to end; crossings that involve a hex off the map are left out. `index` finds hexes by spot."""
    first = packed_point(start)
    find = index.get
    found: list[Crossing] = []
    for left, right, out, into, along, at in steps_along(end[0] - start[0], end[1] - start[1]):
        back, over = find(first + out, -1), find(first + into, -1)
        one, other = (find(first + left, -1), find(first + right, -1)) if along else (back, over)
        if one >= 0 and other >= 0 and back >= 0 and over >= 0:
            # A named tuple made as what it is: its own constructor costs as much as all the rest.
            side = (one, other) if one < other else (other, one)
            found.append(new_tuple(Crossing, (side, back, over, along, at)))
    return tuple(found)


# The same walk serves every pair of hexes that lie alike; a map of a thousand hexes has four thousand ways.
@lru_cache(maxsize=50_000)
def steps_along(across: int, down: int) -> tuple[Step, ...]:
    """Walk from (0, 0) in doubled coordinates, whatever there is on the way."""
    end = (across, down)
    spread = project_point(*end)
    here = (0, 0)
    found: list[Step] = []
    while here != end:
        reached, faces = exit_faces(here, spread)
        steps = [step for _, step in faces]
        if len(faces) == 2 and abs(spread[faces[0][0]]) == abs(spread[faces[1][0]]):
            left, right = (add_step(here, step) for step in steps)
            there = add_step(left, steps[1])
            middle = exact_fraction(*midpoint_share(here, there, spread))
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
            leaning = faces[0] if len(faces) == 1 else max(faces, key=lambda face: abs(spread[face[0]]))
            there = add_step(here, leaning[1])
            out, into = packed_point(here), packed_point(there)
            found.append(Step(out, into, out, into, along=False, at=exact_fraction(*reached)))
        here = there
    return tuple(found)


@lru_cache(maxsize=50_000)
def exact_fraction(part: int, whole: int) -> Fraction:
    """Make a fraction; lines of like length are crossed at the same few."""
    return Fraction(part, whole)


def exit_faces(here: Point, spread: tuple[int, int, int]) -> tuple[Share, list[tuple[int, Point]]]:
    """Return when the line leaves this hex (0 to 1) and over which face or, at a corner, two faces."""
    center = project_point(*here)
    when, whole = 1, 0  # Later than anything.
    faces: list[tuple[int, Point]] = []
    for face, total in enumerate(spread):
        if not total:
            continue
        time, length, step = (
            (1 + center[face], total, FORTH[face]) if total > 0 else (1 - center[face], -total, BACK[face])
        )
        earlier = time * whole - when * length
        if earlier < 0 or not whole:
            when, whole, faces = time, length, [(face, step)]
        elif earlier == 0:
            faces.append((face, step))
    return (when, whole), faces


def midpoint_share(here: Point, there: Point, spread: tuple[int, int, int]) -> Share:
    """Return where the middle of the stretch between two hex centers on the line lies."""
    face = max(range(3), key=lambda i: abs(spread[i]))
    near, far = project_point(*here)[face], project_point(*there)[face]
    return near + far, 2 * spread[face]


def add_step(point: Point, step: Point) -> Point:
    """Add a step."""
    return point[0] + step[0], point[1] + step[1]
