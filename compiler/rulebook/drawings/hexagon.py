"""Coordinates of hexes on paper: pointy-topped, odd rows half a hex to the right."""

import math

from runtime.graph.frozen_dataclass import frozen_dataclass

Point = tuple[float, float]


@frozen_dataclass
class Hexagon:
    """Hexes of one size; `radius` leads from the center to a corner."""

    radius: float

    @property
    def width(self) -> float:
        """Return the distance between opposite sides."""
        return self.radius * math.sqrt(3)

    def center(self, column: int, row: int) -> Point:
        """Return the center of a hex."""
        return (column + (row % 2) / 2) * self.width, row * 1.5 * self.radius

    def corners(self, center: Point, scale: float) -> str:
        """Return the corners of a scaled hex in the format of SVG."""
        angles = [math.radians(60 * corner - 30) for corner in range(6)]
        reach = scale * self.radius
        return " ".join(
            f"{center[0] + reach * math.cos(angle):.1f},{center[1] + reach * math.sin(angle):.1f}" for angle in angles
        )

    def side(self, first: Point, second: Point, shift: float) -> tuple[Point, Point] | None:
        """Return the ends of the side between two hexes, moved toward the second; None if they are not adjacent."""
        (x1, y1), (x2, y2) = first, second
        distance = math.hypot(x2 - x1, y2 - y1)
        if distance > 1.1 * self.width:
            return None
        direction = (x2 - x1) / distance, (y2 - y1) / distance
        side_x, side_y = -direction[1] * self.radius / 2, direction[0] * self.radius / 2
        x, y = (x1 + x2) / 2 + direction[0] * shift, (y1 + y2) / 2 + direction[1] * shift
        return (x + side_x, y + side_y), (x - side_x, y - side_y)
