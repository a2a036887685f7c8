"""Lines, distances and neighbors on a map, compared with plain geometry and breadth-first search."""

import itertools
import random
from fractions import Fraction

import pytest

from runtime.board.board import Board
from runtime.graph import nodes as graph
from runtime.graph.hexes import DIRECTIONS
from tests.sample import sampled

WIDE, HIGH = 11, 10
MAP = Board(graph.Board("field", {f"{c}.{r}": (c, r, ()) for r in range(HIGH) for c in range(WIDE)}, (), (), {}))


def nearest(x: Fraction, y: Fraction) -> set[int]:
    """Return the hexes whose centers are nearest to a point, by Euclidean distance."""

    def far(h: int) -> Fraction:
        dx, dy = MAP.doubled[h][0] - x, MAP.doubled[h][1] - y
        return 3 * dx * dx + 9 * dy * dy  # Rows are 3/2 apart, and columns the square root of 3.

    least = min(map(far, range(MAP.size)))
    return {h for h in range(MAP.size) if far(h) == least}


def along(a: int, b: int, at: Fraction) -> tuple[Fraction, Fraction]:
    """Return the point at a fraction of the way between the centers of two hexes."""
    (ax, ay), (bx, by) = MAP.doubled[a], MAP.doubled[b]
    return ax + (bx - ax) * at, ay + (by - ay) * at


@sampled(18)
@pytest.mark.parametrize("seed", range(40))
def test_a_line_crosses_the_nearest_hexes(seed: int) -> None:
    dice = random.Random(seed)
    a, b = dice.randrange(MAP.size), dice.randrange(MAP.size)
    line = MAP.line(a, b)
    here = a
    for crossing in line:
        assert crossing.back == here
        assert set(crossing.side) <= nearest(*along(a, b, crossing.at))
        assert crossing.along or crossing.side == MAP.side(crossing.back, crossing.over)
        here = crossing.over
    assert here == b
    assert [c.at for c in line] == sorted(c.at for c in line)
    assert sorted(c.side for c in line) == sorted(c.side for c in MAP.line(b, a))
    for first, second in itertools.pairwise(line):
        if not first.along and not second.along:
            assert first.over in nearest(*along(a, b, (first.at + second.at) / 2))


@pytest.mark.parametrize("nowhere", [-1, -2])
def test_places_off_the_map_are_distant_and_have_no_neighbors(nowhere: int) -> None:
    field = Board(graph.Board("field", {f"{c}.{r}": (c, r, ()) for r in range(3) for c in range(3)}, (), (), {}))
    assert all(field.distance(nowhere, h) > 1000 and field.distance(h, nowhere) > 1000 for h in range(field.size))
    assert not any(field.beyond(nowhere, h) for h in range(field.size))
    assert not any(field.toward(nowhere, direction) for direction in range(1, 7))
    assert field.around[nowhere] == ()
    fresh = Board(graph.Board("field", {f"{c}.{r}": (c, r, ()) for r in range(3) for c in range(3)}, (), (), {}))
    hexes = range(field.size)
    assert [field.distance(a, b) for a in hexes for b in hexes] == [fresh.distance(a, b) for a in hexes for b in hexes]


def test_a_line_between_rows_runs_along_a_side() -> None:
    top, bottom = MAP.index["5.2"], MAP.index["5.4"]
    (only,) = MAP.line(top, bottom)
    assert only.along
    assert only.at == Fraction(1, 2)
    assert {MAP.names[h] for h in only.side} == {"4.3", "5.3"}


def test_distance_is_the_fewest_steps() -> None:
    start = MAP.index["3.3"]
    reached, ring = {start: 0}, [start]
    while ring:
        ring = [n for h in ring for n in MAP.around[h] if reached.setdefault(n, reached[h] + 1) == reached[h] + 1]
        ring = [h for h in dict.fromkeys(ring) if reached[h] == max(reached.values())]
    assert reached == {h: MAP.distance(start, h) for h in range(MAP.size)}


def test_directions_are_in_order() -> None:
    here = MAP.index["5.5"]
    names = [MAP.names[n] for n in MAP.neighbors[here]]
    assert dict(zip(DIRECTIONS, names, strict=True)) == {
        "e": "6.5", "ne": "6.4", "nw": "5.4", "w": "4.5", "sw": "5.6", "se": "6.6",
    }  # fmt: skip
    assert [MAP.names[h] for h in MAP.toward(here, 1)] == ["6.5", "7.5", "8.5", "9.5", "10.5"]
    assert [MAP.names[h] for h in MAP.beyond(here, MAP.index["6.4"])] == ["6.3"]
    assert MAP.beyond(here, here) == ()


def test_hexsides_touch_at_their_ends() -> None:
    side = MAP.side(MAP.index["5.5"], MAP.index["6.5"])
    touching = MAP.touching(side)
    assert len(touching) == 4
    assert all(set(other) & set(side) for other in touching)
