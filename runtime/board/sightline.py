"""Which hexsides a straight line between two hex centers crosses or runs along.

In: the doubled coordinates of both ends and the hexes there are. Out: crossings in order.
All of it is exact: a hex is where three differences of cube coordinates stay within 1 of its
center's, so leaving it is the smallest of three fractions, and a tie is a corner.

At a corner the line goes on into the hex it leans to, and counts as crossing the hexside it
would have crossed a hair beside the corner; if it leans to neither, it runs along the hexside
between the two and the next hex is the one at the far end of that side.
"""

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

Point = tuple[int, int]


class Crossing(NamedTuple):
    """One hexside on the way: the hex left, the hex entered next, whether the line runs along it, where (0 to 1)."""

    side: tuple[int, int]
    back: int
    over: int
    along: bool
    at: Fraction


# Normals of the three pairs of faces, as steps in doubled coordinates: the measure of face i
# grows by 2 from a hex to its neighbor over that face, so faces lie at plus and minus 1.
FACES: tuple[Point, ...] = ((2, 0), (1, -1), (-1, -1))


def measures(x: int, y: int) -> tuple[int, int, int]:
    """Project a doubled coordinate on the three face normals."""
    q2, r2 = x - y, 2 * y  # Twice the cube coordinates q and r.
    s2 = -q2 - r2
    return (q2 - s2) // 2, (q2 - r2) // 2, (s2 - r2) // 2


class Step(NamedTuple):
    """A crossing as points from the start of the line, before anybody knows where that lies on a map."""

    beside: tuple[Point, Point]
    way: tuple[Point, Point]
    at: Fraction


def crossings(index: dict[Point, int], start: Point, end: Point) -> tuple[Crossing, ...]:
    """Walk from start to end; crossings that involve a hex off the map are left out."""
    x, y = start
    found: list[Crossing] = []
    for ((ax, ay), (bx, by)), ((cx, cy), (dx, dy)), at in steps_along(end[0] - x, end[1] - y):
        one, other = index.get((ax + x, ay + y), -1), index.get((bx + x, by + y), -1)
        back, over = index.get((cx + x, cy + y), -1), index.get((dx + x, dy + y), -1)
        if one >= 0 and other >= 0 and back >= 0 and over >= 0:
            side = (one, other) if one < other else (other, one)
            along = back not in side
            found.append(Crossing(side, back, over, along, at))
    return tuple(found)


# The same walk serves every pair of hexes that lie alike; a map of a thousand hexes has four thousand ways.
@lru_cache(maxsize=50_000)
def steps_along(across: int, down: int) -> tuple[Step, ...]:
    """Walk from (0, 0) in doubled coordinates, whatever there is on the way."""
    start, end = (0, 0), (across, down)
    spread = measures(*end)
    here = start
    found: list[Step] = []
    while here != end:
        reached, faces = exits(start, here, spread)
        steps = [step for _, step in faces]
        if len(faces) == 2 and abs(spread[faces[0][0]]) == abs(spread[faces[1][0]]):
            left, right = (plus(here, step) for step in steps)
            there = plus(left, steps[1])
            found.append(Step((left, right), (here, there), halfway(start, here, there, spread)))
        else:
            leaning = max(faces, key=lambda face: abs(spread[face[0]]))
            there = plus(here, leaning[1])
            found.append(Step((here, there), (here, there), reached))
        here = there
    return tuple(found)


def exits(start: Point, here: Point, spread: tuple[int, int, int]) -> tuple[Fraction, list[tuple[int, Point]]]:
    """Say when the line leaves this hex (0 to 1) and over which face or, at a corner, two faces."""
    center = measures(here[0] - start[0], here[1] - start[1])
    times: list[tuple[Fraction, int, Point]] = []
    for face, total in enumerate(spread):
        if total:
            sign = 1 if total > 0 else -1
            dx, dy = FACES[face]
            times.append((Fraction(center[face] + sign, total), face, (sign * dx, sign * dy)))
    first = min(time for time, _, _ in times)
    return first, [(face, step) for time, face, step in times if time == first]


def halfway(start: Point, here: Point, there: Point, spread: tuple[int, int, int]) -> Fraction:
    """Say where the middle of the stretch between two hex centers on the line lies."""
    face = max(range(3), key=lambda i: abs(spread[i]))
    near = measures(here[0] - start[0], here[1] - start[1])[face]
    far = measures(there[0] - start[0], there[1] - start[1])[face]
    return Fraction(near + far, 2 * spread[face])


def plus(point: Point, step: Point) -> Point:
    """Add a step."""
    return point[0] + step[0], point[1] + step[1]
