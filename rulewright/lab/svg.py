"""Shapes and texts of a plot as SVG.

The SVG is generated without a library: six kinds of plots need five kinds of shapes, and the output is identical on
any machine.
"""

from collections.abc import Iterator
from html import escape

INK, PALE, PAPER = "#1f2933", "#d5dbe1", "#ffffff"
# The colors of M. Okabe and K. Ito, which are distinct to the color-blind; games without a winner are gray.
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
NOBODYS = "#b4bcc4"

FONT = "font-family='system-ui, sans-serif'"
# The average width of a character at this size, which is sufficient for the layout of labels.
SIZE, WIDTH_OF_A_CHARACTER = 13, 7.2


def series_color(number: int) -> str:
    """Return the color of a series."""
    return COLORS[number % len(COLORS)]


def text_width(text: str) -> float:
    """Return the estimated width of a text."""
    return len(text) * WIDTH_OF_A_CHARACTER


class Drawing:
    """A drawing of a given size, as a list of shapes."""

    def __init__(self, width: float, height: float, title: str) -> None:
        """Start with an empty drawing."""
        self.width, self.height, self.title = width, height, title
        self.strokes: list[str] = []

    def line(self, start: tuple[float, float], end: tuple[float, float], stroke: str = INK, width: float = 1) -> None:
        """Draw a straight line."""
        places = f"x1='{start[0]:.1f}' y1='{start[1]:.1f}' x2='{end[0]:.1f}' y2='{end[1]:.1f}'"
        self.strokes.append(f"<line {places} stroke='{stroke}' stroke-width='{width:g}'/>")

    def box(self, corner: tuple[float, float], width: float, height: float, fill: str) -> None:
        """Draw a filled rectangle."""
        place = f"x='{corner[0]:.1f}' y='{corner[1]:.1f}' width='{max(width, 0):.1f}' height='{height:.1f}'"
        self.strokes.append(f"<rect {place} fill='{fill}'/>")

    def dot(self, center: tuple[float, float], fill: str, radius: float = 5) -> None:
        """Draw a dot."""
        self.strokes.append(f"<circle cx='{center[0]:.1f}' cy='{center[1]:.1f}' r='{radius:g}' fill='{fill}'/>")

    def track(self, points: list[tuple[float, float]], stroke: str) -> None:
        """Draw a polyline."""
        self.strokes.append(f"<polyline points='{_points(points)}' fill='none' stroke='{stroke}' stroke-width='2'/>")

    def area(self, points: list[tuple[float, float]], fill: str) -> None:
        """Draw a polygon with a translucent fill."""
        self.strokes.append(f"<polygon points='{_points(points)}' fill='{fill}' fill-opacity='0.18'/>")

    def add_text(self, place: tuple[float, float], text: str, anchor: str = "start") -> None:
        """Draw a text."""
        attributes = f"x='{place[0]:.1f}' y='{place[1]:.1f}' text-anchor='{anchor}' fill='{INK}'"
        self.strokes.append(f"<text {attributes} font-size='{SIZE}' {FONT}>{escape(text)}</text>")

    def __str__(self) -> str:
        """Return the SVG of the drawing."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        size = f"width='{self.width:.0f}' height='{self.height:.0f}' viewBox='0 0 {self.width:.0f} {self.height:.0f}'"
        yield f"<svg xmlns='http://www.w3.org/2000/svg' {size} role='img'>"
        yield f"<title>{escape(self.title)}</title>"
        yield f"<rect width='100%' height='100%' fill='{PAPER}'/>"
        yield from self.strokes
        yield "</svg>"


def _points(points: list[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


class Scale:
    """A linear scale from numbers to coordinates, with round marks."""

    def __init__(self, numbers: tuple[float, float], places: tuple[float, float], marks: int = 6) -> None:
        """Extend the interval of numbers to the next marks."""
        low, high = numbers if numbers[0] < numbers[1] else (numbers[0] - 0.5, numbers[0] + 0.5)
        step = round_step((high - low) / marks)
        first, last = int(low // step), -int(-high // step)
        self.low, self.high, self.places = first * step, last * step, places
        self.marks = [round(number * step, 10) for number in range(first, last + 1)]

    def __call__(self, number: float) -> float:
        """Return the coordinate of a number."""
        start, end = self.places
        return start + (number - self.low) / (self.high - self.low) * (end - start)


def round_step(least: float) -> float:
    """Return the least of 1, 2, 5, 10, .. times a power of ten that is not less than a number."""
    power = 10.0 ** (len(f"{int(least)}") - 1) if least >= 1 else 1.0
    while power > least:
        power /= 10
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least * 0.999)
