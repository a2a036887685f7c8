"""The plots of an experiment: the effects of stacks with their intervals, and who wins."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from html import escape

from runtime.experiment.summary import Summary

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


class PlotDrawing:
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

    def dot(self, center: tuple[float, float], fill: str) -> None:
        """Draw a dot."""
        self.strokes.append(f"<circle cx='{center[0]:.1f}' cy='{center[1]:.1f}' r='5' fill='{fill}'/>")

    def add_label(self, place: tuple[float, float], text: str, anchor: str = "start") -> None:
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


class AxisScale:
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


PLOT_WIDTH, ROW_HEIGHT, TOP, BOTTOM, ROW_GAP = 960, 30, 34, 44, 14
# The longest label that leaves room for the plot.
LONGEST_PLOT_LABEL = 60
# The width of a label of the key without its text.
SWATCH = 40


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot with the name of its file and its caption."""

    name: str
    caption: str
    svg: str


def draw_plots(summary: Summary) -> Iterator[Plot]:
    """Yield all plots that have data."""
    if summary.differences:
        caption = f"What each stack changes in the wins of {summary.side}, with the interval of each."
        yield Plot("effects", caption, draw_effects(summary))
    if any(arm.n for arm in summary.arms):
        yield Plot("wins", "Who wins; gray: nobody.", draw_balance(summary))


def truncate_label(label: str) -> str:
    """Truncate a label in the middle."""
    half = LONGEST_PLOT_LABEL // 2 - 1
    return label if len(label) <= LONGEST_PLOT_LABEL else f"{label[:half]} .. {label[-half:]}"


def row_name(summary: Summary, rules_: str, players: str) -> str:
    """Return the label of a row."""
    return truncate_label(f"{rules_}, {players}" if len(summary.seatings) > 1 else rules_)


def draw_effects(summary: Summary) -> str:
    """Draw every difference with its interval, and the zero line."""
    rows = [
        (row_name(summary, gap.rules, gap.players), gap.wins.estimate, gap.wins.interval) for gap in summary.differences
    ]
    left = max(text_width(label) for label, _, _ in rows) + ROW_GAP
    drawing = PlotDrawing(PLOT_WIDTH, TOP + ROW_HEIGHT * len(rows) + BOTTOM, "Differences of wins")
    ends = [0.0, *(end for _, _, interval in rows for end in interval)]
    scale = AxisScale((min(ends), max(ends)), (left, PLOT_WIDTH - 30))
    foot = TOP + ROW_HEIGHT * len(rows)
    draw_scale_marks(drawing, scale, foot, lambda mark: f"{mark:+.0%}" if mark else "0")
    drawing.line((scale(0), TOP - 10), (scale(0), foot), INK, 1.5)
    for number, (label, estimate, interval) in enumerate(rows):
        y = TOP + ROW_HEIGHT * (number + 0.5)
        drawing.add_label((left - ROW_GAP, y + 4), label, "end")
        shade = COLORS[0] if interval.excludes_zero else INK
        drawing.line((scale(interval.low), y), (scale(interval.high), y), shade, 3)
        drawing.dot((scale(estimate), y), shade)
    return str(drawing)


def draw_scale_marks(drawing: PlotDrawing, scale: AxisScale, foot: float, label_of: Callable[[float], str]) -> None:
    """Draw the marks of a horizontal scale."""
    for mark in scale.marks:
        drawing.line((scale(mark), TOP - 10), (scale(mark), foot), PALE)
        drawing.add_label((scale(mark), foot + 20), label_of(mark), "middle")


def draw_key(drawing: PlotDrawing, series: Mapping[str, str], left: float) -> None:
    """Draw the key of colors."""
    x = left
    for label, color in series.items():
        drawing.box((x, 6), 12, 12, color)
        drawing.add_label((x + 17, 16), label)
        x += text_width(label) + SWATCH


def draw_balance(summary: Summary) -> str:
    """Draw the shares of wins of every stack and seating."""
    labels = [row_name(summary, arm.rules, arm.players) for arm in summary.arms]
    left = max(map(text_width, labels)) + ROW_GAP
    foot = TOP + ROW_HEIGHT * len(labels)
    drawing = PlotDrawing(PLOT_WIDTH, foot + BOTTOM, "Who wins")
    scale = AxisScale((0, 1), (left, PLOT_WIDTH - 30), 5)
    draw_scale_marks(drawing, scale, foot, lambda mark: f"{mark:.0%}")
    shades = [(side, series_color(number)) for number, side in enumerate(summary.sides)]
    draw_key(drawing, {**dict(shades), "nobody": NOBODYS}, left)
    for number, (label, arm) in enumerate(zip(labels, summary.arms, strict=True)):
        y = TOP + ROW_HEIGHT * number
        drawing.add_label((left - ROW_GAP, y + ROW_HEIGHT / 2 + 4), label, "end")
        start = 0.0
        won = {**dict(arm.won_by), "": arm.n - sum(count for _, count in arm.won_by)}
        for side, shade in (*shades, ("", NOBODYS)):
            share = won.get(side, 0) / arm.n if arm.n else 0
            drawing.box((scale(start), y + 5), scale(start + share) - scale(start), ROW_HEIGHT - 10, shade)
            start += share
    return str(drawing)
