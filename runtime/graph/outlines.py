"""Computational geometry of polygons: crossings, shared edges, centers.

In: polygons as lists of integer corners; the last is joined to the first. All results are exact.
"""

from collections.abc import Sequence
from itertools import combinations, pairwise

Point = tuple[int, int]
Outline = Sequence[Point]
Edge = tuple[Point, Point]


def outline_edges(outline: Outline) -> list[Edge]:
    """Return the edges in order."""
    return list(zip(outline, (*outline[1:], outline[0]), strict=True))


def _turn_direction(a: Point, b: Point, c: Point) -> int:
    """Return the orientation of three points: positive, negative, or 0 for collinear points."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _edges_cross(edge: Edge, other: Edge) -> bool:
    """Return whether two edges cross properly."""
    (a, b), (c, d) = edge, other
    return (
        _turn_direction(a, b, c) * _turn_direction(a, b, d) < 0
        and _turn_direction(c, d, a) * _turn_direction(c, d, b) < 0
    )


def _edges_overlap(edge: Edge, other: Edge) -> bool:
    """Return whether two edges are collinear and have more than a point in common."""
    (a, b), (c, d) = edge, other
    if a == b or _turn_direction(a, b, c) or _turn_direction(a, b, d):
        return False
    place = 0 if a[0] != b[0] else 1
    low, high = sorted((a[place], b[place]))
    first, last = sorted((c[place], d[place]))
    return min(high, last) > max(low, first)


def _lies_on_edge(point: Point, edge: Edge) -> bool:
    """Return whether a point lies on an edge."""
    a, b = edge
    is_within = all(min(a[place], b[place]) <= point[place] <= max(a[place], b[place]) for place in (0, 1))
    return is_within and _turn_direction(a, b, point) == 0


def crosses_itself(outline: Outline) -> bool:
    """Return whether two edges of a polygon cross, or meet elsewhere than in a shared corner."""
    if len(set(outline)) < len(outline):
        return True
    edges = outline_edges(outline)
    for (place, edge), (later, other) in combinations(enumerate(edges), 2):
        side_by_side = later - place == 1 or later - place == len(edges) - 1
        if _edges_cross(edge, other) or _edges_overlap(edge, other):
            return True
        if not side_by_side and (
            any(_lies_on_edge(end, other) for end in edge) or any(_lies_on_edge(end, edge) for end in other)
        ):
            return True
    return False


def are_disjoint(polygon: Outline, other: Outline) -> bool:
    """Return whether the bounding boxes of two polygons are disjoint."""
    return any(
        max(corner[place] for corner in first) < min(corner[place] for corner in second)
        for first, second in ((polygon, other), (other, polygon))
        for place in (0, 1)
    )


def share_edge(polygon: Outline, other: Outline) -> bool:
    """Return whether two polygons share a segment of an edge, not only a corner."""
    if are_disjoint(polygon, other):
        return False
    return any(
        _edges_overlap(edge, other_edge) for edge in outline_edges(polygon) for other_edge in outline_edges(other)
    )


def shared_edges(polygon: Outline, other: Outline) -> list[Edge]:
    """Return the segments of edges that two polygons share."""
    found: list[Edge] = []
    for edge in outline_edges(polygon):
        for other_edge in outline_edges(other):
            if _edges_overlap(edge, other_edge):
                # Points on one line are ordered by their coordinates.
                _, first, last, _ = sorted((*edge, *other_edge))
                found.append((first, last))
    return found


def interiors_intersect(polygon: Outline, other: Outline) -> bool:
    """Return whether the interiors of two polygons intersect: edges cross, or a segment lies inside the other."""
    if are_disjoint(polygon, other):
        return False
    if any(_edges_cross(edge, other_edge) for edge in outline_edges(polygon) for other_edge in outline_edges(other)):
        return True
    # Without proper crossings, each segment between two shared points is inside or outside as a whole.
    doubled = [tuple((2 * x, 2 * y) for x, y in outline) for outline in (polygon, other)]
    if set(doubled[0]) == set(doubled[1]):
        return True
    return any(_is_point_inside(point, b) for a, b in (doubled, doubled[::-1]) for point in _midpoints(a, b))


def _midpoints(outline: Outline, other: Outline) -> list[Point]:
    """Return the midpoints of the segments into which the corners of another polygon split the edges."""
    found: list[Point] = []
    for a, b in outline_edges(outline):
        cuts = sorted({a, b, *(corner for corner in other if _lies_on_edge(corner, (a, b)))})
        found += [((p[0] + q[0]) // 2, (p[1] + q[1]) // 2) for p, q in pairwise(cuts)]
    return found


def _is_point_inside(point: Point, outline: Outline) -> bool:
    """Return whether a point lies in the interior of a polygon."""
    edges = outline_edges(outline)
    if any(_lies_on_edge(point, edge) for edge in edges):
        return False
    crossed = 0
    for a, b in edges:
        low, high = (a, b) if a[1] <= b[1] else (b, a)
        crossed += low[1] <= point[1] < high[1] and _turn_direction(low, high, point) > 0
    return crossed % 2 == 1


def center_of(outline: Outline) -> Point:
    """Return the centroid of a polygon, or of its corners where its area is 0, rounded to integers."""
    pieces = [(a[0] * b[1] - b[0] * a[1], a, b) for a, b in outline_edges(outline)]
    doubled_area = sum(size for size, _, _ in pieces)
    if not doubled_area:
        return tuple(round(sum(corner[place] for corner in outline) / len(outline)) for place in (0, 1))  # type: ignore[return-value]  # two axes
    return tuple(
        round(sum(size * (a[place] + b[place]) for size, a, b in pieces) / (3 * doubled_area)) for place in (0, 1)
    )  # type: ignore[return-value]  # two axes
