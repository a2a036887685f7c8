"""Compute the layout of the spaces of a map, hexes or not, and the shapes drawn there.

The input is the places of hexes and other spaces, and how they are drawn; the output is their centers, and SVG shapes
around them. Areas and points are drawn below the hexes of a map that has both, as large as their counters need.
"""

import math
from collections.abc import Hashable, Iterable, Mapping
from itertools import combinations
from typing import Generic, TypeVar

from compiler.rulebook.drawings.hexagon import Hexagon, Point
from runtime.graph.frozen_dataclass import frozen_dataclass
from runtime.graph.outlines import share_edge, shared_edges

Name = TypeVar("Name", bound=Hashable)
CornerPoints = tuple[tuple[int, int], ...]
PointPair = tuple[Point, Point]

# Relative to the radius of a hex: the size of a point, the least distance of points, the least width of an area.
POINT_SIZE, POINT_DISTANCE, LEAST_AREA_WIDTH = 0.92, 2.6, 2.1


@frozen_dataclass
class MapLayout(Generic[Name]):
    """Centers of all spaces, and the corners of areas, as drawn; `outlines` are the corners as written."""

    hexagon: Hexagon
    centers: Mapping[Name, Point]
    drawn_outlines: Mapping[Name, tuple[Point, ...]]
    outlines: Mapping[Name, CornerPoints]

    def bounding_box(self) -> tuple[float, float, float, float]:
        """Return left, top, right and bottom of the drawing."""
        points = [point for corners in self.drawn_outlines.values() for point in corners]
        for name, (x, y) in self.centers.items():
            if name not in self.drawn_outlines:
                points += [(x - self.hexagon.width / 2, y - self.hexagon.radius)]
                points += [(x + self.hexagon.width / 2, y + self.hexagon.radius)]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        return min(xs), min(ys), max(xs), max(ys)

    def shape_tag(self, name: Name, scale: float) -> str:
        """Return the start of the SVG element of a scaled space: a hex, an area or a circle."""
        center = self.centers[name]
        if name not in self.outlines:
            return f'<polygon points="{self.hexagon.corners(center, scale)}"'
        if name not in self.drawn_outlines:
            return (
                f'<circle cx="{center[0]:.1f}" cy="{center[1]:.1f}" r="{scale * POINT_SIZE * self.hexagon.radius:.1f}"'
            )
        corners = (
            (center[0] + scale * (x - center[0]), center[1] + scale * (y - center[1]))
            for x, y in self.drawn_outlines[name]
        )
        return '<polygon points="' + " ".join(f"{x:.1f},{y:.1f}" for x, y in corners) + '"'

    def lines_between(self, first: Name, second: Name, shift: float) -> list[PointPair]:
        """Return the lines of the side between two spaces, moved by `shift` toward the second."""
        if first in self.drawn_outlines and second in self.drawn_outlines and self.share_edge(first, second):
            return [(self._onto(first, a, shift), self._onto(first, b, shift))
                    for a, b in shared_edges(self.outlines[first], self.outlines[second])]  # fmt: skip
        if first not in self.outlines and second not in self.outlines:
            side = self.hexagon.side(self.centers[first], self.centers[second], shift)
            if side is not None:
                return [side]
        (x1, y1), (x2, y2) = self.centers[first], self.centers[second]
        distance = math.hypot(x2 - x1, y2 - y1) or 1.0
        direction = (x2 - x1) / distance, (y2 - y1) / distance
        x, y = (x1 + x2) / 2 + direction[0] * shift, (y1 + y2) / 2 + direction[1] * shift
        reach = self.hexagon.radius / 4
        return [
            ((x - direction[1] * reach, y + direction[0] * reach), (x + direction[1] * reach, y - direction[0] * reach))
        ]

    def share_edge(self, first: Name, second: Name) -> bool:
        """Return whether two areas share an edge."""
        first_outline, second_outline = self.outlines.get(first, ()), self.outlines.get(second, ())
        return len(first_outline) > 2 and len(second_outline) > 2 and share_edge(first_outline, second_outline)

    def closed_edges(self, links: Iterable[tuple[Name, Name]]) -> list[PointPair]:
        """Return the common edges of areas that no connection crosses."""
        linked_pairs = {frozenset(pair) for pair in links}
        pairs = (pair for pair in combinations(self.drawn_outlines, 2) if frozenset(pair) not in linked_pairs)
        return [
            segment
            for first, second in pairs
            if self.share_edge(first, second)
            for segment in self.lines_between(first, second, 0)
        ]

    def _onto(self, name: Name, corner: tuple[int, int], shift: float) -> Point:
        """Return the drawn place of a point of an area; `shift` moves it down and to the right."""
        scale, (left, top) = self._scale(name)
        return left + scale * corner[0] + shift / 2, top + scale * corner[1] + shift / 2

    def _scale(self, name: Name) -> tuple[float, Point]:
        """Return the scale and the offset of an area."""
        written_corners, drawn_corners = self.outlines[name], self.drawn_outlines[name]
        low, high = min(written_corners), max(written_corners)
        start, end = drawn_corners[written_corners.index(low)], drawn_corners[written_corners.index(high)]
        scale = math.dist(start, end) / math.dist(low, high)
        return scale, (start[0] - scale * low[0], start[1] - scale * low[1])


def compute_layout(
    hexagon: Hexagon, cells: Mapping[Name, tuple[int, int]], shapes: Mapping[Name, CornerPoints]
) -> MapLayout[Name]:
    """Compute a layout; `cells` are columns and rows of hexes, and the centers of what `shapes` contains."""
    hexes = {name: hexagon.center(*cell) for name, cell in cells.items() if name not in shapes}
    loose = {name: cell for name, cell in cells.items() if name in shapes}
    scale = _enlarged(hexagon.radius, loose, shapes)
    left = min((x for x, _ in hexes.values()), default=0.0)
    below = max((y for _, y in hexes.values()), default=0.0)
    extent = [point for name, cell in loose.items() for point in (cell, *shapes[name])]
    first = min((x for x, _ in extent), default=0), min((y for _, y in extent), default=0)
    gap = 3.2 * hexagon.radius if hexes else 0.0

    def drawn(point: tuple[int, int]) -> Point:
        return left + scale * (point[0] - first[0]), below + gap + scale * (point[1] - first[1])

    centers = {name: hexes[name] if name in hexes else drawn(cell) for name, cell in cells.items()}
    areas = {name: tuple(map(drawn, shapes[name])) for name in loose if len(shapes[name]) > 2}
    return MapLayout(hexagon, centers, areas, {name: shapes[name] for name in loose})


def _enlarged(radius: float, loose: Mapping[Name, tuple[int, int]], shapes: Mapping[Name, CornerPoints]) -> float:
    """Compute the scale at which counters fit into every area and between any two points."""
    distances = [math.dist(first, second) for first, second in combinations(loose.values(), 2)]
    scales = [POINT_DISTANCE * radius / distance for distance in distances if distance]
    for name in loose:
        xs, ys = zip(*shapes[name], strict=True) if len(shapes[name]) > 2 else ((), ())
        if xs:
            scales.append(LEAST_AREA_WIDTH * radius / max(1, min(max(xs) - min(xs), max(ys) - min(ys))))
    return max(scales, default=1.0)
